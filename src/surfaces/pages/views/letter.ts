import type { AnswerOf } from '../../../operations/answers.ts';
import type { Block } from '../content.ts';
import { inWords } from '../form-words.ts';
import { lateFeeView } from './late-fee.ts';
import { dayWords } from './listing-words.ts';
import { amountText, notes } from './words.ts';

/** A reminder for people: the letter to take away, then every figure in it and what it will be later. */
export function letterView({ fee, reminder, caveats }: AnswerOf<'late_fee_notice'>): readonly Block[] {
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
