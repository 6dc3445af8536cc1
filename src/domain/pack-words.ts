import { taxNameOf } from './currency.ts';
import { clientName, greetingLine } from './letter-names.ts';
import { localAmount, localDay, localMoney } from './locale.ts';
import { type Minor, microsText } from './money.ts';
import {
  type EachTier,
  isIn,
  type PackDetails,
  type PackItem,
  type PackRequest,
  type PricedOption,
  TIERS,
  type TierName,
} from './pack-options.ts';
import type { Quote } from './quote.ts';
import { countedText, listed, perUnit } from './text.ts';

/** An option with its words. */
export type PackTier = PricedOption & {
  readonly summary: string;
  /** Everything in this option: its lines, and what it and the options before it add in the caller's words. */
  readonly includes: string[];
  /** What the option before does not have; of the cheapest option, everything. */
  readonly adds: string[];
  /** Lines of the option before that this one does not have. */
  readonly replaces: string[];
  readonly addsSource: 'lines' | 'given' | 'none';
};

export type Tiers = EachTier<PackTier>;

/** The options with their words. Nothing that the caller has not said is promised. */
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
    return {
      ...option,
      lines,
      summary: summaryOf(before.label, own, replaces),
      includes: eachOnce([...textsOf(lines), ...kept, ...own]),
      adds: own,
      replaces,
      addsSource: given !== undefined ? 'given' : own.length > 0 ? 'lines' : 'none',
    } as const;
  };
  const second = above(better, first, adds.better);
  return [first, second, above(best, second, adds.best)];
}

/** A line as clients read it. Two lines are the same if their keys are. */
type Line = { readonly key: string; readonly name: string; readonly text: string };
type WithLines = { readonly lines: readonly Line[] };

/** The lines of an option; with quantity and price where they have a unit or a discount, or differ in them alone. */
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
    return { key, name, text: isPlain ? name : `${name}: ${countedPrice(line, quote)}` };
  });
}

const keyOf = ({ description, quantity, unit, unitPrice, discountPercent }: PackItem): string =>
  [description.toLowerCase(), quantity, unit, unitPrice, discountPercent].join('\n');

const areTogether = (one: PackItem, other: PackItem): boolean =>
  TIERS.every((tier) => isIn(one, tier) === isIn(other, tier));

/** '60 pieces at NZ$14.00, less 10% (NZ$84.00)', '40 m2 at A$48.40 per m2' */
function countedPrice(line: Quote['lines'][number], quote: Quote): string {
  const { quantity, unit, unitPrice, discountPercent, lineDiscount } = line;
  const price = localAmount(atLeast(microsText(unitPrice), quote.digits), quote.request.currency);
  const discount =
    discountPercent === undefined
      ? ''
      : `, less ${microsText(discountPercent)}% (${moneyOf(quote, lineDiscount)})`;
  return `${countedText(microsText(quantity), unit)} at ${price}${perUnit(unit)}${discount}`;
}

/** '14.50' of '14.5' */
function atLeast(text: string, digits: number): string {
  const [whole = '', fraction = ''] = text.split('.');
  return digits === 0 && fraction === '' ? whole : `${whole}.${fraction.padEnd(digits, '0')}`;
}

const textsOf = (lines: readonly Line[]): string[] => eachOnce(lines.map(({ text }) => text));

function without(lines: readonly Line[], others: readonly Line[]): Line[] {
  const keys = new Set(others.map(({ key }) => key));
  return lines.filter(({ key }) => !keys.has(key));
}

const isAmong = (text: string, others: readonly string[]): boolean =>
  others.some((other) => other.toLowerCase() === text.toLowerCase());

/** The texts without those that say the same again; capitals make no difference. */
const eachOnce = (texts: readonly string[]): string[] => {
  const first = new Map<string, string>();
  for (const text of texts) if (!first.has(text.toLowerCase())) first.set(text.toLowerCase(), text);
  return [...first.values()];
};

function summaryOf(before: string, adds: readonly string[], replaces: readonly string[]): string {
  if (replaces.length > 0) return `As ${before}${exchange(adds, replaces)}`;
  return adds.length === 0
    ? `Everything in ${before}.`
    : `Everything in ${before}, and what this option adds.`;
}

/** One line for another is named as a pair; of more, nobody has said which replaces which. */
function exchange(adds: readonly string[], replaces: readonly string[]): string {
  if (adds.length === 0) return `, without ${firstNames(replaces).join('; ')}.`;
  if (isPair(adds, replaces)) return `, with ${adds[0]} instead of ${replaces[0]}.`;
  return `, with these changes. Instead of: ${firstNames(replaces).join('; ')}. Adds: ${firstNames(adds).join('; ')}.`;
}

