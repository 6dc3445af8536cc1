import type { Block } from '../content.ts';
import { inWords } from '../form-words.ts';
import { type LateFeeBody, lateFeeView } from './late-fee.ts';
import { dayWords } from './listing-words.ts';
import { amountText, notes } from './words.ts';

/** What the page shows of a reminder, as the API answers it. */
export type LetterBody = {
  readonly fee: LateFeeBody;
  readonly reminder: {
    readonly tone: string;
    readonly subject: string;
    readonly body: string;
    readonly pay_by: string;
    readonly if_paid_by: readonly {
      readonly date: string;
      readonly late_fee: number;
      readonly total_due: number;
    }[];
  };
  readonly caveats: readonly string[];
};

/** A reminder for people: the letter to take away, then every figure in it and what it will be later. */
export function letterView({ fee, reminder, caveats }: LetterBody): readonly Block[] {
  const { tone, subject, body, pay_by, if_paid_by } = reminder;
  const money = (value: number) => amountText(value, fee.currency);
  return [
    { subheading: 'The letter' },
    { text: `Its tone is ${tone}, and it asks to be paid by ${dayWords(pay_by)}.` },
    { letter: subject, label: 'Subject' },
    { letter: body, label: 'Letter' },
    { subheading: 'The figures in it' },
    ...lateFeeView({ ...fee, caveats: [] }),
    ...(if_paid_by.length === 0
      ? []
      : [
          { subheading: 'If your client pays later' },
          {
            table: {
              head: ['Paid on', 'Late fee', 'Total due'],
              rows: if_paid_by.map(({ date, late_fee, total_due }) => [
                dayWords(date),
                money(late_fee),
                money(total_due),
              ]),
            },
          },
        ]),
    ...notes('Good to know', [...caveats, ...fee.caveats].map(inWords)),
  ];
}
