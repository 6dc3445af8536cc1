import { taxNameOf } from './currency.ts';
import { clientName, greetingLine } from './letter-names.ts';
import { localDay, localMoney } from './locale.ts';
import { type Minor, microsText } from './money.ts';
import type { EachTier, PackDetails, PackRequest, PricedOption } from './pack-options.ts';
import type { Quote } from './quote.ts';
import { listed } from './text.ts';

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
export function worded([good, better, best]: EachTier<PricedOption>, { adds = {} }: PackRequest): Tiers {
  const first: PackTier = {
    ...good,
    summary: 'The listed work at the base price.',
    includes: linesOf(good),
    adds: linesOf(good),
    replaces: [],
    addsSource: 'lines',
  };
  const above = (option: PricedOption, before: PackTier, given: readonly string[] | undefined): PackTier => {
    const lines = linesOf(option);
    const own = without([...lines, ...(given ?? [])], before.includes);
    const replaces = without(linesOf(before), lines);
    return {
      ...option,
      summary: summaryOf(before.label, own, replaces),
      includes: eachOnce([...lines, ...without(before.includes, linesOf(before)), ...own]),
      adds: own,
      replaces,
      addsSource: given !== undefined ? 'given' : own.length > 0 ? 'lines' : 'none',
    };
  };
  const second = above(better, first, adds.better);
  return [first, second, above(best, second, adds.best)];
}

const linesOf = ({ quote }: PricedOption): string[] =>
  eachOnce(quote.lines.map(({ description }) => description));

/** The texts without those that say the same again; capitals make no difference. */
const eachOnce = (texts: readonly string[]): string[] => {
  const first = new Map<string, string>();
  for (const text of texts) if (!first.has(text.toLowerCase())) first.set(text.toLowerCase(), text);
  return [...first.values()];
};

function without(texts: readonly string[], others: readonly string[]): string[] {
  const known = new Set(others.map((text) => text.toLowerCase()));
  return eachOnce(texts.filter((text) => !known.has(text.toLowerCase())));
}

function summaryOf(before: string, adds: readonly string[], replaces: readonly string[]): string {
  if (replaces.length > 0) return `As ${before}, ${exchange(adds, replaces)}.`;
  return adds.length === 0
    ? `Everything in ${before}.`
    : `Everything in ${before}, and what this option adds.`;
}

/** 'with Quartz worktop instead of Laminate worktop' */
const exchange = (adds: readonly string[], replaces: readonly string[]): string =>
  adds.length === 0
    ? `without ${firstNames(replaces)}`
    : `with ${firstNames(adds)} instead of ${firstNames(replaces)}`;

const MOST_NAMES = 3;

const firstNames = (names: readonly string[]): string =>
  names.length <= MOST_NAMES
    ? listed(names)
    : listed([...names.slice(0, MOST_NAMES), `${names.length - MOST_NAMES} more`]);

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

const taxName = ([{ quote }]: Tiers): string => quote.request.taxName ?? taxNameOf(quote.request.currency);

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
export function packTerms(tiers: Tiers, { exclusions, warranty, start, paymentStages }: PackDetails): Term[] {
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
      `${scheduleText(payment, start)} Either side tells the other promptly if a date has to move.`,
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

const scheduleText = (payment: Payment, start: string | undefined): string =>
  start === undefined
    ? `Dates are agreed after acceptance${AFTER_RECEIPT[payment]}.`
    : `Planned start: ${sentence(start)} It is fixed after acceptance${AFTER_RECEIPT[payment]}.`;

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
const MOST_NAMED = 6;

/** A short note to send the pack with; plain text with '\n' line ends. */
export function coverNote(
  tiers: Tiers,
  business: string | null,
  { recommended = 'better', details = {} }: PackRequest,
): { subject: string; body: string } {
  const [good] = tiers;
  const { clientName: client = null, job, quoteNumber } = details;
  const until = lastDayOf(good.quote);
  const prices = tiers.map(({ label, quote }) => `${label}: ${moneyOf(quote, quote.total)}`);
  const thanks = 'Thank you for the opportunity to quote';
  const body = [
    greetingLine('Hello', clientName(client)),
    job === undefined
      ? `${thanks}. Here are three ways to have this done:`
      : `${thanks} for ${job.replace(/\.$/, '')}. Here are three ways to have it done:`,
    prices.join('\n'),
    bullets(`${good.label} has:`, good.includes),
    recommendation(tiers, recommended),
    'Inclusions and terms are set out with the options.',
    detailLines(details),
    `${payableText(tiers, details)} The prices are valid through ${until}.`,
    `To accept, reply with the name of your option${quoteNumber === undefined ? '' : ` and the number ${quoteNumber}`}. If anything is unclear, just ask.`,
    business === null ? 'Kind regards' : `Kind regards,\n${business}`,
  ];
  return { subject: coverSubject(until, business, quoteNumber), body: body.filter(Boolean).join('\n\n') };
}

function bullets(lead: string, texts: readonly string[]): string {
  const more = texts.length - MOST_NAMED;
  return [
    lead,
    ...texts.slice(0, MOST_NAMED).map((text) => `- ${text}`),
    ...(more > 0 ? [`- and ${more} more`] : []),
  ].join('\n');
}

function recommendation(tiers: Tiers, recommended: string): string {
  const index = tiers.findIndex(({ tier }) => tier === recommended);
  const { label, adds, replaces } = tiers[index] as PackTier;
  const before = tiers[index - 1];
  const advice = `We recommend ${label}.`;
  if (before === undefined) return advice;
  if (replaces.length > 0) return `${advice} It is as ${before.label}, ${exchange(adds, replaces)}.`;
  if (adds.length === 0) return `${advice} It has everything in ${before.label}.`;
  return bullets(`${advice} It has everything in ${before.label}, and adds:`, adds);
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
