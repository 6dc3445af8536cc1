import type { DataFault } from '../../src/directory/directory-error.ts';
import type { ListingFile } from '../../src/directory/listing.ts';
import type { ShelvesFile } from '../../src/directory/shelves.ts';
import { figuresOf, PROMISES, unproven } from '../../src/report/picks.ts';

/** One of our sentences, and its place in the data. */
type Sentence = { readonly file: string; readonly field: string; readonly text: string };

/** The sources of a listing: the quote, its translation, and everything else that the editor has read. */
const sourcesOf = ({ check, editor }: ListingFile): string =>
  [check.quote, check.quote_translation?.text ?? '', ...editor.also_read.map(({ words }) => words)].join(
    '\n',
  );

/** The claims of a sentence that no source of the listing supports; a license allows any number. */
function unbacked(text: string, listing: ListingFile): readonly string[] {
  const isLicensed = listing.pricing === 'open_source' || listing.editor.proves === 'licence';
  const claims = unproven(text, sourcesOf(listing));
  return isLicensed ? claims.filter((claim) => figuresOf(claim).length > 0) : claims;
}

/** The sentences of a listing that are our own. */
function sentencesOf({
  id,
  then,
  caveats,
  free_limits,
  limits_by_need,
  cost,
  editor,
}: ListingFile): Sentence[] {
  const file = `listings/${id}.json`;
  return [
    ...(then === null ? [] : [{ file, field: '/then/text', text: then.text }]),
    ...caveats.map((text, index) => ({ file, field: `/caveats/${index}`, text })),
    ...Object.entries(limits_by_need).map(([need, text]) => ({
      file,
      field: `/limits_by_need/${need}`,
      text,
    })),
    ...(free_limits === null ? [] : [{ file, field: '/free_limits', text: free_limits }]),
    ...(cost === null ? [] : [{ file, field: '/cost/text', text: cost.text }]),
    ...Object.entries(editor.local_costs).map(([country, text]) => ({
      file,
      field: `/editor/local_costs/${country}`,
      text,
    })),
    ...editor.team_plans.map(({ people, amount, more }, index) => ({
      file,
      field: `/editor/team_plans/${index}`,
      text: [Number(people) < 2 ? null : people, amount, more]
        .filter((figure) => figure !== null)
        .join(' and '),
    })),
  ];
}

const faultsOf = ({ file, field }: Omit<Sentence, 'text'>, claims: readonly string[]): DataFault[] => {
  const said = claims.map((claim) => `“${claim}”`).join(', ');
  return said === '' ? [] : [{ file, field, detail: `no source of the listing says ${said}` }];
};

/** Claims on the shelves that concern no listing: names, and ways out. */
function looseFaults(
  slug: string,
  { also_well_known, way_out, ways_out, law }: ShelvesFile['needs'][string],
) {
  const known = also_well_known.map(({ why_not_picked }, index) => ({
    field: `also_well_known/${index}`,
    text: why_not_picked,
  }));
  const ways = [way_out ?? '', ...Object.values(ways_out)].map((text) => ({ field: 'way_out', text }));
  const lawful = [
    law.way_out ?? '',
    law.unplaced ?? '',
    ...Object.values(law.ways_out),
    ...law.notes.map(({ text }) => text),
  ].map((text = '') => ({ field: 'law', text }));
  return [...known, ...ways, ...lawful].flatMap(({ field, text }) => {
    const claims = [
      // A law has a date, so its year is not a claim.
      ...(/\b(?!20[12]\d\b)\d+/.exec(text) ?? []),
      ...PROMISES.flatMap(({ promise }) => promise.exec(text)?.[0] ?? []),
    ];
    return faultsOf({ file: 'shelves.json', field: `/needs/${slug}/${field}` }, claims);
  });
}

/** Every figure and promise in our own words that no source supports, for tools on a shelf. */
export function claimFaults(listings: readonly ListingFile[], shelves: ShelvesFile): DataFault[] {
  const byId = new Map(listings.map((listing) => [listing.id, listing]));
  const placed = new Set<string>();
  const onShelves = Object.entries(shelves.needs).flatMap(([slug, { shelf }]) =>
    shelf.flatMap((entry, index) => {
      const listing = 'id' in entry ? byId.get(entry.id) : undefined;
      if (listing === undefined) return [];
      placed.add(listing.id);
      const minus = 'minus' in entry ? (entry.minus ?? '') : '';
      const place = { file: 'shelves.json', field: `/needs/${slug}/shelf/${index}` };
      return [entry.reason, minus].flatMap((text) => faultsOf(place, unbacked(text, listing)));
    }),
  );
  const inListings = listings
    .filter(({ id, editor }) => placed.has(id) || editor.team_plans.length > 0)
    .flatMap((listing) =>
      sentencesOf(listing).flatMap((sentence) => faultsOf(sentence, unbacked(sentence.text, listing))),
    );
  return [
    ...inListings,
    ...onShelves,
    ...Object.entries(shelves.needs).flatMap(([slug, need]) => looseFaults(slug, need)),
  ];
}
