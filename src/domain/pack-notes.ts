import { microsText } from './money.ts';
import type { Quote } from './quote.ts';
import { depositCaveats } from './quote-notes.ts';
import type { PackRequest, PackTier } from './quote-pack.ts';

/** What is unusual about this pack. */
export function packWarnings(
  [good, better, best]: readonly [PackTier, PackTier, PackTier],
  { betterMarkup, bestMarkup }: PackRequest,
): string[] {
  return [
    cappedBest(betterMarkup, bestMarkup, best),
    stepWarning(good, better),
    stepWarning(better, best),
    creditWarning(good),
  ].filter((warning) => warning !== null);
}

function cappedBest(better: bigint, best: bigint | null, tier: PackTier): string | null {
  if (best !== null || tier.markupPercent === better * 2n) return null;
  return `No best markup was given, and twice the better markup passes the limit: ${microsText(tier.markupPercent)}% was used.`;
}

function stepWarning(lower: PackTier, upper: PackTier): string | null {
  const [from, to] = [lower.quote.total, upper.quote.total];
  const pair = `${upper.label} (${upper.tier}) costs`;
  if (to === from)
    return `${pair} the same as ${lower.label} (${lower.tier}): options at one price give no reason to choose. Check the ${upper.tier} markup, the prices and the discount.`;
  if (to * 2n > from * 3n)
    return `${pair} more than one and a half times ${lower.label} (${lower.tier}): a gap this wide makes clients choose the cheaper option. Consider smaller steps.`;
  return null;
}

function creditWarning({ quote }: PackTier): string | null {
  if (quote.lines.every(({ unitPrice }) => unitPrice >= 0n)) return null;
  return 'Credit lines are not marked up: each option gives the same credit, so the steps between totals are wider than the markups.';
}

/** What holds for every pack; at most four sentences. */
export function packCaveats({ request }: Quote): string[] {
  return [
    'The inclusions explain the price steps in general words. Edit them before sending, so that they say what you will really deliver.',
    'A markup is applied to each unit price and rounded there, so every line total can be checked as quantity times the price shown.',
    'The terms are general wording. Have them checked for your place and trade.',
    ...depositCaveats(request.depositPercent),
  ];
}
