import { microsText } from './money.ts';
import { firstNotes, type Notes } from './notes.ts';
import type { PackItem, PackRequest, PackTier, Tiers } from './pack-request.ts';
import { paymentOf } from './pack-texts.ts';
import {
  depositCaveat,
  figureWarnings,
  slips,
  slipsOf,
  taxCaveat,
  taxlessInclusion,
  WHOLE_DEPOSIT,
} from './quote-notes.ts';

/** What is unusual about this pack, and what to know before it is sent. */
export function packNotes(tiers: Tiers, request: PackRequest): Notes {
  const [good, better, best] = tiers;
  const [, ...figures] = figureWarnings(good.quote);
  const isFree = paymentOf(tiers) === 'nothing';
  return firstNotes(
    [
      slips([...slipsOf(best.quote), ...markupsOf(request)]),
      ...figures,
      // The dearest option has every line.
      taxlessInclusion(best.quote),
      ...(isFree ? [] : [stepWarning(good, better), stepWarning(better, best)]),
      depositWarning(tiers),
      ownLinesMarkedUp(tiers, request),
      creditWarning(request, best),
      cappedBest(request, best),
    ],
    [
      suggestions(tiers),
      depositCaveat(tiers.map(({ quote }) => quote)),
      taxCaveat(best.quote),
      'The terms are general wording. Have them checked for your place and trade.',
      markupCaveat(request, best),
    ],
  );
}

const markupsOf = ({ betterMarkup, bestMarkup }: PackRequest) => [
  { name: 'better markup', percent: betterMarkup },
  ...(bestMarkup === null ? [] : [{ name: 'best markup', percent: bestMarkup }]),
];

function cappedBest({ betterMarkup, bestMarkup }: PackRequest, best: PackTier): string | null {
  if (bestMarkup !== null || best.markupPercent === betterMarkup * 2n) return null;
  return `No best markup was given, and twice the better markup passes the limit: ${microsText(best.markupPercent)}% was used.`;
}

function stepWarning(lower: PackTier, upper: PackTier): string | null {
  const [from, to] = [lower.quote.total, upper.quote.total];
  const pair = `${upper.label} (${upper.tier}) costs`;
  const name = `${lower.label} (${lower.tier})`;
  if (to < from)
    return `${pair} less than ${name}: check the lines that begin with it, which take off more than they add.`;
  if (to === from)
    return `${pair} the same as ${name}: options at one price give no reason to choose. Check the ${upper.tier} markup, the prices and the discount.`;
  if (to * 2n > from * 3n)
    return `${pair} more than one and a half times ${name}: a gap this wide often makes clients choose the cheaper option. Consider smaller steps.`;
  if (to * 20n < from * 21n)
    return `${pair} less than 5% more than ${name}: with a step this small clients often see no difference. Check the ${upper.tier} markup.`;
  return null;
}

function depositWarning(tiers: Tiers): string | null {
  if (paymentOf(tiers) === 'all_in_advance') return WHOLE_DEPOSIT;
  const paid = tiers.filter(({ quote }) => quote.total > 0n && quote.balance === 0n);
  return paid.length === 0
    ? null
    : `The deposit is the whole total of ${paid.map(({ label }) => label).join(' and ')}, so no balance is left to pay there.`;
}

function ownLinesMarkedUp(tiers: Tiers, { items }: PackRequest): string | null {
  const isMarkedUp = (position: number): boolean =>
    tiers.some(({ positions, quote }) => {
      const line = quote.lines[positions.indexOf(position)];
      return line !== undefined && line.unitPrice !== items[position]?.unitPrice;
    });
  const own = items.filter(({ tier }, position) => tier && isMarkedUp(position)).length;
  if (own === 0) return null;
  return own === 1
    ? '1 line that begins with a dearer option is marked up there: switch its markup off if its price is final.'
    : `${own} lines that begin with a dearer option are marked up there: switch their markup off if their prices are final.`;
}

function creditWarning({ items }: PackRequest, best: PackTier): string | null {
  const isCredit = ({ unitPrice, tier }: PackItem) => unitPrice < 0n && !tier;
  if (best.markupPercent === 0n || !items.some(isCredit)) return null;
  return 'Credit lines are not marked up: each option gives the same credit, so the steps between totals are wider than the markups.';
}

/** Names the claims that only the sender can confirm. */
function suggestions(tiers: Tiers): string | null {
  const ours = tiers.filter(({ addsSource }) => addsSource === 'suggested').map(({ label }) => label);
  if (ours.length === 0) return null;
  return `The additions of ${ours.join(' and ')} are suggestions of ours: each must be true before you send the pack. Keep what you will really do, or send words of your own.`;
}

function markupCaveat({ items }: PackRequest, best: PackTier): string | null {
  if (best.markupPercent === 0n || !items.some(({ unitPrice, markup }) => unitPrice > 0n && markup !== false))
    return null;
  return 'A markup is applied to each unit price and rounded there, so every line total can be checked as quantity times the price shown.';
}
