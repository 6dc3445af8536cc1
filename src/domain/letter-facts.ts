import type { FeeOnDay } from './late-fee-terms.ts';
import type { LetterDays } from './letter-figures.ts';
import type { InvoiceName } from './letter-names.ts';

export type Tone = 'polite' | 'firm' | 'final';

export const TONES: readonly Tone[] = ['polite', 'firm', 'final'];

/** What a letter is written from; names are clean single lines, null when missing. */
export type LetterFacts = LetterDays & {
  readonly client: string | null;
  readonly business: string | null;
  readonly invoice: InvoiceName;
  /** The fields of names that are left out, being more than a name. */
  readonly leftOut: readonly string[];
  /** Clean lines; none: those on the invoice hold. */
  readonly paymentDetails: readonly string[];
};

/** Days of grace are past the due date, but not overdue. */
export const lateWord = ({ status }: FeeOnDay): string =>
  status === 'within_grace' ? 'past due' : 'overdue';

const LONG_PAST_DAYS = 60;

/** Whether it was due so long ago that nothing about a reminder is quick, and a polite one is mild. */
export const isLongPast = ({ onSendDay }: LetterFacts): boolean => onSendDay.daysLate > LONG_PAST_DAYS;
