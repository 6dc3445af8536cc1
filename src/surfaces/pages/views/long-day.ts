import { parseDay } from '../../../domain/calendar.ts';
import { localDay } from '../../../domain/locale.ts';
import { cleanLine } from '../../../domain/text.ts';

/** '21 November 2026' of '2026-11-21', 'November 21, 2026' with USD; any other text is unchanged. */
export function longDay(day: string, currency: string | null = null): string {
  const parsed = parseDay(day);
  return parsed === null ? cleanLine(day) : localDay(parsed, currency);
}
