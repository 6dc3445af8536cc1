import { type LateFeeTerms, lateFee } from '../../src/domain/late-fee.ts';
import { type Reminder, type ReminderNames, reminder } from '../../src/domain/reminder.ts';
import type { Result } from '../../src/domain/result.ts';
import { dec, lateFeeTerms, valued } from './samples.ts';

const NAMES = { clientName: 'Dana Reed', businessName: 'Bright Studio', invoiceNumber: 'INV-1042' };

/** A reminder of the sample invoice, polite and with three names unless told otherwise. */
export const remind = (
  changes: Partial<LateFeeTerms> = {},
  names: Partial<ReminderNames> = {},
): Result<Reminder> =>
  reminder(valued(lateFee(lateFeeTerms(changes))), { tone: 'polite', ...NAMES, ...names });

export const letter = (...args: Parameters<typeof remind>): Reminder => valued(remind(...args));

/** Subject and body as one text. */
export function written(...args: Parameters<typeof remind>): string {
  const { subject, body } = letter(...args);
  return `${subject}\n\n${body}`;
}

export const grace = { graceDays: 20 };
export const flat = { rateType: 'flat', rate: dec(25), currency: 'GBP' } as const;
