import { localAmount, localMoney } from './locale.ts';
import { type Minor, microsText, SCALE } from './money.ts';
import {
  type EachTier,
  isIn,
  type PackItem,
  type PackRequest,
  type PricedOption,
  TIERS,
} from './pack-options.ts';
import type { Quote } from './quote.ts';
import { countedText, perUnit } from './text.ts';

/** An option with its texts. */
export type PackTier = PricedOption & {
  readonly summary: string;
  /** Everything in this option: its lines, and the additions of this option and the cheaper ones. */
  readonly includes: string[];
  /** Everything that the cheaper option lacks; for the cheapest option, all of its contents. */
  readonly adds: string[];
  /** Lines of the cheaper option that are missing here. */
  readonly replaces: string[];
  /** How the option differs from the cheaper one if lines are replaced, written for a client; otherwise empty. */
  readonly changes: string[];
  readonly addsSource: 'lines' | 'given' | 'none';
};

export type Tiers = EachTier<PackTier>;

/** The options with their texts. They promise only what the caller said. */
export function worded([good, better, best]: EachTier<PricedOption>, request: PackRequest): Tiers {
  const { adds = {} } = request;
  const lines = linesOf(good, request);
  const first: PackTier & WithLines = {
    ...good,
    lines,
    summary: 'The listed work at the base price.',
    includes: textsOf(lines),
    adds: textsOf(lines),
    replaces: [],
    changes: [],
    addsSource: 'lines',
  };
  const above = (
    option: PricedOption,
    before: PackTier & WithLines,
    given: readonly string[] | undefined,
  ) => {
    const lines = linesOf(option, request);
    const named = lines.map(({ name }) => name);
    const own = eachOnce([
      ...textsOf(without(lines, before.lines)),
      ...(given ?? []).filter((text) => !isAmong(text, [...named, ...before.includes])),
    ]);
    const oldLines = textsOf(before.lines);
    const kept = before.includes.filter((text) => !isAmong(text, oldLines));
    const replaces = textsOf(without(before.lines, lines));
    const changes = replaces.length === 0 ? [] : changesOf(before.lines, lines, given ?? []);
    return {
      ...option,
      lines,
      summary: summaryOf(before.label, own, changes),
      includes: eachOnce([...textsOf(lines), ...kept, ...own]),
      adds: own,
      replaces,
      changes,
      addsSource: given !== undefined ? 'given' : own.length > 0 ? 'lines' : 'none',
    } as const;
  };
  const second = above(better, first, adds.better);
  return [first, second, above(best, second, adds.best)];
}

/** A line as clients read it. Two lines with the same key are the same line. */
type Line = { readonly key: string; readonly name: string; readonly count: string; readonly text: string };
type WithLines = { readonly lines: readonly Line[] };

/**
 * The lines of an option, with quantity and price if they have a unit or a discount, or if lines differ only in those.
 */
function linesOf({ quote, positions }: PricedOption, { items }: PackRequest): Line[] {
  const namesakes = new Map<string, PackItem[]>();
  for (const item of items) {
    const name = item.description.toLowerCase();
    namesakes.set(name, [...(namesakes.get(name) ?? []), item]);
  }
  return quote.lines.map((line, index) => {
    const item = items[positions[index] ?? 0] as PackItem;
    const { description: name, unit, discountPercent } = line;
    const key = keyOf(item);
    const isVaried = namesakes
      .get(name.toLowerCase())
      ?.some((other) => !areTogether(item, other) && keyOf(other) !== key);
    const isPlain = unit === undefined && discountPercent === undefined && !isVaried;
    const count = countOf(line);
    return { key, name, count, text: isPlain ? name : `${name}: ${countedPrice(line, quote)}` };
  });
}

const keyOf = ({ description, quantity, unit, unitPrice, discountPercent }: PackItem): string =>
  [description.toLowerCase(), quantity, unit, unitPrice, discountPercent].join('\n');

const areTogether = (one: PackItem, other: PackItem): boolean =>
  TIERS.every((tier) => isIn(one, tier) === isIn(other, tier));

/** '20 hours', '18,437 words' */
const countOf = ({ quantity, unit }: Quote['lines'][number]): string =>
  countedText(grouped(microsText(quantity)), unit);

/** '18,437.5' for '18437.5' */
const grouped = (count: string): string => {
  const [whole = '', ...fraction] = count.split('.');
  return [whole.replace(/\B(?=(?:\d{3})+$)/g, ','), ...fraction].join('.');
};

/**
 * '60 pieces at NZ$14.00, less 10% (NZ$84.00)', '40 m2 at A$48.40 per m2'; for a quantity of one, '$56.00 per hour'
 * or '₹21,000.00'
 */
function countedPrice(line: Quote['lines'][number], quote: Quote): string {
  const { quantity, unit, unitPrice, discountPercent, lineDiscount } = line;
  const isOne = quantity === SCALE;
  const price = localAmount(atLeast(microsText(unitPrice), quote.digits), quote.request.currency);
  const discount =
    discountPercent === undefined
      ? ''
      : `, less ${microsText(discountPercent)}% (${moneyOf(quote, lineDiscount)})`;
  return `${isOne ? '' : `${countOf(line)} at `}${price}${perUnit(unit)}${discount}`;
}

