import type { buildDirectory } from '../../src/directory/directory.ts';
import type { DataFault } from '../../src/directory/directory-error.ts';
import type { ListingFile } from '../../src/directory/listing.ts';
import { BUSINESS_TYPES } from '../../src/domain/directory-labels.ts';
import { inRegions } from '../../src/domain/regions.ts';
import { type StackReport, stackReport } from '../../src/report/report.ts';
import type { StackRequest } from '../../src/report/shelf.ts';

const escaped = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
const plain = (text: string): string => text.replace(/(?<=\d),(?=\d{3})/g, '');
const figuresOf = (text: string): readonly string[] =>
  (plain(text).match(/\d+(?:\.\d+)?/g) ?? []).map((figure) => `${Number(figure)}`);

/** The quotes and other sources of a listing, each with its place. */
const wordsOf = ({ check, editor }: ListingFile) => [
  { field: '/check/quote', words: check.quote },
  ...editor.also_read.map(({ words }, index) => ({ field: `/editor/also_read/${index}`, words })),
];

/** Prices that a quote names for the plan of `then`: "Plus $29 per month", "Pro: 19 USD". */
function pricesOf(plan: string, words: string): readonly string[] {
  const name = escaped(plan.split(/[ ,]/).at(-1) ?? plan);
  const price = new RegExp(
    `\\b${name}\\b[^.;|\\n]{0,24}?(?:(?:US)?[$€£]|(?:USD|EUR|GBP) ?)(\\d+(?:\\.\\d+)?)`,
    'g',
  );
  const figures = [...plain(words).matchAll(price)].map(([, figure = '']) => figure);
  // If a plan with the same name costs nothing, it is the free plan.
  return figures.filter((figure) => Number(figure) > 0);
}

const HOME_OF: Readonly<Record<string, string>> = {
  USD: 'US',
  GBP: 'GB',
  EUR: 'EU',
  INR: 'IN',
  AUD: 'AU',
  CAD: 'CA',
};

/** A quoted price that differs from `then`, and a `then` in the currency of a country that the tool does not serve. */
function* priceFaults(listing: ListingFile): Iterable<DataFault> {
  const { id, then } = listing;
  if (then === null) return;
  const file = `listings/${id}.json`;
  const { plan } = then;
  if (listing.pricing !== 'paid' && then.amount === null && /[$€£]\d/.test(then.text))
    yield { file, field: '/then/amount', detail: 'is missing, and /then/text names a price' };
  const ours = new Set([...figuresOf(then.text), ...figuresOf(then.amount ?? '')]);
  for (const { field, words } of wordsOf(listing))
    for (const price of plan === null ? [] : pricesOf(plan, words))
      if (!ours.has(`${Number(price)}`))
        yield { file, field, detail: `names ${price} for ${plan}, and /then does not` };
  const home = HOME_OF[then.currency ?? ''];
  const isAtHome = (regions: readonly string[]) =>
    inRegions(home ?? '', regions) || regions.some((region) => inRegions(region, [home ?? '']));
  if (home !== undefined && listing.regions !== null && !isAtHome(listing.regions))
    yield {
      file,
      field: '/then/currency',
      detail: `${then.currency}, and the tool is not listed for ${home}`,
    };
}

/** Two tools of one vendor with two prices for one plan from one page. */
function* pagesFaults(listings: readonly ListingFile[]): Iterable<DataFault> {
  const prices = new Map<string, { readonly id: string; readonly amount: string }>();
  for (const { id, vendor, then } of listings) {
    if (then === null || then.amount === null) continue;
    const key = JSON.stringify([vendor, then.source_url, then.plan, then.period]);
    const first = prices.get(key);
    if (first === undefined) prices.set(key, { id, amount: then.amount });
    else if (first.amount !== then.amount)
      yield {
        file: `listings/${id}.json`,
        field: '/then/amount',
        detail: `${first.id} has ${first.amount} from the same page`,
      };
  }
}

const PEOPLE = '(?:people|persons?|users?|seats?|members?|employees?|providers?|staff)';
const COUNT = { one: '1', two: '2', three: '3', four: '4', five: '5', ten: '10' } as const;
const digits = (text: string): string =>
  plain(text).replace(
    /\b(one|two|three|four|five|ten)\b/gi,
    (word) => COUNT[word.toLowerCase() as keyof typeof COUNT],
  );

/** The number of people that the free plan is for according to a sentence, or null. */
function peopleOf(sentence: string, isLimit: boolean): number | null {
  const text = digits(sentence);
  const found = isLimit
    ? new RegExp(`(?:^|[;,] )(?:up to )?(\\d+) ${PEOPLE}\\b`, 'i').exec(text)
    : new RegExp(`\\bfree (?:plan|use)(?: is)? (?:only )?(?:for|up to) (\\d+) ${PEOPLE}\\b`, 'i').exec(text);
  return found === null ? null : Number(found[1]);
}

