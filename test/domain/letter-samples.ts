import type { LateFeeTerms } from '../../src/domain/late-fee.ts';
import { lateFee } from '../../src/domain/late-fee.ts';
import type { ReminderRequest } from '../../src/domain/letter-facts.ts';
import { type Reminder, reminder, reminderFaults } from '../../src/domain/reminder.ts';
import type { Result } from '../../src/domain/result.ts';
import { dec, lateFeeTerms, valued } from './samples.ts';

/** A polite letter from Bright Studio to Dana Reed about INV-1042, with a week to pay. */
export const reminderRequest = (changes: Partial<ReminderRequest> = {}): ReminderRequest => ({
  tone: 'polite',
  claim: 'agreed',
  law: null,
  clientName: 'Dana Reed',
  businessName: 'Bright Studio',
  invoiceNumber: 'INV-1042',
  invoiceDate: null,
  more: [],
  purchaseOrder: null,
  contact: null,
  signer: null,
  earlierReminders: [],
  nextStep: null,
  suspendWhat: null,
  paidOn: null,
  paymentDetails: [],
  payWithinDays: 7,
  ...changes,
});

/** Makes a reminder of the sample invoice, polite and with three names by default. */
export const remind = (
  changes: Partial<LateFeeTerms> = {},
  request: Partial<ReminderRequest> = {},
): Result<Reminder> => {
  const fee = valued(lateFee(lateFeeTerms(changes)));
  const faults = reminderFaults(fee.terms);
  return faults.length > 0 ? { ok: false, faults } : reminder(fee, reminderRequest(request));
};

export const letter = (...args: Parameters<typeof remind>): Reminder => valued(remind(...args));

export const flat = { rateType: 'flat', rate: dec(25), currency: 'GBP' } as const;
