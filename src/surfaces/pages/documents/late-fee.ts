import { cleanLine } from '../../../domain/text.ts';
import type { AnswerOf } from '../../../operations/answers.ts';
import type { Block } from '../content.ts';
import { inWords } from '../form-texts.ts';
import { amountText, longDay, notes, plain } from '../views/format.ts';
import { BLANK, type Letterhead } from './letterhead.ts';
import { linesOf, type Sheet, sheetBlocks } from './sheet.ts';

type Body = AnswerOf<'late_fee'>;

/** A late fee as text: the statement, then what only its owner needs. */
export const lateFeeView = (body: Body): readonly Block[] => [
  ...sheetBlocks(feeSheet(body, BLANK)),
  ...lateFeeWarnings(body),
  { subheading: 'How it was reached' },
  ...lateFeeSteps(body),
];

export const lateFeeWarnings = ({ warnings }: Body): readonly Block[] =>
  warnings.map((warning) => ({ note: warning.replace('; send the rate', '; enter the rate') }));

/** The amount owed on a late invoice, as a free statement with its formula and without the text of a letter. */
export function feeSheet(body: Body, letterhead: Letterhead): Sheet {
  const money = (sum: number): string => amountText(sum, body.currency);
  const day = (text: string): string => longDay(text, body.currency);
  const number = cleanLine(letterhead.number);
  const { amount_open: open, amount_paid: paid, late_fee, total_due, amount, invoices = [] } = body;
  return {
    kind: 'letter',
    title: 'Amount due',
    business: cleanLine(letterhead.business),
    contact: linesOf(letterhead.contact),
    client: linesOf(letterhead.client),
    facts: [
      ...(number === '' ? [] : [{ label: 'Invoice', value: number }]),
      { label: 'Due', value: day(body.due_date) },
      { label: 'Up to', value: day(body.paid_date) },
    ],
    parts: [
      ...(invoices.length < 2
        ? []
        : [
            {
              table: {
                head: ['Invoice', 'Due', 'Late fee', 'Total'],
                rows: invoices.map((one, index) => [
                  cleanLine(one.number ?? '') || `Invoice ${index + 1}`,
                  day(one.due_date),
                  money(one.late_fee),
                  money(one.total_due),
                ]),
                totals: [],
              },
            },
          ]),
      {
        figures: [
          { label: invoices.length < 2 ? 'Invoice' : 'Invoices', value: money(amount) },
          ...(paid === undefined || open === undefined
            ? []
            : [
                { label: 'Paid', value: money(-paid) },
                { label: 'Still open', value: money(open) },
              ]),
          { label: 'Late fee', value: money(late_fee) },
          { label: 'Total due', value: money(total_due), strong: true },
        ],
      },
      { lines: [feeStanding(body)] },
      ...(late_fee === 0 ? [] : [{ lines: [`Late fee: ${body.formula}`] }]),
    ],
  };
}

/** The calculation of a fee, the statutory interest, and the notes. */
export function lateFeeSteps(body: Body): readonly Block[] {
  const money = (value: number) => amountText(value, body.currency);
  const day = longDay(body.paid_date);
  const asOf = body.as_of_source === 'today_utc' ? `${day} (today, UTC)` : day;
  return [
    {
      table: {
        head: ['Step', 'Value'],
        rows: [
          ['Formula', body.formula],
          ...(isRounded(body) ? [['Before rounding', body.unrounded_fee]] : []),
          ...(body.min_fee === null ? [] : [['Minimum fee', money(body.min_fee)]]),
          ...(body.max_fee === null ? [] : [['Maximum fee', money(body.max_fee)]]),
          ['Up to', asOf],
          ['Days late', String(body.days_late)],
          ['Grace days', String(body.grace_days)],
          ['Days charged', String(body.chargeable_days)],
          ...(body.daily_accrual === 0
            ? []
            : [['Added per day', amountText(body.daily_accrual, body.currency)]]),
          ...(body.nominal_annual_percent === null
            ? []
            : [['Rate per year', `${plain(body.nominal_annual_percent)}%`]]),
        ],
      },
    },
    ...(body.statutory === undefined ? [] : statutoryBlocks(body.statutory, money)),
    ...notes('Good to know', body.caveats.map(onPage)),
  ];
}

/** Advice for programs on a fee or a letter, in the words of the page, which names the control to use. */
const ON_PAGE: readonly (readonly [RegExp, string])[] = [
  [
    /send claim statutory or reserve with jurisdiction (?:GB|EU)/,
    'choose it under “Interest by law” and “The letter asks for”',
  ],
  [/to see it, set jurisdiction to GB or EU/, 'to see it, use “Interest by law”'],
  [
    /(?:otherwise,? )?ask again with the (rate|flat fee) in your own terms(?: as rate)?, or with 0 for no fee/,
    'otherwise enter the $1 in your own terms, or 0 for no fee, and get the letter again',
  ],
  [
    /For a letter dated today, leave paid date out; the amount due on (.+?) is only in this answer\./,
    'For a letter dated today, clear the field “Up to”. Only this letter shows the amount due on $1.',
  ],
  [/ask again without paid date/, 'clear the field “Up to” and get the letter again'],
  [/send pay within days 30/, 'enter 30 under “Days to pay”'],
  [/The amount due on (.+?) is only in this answer\./, 'Only this letter shows the amount due on $1.'],
  [/, check grace days\./, ', check the grace days.'],
  [/, or ask again\./, ', or get a new one.'],
  [/ask again with/, 'get the letter again with'],
  [/prints business name as given/, 'prints the name of your business as you wrote it'],
];

/** A note for programs as a note for the owner at the page. */
export const onPage = (note: string): string =>
  ON_PAGE.reduce((text, [pattern, words]) => text.replace(pattern, words), inWords(note));

const isRounded = ({ unrounded_fee, late_fee, status }: Body): boolean =>
  status === 'overdue' && Number(unrounded_fee) !== late_fee;

/** Statutory interest, separate from the fee, because it is claimed instead of the fee. */
function statutoryBlocks(
  body: NonNullable<Body['statutory']>,
  money: (value: number) => string,
): readonly Block[] {
  const { interest, compensation, total_due, formula, unavailable } = body;
  return [
    { subheading: 'Instead of this fee: interest by law' },
    { text: `${body.law}. ${body.rule}` },
    ...(unavailable === null ? [] : [{ text: unavailable }]),
    ...(interest === null || total_due === null || formula === null
      ? []
      : [
          {
            table: {
              head: ['By law', 'Value'],
              rows: [
                ['Interest', money(interest)],
                ['Compensation', money(compensation)],
                ['Total due', money(total_due)],
                ['Formula for the interest', formula],
                ...body.reference_rates.map((rate) => [
                  rate.half_year === null ? 'Reference rate' : `Reference rate of ${rate.half_year}`,
                  `${plain(rate.percent)}%${rate.set_on === null ? '' : ` of ${longDay(rate.set_on)}`}, ${rate.days} ${rate.days === 1 ? 'day' : 'days'} (${rate.source})`,
                ]),
              ],
            },
          },
        ]),
    { list: body.rests_on },
  ];
}

/** "The invoice is 17 days late." */
function feeStanding({ status, days_late, grace_days }: Body): string {
  const days = (count: number) => `${count} ${count === 1 ? 'day' : 'days'}`;
  if (status === 'not_overdue') return 'The invoice is not overdue on that day, so there is no fee.';
  if (status === 'within_grace')
    return `The invoice is ${days(days_late)} late, which is within the ${days(grace_days)} of grace, so there is no fee yet.`;
  return `The invoice is ${days(days_late)} late.`;
}
