import type { AnswerOf } from '../../../operations/answers.ts';
import type { Block } from '../content.ts';
import { inWords } from '../form-texts.ts';
import { amountText, longDay, notes } from './format.ts';
import { lateFeeView, namedAsAsked } from './late-fee.ts';

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
  `Its tone is ${tone}, and it asks to be paid by ${longDay(pay_by)}.`;

/** Advice for programs in the words of the page, which names the control to use. */
const ON_PAGE: readonly (readonly [RegExp, string])[] = [
  [
    /send claim statutory or reserve with jurisdiction (?:GB|EU)/,
    'choose it under “Interest by law” and “The letter asks for”',
  ],
  [/jurisdiction GB or EU shows it/, '“Interest by law” shows it'],
  [
    /(?:otherwise )?ask again with the (rate|flat fee) in your own terms(?: as rate)?, or with 0 for no fee/,
    'otherwise write the $1 in your own terms, or 0 for no fee, and get the letter again',
  ],
  [
    /Leave paid date out for a letter of today; what was due on (.+?) is only in this answer\./,
    'For a letter of today, empty the field “Up to”. Only this letter has what was due on $1.',
  ],
  [/ask again without paid date/, 'empty the field “Up to” and get the letter again'],
  [/send pay within days 30/, 'write 30 under “Days to pay”'],
  [/What was due on (.+?) is only in this answer\./, 'Only this letter has what was due on $1.'],
  [/Check grace days if/, 'Check the grace days if'],
  [/only: check amount,/, 'only: check the amount,'],
  [/, or ask again\./, ', or get a new one.'],
  [/ask again with/, 'get the letter again with'],
  [/prints business name as given/, 'prints the name of your business as you wrote it'],
];

/** A note for programs as a note for the owner at the page. */
export const onPage = (note: string): string =>
  ON_PAGE.reduce((text, [pattern, words]) => text.replace(pattern, words), inWords(note));

/** Notes on a letter for its owner at the page. */
export const ownersLetterNotes = (body: Body): readonly Block[] => letterNotes(body, onPage);

/** Notes on a letter for its owner, not for the client. */
function letterNotes(
  { fee, reminder: { if_paid_by }, caveats }: Body,
  worded: (note: string) => string = (note) => namedAsAsked(inWords(note)),
): readonly Block[] {
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
    ...notes('Good to know', [...caveats, ...fee.caveats].map(worded)),
  ];
}

/**
 * The value of a field of the request, or of the letterhead sent with it, such as `paper.business`; null if it is not
 * set.
 */
export type Asked = (name: string) => string | null;

/** A note about an unsigned letter; the owner can still add a name to the document for free. */
export const letterBefore = (asked: Asked): readonly string[] =>
  (asked('business_name') || asked('paper.business') || '').trim() === ''
    ? ['The letter has no name of a business yet. You can also add it after you pay.']
    : [];
