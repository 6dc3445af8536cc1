import { nearest } from '../domain/nearest.ts';
import type { BusinessType, Candidate, ToolDirectory } from '../domain/stack-report-types.ts';
import { ageText } from '../domain/stack-report-words.ts';
import type { CategoriesFile, Category } from './categories.ts';
import type { Listing, ListingFile } from './listing.ts';

/** The listings in their public shape, indexed once. A failed or withdrawn listing is in none of the answers. */
export type Directory = ToolDirectory & {
  /** Sorted by id, frozen. */
  readonly listings: readonly Listing[];
  /** Listings of a category, the main ones first, then by id. Empty for an unknown slug. */
  readonly byCategory: (slug: string) => readonly Listing[];
  /** A slug, an alias or either with hyphens, in any case; some words mean another category to some businesses. */
  readonly category: (text: string, businessType?: BusinessType) => { readonly slug: string } | null;
  readonly nearestCategory: (text: string) => string | null;
  readonly categories: readonly { readonly slug: string; readonly name: string; readonly count: number }[];
  readonly find: (id: string) => Listing | null;
};

const freeze = <T>(value: T): T => {
  if (typeof value === 'object' && value !== null && !Object.isFrozen(value)) {
    Object.freeze(value);
    for (const inner of Object.values(value)) freeze(inner);
  }
  return value;
};

const byId = <T extends { readonly id: string }>(a: T, b: T) => (a.id < b.id ? -1 : a.id > b.id ? 1 : 0);
const asSlug = (text: string) =>
  text
    .trim()
    .toLowerCase()
    .replace(/[\s-]+/g, '_');

const candidateOf = (file: ListingFile, tool: Listing, category: Category): Candidate => ({
  tool,
  isMain: tool.categories[0] === category.slug,
  kind: category.kinds[file.editor.kinds[category.slug] ?? ''] ?? null,
  weak: file.editor.weak,
  proves: file.editor.proves,
  freeOn: file.editor.free_on,
  developerOnly: file.editor.developer_only,
  requires: file.editor.requires,
  tightLimit: file.editor.tight_limit,
  usableForGood: file.editor.usable_for_good,
});

/**
 * A listing warns of ageing words as of the last check of all; a candidate does not, because a report judges the
 * age on its own day.
 */
function indexCandidates(
  found: readonly ListingFile[],
  categories: readonly Category[],
  lastChecked: string,
) {
  const bySlug = new Map(categories.map((category) => [category.slug, category]));
  const index = new Map(categories.map(({ slug }) => [slug, new Map<string, Candidate>()]));
  const listings: Listing[] = [];
  for (const file of [...found].sort(byId)) {
    const { editor, ...tool } = file;
    const age = ageText({ tool, proves: editor.proves }, lastChecked);
    listings.push(freeze(age === null ? tool : { ...tool, caveats: [...tool.caveats, age] }));
    for (const slug of tool.categories) {
      const category = bySlug.get(slug);
      if (category !== undefined) index.get(slug)?.set(tool.id, freeze(candidateOf(file, tool, category)));
    }
  }
  return { listings, index };
}

function wordIndex(categories: readonly Category[]) {
  const words = new Map<string, string>();
  for (const { slug, aliases } of categories) for (const word of [slug, ...aliases]) words.set(word, slug);
  const special = new Map<string, string>();
  for (const { slug, aliases_for } of categories)
    for (const [type, aliases] of Object.entries(aliases_for))
      for (const word of aliases) special.set(`${type}/${word}`, slug);
  return { words, special };
}

/** Builds the index from checked files; costs time only here, so that a request does not. */
export function buildDirectory(
  files: readonly ListingFile[],
  { business_types, categories }: CategoriesFile,
) {
  const shown = files.filter(({ check }) => check.status === 'found');
  const days = shown.map(({ check }) => check.checked_on).sort();
  const lastChecked = days.at(-1) ?? '';
  const { listings, index } = indexCandidates(shown, categories, lastChecked);
  const { words, special } = wordIndex(categories);
  const found = new Map(listings.map((listing) => [listing.id, listing]));
  const candidates = new Map([...index].map(([slug, tools]) => [slug, freeze([...tools.values()])]));
  const perCategory = new Map(
    [...candidates].map(([slug, tools]) => {
      const main = tools.filter(({ isMain }) => isMain);
      const other = tools.filter(({ isMain }) => !isMain);
      return [
        slug,
        freeze(
          [...main, ...other].map(({ tool }) => found.get(tool.id)).filter((tool) => tool !== undefined),
        ),
      ];
    }),
  );
  const described = new Map(categories.map(({ slug, name, note }) => [slug, freeze({ slug, name, note })]));
  const needs = new Map(
    business_types.map(({ slug, needs, needs_for_teams }) => [
      slug,
      freeze({ always: needs, forTeams: needs_for_teams }),
    ]),
  );
  const directory: Directory = {
    listings: freeze(listings),
    candidates: (slug) => candidates.get(slug) ?? [],
    candidate: (slug, id) => index.get(slug)?.get(id) ?? null,
    byCategory: (slug) => perCategory.get(slug) ?? [],
    describe: (slug) => described.get(slug) ?? { slug, name: slug, note: null },
    needsOf: (type) => needs.get(type) ?? { always: [], forTeams: [] },
    category: (text, businessType) => {
      const word = asSlug(text);
      const slug = special.get(`${businessType}/${word}`) ?? words.get(word);
      return slug === undefined ? null : { slug };
    },
    nearestCategory: (text) => words.get(nearest(asSlug(text), [...words.keys()]) ?? '') ?? null,
    categories: freeze(
      categories
        .map(({ slug, name }) => ({ slug, name, count: perCategory.get(slug)?.length ?? 0 }))
        .sort((a, b) => (a.slug < b.slug ? -1 : 1)),
    ),
    find: (id) => found.get(id) ?? null,
    firstChecked: days[0] ?? '',
    lastChecked,
  };
  return Object.freeze(directory);
}
