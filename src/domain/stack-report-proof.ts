import type { Proof, Tool, ToolNotes } from './stack-report-types.ts';

const STRONG_MONTHS = 18;

/** The ISO day a number of months earlier; used only in comparisons, so a 31st of a short month is harmless. */
export function monthsBefore(day: string, months: number): string {
  const index = Number(day.slice(0, 4)) * 12 + Number(day.slice(5, 7)) - 1 - months;
  const year = String(Math.floor(index / 12)).padStart(4, '0');
  return `${year}-${String((index % 12) + 1).padStart(2, '0')}${day.slice(7)}`;
}

/** The latest day on which the vendor's text is known to have been published; null for a text of unknown age. */
const textDay = ({ check }: Pick<Tool, 'check'>): string | null =>
  check.method === 'live_page' ? check.checked_on : check.source_dated;

/**
 * How well the vendor's words carry a pick on a day. `strong`: words of the last 18 months, or a licence in the
 * vendor's own repository, which does not age like a price. `fair`: older words, of unknown age, or written down by
 * somebody else. `thin`: the words only mention that something is free.
 */
export function proofOf(
  tool: Pick<Tool, 'check'>,
  { proves }: Pick<ToolNotes, 'proves'>,
  today: string,
): Proof {
  const { method } = tool.check;
  if (proves === 'mention') return 'thin';
  if (method === 'transcription') return 'fair';
  if (proves === 'licence' && method === 'vendor_repository') return 'strong';
  const day = textDay(tool);
  return day !== null && day >= monthsBefore(today, STRONG_MONTHS) ? 'strong' : 'fair';
}
