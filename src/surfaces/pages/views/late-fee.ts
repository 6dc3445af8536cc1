import type { AnswerOf } from '../../../operations/answers.ts';
import type { Block } from '../content.ts';
import { inWords } from '../form-texts.ts';
import { amountText, longDay, notes, plain } from './format.ts';

type Body = AnswerOf<'late_fee'>;

/** A late fee for people: the amount due, the calculation, and the notes. */
export const lateFeeView = (body: Body): readonly Block[] => [
  ...answer(body),
  { subheading: 'How it was reached' },
  ...lateFeeSteps(body),
];

/** The amount due, with warnings. */
function answer(body: Body): readonly Block[] {
  const money = (value: number) => amountText(value, body.currency);
  return [
    {
      figures: [
        { label: 'Total due', value: money(body.total_due), strong: true },
        { label: 'Late fee', value: money(body.late_fee) },
        { label: 'Invoice', value: money(body.amount) },
      ],
    },
    { text: feeStanding(body) },
    ...body.warnings.map((warning) => ({ note: warning.replace('; send the rate', '; enter the rate') })),
  ];
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
          ['Due', longDay(body.due_date)],
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
export function feeStanding({ status, days_late, grace_days }: Body): string {
  const days = (count: number) => `${count} ${count === 1 ? 'day' : 'days'}`;
  if (status === 'not_overdue') return 'The invoice is not overdue on that day, so there is no fee.';
  if (status === 'within_grace')
    return `The invoice is ${days(days_late)} late, which is within the ${days(grace_days)} of grace, so there is no fee yet.`;
  return `The invoice is ${days(days_late)} late.`;
}
