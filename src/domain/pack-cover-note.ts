import { longDayText } from './calendar.ts';
import { moneyText } from './currency.ts';
import { microsText } from './money.ts';
import type { PackTier, Tiers } from './pack-request.ts';
import { discountText, type Payment, paymentOf, taxRatesText } from './pack-texts.ts';

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
  return `${includedText(tiers)} ${depositText(better, payment)}`;
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

function depositText({ label, quote }: PackTier, payment: Payment): string {
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
