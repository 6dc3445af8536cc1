import { addDays, type Day, LAST_DAY, longDayText } from './calendar.ts';
import { costOn, type LateFee } from './late-fee.ts';
import { bodyOf, type LetterFacts, subjectOf } from './letters.ts';
import type { Minor } from './money.ts';
import { rateUsedText } from './rate-period.ts';
import type { Fault, Result } from './result.ts';
import { cleanLine } from './text.ts';

export type Tone = 'polite' | 'firm' | 'final';

export const TONES: readonly Tone[] = ['polite', 'firm', 'final'];

export type ReminderNames = {
  readonly tone: Tone;
  readonly clientName: string | null;
  readonly businessName: string | null;
  readonly invoiceNumber: string | null;
};

/** A letter as plain text; `subject` is one line of at most 78 UTF-16 units, `body` has '\n' line ends. */
export type Reminder = {
  readonly tone: Tone;
  readonly subject: string;
  readonly body: string;
  readonly payBy: Day;
  /** What is due 7, 14 and 30 days on; fewer rows where the calendar or exact money ends. */
  readonly ifPaidBy: { readonly date: Day; readonly fee: Minor; readonly totalDue: Minor }[];
  /** What the sender should know about this letter, beside the caveats of its fee. */
  readonly caveats: string[];
};

const DAYS_TO_PAY = 7;
const MILESTONE_DAYS = [7, 14, 30] as const;

/**
 * The reminder for an overdue invoice. Names are cleaned to one line, printed as they are and never cut; a blank
 * name counts as missing. Fault: invoice_not_overdue.
 */
export function reminder(fee: LateFee, names: ReminderNames): Result<Reminder> {
  if (fee.status === 'not_overdue') return { ok: false, faults: [notOverdue(fee)] };
  const payBy = addDays(fee.terms.paidDate, DAYS_TO_PAY);
  const facts: LetterFacts = {
    fee,
    payBy,
    client: present(names.clientName),
    business: present(names.businessName),
    invoice: present(names.invoiceNumber),
  };
  return {
    ok: true,
    value: {
      tone: names.tone,
      subject: subjectOf(names.tone, facts),
      body: bodyOf(names.tone, facts),
      payBy,
      ifPaidBy: milestones(fee),
      caveats: caveatsOf(names.tone, fee),
    },
  };
}

const present = (name: string | null): string | null => (name === null ? null : cleanLine(name) || null);

function notOverdue({ terms }: LateFee): Fault {
  const { dueDate, paidDate } = terms;
  const when = dueDate === paidDate ? 'is the day of payment itself' : 'is later than the day of payment';
  const hint =
    dueDate === LAST_DAY
      ? 'check the year of due_date'
      : `the invoice is overdue from ${longDayText(addDays(dueDate, 1))}; the free late-fee calculator answers for any date`;
  return {
    pointer: '/due_date',
    code: 'invoice_not_overdue',
    detail: `${when}, ${longDayText(paidDate)}: nothing is overdue, so there is nothing to remind of`,
    hint,
  };
}

function milestones(fee: LateFee): Reminder['ifPaidBy'] {
  // Near the end of the calendar several milestones fall on its last day, which is then listed once.
  const dates = new Set(MILESTONE_DAYS.map((days) => addDays(fee.terms.paidDate, days)));
  return [...dates].flatMap((date) => {
    const cost = costOn(fee, date);
    return cost === null ? [] : [{ date, ...cost }];
  });
}

function caveatsOf(tone: Tone, { status, terms }: LateFee): string[] {
  return [
    ...(terms.rateDefaulted
      ? [
          `No rate was given, so ${rateUsedText(terms.rate, terms.rateType)} was used: put the rate of your own agreed terms before sending.`,
        ]
      : []),
    'Read the letter before you send it: it says that the fee follows your payment terms, so send it only if they provide for one.',
    'Names are printed exactly as given. The letter is plain text: escape it before you put it into HTML.',
    ...(status === 'within_grace' && tone !== 'polite'
      ? ['The invoice is still within its days of grace: a polite letter may serve you better.']
      : []),
    ...(tone === 'final'
      ? ['This is a reminder, not a formal demand that a court may require before a claim.']
      : []),
  ];
}