/** One line for one, short enough to be named in a sentence: without quantity and price. */
const isPair = (adds: readonly string[], replaces: readonly string[]): boolean =>
  adds.length === 1 && replaces.length === 1 && ![...adds, ...replaces].some((text) => text.includes(': '));

const MOST_NAMED = 6;

const firstNames = (names: readonly string[]): readonly string[] =>
  names.length <= MOST_NAMED
    ? names
    : [...names.slice(0, MOST_NAMED), `and ${names.length - MOST_NAMED} more`];

const MOST_RATES_NAMED = 4;

/**
 * 'VAT at 20%', 'VAT at 20% on the lines that bear it' where a line bears none, 'VAT at 20% or 5%, depending on the
 * line', 'GST at 5% and QST at 9.975%'; null where no line of any option has a rate.
 */
function taxesText(tiers: Tiers): string | null {
  const groups = tiers.flatMap(({ quote }) => quote.groups);
  const { secondTax } = tiers[0].quote.request;
  const all = [...new Set(groups.map(({ taxPercent }) => taxPercent))].sort((a, b) => (a > b ? -1 : 1));
  const rates = all.filter((rate) => rate !== 0n).map((rate) => `${microsText(rate)}%`);
  const name = taxName(tiers);
  if (secondTax !== undefined && groups.some(({ secondPercent }) => secondPercent !== null)) {
    const second = `${secondTax.name} at ${microsText(secondTax.percent)}%`;
    if (groups.every(({ secondPercent }) => secondPercent !== null))
      return rates.length === 0 ? second : `${name} at ${rates[0]} and ${second}`;
    return `${name} and ${secondTax.name} at the rates shown`;
  }
  if (rates.length === 0) return null;
  if (rates.length > MOST_RATES_NAMED) return `${name} at the rates shown`;
  // "And" would say that a line bears both.
  const text = `${name} at ${listed(rates, 'or')}`;
  if (rates.length < all.length) return `${text} on the lines that bear it`;
  return rates.length === 1 ? text : `${text}, depending on the line`;
}

/** As within a sentence: "sales tax", also where the caller wrote "Sales Tax". */
function taxName([{ quote }]: Tiers): string {
  const usual = taxNameOf(quote.request.currency);
  const given = quote.request.taxName ?? usual;
  return isAmong(given, [usual]) ? usual : given;
}

const moneyOf = ({ request, digits }: Pick<Quote, 'request' | 'digits'>, amount: Minor): string =>
  localMoney(amount, request.currency, digits);

const lastDayOf = ({ request, validUntil }: Quote): string => localDay(validUntil, request.currency);

/** 'a discount of 5%', 'a discount of $50.00'; null where there is none. */
function discountText({ request, digits, discount }: Quote): string | null {
  const { discountPercent, discountAmount } = request;
  if (discountAmount !== undefined)
    return discount === 0n ? null : `a discount of ${moneyOf({ request, digits }, discount)}`;
  return discountPercent === 0n ? null : `a discount of ${microsText(discountPercent)}%`;
}

/** What a pack asks for, and when. */
export type Payment = 'nothing' | 'on_completion' | 'deposit' | 'all_in_advance';

export function paymentOf(tiers: Tiers): Payment {
  if (tiers.every(({ quote }) => quote.total === 0n)) return 'nothing';
  if (tiers.every(({ quote }) => quote.deposit === 0n)) return 'on_completion';
  return tiers.every(({ quote }) => quote.balance === 0n) ? 'all_in_advance' : 'deposit';
}

export type Term = { readonly title: string; readonly text: string };

/**
 * Standard terms with the figures of this pack and the caller's own words. No late fee, warranty or governing law that
 * the request does not name.
 */
export function packTerms(
  tiers: Tiers,
  { exclusions, warranty, start, job, paymentStages }: PackDetails,
): Term[] {
  const [{ quote }] = tiers;
  const payment = paymentOf(tiers);
  const discount = payment === 'nothing' ? null : discountText(quote);
  const term = (title: string, text: string | null): Term[] => (text === null ? [] : [{ title, text }]);
  return [
    ...term(
      'Validity',
      `These prices are valid through ${lastDayOf(quote)}. After that day they may change.`,
    ),
    ...term(
      'Acceptance',
      'Choose one option and accept it in writing, by email or signature. The other options then lapse.',
    ),
    ...term('Deposit', depositText(tiers, payment)),
    ...paymentTerm(payment, paymentStages),
    ...term(
      'Scope',
      'The price covers the items and inclusions listed in the chosen option, and nothing else.',
    ),
    ...term('Not included', exclusions === undefined ? null : sentence(exclusions.join('; '))),
    ...term(
      'Changes',
      'Extra or different work is described, priced and approved in writing before it starts.',
    ),
    ...term(
      'Schedule',
      `${scheduleText(payment, start, job)}Either side tells the other promptly if a date has to move.`,
    ),
    ...term('Warranty', warranty === undefined ? null : sentence(warranty)),
    ...term('Discount', discount && `Each total includes ${discount}${beforeTax(tiers)}.`),
    ...term('Taxes', taxText(tiers, payment)),
    ...term(
      'Cancellation and disputes',
      'If you cancel after acceptance, work already done and materials already ordered remain payable. Rights that the law gives you, for example to cancel within a set time, are not affected. Please raise any concern promptly in writing so that it can be put right.',
    ),
  ];
}

