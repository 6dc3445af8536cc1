import { cleanLine } from '../../../domain/text.ts';
import type { AnswerOf } from '../../../operations/answers.ts';
import type { Block, Point, Shape } from '../content.ts';
import { amountText, priceText } from './format.ts';
import { longDay } from './listing-format.ts';

type Fee = AnswerOf<'late_fee'>;
type Pack = AnswerOf<'quote_pack'>;

const WIDTH = 400;

/** Text in a drawing; `anchor` says which part of it is at the point. */
const words = (text: string, at: Point, className: string, anchor?: 'middle' | 'end'): Shape => ({
  text,
  at,
  class: className,
  ...(anchor && { anchor }),
});

/** A text shortened to fit; its full form is next to the drawing. */
const cut = (text: string, most: number): string =>
  text.length <= most ? text : `${text.slice(0, most - 1).trimEnd()}…`;

const shortDay = (day: string): string => longDay(day).replace(/ \d{4}$/, '');

const FEE = { left: 14, right: 386, top: 30, base: 96, height: 120 } as const;
const SAMPLES = 60;

/**
 * A chart of the fee by day, with the calculated day marked: flat during grace, then by the terms. An invoice that is
 * not overdue has no chart. It shows only figures from the answer.
 */
export function feePicture(body: Fee): readonly Block[] {
  const { days_late: late, grace_days: grace } = body;
  if (late === 0) return [];
  const horizon = Math.max(late + 5, Math.ceil(Math.max(late, grace) * 1.3));
  const highest = Math.max(feeOn(body, horizon), feeOn(body, late), body.late_fee, 1e-9);
  const x = (day: number) => FEE.left + (day / horizon) * (FEE.right - FEE.left);
  const y = (fee: number) => FEE.base - (fee / highest) * (FEE.base - FEE.top);
  const line = (from: number, to: number) =>
    daysBetween(from, to, grace)
      .map((day, index) => `${index === 0 ? 'M' : 'L'}${x(day).toFixed(1)} ${y(feeOn(body, day)).toFixed(1)}`)
      .join('');
  const today = [x(late), y(body.late_fee)] as const;
  const label = feeLabel(body, today, (at) =>
    y(feeOn(body, ((at - FEE.left) / (FEE.right - FEE.left)) * horizon)),
  );
  const before = line(0, late);
  const below = FEE.base + 17;
  const shapes: readonly Shape[] = [
    { path: `${before}V${FEE.base}H${FEE.left}Z`, class: 'area' },
    { path: `M${FEE.left} ${FEE.base}H${FEE.right}`, class: 'axis' },
    { path: line(late, horizon), class: 'curve ahead' },
    { path: before, class: 'curve' },
    {
      path: `M${today[0].toFixed(1)} ${FEE.base}V${Math.min(today[1], label.at[1] + 5).toFixed(1)}`,
      class: 'when',
    },
    { circle: [today[0], today[1], 4.5], class: 'spot' },
    label,
    words(`due ${shortDay(body.due_date)}`, [FEE.left, below], 'small'),
    ...(grace > 0 && x(grace) > 120
      ? [words(`${grace} days of grace`, [x(grace), below], 'small', x(grace) > 320 ? 'end' : 'middle')]
      : []),
  ];
  return [{ picture: { description: feeWords(body), width: WIDTH, height: FEE.height, shapes } }];
}

/** A width above that of a label's letters in most fonts. */
const LETTER = 8;

/**
 * The label with the fee of the marked day, above its point: on the left, where the line is lower, or if there is no
 * room there, above the rest of the line. `lineAt` is the height of the line.
 */
function feeLabel(body: Fee, [x, y]: Point, lineAt: (x: number) => number) {
  const text = `${dayLabel(body)}: +${amountText(body.late_fee, body.currency)}`;
  const width = text.length * LETTER;
  const isLeft = x - 8 - width >= 0;
  const left = Math.max(FEE.left, Math.min(x - 8, WIDTH - width));
  // The line never falls; the point may be below it, because a fee is rounded.
  const below = Math.min(y, lineAt(isLeft ? x : Math.min(left + width, FEE.right)));
  const at: Point = [isLeft ? x - 8 : left, below - 10];
  return { text, at, class: 'label', ...(isLeft && { anchor: 'end' as const }) };
}

const dayLabel = ({ as_of_source, paid_date }: Fee): string =>
  as_of_source === 'today_utc' ? 'today' : shortDay(paid_date);

/** The fee on a day, exact enough for the drawing. */
function feeOn({ grace_days, rate_type, rate, daily_accrual, min_fee, max_fee }: Fee, day: number): number {
  if (day <= grace_days) return 0;
  const grown = rate_type === 'flat' ? rate : daily_accrual * (day - grace_days);
  return Math.min(Math.max(grown, min_fee ?? 0), max_fee ?? Number.POSITIVE_INFINITY);
}

/** Days for the points of the line, including the corner at the end of grace. */
function daysBetween(from: number, to: number, grace: number): readonly number[] {
  const step = Math.max(1, (to - from) / SAMPLES);
  const days = Array.from({ length: Math.floor((to - from) / step) + 1 }, (_, index) => from + index * step);
  const corners = [grace, grace + 0.01, to].filter((day) => day > from && day <= to);
  return [...new Set([...days, ...corners])].sort((a, b) => a - b);
}

function feeWords(body: Fee): string {
  const { grace_days: grace, daily_accrual, rate_type, currency } = body;
  const fee = amountText(body.late_fee, body.currency);
  const start = grace === 0 ? '' : ` and for ${grace} days of grace`;
  const growth =
    rate_type === 'flat'
      ? 'is one sum'
      : `adds ${priceText(daily_accrual, currency)} for each day, before its limits`;
  return `The late fee as a line: nothing until ${longDay(body.due_date)}${start}, ${fee} on ${longDay(body.paid_date)}; it ${growth}.`;
}

const OPTIONS = { base: 132, top: 44, bar: 108, gap: 132, height: 176 } as const;

/** The options of a pack side by side, with heights in proportion to their prices. */
export function optionsPicture({ options, recommended, currency }: Pack): readonly Block[] {
  const dearest = Math.max(...options.map(({ total }) => total));
  if (!(dearest > 0)) return [];
  const money = (total: number) => amountText(total, currency);
  const shapes = options.flatMap(({ label, total, tier }, index): Shape[] => {
    const height = Math.max(6, (Math.max(total, 0) / dearest) * (OPTIONS.base - OPTIONS.top));
    const left = 14 + index * OPTIONS.gap;
    const middle = left + OPTIONS.bar / 2;
    const top = OPTIONS.base - height;
    const price = money(total);
    const isAdvised = tier === recommended;
    return [
      { box: [left, top, OPTIONS.bar, height], class: isAdvised ? 'filled' : 'pale' },
      words(price, [middle, top - 10], price.length > 10 ? 'label' : 'big', 'middle'),
      words(cut(cleanLine(label), 15), [middle, OPTIONS.base + 20], 'label', 'middle'),
      ...(isAdvised ? [words('recommended', [middle, OPTIONS.base + 37], 'small', 'middle')] : []),
    ];
  });
  const named = options.map(({ label, total }) => `${cleanLine(label)} ${money(total)}`).join(', ');
  const advised = options.find(({ tier }) => tier === recommended)?.label;
  const description = `The options side by side: ${named}${advised === undefined ? '' : `; recommended is ${cleanLine(advised)}`}.`;
  return [{ picture: { description, width: WIDTH, height: OPTIONS.height, shapes } }];
}
