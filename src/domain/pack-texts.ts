import { longDayText } from './calendar.ts';
import { moneyText } from './currency.ts';
import { microsText } from './money.ts';
import type { PackTier, Tiers } from './pack-request.ts';
import type { Quote } from './quote.ts';
import { listed } from './text.ts';

const MOST_RATES_NAMED = 4;

/**
 * 'at 20%' where every line of every option bears it, 'at 20% on the lines that bear it' where one bears none, 'at 20%
 * or 5%, depending on the line', 'at the rates shown'; null where no line has a rate.
 */
function taxRatesText([, , { quote }]: Tiers): string | null {
  // The dearest option has every line. "And" would say that a line bears both, as federal and local taxes are borne.
  const taxed = quote.groups.filter(({ taxPercent }) => taxPercent !== 0n);
  const rates = taxed.map(({ taxPercent }) => `${microsText(taxPercent)}%`);
  if (rates.length === 0) return null;
  if (rates.length > MOST_RATES_NAMED) return 'at the rates shown';
  const text = `at ${listed(rates, 'or')}`;
  if (taxed.length < quote.groups.length) return `${text} on the lines that bear it`;
  return rates.length === 1 ? text : `${text}, depending on the line`;
}

/** 'a discount of 5%', 'a discount of $50.00'; null where there is none. */
function discountText({ request, discount }: Quote): string | null {
  const { discountPercent, discountAmount, currency } = request;
  if (discountAmount !== undefined)
    return discount === 0n ? null : `a discount of ${moneyText(discount, currency)}`;
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
 * Nine standard terms with the figures of this pack, and one on a discount. No late fee, warranty period or governing law: the request
 * says nothing about them.
 */
export function packTerms(tiers: Tiers): Term[] {
  const [{ quote }] = tiers;
  const payment = paymentOf(tiers);
  const discount = payment === 'nothing' ? null : discountText(quote);
  return [
    {
      title: 'Validity',
      text: `These prices are valid through ${longDayText(quote.validUntil)}. After that day they may change.`,
    },
    {
      title: 'Acceptance',
      text: 'Choose one option and accept it in writing, by email or signature. The other options then lapse.',
    },
    { title: 'Deposit', text: depositText(tiers, payment) },
    { title: 'Balance', text: BALANCE[payment] },
    {
      title: 'Scope',
      text: 'The price covers the items and inclusions listed in the chosen option, and nothing else.',
    },
    {
      title: 'Changes',
      text: 'Extra or different work is described, priced and approved in writing before it starts.',
    },
    {
      title: 'Schedule',
      text: `Dates are agreed after acceptance${AFTER_RECEIPT[payment]}. Either side tells the other promptly if a date has to move.`,
    },
    ...(discount === null
      ? []
      : [{ title: 'Discount', text: `Each total includes ${discount}${beforeTax(tiers)}.` }]),
    { title: 'Taxes', text: taxText(tiers, payment) },
    {
      title: 'Cancellation and disputes',
      text: 'If you cancel after acceptance, work already done and materials already ordered remain payable. Rights that the law gives you, for example to cancel within a set time, are not affected. Please raise any concern promptly in writing so that it can be put right.',
    },
  ];
}

/** True of prices that include tax as well. */
const beforeTax = (tiers: Tiers): string =>
  taxRatesText(tiers) === null ? '' : ', taken off before tax is worked out';

const BALANCE: Readonly<Record<Payment, string>> = {
  nothing: 'The total of each option is 0, so nothing is due.',
  on_completion: 'The total is due on completion, unless we agree otherwise in writing.',
  deposit: 'The rest of the total is due on completion, unless we agree otherwise in writing.',
  all_in_advance: 'Nothing more is due on completion: the whole total is paid on acceptance.',
};

const AFTER_RECEIPT: Readonly<Record<Payment, string>> = {
  nothing: '',
  on_completion: '',
  deposit: ' and receipt of the deposit',
  all_in_advance: ' and receipt of the payment',
};

function depositText(tiers: Tiers, payment: Payment): string {
  const [{ quote: good }] = tiers;
  const { depositPercent, depositAmount, currency } = good.request;
  if (payment === 'nothing' || payment === 'on_completion') return 'No deposit is required.';
  const each = tiers.map(({ label, quote }) => `${moneyText(quote.deposit, currency)} for ${label}`);
  if (depositAmount !== undefined && payment === 'deposit')
    return `A deposit of ${moneyText(good.deposit, currency)} is payable on acceptance, whichever option you choose. It counts towards the total.`;
  const sums = `${each[0]}, ${each[1]} or ${each[2]}`;
  return payment === 'all_in_advance'
    ? `The whole of the chosen total is payable on acceptance: ${sums}.`
    : `A deposit of ${microsText(depositPercent)}% of the chosen total is payable on acceptance: ${sums}. It counts towards the total.`;
}

function taxText(tiers: Tiers, payment: Payment): string {
  if (payment === 'nothing') return 'The total of each option is 0, so no tax is due.';
  const rates = taxRatesText(tiers);
  if (rates === null) return 'No tax is included. It is added only where the law requires it.';
  return `Each total includes tax ${rates}. If the law changes a rate before invoicing, the tax changes with it.`;
}

const SUBJECT_LENGTH = 78;
const MOST_ADDS_NAMED = 4;

/** A note of some 70 to 110 words, names and words of the caller apart, to send the pack with; plain text with '\n' line ends. */
export function coverNote(tiers: Tiers, business: string | null): { subject: string; body: string } {
  const [good] = tiers;
  const until = longDayText(good.quote.validUntil);
  const prices = tiers.map(
    ({ label, quote }) => `${label}: ${moneyText(quote.total, quote.request.currency)}`,
  );
  const body = [
    'Hello,',
    'Thank you for the opportunity to quote. Here are three ways to have this done:',
    prices.join('\n'),
    recommendation(tiers),
    `${payableText(tiers)} The prices are valid through ${until}.`,
    'To accept, reply with the name of your option. If anything is unclear, just ask.',
    business === null ? 'Kind regards' : `Kind regards,\n${business}`,
  ].join('\n\n');
  return { subject: coverSubject(until, business), body };
}

function recommendation([good, better]: Tiers): string {
  const named = better.adds.slice(0, MOST_ADDS_NAMED).map((add) => `- ${add}`);
  const more = better.adds.length - named.length;
  return [
    `We recommend ${better.label}. It has everything in ${good.label}, and adds:`,
    ...named,
    ...(more > 0 ? [`- and ${more} more`] : []),
    '',
    'Inclusions and terms are set out with the options.',
  ].join('\n');
}

/** `until` is the last day, as people read it. */
export function coverSubject(until: string, business: string | null): string {
  const plain = `Your quote: three options, valid through ${until}`;
  if (business === null) return plain;
  const named = `Your quote from ${business}: three options`;
  const choices = [`${named}, valid through ${until}`, named];
  return choices.find(({ length }) => length <= SUBJECT_LENGTH) ?? plain;
}

function payableText(tiers: Tiers): string {
  const payment = paymentOf(tiers);
  const [, better] = tiers;
  if (payment === 'nothing') return 'Nothing is payable for any option.';
  return `${includedText(tiers)} ${bookingText(better, payment)}`;
}

function includedText(tiers: Tiers): string {
  const rates = taxRatesText(tiers);
  const discount = discountText(tiers[0].quote);
  const included = [discount, rates === null ? null : `tax ${rates}`].filter((part) => part !== null);
  return [
    ...(included.length === 0 ? [] : [`The totals include ${included.join(' and ')}.`]),
    ...(rates === null ? ['No tax is included.'] : []),
  ].join(' ');
}

function bookingText({ label, quote }: PackTier, payment: Payment): string {
  const { depositPercent, depositAmount, currency } = quote.request;
  if (payment === 'on_completion') return 'No deposit is needed to book.';
  if (depositAmount !== undefined && payment === 'deposit')
    return `A deposit of ${moneyText(quote.deposit, currency)} books the work, whichever option you choose.`;
  const what =
    payment === 'all_in_advance'
      ? 'Payment of the whole total'
      : `A deposit of ${microsText(depositPercent)}%`;
  return `${what} books the work; for ${label} that is ${moneyText(quote.deposit, currency)}.`;
}