const sentence = (text: string): string => (/[.!?]$/.test(text) ? text : `${text}.`);

/** True of prices that include tax as well. */
const beforeTax = (tiers: Tiers): string =>
  taxesText(tiers) === null ? '' : ', taken off before tax is worked out';

const BALANCE: Readonly<Record<Payment, string>> = {
  nothing: 'The total of each option is 0, so nothing is due.',
  on_completion: 'The total is due on completion, unless we agree otherwise in writing.',
  deposit: 'The rest of the total is due on completion, unless we agree otherwise in writing.',
  all_in_advance: 'Nothing more is due on completion: the whole total is paid on acceptance.',
};

/** The caller's own words on payment, where there are some and anything is left to pay. */
function paymentTerm(payment: Payment, stages: readonly string[] | undefined): Term[] {
  if (stages === undefined || payment === 'nothing' || payment === 'all_in_advance')
    return [{ title: 'Balance', text: BALANCE[payment] }];
  // One payment is what remains after the deposit; the first of several may be the deposit itself.
  const deposit =
    payment === 'deposit' && stages.length > 1 ? ' The deposit counts towards the first payment.' : '';
  return [{ title: 'Payment', text: `${sentence(stages.join('; '))}${deposit}` }];
}

const AFTER_RECEIPT: Readonly<Record<Payment, string>> = {
  nothing: '',
  on_completion: '',
  deposit: ' and receipt of the deposit',
  all_in_advance: ' and receipt of the payment',
};

const MONTH =
  '(?:Jan(?:uary)?|Feb(?:ruary)?|Mar(?:ch)?|Apr(?:il)?|May|June?|July?|Aug(?:ust)?|Sept?(?:ember)?|Oct(?:ober)?|Nov(?:ember)?|Dec(?:ember)?)';
/** A day or a year, such as "20 March 2027", "December 12" or "2027". */
const DATE = new RegExp(`\\b20[2-9]\\d\\b|\\b\\d{1,2} ${MONTH}\\b|\\b${MONTH} \\d{1,2}\\b`);

function scheduleText(payment: Payment, start: string | undefined, job = ''): string {
  const after = `after acceptance${AFTER_RECEIPT[payment]}. `;
  if (start !== undefined) return `Planned start: ${sentence(start)} It is fixed ${after}`;
  return DATE.test(job) ? '' : `Dates are agreed ${after}`;
}

function depositText(tiers: Tiers, payment: Payment): string {
  const [{ quote: good }] = tiers;
  const { depositPercent, depositAmount } = good.request;
  if (payment === 'nothing' || payment === 'on_completion') return 'No deposit is required.';
  const each = tiers.map(({ label, quote }) => `${moneyOf(quote, quote.deposit)} for ${label}`);
  if (depositAmount !== undefined && payment === 'deposit')
    return `A deposit of ${moneyOf(good, good.deposit)} is payable on acceptance, whichever option you choose. It counts towards the total.`;
  const sums = `${each[0]}, ${each[1]} or ${each[2]}`;
  return payment === 'all_in_advance'
    ? `The whole of the chosen total is payable on acceptance: ${sums}.`
    : `A deposit of ${microsText(depositPercent)}% of the chosen total is payable on acceptance: ${sums}. It counts towards the total.`;
}

function taxText(tiers: Tiers, payment: Payment): string {
  if (payment === 'nothing') return 'The total of each option is 0, so no tax is due.';
  const taxes = taxesText(tiers);
  if (taxes === null) return `No ${taxName(tiers)} is included. It is added only where the law requires it.`;
  return `Each total includes ${taxes}. If the law changes a rate before invoicing, the tax changes with it.`;
}

