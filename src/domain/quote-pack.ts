import { type PackNotes, packNotes } from './pack-notes.ts';
import { type PackRequest, pricedOptions, type Recommended } from './pack-options.ts';
import { coverNote, packTerms, type Term } from './pack-terms.ts';
import { type Tiers, worded } from './pack-words.ts';
import type { Result } from './result.ts';
import { cleanLine } from './text.ts';

export type QuotePack = PackNotes & {
  readonly tiers: Tiers;
  readonly recommended: Recommended;
  readonly terms: Term[];
  readonly coverNote: { readonly subject: string; readonly body: string };
};

/** Three priced options with terms, a cover note and notes for the owner. Faults: those of `pricedOptions`. */
export function quotePack(request: PackRequest): Result<QuotePack> {
  const priced = pricedOptions(request);
  if (!priced.ok) return priced;
  const tiers = worded(priced.value, request);
  const notes = packNotes(tiers, request);
  const business = request.businessName === null ? null : cleanLine(request.businessName) || null;
  return {
    ok: true,
    value: {
      tiers,
      recommended: request.recommended ?? 'better',
      terms: packTerms(tiers, request.details ?? {}),
      coverNote: coverNote(tiers, business, request, notes.missing.length === 0),
      ...notes,
    },
  };
}
