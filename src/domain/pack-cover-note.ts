import { longDayText } from './calendar.ts';
import { moneyText } from './currency.ts';
import { microsText } from './money.ts';
import { WHOLE_PERCENT } from './quote.ts';
import type { PackTier } from './quote-pack.ts';

const SUBJECT_LENGTH = 78;

/** A note of 70 to 110 words, the name apart, to send the pack with; plain text with '\n' line ends. */
export function coverNote(
  tiers: readonly [PackTier, PackTier, PackTier],
  business: string | null,
): { subject: string; body: string } {
  const [good, better] = tiers;
  const until = longDayText(good.quote.validUntil);
  const prices = tiers.map(
    ({ label, quote }) => `${label}: ${moneyText(quote.total, quote.request.currency)}`,
  );
  const body = [
    'Hello,',
    'Thank you for the opportunity to quote. Here are three options for the same work, so you can choose what suits you:',
    prices.join('\n'),
    `We recommend ${better.label}: it adds upgraded choices, priority scheduling and a follow-up check to everything in ${good.label}. Inclusions and terms are set out with the options.`,
    `${payableText(tiers)} The prices are valid through ${until}.`,
    'To accept, reply with the name of your option. If anything is unclear, just ask.',
    business === null ? 'Kind regards' : `Kind regards,\n${business}`,
  ].join('\n\n');
  return { subject: subjectOf(until, business), body };
}

function subjectOf(until: string, business: string | null): string {
  const plain = `Your quote: three options, valid through ${until}`;
  const named = `Your quote from ${business}: three options, valid through ${until}`;
  return business !== null && named.length <= SUBJECT_LENGTH ? named : plain;
}

function payableText([good, better, best]: readonly [PackTier, PackTier, PackTier]): string {
  // The markups only raise a total, so that the last option at 0 means all of them.
  return best.quote.total === 0n
    ? 'Nothing is payable for any option.'
    : `${taxText(good)} ${depositText(better)}`;
}

function taxText({ quote }: PackTier): string {
  const { taxPercent } = quote.request;
  return taxPercent === 0n ? 'No tax is included.' : `The totals include tax at ${microsText(taxPercent)}%.`;
}

function depositText({ label, quote }: PackTier): string {
  const { depositPercent, currency } = quote.request;
  if (depositPercent === 0n) return 'No deposit is needed to book.';
  const what =
    depositPercent === WHOLE_PERCENT
      ? 'Payment of the whole total'
      : `A deposit of ${microsText(depositPercent)}%`;
  return `${what} books the work; for ${label} that is ${moneyText(quote.deposit, currency)}.`;
}
