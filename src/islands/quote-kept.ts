import { paperIn, paperQuery, withoutPaper } from '../surfaces/pages/documents/letterhead.ts';
import type { FormModel } from '../surfaces/pages/form-fields.ts';
import { type FormValues, formValues, valuesQuery } from '../surfaces/pages/form-values.ts';
import type { OptionsWritten } from '../surfaces/pages/quote/quote-options.tsx';
import { lineWith, type Written, writtenFrom } from '../surfaces/pages/quote/quote-state.ts';
import { unmistakable } from '../surfaces/pages/written-number.ts';
import { QUOTE_DRAFT } from './carry.ts';
import { orNull } from './or-null.ts';
import { isKeeping } from './pay/storage.ts';

/* What this device keeps of a quote: the one draft, and the owner's business. Links hold the rest, behind their #. */

export type Draft = {
  readonly written: Written;
  /** Ties what is written to the pages that it goes on to. */
  readonly job: string | undefined;
  /** Came by a link of somebody else, whose business is not the owner's. */
  readonly isForeign: boolean;
  /** What was said of three options; left out before somebody asked for them. */
  readonly options?: OptionsWritten | undefined;
};

type Stored = Pick<Written, 'fields' | 'letterhead'> & Omit<Draft, 'written'> & { rows: readonly object[] };

/** null where nothing is kept, or it cannot be read. */
export function keptDraft(least: number): Draft | null {
  const stored = orNull(() => JSON.parse(localStorage.getItem(QUOTE_DRAFT) ?? '') as Stored);
  if (stored === null || !Array.isArray(stored.rows)) return null;
  const { letterhead } = paperIn(
    paperQuery({ letterhead: { ...paperIn('').letterhead, ...stored.letterhead }, issuedOn: null }),
  );
  const lines = stored.rows.map((values) => lineWith(values as Record<string, string>));
  while (lines.length < least) lines.push(lineWith());
  const { options } = stored;
  return {
    ...stored,
    written: { lines, fields: { ...stored.fields }, letterhead },
    options: options && { ...options, tiers: tiersBy(options.tiers, (place) => lines[place]?.key) },
  };
}

/** false where the browser keeps nothing. */
export function keepDraft({ written: { lines, fields, letterhead }, ...others }: Draft): boolean {
  // Its owner chose that nothing is kept, in the address neither.
  if (!isKeeping()) return true;
  const placeOf = (key: number) => lines.findIndex((line) => line.key === key);
  const options = others.options && {
    ...others.options,
    tiers: tiersBy(others.options.tiers, placeOf),
  };
  const stored: Stored = {
    rows: lines.map(({ values }) => values),
    fields,
    letterhead,
    ...others,
    options,
  };
  return orNull(() => localStorage.setItem(QUOTE_DRAFT, JSON.stringify(stored))) !== null;
}

/** The options of lines by another name of each: keys of lines hold for one page only, their places are kept. */
const tiersBy = (
  tiers: OptionsWritten['tiers'],
  nameOf: (name: number) => number | undefined,
): OptionsWritten['tiers'] =>
  Object.fromEntries(
    Object.entries(tiers).flatMap(([name, has]) => {
      const other = nameOf(Number(name)) ?? -1;
      return other < 0 ? [] : [[other, has]];
    }),
  );

export const forgetDraft = (): unknown => orNull(() => localStorage.removeItem(QUOTE_DRAFT));

/** A quote as the part of a link; with a day it opens as its client sees it. */
export const linkQuery = (
  values: FormValues,
  { letterhead }: Pick<Written, 'letterhead'>,
  issuedOn: string | null,
): string => [valuesQuery(values), paperQuery({ letterhead, issuedOn })].filter(Boolean).join('&');

/** What a link holds, as it is written into the form; its numbers cannot be read as others. */
export function writtenIn(form: FormModel, query: string, least: number): Written {
  const numbers = new Set(
    [...form.fields, ...form.lists.flatMap((list) => list.fields)].flatMap(({ name, number }) =>
      number === null ? [] : [name],
    ),
  );
  const pairs = [...withoutPaper(query)].map(
    ([name, value]) => [name, numbers.has(name) ? unmistakable(value.replace(/\?$/, '')) : value] as const,
  );
  return writtenFrom(formValues(pairs), paperIn(query).letterhead, least);
}
