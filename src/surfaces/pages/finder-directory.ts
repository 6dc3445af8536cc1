import { COUNTRY_CODES } from '../../domain/regions.ts';
import { BUSINESS_TYPES } from '../../domain/stack-report-types.ts';
import { cleanLine } from '../../domain/text.ts';
import type { AnswerOf } from '../../operations/answers.ts';
import type { Site } from '../site.ts';
import type { Placed } from './shell.tsx';
import type { Found } from './views/finder-match.ts';

type Body = AnswerOf<'list_tools'>;
type Tool = Body['tools'][number];
type Place = Body['shelf'][number];
export type Category = Body['categories'][number] & {
  /** The editor's first choice, in a sentence. */
  readonly advice: string | null;
  readonly tools: readonly Card[];
};
export type Card = { readonly tool: Tool; readonly found: Found };

/** The directory as people search it. */
export type Finder = {
  readonly site: Site;
  readonly operation: Placed;
  readonly cards: readonly Card[];
  readonly categories: readonly Category[];
};

/** The directory, as the operation that shows it answers. */
export function finderOf(site: Site, operation: Placed): Finder {
  const ask = (values: Readonly<Record<string, unknown>>) => site.ask(operation, values) as Body;
  const { tools, categories } = ask({});
  const closed = closedCountries(tools, (country) => ask({ country }).tools);
  const nameOf = new Map(categories.map(({ slug, name }) => [slug, name]));
  const cards = tools.map((tool): Card => {
    const needs = tool.categories
      .flatMap((slug) => [nameOf.get(slug) ?? '', ...(operation.page.synonyms?.[slug] ?? [])])
      .join(' ');
    return {
      tool,
      found: {
        text: `${tool.name} ${tool.vendor} ${tool.free_limits ?? ''} ${needs}`,
        needs: tool.categories,
        businesses: tool.good_for,
        kind: tool.pricing,
        runs: tool.hosting,
        closed: closed.get(tool.id) ?? [],
      },
    };
  });
  const named = [...categories].sort((a, b) => a.name.localeCompare(b.name, 'en'));
  return {
    site,
    operation,
    cards,
    categories: named.map((category) => ({
      ...category,
      advice: adviceOf(ask({ category: category.slug })),
      tools: cards.filter(({ tool }) => tool.categories[0] === category.slug),
    })),
  };
}

/** By id, the countries that a tool does not serve: few tools have any. */
function closedCountries(
  tools: readonly Tool[],
  serving: (country: string) => readonly Tool[],
): ReadonlyMap<string, readonly string[]> {
  const closed = new Map<string, string[]>();
  for (const country of COUNTRY_CODES) {
    const open = new Set(serving(country).map(({ id }) => id));
    for (const { id } of tools) if (!open.has(id)) closed.set(id, [...(closed.get(id) ?? []), country]);
  }
  return closed;
}

/** What is the first choice of a category for most kinds of business, with the reason on its shelf. */
export function adviceOf({ shelf, tools }: Body): string | null {
  const firsts = BUSINESS_TYPES.flatMap(
    (type) => shelf.find((one) => one.for?.includes(type) !== false && !one.not_for?.includes(type)) ?? [],
  );
  // A tool may stand there twice, with another reason for others.
  const times = ({ id }: Place): number => firsts.filter((one) => one.id === id).length;
  const timesSo = (place: Place): number => firsts.filter((one) => one === place).length;
  const [first] = firsts.sort((one, other) => times(other) - times(one) || timesSo(other) - timesSo(one));
  const tool = tools.find(({ id }) => id === first?.id);
  if (first === undefined || tool === undefined) return null;
  const where = first.regions === null ? '' : ', where it is offered';
  return `Look at ${cleanLine(tool.name)} first${where}. ${cleanLine(first.reason)}`;
}
