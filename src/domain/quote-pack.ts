import { firstNotes, type Notes } from './notes.ts';
import {
  type Ideas,
  isIn,
  markupsOf,
  type PackItem,
  type PackRequest,
  pricedOptions,
  type Recommended,
} from './pack-options.ts';
import {
  coverNote,
  type PackTier,
  packTerms,
  paymentOf,
  type Term,
  type Tiers,
  worded,
} from './pack-words.ts';
import {
  depositCaveat,
  figureWarnings,
  slips,
  slipsOf,
  taxCaveat,
  taxlessInclusion,
  WHOLE_DEPOSIT,
} from './quote-notes.ts';
import type { Result } from './result.ts';
import { cleanLine, listed } from './text.ts';

export type QuotePack = Notes & {
  /** What the caller should send so that the options differ; empty if the pack is ready to send. */
  readonly missing: string[];
  readonly tiers: Tiers;
  readonly recommended: Recommended;
  readonly terms: Term[];
  readonly coverNote: { readonly subject: string; readonly body: string };
};

/** Three priced options with terms, a cover note and notes for the owner. Faults: as for `pricedOptions`. */
export function quotePack(request: PackRequest): Result<QuotePack> {
  const priced = pricedOptions(request);
  if (!priced.ok) return priced;
  const tiers = worded(priced.value, request);
  const missing = missingOf(tiers);
  const business = request.businessName === null ? null : cleanLine(request.businessName) || null;
  return {
    ok: true,
    value: {
      tiers,
      recommended: request.recommended ?? 'better',
      terms: packTerms(tiers, request.details ?? {}),
      coverNote: coverNote(tiers, business, request, missing.length === 0),
      ...packNotes(tiers, request),
      missing,
    },
  };
}

function packNotes(tiers: Tiers, request: PackRequest): Notes {
  const [good, better, best] = tiers;
  const { bestMarkup } = request;
  const [betterMarkup] = markupsOf(request);
  const [, ...figures] = figureWarnings(good.quote);
  const isFree = paymentOf(tiers) === 'nothing';
  // The lines of one option may have tax rates that the other options do not have.
  const { quote: fullest } = [best, better, good].reduce((most, one) =>
    one.quote.groups.length > most.quote.groups.length ? one : most,
  );
  return firstNotes(
    [
      slips([
        ...slipsOf(fullest),
        { name: 'better markup', percent: betterMarkup },
        ...(bestMarkup === null ? [] : [{ name: 'best markup', percent: bestMarkup }]),
      ]),
      ...figures,
      tiers.every(({ quote }) => taxlessInclusion(quote) !== null) ? taxlessInclusion(good.quote) : null,
      ...(isFree ? [] : [stepWarning(good, better), stepWarning(better, best)]),
      paymentOf(tiers) === 'all_in_advance' ? WHOLE_DEPOSIT : null,
      ownLinesMarkedUp(tiers, request),
      creditWarning(request, best),
    ],
    [
      ideasFor(tiers, request),
      request.isAtHome === false ? null : depositCaveat(tiers.map(({ quote }) => quote)),
      taxCaveat(fullest),
      'The terms are generic. Have them checked for your location and trade.',
      markupCaveat(request, best),
      // 25, sent or by default, counts as 0 if lines or additions already distinguish the options.
      betterMarkup === request.betterMarkup
        ? null
        : `No price is marked up, because lines or additions distinguish the options. To mark prices up as well, send ${MARKUPS}.`,
    ],
  );
}

/** The better and best options that add nothing to the cheaper option. */
const withoutOwn = (tiers: Tiers): PackTier[] => tiers.filter(({ adds }) => adds.length === 0);

function missingOf(tiers: Tiers): string[] {
  const [good, better, best] = tiers;
  const empty = withoutOwn(tiers);
  const fields = empty.map(({ tier }) => `${tier}_adds`);
  const steps = [{ lower: good, upper: better } as const, { lower: better, upper: best } as const];
  const flat = steps.filter(({ lower, upper }) => upper.quote.total <= lower.quote.total);
  return [
    ...(empty.length === 0
      ? []
      : [
          `Say what ${listed(empty.map(({ label }) => label))} ${empty.length === 1 ? 'gives' : 'give'} for the higher price: list it in ${listed(fields)}, or set tiers on some lines, such as ["better", "best"].`,
        ]),
    ...flat.map(
      ({ lower, upper }) =>
        `${upper.label} costs ${upper.quote.total === lower.quote.total ? 'the same as' : 'less than'} ${lower.label}: put its additions on lines of their own with prices and tiers, or mark up the prices (${MARKUPS}).`,
    ),
  ];
}

const MARKUPS = 'better_markup_percent and best_markup_percent, such as 25 and 50';

function stepWarning(lower: PackTier, upper: PackTier): string | null {
  const [from, to] = [lower.quote.total, upper.quote.total];
  const pair = `${upper.label} (${upper.tier}) costs`;
  const name = `${lower.label} (${lower.tier})`;
  if (to <= from) return null;
  // If markups set no price, the wider gap is the owner's choice.
  if (upper.markupPercent > 0n && to * 2n > from * 3n)
    return `${pair} more than one and a half times as much as ${name}: with a gap this wide, clients often choose the cheaper option. Consider smaller steps.`;
  if (to * 20n < from * 21n)
    return `${pair} less than 5% more than ${name}: with such a small step, clients often see no reason to pay more. Check the prices.`;
  return null;
}

function ownLinesMarkedUp(tiers: Tiers, { items }: PackRequest): string | null {
  const isMarkedUp = (position: number): boolean =>
    tiers.some(({ positions, quote }) => {
      const line = quote.lines[positions.indexOf(position)];
      return line !== undefined && line.unitPrice !== items[position]?.unitPrice;
    });
  const own = items.filter((item, position) => !isIn(item, 'good') && isMarkedUp(position)).length;
  return own === 0
    ? null
    : `Lines that are only in a more expensive option are also marked up (${own} here). If a price is final, turn the markup of its line off.`;
}

function creditWarning({ items }: PackRequest, best: PackTier): string | null {
  const isCredit = (item: PackItem) => item.unitPrice < 0n && isIn(item, 'good') && isIn(item, 'best');
  if (best.markupPercent === 0n || !items.some(isCredit)) return null;
  return 'Credit lines are not marked up: each option gives the same credit, so the steps between totals are wider than the markups.';
}

/** Extras that an owner of any trade may be able to offer. */
const IDEAS: Ideas = {
  better: ['better materials or parts', 'more of the work that you leave out of the first option'],
  best: ['a longer warranty', 'aftercare or a check-up a few months later'],
};

/** Ideas for options that add nothing to the cheaper one. No document shows them. */
function ideasFor(tiers: Tiers, { ideas = IDEAS }: PackRequest): string | null {
  const each = withoutOwn(tiers).map(({ tier, label }) => {
    const own = tier === 'better' ? ideas.better : ideas.best;
    return `for ${label} ${own.join(', ')}`;
  });
  if (each.length === 0) return null;
  return `Ideas for extras that you could offer and price (none is in the pack yet): ${each.join('; ')}.`;
}

function markupCaveat({ items }: PackRequest, best: PackTier): string | null {
  if (best.markupPercent === 0n || !items.some(({ unitPrice, markup }) => unitPrice > 0n && markup !== false))
    return null;
  return 'The markup is applied to each unit price and rounded there, so every line total equals the quantity times the price shown.';
}
