import type { PackRequest, PackTier, TierName } from './pack-request.ts';

type TierWording = Pick<PackTier, 'label' | 'summary' | 'includes' | 'adds' | 'addsSource'>;

/** The options from the plainest up; each includes the one before. */
export const TIERS: readonly TierName[] = ['good', 'better', 'best'];

export const DEFAULT_LABELS: Readonly<Record<TierName, string>> = {
  good: 'Essential',
  better: 'Enhanced',
  best: 'Premium',
};

const BASE = 'All work and items listed for this option';

/**
 * What a dearer option may add in any trade, whatever is sold: attention, never materials, for the lines are the same.
 * No brands, years or warranties: the sender has promised none.
 */
const SUGGESTED: Readonly<Record<'better' | 'best', readonly string[]>> = {
  better: ['Priority when dates are agreed', 'A follow-up check after completion'],
  best: [
    'One named contact from acceptance to completion',
    'One return visit or round of changes after completion',
  ],
};

/** Label, summary and inclusions of every option; `includes` is every step up to it. Fresh lists on each call. */
export function tierWordings(request: PackRequest): Record<TierName, TierWording> {
  const label = (tier: TierName) => request.labels?.[tier] ?? DEFAULT_LABELS[tier];
  const better = addsOf('better', request);
  const best = addsOf('best', request);
  return {
    good: {
      label: label('good'),
      summary: 'The listed work at the base price.',
      includes: [BASE],
      adds: [BASE],
      addsSource: 'lines',
    },
    better: {
      label: label('better'),
      summary: `Everything in ${label('good')}, and what this option adds.`,
      includes: eachOnce([BASE, ...better.adds]),
      ...better,
    },
    best: {
      label: label('best'),
      summary: `Everything in ${label('better')}, and what this option adds.`,
      includes: eachOnce([BASE, ...better.adds, ...best.adds]),
      ...best,
    },
  };
}

/** The lines that start at this option, and the caller's inclusions; the suggestions only where there is neither. */
function addsOf(
  tier: 'better' | 'best',
  { items, adds }: PackRequest,
): Pick<TierWording, 'adds' | 'addsSource'> {
  const lines = eachOnce(items.filter((item) => item.tier === tier).map(({ description }) => description));
  const given = adds?.[tier];
  if (given !== undefined) return { adds: eachOnce([...lines, ...given]), addsSource: 'given' };
  if (lines.length > 0) return { adds: lines, addsSource: 'lines' };
  return { adds: [...SUGGESTED[tier]], addsSource: 'suggested' };
}

/** The texts without those that say the same again; capitals make no difference. */
const eachOnce = (texts: readonly string[]): string[] => {
  const first = new Map<string, string>();
  for (const text of texts) if (!first.has(text.toLowerCase())) first.set(text.toLowerCase(), text);
  return [...first.values()];
};
