import type { AnswerOf } from '../../../operations/answers.ts';
import type { Block } from '../content.ts';
import { amountText, longDay, notes } from './format.ts';
import { lateFeeView, onPage } from './late-fee.ts';

type Body = AnswerOf<'late_fee_notice'>;

/** A reminder for people: the letter to copy, then its figures and what they will be later. */
export function letterView(body: Body): readonly Block[] {
  const { subject, body: letter } = body.reminder;
  return [
    { subheading: 'The letter' },
    { text: asking(body) },
    { letter: subject, label: 'Subject' },
    { letter, label: 'Letter' },
    ...letterNotes(body),
  ];
}

const asking = ({ reminder: { tone, pay_by } }: Body): string =>
  `Its tone is ${tone}, and it asks for payment by ${longDay(pay_by)}.`;

/** Notes on a letter for its owner, not for the client. */
export function letterNotes({ fee, reminder: { if_paid_by }, caveats }: Body): readonly Block[] {
  const money = (value: number) => amountText(value, fee.currency);
  return [
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
                longDay(date),
                money(late_fee),
                money(total_due),
              ]),
            },
          },
        ]),
    ...notes('Good to know', [...caveats, ...fee.caveats].map(onPage)),
  ];
}

/**
 * The value of a field of the request, or of the letterhead sent with it, such as `paper.business`; null if it is not
 * set.
 */
export type Asked = (name: string) => string | null;

/** A note about an unsigned letter: the owner can still add a name to the document for free. */
export const letterBefore = (asked: Asked): readonly string[] =>
  (asked('business_name') || asked('paper.business') || '').trim() === ''
    ? ['The letter does not have your business name yet. You can also add it after you pay.']
    : [];
