import { longDayText, parseDay } from '../../../domain/calendar.ts';
import { cleanLine } from '../../../domain/text.ts';

/** '21 November 2026' of '2026-11-21'; anything else as it is. */
export function longDay(day: string): string {
  const parsed = parseDay(day);
  return parsed === null ? cleanLine(day) : longDayText(parsed);
}
