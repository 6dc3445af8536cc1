import { TIERS, type TierName } from '../../../domain/pack-options.ts';
import { inNameOf, type Letterhead } from '../documents/letterhead.ts';
import { linesOf } from '../documents/sheet.ts';
import type { Row } from '../form-values.ts';
import type { Written } from './quote-state.ts';

/*
 * Links, forms and drafts of the quote pack use the names of its operation. On the page of a quote, some of these
 * values belong to the document and some to the step of three options.
 */

/** An addition to a more expensive option; with a price, it is a separate line. */
export type Addition = {
  readonly text: string;
  readonly price: string;
  /** Whether the page proposed the price and the owner has not decided on it. */
  readonly isGuess?: boolean;
};

/** The owner's input for the three options. */
export type OptionsWritten = {
  readonly trade: string;
  readonly better: readonly Addition[];
  readonly best: readonly Addition[];
  /** The options of a line, by the key of the line; a line that is absent here is in all three. */
  readonly tiers: Readonly<Record<number, readonly TierName[]>>;
  /** Keys of the lines whose price is the same in every option, whatever the markup. */
  readonly fixed: readonly number[];
  /** Further fields of the operation, by name. */
  readonly fields: Readonly<Record<string, string>>;
};

export const NO_OPTIONS: OptionsWritten = {
  trade: '',
  better: [],
  best: [],
  tiers: {},
  fixed: [],
  fields: {},
};

type Apart = {
  readonly written: Written;
  /** Omitted if there is nothing about three options. */
  readonly options?: OptionsWritten | undefined;
};

/** Splits the input into the quote and its three options; `known` are the further fields of that step. */
export function optionsApart(all: Written, known: readonly { readonly name: string }[]): Apart {
  const { trade = '', better_adds = '', best_adds = '', ...others } = all.fields;
  const names = new Set(known.map(({ name }) => name));
  const isSaid = ([, text]: readonly [string, string]): boolean => text.trim() !== '';
  const entries = Object.entries(others).filter(isSaid);
  const written = {
    lines: all.lines.map(({ key, values: { tier: _, tiers: __, markup: ___, ...values } }) => ({
      key,
      values,
    })),
    fields: Object.fromEntries(entries.filter(([name]) => !names.has(name) && !ON_PAPER.has(name))),
    letterhead: named(others, all.letterhead),
  };
  const options = {
    ...NO_OPTIONS,
    trade,
    better: additionsIn(better_adds),
    best: additionsIn(best_adds),
    tiers: Object.fromEntries(
      all.lines.flatMap(({ key, values }) => {
        const has = tiersOf(values);
        return has === null ? [] : [[key, has]];
      }),
    ),
    fixed: all.lines.filter(({ values: { markup } }) => markup === 'false').map(({ key }) => key),
    fields: Object.fromEntries(entries.filter(([name]) => names.has(name))),
  };
  const isAny = JSON.stringify(options) !== JSON.stringify(NO_OPTIONS);
  return { written, ...(isAny && { options }) };
}

const ON_PAPER: ReadonlySet<string> = new Set(['business_name', 'client_name', 'job', 'quote_number']);

/** The letterhead, filled from the pack's names for the same values. */
function named(fields: Readonly<Record<string, string>>, letterhead: Letterhead): Letterhead {
  const { business_name = '', client_name = '', job = '', quote_number = '' } = fields;
  const [client = '', ...address] = linesOf(letterhead.client);
  const isNamed = client_name.trim() === '' || client === client_name.trim();
  return {
    ...inNameOf(business_name, letterhead),
    business: business_name || letterhead.business,
    client: isNamed ? letterhead.client : [client_name.trim(), client, ...address].filter(Boolean).join('\n'),
    about: job || letterhead.about,
    number: quote_number || letterhead.number,
  };
}

const additionsIn = (phrases: string): OptionsWritten['better'] =>
  phrases
    .split(';')
    .map((text) => ({ text: text.trim(), price: '' }))
    .filter(({ text }) => text !== '');

/** The options that include a line; null if all of them do. */
function tiersOf({ tier = '', tiers = '' }: Row): readonly TierName[] | null {
  const from = TIERS.indexOf(tier.trim().toLowerCase() as TierName);
  const listed = TIERS.filter((one) => tiers.toLowerCase().split(/\W+/).includes(one));
  const has = listed.length > 0 ? listed : TIERS.slice(Math.max(from, 0));
  return has.length === TIERS.length ? null : has;
}