const SUBJECT_LENGTH = 78;
/** A short note to send the pack with; plain text with '\n' line ends. */
export function coverNote(
  tiers: Tiers,
  business: string | null,
  { recommended = 'better', details = {} }: PackRequest,
  isReady: boolean,
): { subject: string; body: string } {
  const [good] = tiers;
  const { clientName: client = null, job, quoteNumber } = details;
  const until = lastDayOf(good.quote);
  const prices = tiers.map(({ label, quote }) => `${label}: ${moneyOf(quote, quote.total)}`);
  const body = [
    greetingLine('Hello', clientName(client)),
    job && `Job: ${job}`,
    'Thank you for the opportunity to quote. Here are three ways to have this done:',
    prices.join('\n'),
    bullets(`${good.label} has:`, good.includes),
    optionsText(tiers, isReady ? recommended : null),
    'Inclusions and terms are set out with the options.',
    detailLines(details),
    `${payableText(tiers, details)} The prices are valid through ${until}.`,
    `To accept, reply with the name of your option${quoteNumber === undefined ? '' : ` and the number ${quoteNumber}`}. If anything is unclear, just ask.`,
    business === null ? 'Kind regards' : `Kind regards,\n${business}`,
  ];
  return { subject: coverSubject(until, business, quoteNumber), body: body.filter(Boolean).join('\n\n') };
}

const bullets = (lead: string, texts: readonly string[]): string =>
  [lead, ...firstNames(texts).map((text) => `- ${text}`)].join('\n');

type Worded = {
  readonly label: string;
  readonly adds: readonly string[];
  readonly replaces: readonly string[];
};

/** What a dearer option has, in the cover note; at length where it is recommended. */
export function optionWords(
  before: string,
  { label, adds, replaces }: Worded,
  isRecommended: boolean,
): string {
  const as = isRecommended ? `We recommend ${label}. It` : label;
  if (replaces.length > 0) {
    if (!isRecommended || adds.length === 0 || isPair(adds, replaces))
      return `${as} is as ${before}${exchange(adds, replaces)}`;
    const lead = `${as} is as ${before}, with these changes.`;
    return [lead, bullets('Instead of:', replaces), bullets('Adds:', adds)].join('\n');
  }
  if (adds.length === 0) return `${as} has everything in ${before}.`;
  return isRecommended
    ? bullets(`${as} has everything in ${before}, and adds:`, adds)
    : `${as} has everything in ${before}, and adds: ${sentence(firstNames(adds).join('; '))}`;
}

/** The dearer options, then which of them is recommended; none is where the options do not differ yet. */
function optionsText(tiers: Tiers, recommended: TierName | null): string {
  const [good, better, best] = tiers;
  const words = [
    optionWords(good.label, better, recommended === 'better'),
    optionWords(better.label, best, recommended === 'best'),
  ];
  return [...words, ...(recommended === 'good' ? [`We recommend ${good.label}.`] : [])].join('\n\n');
}

/** 'Start: week of 5 January', one detail a line. */
const detailLines = ({ start, paymentStages, exclusions, warranty }: PackDetails): string =>
  (
    [
      ['Start', start],
      ['Payment', paymentStages?.join('; ')],
      ['Not included', exclusions?.join('; ')],
      ['Warranty', warranty],
    ] as const
  )
    .flatMap(([name, text]) => (text === undefined ? [] : [`${name}: ${text}`]))
    .join('\n');

/** `until` is the last day, as people read it. */
export function coverSubject(until: string, business: string | null, number?: string): string {
  const plain = `Your quote${number === undefined ? '' : ` ${number}`}`;
  const named = business === null ? plain : `${plain} from ${business}`;
  const choices = [
    ...(business === null || number === undefined ? [`${named}: three options, valid through ${until}`] : []),
    `${named}: three options`,
    `Your quote: three options, valid through ${until}`,
  ];
  const fitting = choices.find(({ length }) => length <= SUBJECT_LENGTH);
  return fitting ?? (choices.at(-1) as string);
}

function payableText(tiers: Tiers, { paymentStages }: PackDetails): string {
  const payment = paymentOf(tiers);
  const [, better] = tiers;
  if (payment === 'nothing') return 'Nothing is payable for any option.';
  const isSaid = payment === 'on_completion' && paymentStages !== undefined;
  return [includedText(tiers), ...(isSaid ? [] : [bookingText(better, payment)])].join(' ');
}

function includedText(tiers: Tiers): string {
  const taxes = taxesText(tiers);
  const included = [discountText(tiers[0].quote), taxes].filter((part) => part !== null);
  return [
    ...(included.length === 0 ? [] : [`The totals include ${included.join(' and ')}.`]),
    ...(taxes === null ? [`No ${taxName(tiers)} is included.`] : []),
  ].join(' ');
}

function bookingText({ label, quote }: PackTier, payment: Payment): string {
  const { depositPercent, depositAmount } = quote.request;
  if (payment === 'on_completion') return 'No deposit is needed to book.';
  if (depositAmount !== undefined && payment === 'deposit')
    return `A deposit of ${moneyOf(quote, quote.deposit)} books the work, whichever option you choose.`;
  const what =
    payment === 'all_in_advance'
      ? 'Payment of the whole total'
      : `A deposit of ${microsText(depositPercent)}%`;
  return `${what} books the work; for ${label} that is ${moneyOf(quote, quote.deposit)}.`;
}
