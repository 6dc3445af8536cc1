import type { TierName } from './quote-pack.ts';

type TierWording = { label: string; summary: string; includes: string[]; adds: string[] };

/** Name and scope of each step. No brands, years or warranties: the sender has promised none. */
const STEPS: Readonly<Record<TierName, { label: string; summary: string; adds: readonly string[] }>> = {
  good: {
    label: 'Essential',
    summary: 'The listed work at the base price, complete and without extras.',
    adds: [
      'All work and items listed in this option',
      'Dates agreed with you after acceptance',
      'Changes priced and approved before they are made',
    ],
  },
  better: {
    label: 'Enhanced',
    summary: 'Everything in Essential, with upgraded choices, priority scheduling and a check afterwards.',
    adds: [
      'Upgraded materials, finish or detail where the listed work allows a choice',
      'Priority scheduling after acceptance',
      'A follow-up check after completion',
    ],
  },
  best: {
    label: 'Premium',
    summary:
      'Everything in Enhanced, with the top choices, one named contact and a return visit or revision.',
    adds: [
      'Top grade instead of upgraded where the listed work allows a choice',
      'One named contact from acceptance to completion',
      'One return visit or round of revisions after completion',
    ],
  },
};

const ORDER: readonly TierName[] = ['good', 'better', 'best'];

/** Label, summary and inclusions of an option; `includes` is every step up to it. Fresh lists on each call. */
export function tierWording(tier: TierName): TierWording {
  const { label, summary, adds } = STEPS[tier];
  const steps = ORDER.slice(0, ORDER.indexOf(tier) + 1);
  return { label, summary, includes: steps.flatMap((step) => STEPS[step].adds), adds: [...adds] };
}
