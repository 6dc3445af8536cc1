import { taxNameOf } from './currency.ts';
import { clientName, greetingLine } from './letter-names.ts';
import { localAmount, localDay, localMoney } from './locale.ts';
import { type Micros, type Minor, microsText, SCALE } from './money.ts';
import {
  type EachTier,
  isIn,
  type PackDetails,
  type PackItem,
  type PackRequest,
  type PricedOption,
  TIERS,
} from './pack-options.ts';
import { priceText, type Quote } from './quote.ts';
import { countedText, listed, perUnit } from './text.ts';

/** An option with its texts. */
export type PackTier = PricedOption & {
  readonly lines: readonly Line[];
  readonly summary: string;
  /** Everything in this option: its lines, and the additions of this option and the cheaper ones. */
  readonly includes: readonly string[];
  /** Everything that the cheaper option lacks; for the cheapest option, all of its contents. */
  readonly adds: readonly string[];
  /** Lines of the cheaper option that are missing here. */
  readonly replaces: readonly string[];
  /** How the option differs from the cheaper one if lines are replaced, written for a client; otherwise empty. */
  readonly changes: readonly string[];
  readonly addsSource: 'lines' | 'given' | 'none';
};

export type Tiers = EachTier<PackTier>;

/** The options with their texts. They promise only what the caller said. */
export function worded([good, better, best]: EachTier<PricedOption>, request: PackRequest): Tiers {
  const { adds = {} } = request;
  const lines = linesOf(good, request);
  const first: PackTier = {
    ...good,
    lines,
    summary: 'The listed work at the base price.',
    includes: textsOf(lines),
    adds: textsOf(lines),
    replaces: [],
    changes: [],
    addsSource: 'lines',
  };
  const above = (option: PricedOption, before: PackTier, given: readonly string[] | undefined) => {
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
  countedText(localAmount(microsText(quantity), null), unit);

/**
 * '60 pieces at NZ$14.00, less 10% (NZ$84.00)', '40 m2 at A$48.40 per m2'; for a quantity of one, '$56.00 per hour'
 * or '₹21,000.00'
 */
function countedPrice(line: Quote['lines'][number], quote: Quote): string {
  const { quantity, unit, unitPrice, discountPercent, lineDiscount } = line;
  const isOne = quantity === SCALE;
  const price = localAmount(priceText(unitPrice, quote.digits), quote.request.currency);
  const discount =
    discountPercent === undefined
      ? ''
      : `, less ${microsText(discountPercent)}% (${moneyOf(quote, lineDiscount)})`;
  return `${isOne ? '' : `${countOf(line)} at `}${price}${perUnit(unit)}${discount}`;
}

const textsOf = (lines: readonly Line[]): string[] => eachOnce(lines.map(({ text }) => text));

function without(lines: readonly Line[], others: readonly Line[]): Line[] {
  const keys = new Set(others.map(({ key }) => key));
  return lines.filter(({ key }) => !keys.has(key));
}

const isAmong = (text: string, others: readonly string[]): boolean =>
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
 * because the caller did not say which line replaces which. If each list has one line, the lines are a pair: 'quartz
 * instead of laminate'.
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

const bullets = (lead: string, texts: readonly string[]): string =>
  [lead, ...firstNames(texts).map((text) => `- ${text}`)].join('\n');

/** The contents of a more expensive option, as a text for the cover note. */
export function optionWords(
  before: string,
  { label, adds, changes }: Pick<PackTier, 'label' | 'adds' | 'changes'>,
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
const sentence = (text: string): string => (/[.!?]$/.test(text) ? text : `${text}.`);

const moneyOf = ({ request, digits }: Pick<Quote, 'request' | 'digits'>, amount: Minor): string =>
  localMoney(amount, request.currency, digits);

/** 'VAT at 20%', 'GST at 5% and QST at 9.975%', or 'VAT at the rates shown' if lines differ; null without any tax. */
function taxesText(tiers: Tiers): string | null {
  const { secondTax } = tiers[0].quote.request;
  const groups = tiers.flatMap(({ quote }) => quote.groups);
  const rates = (percents: readonly (Micros | null)[]) => [...new Set(percents)];
  const taxes = [
    { name: taxName(tiers), percents: rates(groups.map(({ taxPercent }) => taxPercent || null)) },
    { name: secondTax?.name ?? '', percents: rates(groups.map(({ secondPercent }) => secondPercent)) },
  ].filter(({ percents }) => percents.some((percent) => percent !== null));
  if (taxes.length === 0) return null;
  return taxes.every(({ percents }) => percents.length === 1)
    ? listed(taxes.map(({ name, percents }) => `${name} at ${microsText(percents[0] as Micros)}%`))
    : `${listed(taxes.map(({ name }) => name))} at the rates shown`;
}

/** The tax name for the middle of a sentence: "sales tax", even if the caller wrote "Sales Tax". */
function taxName([{ quote }]: Tiers): string {
  const usual = taxNameOf(quote.request.currency);
  const given = quote.request.taxName ?? usual;
  return isAmong(given, [usual]) ? usual : given;
}

const lastDayOf = ({ request, validUntil }: Quote): string => localDay(validUntil, request.currency);

/** 'a discount of 5%', 'a discount of $50.00'; null if there is none. */
function discountText(quote: Quote): string | null {
  const { discountPercent, discountAmount } = quote.request;
  if ((discountAmount === undefined ? discountPercent : quote.discount) === 0n) return null;
  return `a discount of ${discountAmount === undefined ? `${microsText(discountPercent)}%` : moneyOf(quote, quote.discount)}`;
}

/** When a pack asks for payment. */
export type Payment = 'nothing' | 'on_completion' | 'deposit' | 'all_in_advance';

export function paymentOf(tiers: Tiers): Payment {
  if (tiers.every(({ quote }) => quote.total === 0n)) return 'nothing';
  if (tiers.every(({ quote }) => quote.deposit === 0n)) return 'on_completion';
  return tiers.every(({ quote }) => quote.balance === 0n) ? 'all_in_advance' : 'deposit';
}

export type Term = { readonly title: string; readonly text: string };

/**
 * Standard terms with the figures of this pack and the caller's own words. They add no late fee, warranty or governing
 * law that the request does not name.
 */
export function packTerms(tiers: Tiers, details: PackDetails): Term[] {
  const { exclusions, warranty, start, paymentStages, extraTerms, pricePer } = details;
  const [{ quote }] = tiers;
  const payment = paymentOf(tiers);
  const taxes = taxesText(tiers);
  const discount = payment === 'nothing' ? null : discountText(quote);
  const terms: readonly (readonly [title: string, text: string | null])[] = [
    ['Validity', `These prices are valid through ${lastDayOf(quote)}. They may change after that date.`],
    [
      'Acceptance',
      'Choose one option and accept it in writing, by email or signature. The other options then lapse.',
    ],
    ['Deposit', depositText(tiers, payment, paymentStages)],
    balanceTerm(payment, paymentStages, pricePer),
    ['Prices', pricePer === undefined ? null : `The prices, the tax and the totals are per ${pricePer}.`],
    ['Scope', 'The price covers the items and inclusions listed in the chosen option, and nothing else.'],
    ['Not included', exclusions === undefined ? null : sentence(exclusions.join('; '))],
    ['Changes', 'Extra or different work is described, priced and approved in writing before it starts.'],
    ['Schedule', scheduleText(payment, start)],
    ['Warranty', warranty === undefined ? null : sentence(warranty)],
    ['Also agreed', extraTerms === undefined ? null : extraTerms.map(sentence).join(' ')],
    [
      'Discount',
      // The sentence is also true of prices that include tax.
      discount &&
        `Each total includes ${discount}${taxes === null ? '' : ', taken off before tax is calculated'}.`,
    ],
    ['Taxes', taxText(tiers, payment)],
    [
      'Cancellation and disputes',
      'If you cancel after acceptance, work already done and materials already ordered remain payable. Rights that the law gives you, for example to cancel within a set time, are not affected. Please raise any concern promptly in writing so that it can be put right.',
    ],
  ];
  return terms.flatMap(([title, text]) => (text === null ? [] : [{ title, text }]));
}

const BALANCE: Readonly<Record<Payment, string>> = {
  nothing: 'The total of each option is 0, so nothing is due.',
  on_completion: 'The total is due on completion, unless we agree otherwise in writing.',
  deposit: 'The rest of the total is due on completion, unless we agree otherwise in writing.',
  all_in_advance: 'Nothing more is due on completion: the whole total is paid on acceptance.',
};

/** The caller's own words on payment, if the caller sent any and something is left to pay. */
function balanceTerm(
  payment: Payment,
  stages: readonly string[] | undefined,
  pricePer: PackDetails['pricePer'],
) {
  if (stages === undefined && payment === 'on_completion' && pricePer !== undefined)
    return [
      'Balance',
      `The total for each ${pricePer} is due at its end, unless we agree otherwise in writing.`,
    ] as const;
  if (stages === undefined || payment === 'nothing' || payment === 'all_in_advance')
    return ['Balance', BALANCE[payment]] as const;
  // A single payment is the rest after the deposit. Several payments may begin with the deposit itself.
  const deposit = payment === 'deposit' && stages.length > 1 ? ' The deposit is part of these payments.' : '';
  return ['Payment', `${sentence(stages.join('; '))}${deposit}`] as const;
}

const AFTER_RECEIPT: Readonly<Record<Payment, string>> = {
  nothing: '',
  on_completion: '',
  deposit: ' and receipt of the deposit',
  all_in_advance: ' and receipt of the payment',
};

function scheduleText(payment: Payment, start: string | undefined): string {
  const when = start === undefined ? '' : `When: ${sentence(start)} `;
  const open = start === undefined ? 'Dates' : 'Dates that are still open';
  return `${when}${open} are agreed after acceptance${AFTER_RECEIPT[payment]}. Each side will tell the other promptly if a date has to change.`;
}

function depositText(tiers: Tiers, payment: Payment, stages: readonly string[] | undefined): string | null {
  const [{ quote: good }] = tiers;
  const { depositPercent, depositAmount } = good.request;
  // Payment stages may require a first payment of their own.
  if (payment === 'on_completion' && stages !== undefined) return null;
  if (payment === 'nothing' || payment === 'on_completion') return 'No deposit is required.';
  if (depositAmount !== undefined && payment === 'deposit')
    return `A deposit of ${moneyOf(good, good.deposit)} is payable on acceptance, whichever option you choose. It is part of the total.`;
  const sums = depositsText(tiers);
  return payment === 'all_in_advance'
    ? `The whole of the chosen total is payable on acceptance: ${sums}.`
    : `A deposit of ${microsText(depositPercent)}% of the chosen total is payable on acceptance: ${sums}. It is part of the total.`;
}

function taxText(tiers: Tiers, payment: Payment): string {
  if (payment === 'nothing') return 'The total of each option is 0, so no tax is due.';
  const taxes = taxesText(tiers);
  if (taxes === null) return `No ${taxName(tiers)} is included. It is added only where the law requires it.`;
  return `Each total includes ${taxes}. If the law changes a rate before invoicing, the tax changes with it.`;
}

const SUBJECT_LENGTH = 78;
/** A short note to send with the pack; plain text with '\n' line ends. */
export function coverNote(
  tiers: Tiers,
  business: string | null,
  { recommended = 'better', details = {} }: PackRequest,
  isReady: boolean,
): { subject: string; body: string } {
  const [good, better, best] = tiers;
  const { clientName: client = null, job, quoteNumber } = details;
  // No option is recommended if the options do not differ yet.
  const named = isReady ? recommended : 'none';
  // An option that adds nothing yet has no paragraph of its own.
  const wordsFor = (before: PackTier, tier: PackTier, isNamed: boolean) =>
    isReady || tier.adds.length + tier.changes.length > 0 ? optionWords(before.label, tier, isNamed) : '';
  const until = lastDayOf(good.quote);
  const per = details.pricePer === undefined ? '' : ` per ${details.pricePer}`;
  const prices = tiers.map(({ label, quote }) => `${label}: ${moneyOf(quote, quote.total)}${per}`);
  const body = [
    greetingLine('Hello', clientName(client)),
    job === undefined ? '' : `Job: ${job}`,
    'Thank you for the opportunity to quote. Here are three options:',
    prices.join('\n'),
    bullets(`${good.label} has:`, good.includes),
    wordsFor(good, better, named === 'better'),
    wordsFor(better, best, named === 'best'),
    named === 'good' ? `We recommend ${good.label}.` : '',
    'Inclusions and terms are set out with the options.',
    detailLines(details),
    `${payableText(tiers, details)} The prices are valid through ${until}.`,
    `To accept, reply with the name of your option${quoteNumber === undefined ? '' : ` and the number ${quoteNumber}`}. If anything is unclear, just ask.`,
    business === null ? 'Kind regards' : `Kind regards,\n${business}`,
  ];
  return { subject: coverSubject(until, business, quoteNumber), body: body.filter(Boolean).join('\n\n') };
}

/** 'When: week of 5 January', with one detail per line. */
const detailLines = ({ start, paymentStages, exclusions, warranty, extraTerms }: PackDetails): string =>
  (
    [
      ['When', start],
      ['Payment', paymentStages?.join('; ')],
      ['Not included', exclusions?.join('; ')],
      ['Warranty', warranty],
      ['Also agreed', extraTerms?.join('; ')],
    ] as const
  )
    .flatMap(([name, text]) => (text === undefined ? [] : [`${name}: ${text}`]))
    .join('\n');

/** `until` is the last day, written for people. */
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
  if (payment === 'nothing') return 'Nothing is payable for any option.';
  const taxes = taxesText(tiers);
  const included = [discountText(tiers[0].quote), taxes].filter((part) => part !== null);
  return [
    included.length === 0 ? '' : `The totals include ${included.join(' and ')}.`,
    taxes === null ? `No ${taxName(tiers)} is included.` : '',
    payment === 'on_completion' && paymentStages !== undefined ? '' : bookingText(tiers, payment),
  ]
    .filter(Boolean)
    .join(' ');
}

/** What a client pays to book the work, in fewer words than the terms. */
function bookingText(tiers: Tiers, payment: Payment): string {
  const [{ quote: good }] = tiers;
  const { depositPercent, depositAmount } = good.request;
  if (payment === 'on_completion') return 'No deposit is needed to book.';
  if (depositAmount !== undefined && payment === 'deposit')
    return `A deposit of ${moneyOf(good, good.deposit)} books the work, whichever option you choose.`;
  const what =
    payment === 'all_in_advance'
      ? 'Payment of the whole total'
      : `A deposit of ${microsText(depositPercent)}%`;
  return `${what} books the work: ${depositsText(tiers)}.`;
}

const depositsText = (tiers: Tiers): string =>
  listed(
    tiers.map(({ label, quote }) => `${moneyOf(quote, quote.deposit)} for ${label}`),
    'or',
  );
