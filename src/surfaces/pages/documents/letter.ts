import { cleanLine } from '../../../domain/text.ts';
import type { AnswerOf } from '../../../operations/answers.ts';
import type { Block } from '../content.ts';
import { amountText, longDay, notes } from '../views/format.ts';
import { lateFeeSteps, lateFeeWarnings, onPage } from './late-fee.ts';
import type { Letterhead } from './letterhead.ts';
import { linesOf, type Sheet, type SheetPart } from './sheet.ts';

type Body = AnswerOf<'late_fee_notice'>;

/** A reminder as text: the letter to copy, then what only its owner needs. */
export const letterView = (body: Body): readonly Block[] => [
  { subheading: 'The letter' },
  {
    text: `Its tone is ${body.reminder.tone}, and it asks for payment by ${longDay(body.reminder.pay_by)}.`,
  },
  { letter: body.reminder.subject, label: 'Subject' },
  { letter: body.reminder.body, label: 'Letter' },
  ...letterNotes(body),
];

/** Notes on a letter for its owner, not for the client. */
export function letterNotes({ fee, reminder: { if_paid_by }, caveats }: Body): readonly Block[] {
  const money = (value: number) => amountText(value, fee.currency);
  return [
    ...lateFeeWarnings(fee),
    { subheading: 'How the late fee was reached' },
    ...lateFeeSteps({ ...fee, caveats: [] }),
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

/** The letter as it is sent, signed with the owner's added name if it has none. */
export function letterText({ reminder: { body } }: Body, letterhead: Letterhead): string {
  const name = cleanLine(letterhead.business);
  // A letter without a name ends with its greeting.
  const isUnsigned = /\n\n[^\n]+,$/.test(body);
  return isUnsigned && name !== '' ? `${body}\n${name}` : body;
}

/** The signer of the letter, with the business below a person; empty if it is unsigned. */
export const signerOf = ({ reminder: { body } }: Body): string =>
  /\n\n[^\n]+,\n(?:.+\n)*(.+)$/.exec(body)?.[1] ?? '';

// A greeting that contains a name, unlike "Sir or Madam".
const GREETS_NAME =
  /^(?:Dear|Hello) (?!(?:sirs?|madam|all|team|everyone|customer|client|colleagues?|friends?)\b)(.+),\n/iu;

/** The name in the letter's greeting; '' if it has none. */
export const greetedIn = ({ reminder }: Body): string => GREETS_NAME.exec(reminder.body)?.[1] ?? '';

/** A reminder as a printed letter, word for word as it is sent by email; `day` is its date. */
export function letterSheet(body: Body, letterhead: Letterhead, day: string): Sheet {
  const paragraphs = letterText(body, letterhead)
    .split('\n\n')
    .map((paragraph) => paragraph.split('\n'));
  const [regards = '', ...signer] = paragraphs.at(-1) ?? [];
  return {
    kind: 'letter',
    title: null,
    business: cleanLine(letterhead.business || (signer.at(-1) ?? '')),
    contact: linesOf(letterhead.contact),
    client: linesOf(letterhead.client),
    facts: [{ label: 'Date', value: longDay(day, body.fee.currency) }],
    names: [GREETED.exec(paragraphs[0]?.[0] ?? '')?.[1] ?? '', ...signer].filter((name) => name !== ''),
    parts: [
      { subject: body.reminder.subject },
      ...paragraphs.slice(0, -1).flatMap(partsOf),
      { lines: [regards] },
      ...(signer.length === 0 ? [] : [{ lines: signer }]),
    ],
  };
}

const GREETED = /^\p{L}+ (.+),$/u;

// A row of figures: a name and a value.
const FIGURE = /^(.+): (\S.*)$/;

/** A paragraph of a document: figures as a table, entries as a list, everything else as lines. */
function partsOf(lines: readonly string[]): readonly SheetPart[] {
  const figures = lines.flatMap((line) => {
    const [, label, value] = FIGURE.exec(line) ?? [];
    return label === undefined || value === undefined
      ? []
      : [{ label, value, strong: label.startsWith('Total') }];
  });
  if (lines.length > 1 && figures.length === lines.length) return [{ figures }];
  const isEntry = (line: string): boolean => line.startsWith('- ');
  const list = lines.filter(isEntry).map((line) => line.slice(2));
  const isList = list.length > 0 && lines.slice(-list.length).every(isEntry);
  if (!isList) return [{ lines }];
  const before = lines.slice(0, -list.length);
  return [...(before.length === 0 ? [] : [{ lines: before }]), { list }];
}
