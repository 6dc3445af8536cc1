import { paperIn, paperQuery } from '../surfaces/pages/documents/letterhead.ts';
import { type FormValues, formValues, valuesQuery } from '../surfaces/pages/form-values.ts';
import type { OptionsWritten } from '../surfaces/pages/quote/options-apart.ts';
import { optionsApart } from '../surfaces/pages/quote/options-apart.ts';
import type { QuoteData } from '../surfaces/pages/quote/quote-app.tsx';
import { lineWith, type Written, writtenFrom } from '../surfaces/pages/quote/quote-state.ts';
import { orNull } from './or-null.ts';
import { pairsIn } from './page.ts';
import { isKeeping } from './pay/storage.ts';

/* The data of a quote on this device: one draft, and the owner's business. Links hold the rest behind their #. */

export type Draft = {
  readonly written: Written;
  /** Came from someone else's link, whose business is not the owner's. */
  readonly isForeign: boolean;
  /** The input for three options; omitted until the user opens that step. */
  readonly options?: OptionsWritten | undefined;
  /** The name of this quote among those that were sent; omitted until it was. */
  readonly sent?: number | undefined;
};

type Stored = Pick<Written, 'fields' | 'letterhead'> & Omit<Draft, 'written'> & { rows: readonly object[] };

const DRAFT = 'draft.quote';
/** Drafts of the pack and of the quote that the previous release kept in a tab. */
const PACKS_BEFORE = 'drafts./quote-pack';
const QUOTE_BEFORE = 'last./quote';

/** The previous release's draft as part of a link; '' if there is none. */
const keptBefore = (): string =>
  orNull(() => JSON.parse(sessionStorage.getItem(PACKS_BEFORE) ?? '')[0].query as string) ||
  orNull(() => (JSON.parse(sessionStorage.getItem(QUOTE_BEFORE) ?? '').hash as string).slice(1)) ||
  '';

/** null if nothing is stored or it cannot be read. */
export function keptDraft(data: QuoteData, least: number): Draft | null {
  const stored = orNull(() => JSON.parse(localStorage.getItem(DRAFT) ?? '') as Stored);
  if (stored === null || !Array.isArray(stored.rows)) {
    const before = keptBefore();
    return before === '' ? null : { ...writtenIn(data, before, least), isForeign: false };
  }
  const { letterhead } = paperIn(
    paperQuery({ letterhead: { ...paperIn('').letterhead, ...stored.letterhead }, issuedOn: null }),
  );
  const lines = stored.rows.map((values) => lineWith({ ...values } as Record<string, string>));
  while (lines.length < least) lines.push(lineWith());
  const { options } = stored;
  return {
    ...stored,
    written: { lines, fields: { ...stored.fields }, letterhead },
    options: options && linesBy(options, (place) => lines[place]?.key),
  };
}

/** false if the browser stores nothing. */
export function keepDraft({ written: { lines, fields, letterhead }, ...others }: Draft): boolean {
  // The owner chose to keep nothing, not even in the address.
  if (!isKeeping()) return true;
  const placeOf = (key: number) => lines.findIndex((line) => line.key === key);
  const options = others.options && linesBy(others.options, placeOf);
  const stored: Stored = {
    rows: lines.map(({ values }) => values),
    fields,
    letterhead,
    ...others,
    options,
  };
  return orNull(() => localStorage.setItem(DRAFT, JSON.stringify(stored))) !== null;
}

/** Replaces line keys in the options: keys are valid on one page only, so positions are stored. */
function linesBy(options: OptionsWritten, nameOf: (name: number) => number | undefined): OptionsWritten {
  const renamed = (name: number): readonly number[] => [nameOf(name) ?? -1].filter((other) => other >= 0);
  const tiers = Object.entries(options.tiers).flatMap(([name, has]) =>
    renamed(Number(name)).map((other) => [other, has] as const),
  );
  return { ...options, tiers: Object.fromEntries(tiers), fixed: (options.fixed ?? []).flatMap(renamed) };
}

export function forgetDraft(): void {
  orNull(() => localStorage.removeItem(DRAFT));
  for (const key of [PACKS_BEFORE, QUOTE_BEFORE]) orNull(() => sessionStorage.removeItem(key));
}

/** A quote as part of a link; with a day, the link opens the client's view. */
export const linkQuery = (
  values: FormValues,
  { letterhead }: Pick<Written, 'letterhead'>,
  issuedOn: string | null,
): string => [valuesQuery(values), paperQuery({ letterhead, issuedOn })].filter(Boolean).join('&');

/** The values of a link as form text; their numbers have only one reading. */
export function writtenIn(
  { form, options }: Pick<QuoteData, 'form' | 'options'>,
  query: string,
  least: number,
): Pick<Draft, 'written' | 'options'> {
  const fields = [...form.fields, ...(options?.fields ?? [])];
  const pairs = pairsIn({ ...form, fields }, query).filter(([name]) => name !== 'step');
  return optionsApart(
    writtenFrom(formValues(pairs), paperIn(query).letterhead, least),
    options?.fields ?? [],
  );
}