/** A caveat, a limit or quoted words that allow fewer people than `team_size_max`. */
function* teamFaults(listing: ListingFile): Iterable<DataFault> {
  const { id, free_limits, caveats, team_size_max, editor } = listing;
  const fewer = (people: number | null) => people !== null && people < (team_size_max ?? 10_000);
  const sentences = [
    { field: '/free_limits', people: peopleOf(free_limits ?? '', true) },
    ...caveats.map((text, index) => ({ field: `/caveats/${index}`, people: peopleOf(text, false) })),
    ...wordsOf(listing).map(({ field, words }) => {
      const free = new RegExp(`\\bfree\\b[^.;$€£]{0,40}?\\b(\\d+) (?:\\w+ )?${PEOPLE}\\b`, 'i').exec(
        digits(words),
      );
      return { field, people: free === null ? null : Number(free[1]) };
    }),
  ];
  for (const { field, people } of sentences)
    if (fewer(people))
      yield {
        file: `listings/${id}.json`,
        field,
        detail: `is for ${people}, and /team_size_max is ${team_size_max ?? (editor.seats_unlimited ? 'no limit' : 'not said')}`,
      };
}

const NAMED_COUNTRIES = {
  'United States': 'US',
  Canada: 'CA',
  'United Kingdom': 'GB',
  Ireland: 'IE',
  Australia: 'AU',
};
/** The countries that a caveat excludes: "… outside the United States and Canada". */
const exceptedBy = (caveat: string): readonly string[] =>
  Object.entries(NAMED_COUNTRIES).flatMap(([name, code]) => (caveat.includes(name) ? [code] : []));

type Pick = StackReport['picks'][number];

/** Whether a caveat of one pick contradicts another pick: "A free site of Wix does not take it". */
const denies = (caveat: string, { tool }: Pick): boolean =>
  new RegExp(
    `\\b${escaped(tool.name.split(/[(,]/)[0]?.trim() ?? tool.name)}\\b[^.;:]*\\b(?:does|do) not (?:take|accept|work)`,
    'i',
  ).test(caveat);

/** Why a pick is wrong for this business according to its own caveats, or null. */
function againstAsker(caveat: string, { teamSize, country }: StackRequest): string | null {
  const isMore = teamSize !== null && teamSize > 1;
  if (isMore && /\b(?:second|further|more than one) person\b/i.test(caveat) && /\boutside\b/.test(caveat)) {
    if (country !== null && !exceptedBy(caveat).includes(country)) return `team of ${teamSize} in ${country}`;
  }
  const people = peopleOf(caveat, false);
  return people !== null && (teamSize ?? 1) > people ? `team of ${teamSize}` : null;
}

const TEAMS = [1, 5, 25];
const COUNTRIES = [null, 'US', 'CA', 'GB', 'IE', 'AU', 'DE', 'IN'];

/** Picks of whole reports that are contradicted by their own caveat or by a caveat of another pick. */
function pickFaults(directory: ReturnType<typeof buildDirectory>): DataFault[] {
  const faults = new Map<string, DataFault>();
  for (const businessType of BUSINESS_TYPES)
    for (const teamSize of TEAMS)
      for (const country of COUNTRIES) {
        const request = { businessType, needs: [], teamSize, country, freeOnly: false };
        const asked: StackRequest = { ...request, generatedOn: directory.lastChecked };
        const result = stackReport(asked, directory);
        if (!result.ok) continue;
        const { picks } = result.report;
        for (const pick of picks)
          for (const caveat of pick.caveats) {
            const other = picks.find((next) => next.tool.id !== pick.tool.id && denies(caveat, next));
            const whom = againstAsker(caveat, asked);
            const detail =
              other === undefined
                ? whom && `is picked for ${businessType}, ${whom}, against its caveat “${caveat}”`
                : `is picked beside ${other.tool.id} for ${businessType}, against its caveat “${caveat}”`;
            if (detail)
              faults.set(`${pick.tool.id} ${other?.tool.id ?? 'asker'}`, {
                file: 'shelves.json',
                field: `/needs/${pick.need}/${pick.tool.id}`,
                detail,
              });
          }
      }
  return [...faults.values()];
}

/** Contradictions between a quoted price and `then`, and between a caveat and the team, the country or another pick. */
export function contradictions(
  listings: readonly ListingFile[],
  directory: ReturnType<typeof buildDirectory> | null,
): DataFault[] {
  return [
    ...listings.flatMap((listing) => [...priceFaults(listing), ...teamFaults(listing)]),
    ...pagesFaults(listings),
    ...(directory === null ? [] : pickFaults(directory)),
  ];
}