/** '14.50' for '14.5' */
function atLeast(text: string, digits: number): string {
  const [whole = '', fraction = ''] = text.split('.');
  return digits === 0 && fraction === '' ? whole : `${whole}.${fraction.padEnd(digits, '0')}`;
}

const textsOf = (lines: readonly Line[]): string[] => eachOnce(lines.map(({ text }) => text));

function without(lines: readonly Line[], others: readonly Line[]): Line[] {
  const keys = new Set(others.map(({ key }) => key));
  return lines.filter(({ key }) => !keys.has(key));
}

export const isAmong = (text: string, others: readonly string[]): boolean =>
  others.some((other) => other.toLowerCase() === text.toLowerCase());

/** The texts without duplicates, ignoring capitals. */
const eachOnce = (texts: readonly string[]): string[] => {
  const first = new Map<string, string>();
  for (const text of texts) if (!first.has(text.toLowerCase())) first.set(text.toLowerCase(), text);
  return [...first.values()];
};

function summaryOf(before: string, adds: readonly string[], changes: readonly string[]): string {
  const [only, ...others] = changes;
  if (only !== undefined)
    return isSpoken(only) && others.length === 0
      ? `Like ${before}, but with ${only}.`
      : `Like ${before}, with these changes. ${changes.map(sentence).join(' ')}`;
  return adds.length === 0
    ? `Everything in ${before}.`
    : `Everything in ${before}, plus what this option adds.`;
}

/** Whether a change can be part of a sentence. */
const isSpoken = (change: string): boolean => !change.includes(': ');

/**
 * 'Serving staff: 36 hours instead of 20 hours' for a line that both options have. Other lines are in two lists,
 * because the caller did not say which line replaces which. If there is one of each, they are a pair: 'quartz instead
 * of laminate'.
 */
function changesOf(before: readonly Line[], now: readonly Line[], given: readonly string[]): string[] {
  const [gone, come] = [without(before, now), without(now, before)];
  const counterpart = ({ name }: Line, others: readonly Line[]) => {
    const [same, ...more] = others.filter((other) => isAmong(other.name, [name]));
    return more.length === 0 ? same : undefined;
  };
  const varied = come.flatMap((line) => {
    const old = counterpart(line, gone);
    return old === undefined || counterpart(old, come) === undefined ? [] : [{ line, old }];
  });
  const named = (lines: readonly Line[], other: 'line' | 'old') =>
    lines
      .filter((one) => !varied.some((pair) => pair[other] === one))
      .map(({ name, text }) => (lines.filter((each) => isAmong(each.name, [name])).length > 1 ? text : name));
  const added = eachOnce([...named(come, 'line'), ...given]);
  const left = eachOnce(named(gone, 'old'));
  const isPair = added.length === 1 && left.length === 1;
  return [
    ...varied.map(({ line, old }) =>
      line.count === old.count
        ? `${line.text} instead of ${old.text.slice(old.name.length + 2)}`
        : `${line.name}: ${line.count} instead of ${old.count}`,
    ),
    ...(isPair ? [`${added[0]} instead of ${left[0]}`] : []),
    ...(isPair || added.length === 0 ? [] : [`You get: ${firstNames(added).join('; ')}`]),
    ...(isPair || left.length === 0
      ? []
      : [`${added.length === 0 ? 'Without' : 'Instead of'}: ${firstNames(left).join('; ')}`]),
  ];
}

const MOST_NAMED = 12;

const firstNames = (names: readonly string[]): readonly string[] =>
  names.length <= MOST_NAMED
    ? names
    : [...names.slice(0, MOST_NAMED), `and ${names.length - MOST_NAMED} more`];

export const bullets = (lead: string, texts: readonly string[]): string =>
  [lead, ...firstNames(texts).map((text) => `- ${text}`)].join('\n');

type Worded = {
  readonly label: string;
  readonly adds: readonly string[];
  readonly changes: readonly string[];
};

/** The contents of a more expensive option, as words of the cover note. */
export function optionWords(
  before: string,
  { label, adds, changes }: Worded,
  isRecommended: boolean,
): string {
  const as = isRecommended ? `We recommend ${label}. It` : label;
  const [only, ...others] = changes;
  if (only !== undefined)
    return isSpoken(only) && others.length === 0
      ? `${as} is like ${before}, but with ${only}.`
      : bullets(`${as} is like ${before}, with these changes:`, changes);
  if (adds.length === 0) return `${as} has everything in ${before}.`;
  return isRecommended
    ? bullets(`${as} has everything in ${before}, and adds:`, adds)
    : `${as} has everything in ${before}, and adds: ${sentence(firstNames(adds).join('; '))}`;
}

/** Adds a full stop if the text does not end with punctuation. */
export const sentence = (text: string): string => (/[.!?]$/.test(text) ? text : `${text}.`);

export const moneyOf = ({ request, digits }: Pick<Quote, 'request' | 'digits'>, amount: Minor): string =>
  localMoney(amount, request.currency, digits);
