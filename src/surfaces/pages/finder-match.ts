/*
 * The search for tools. The server and the browser share it. Words are read as needs ("booking"), trades
 * ("hairdresser") and names of tools ("wave"). Filler such as "free app for my" is ignored, and typos are tolerated.
 */
import { distance, plainWords } from '../../domain/words.ts';
import { businessText, tradeWords } from './views/listing-format.ts';

/** A search; an empty text does not restrict it. */
export type ToolSearch = Readonly<typeof NO_SEARCH>;
export const NO_SEARCH = { words: '', need: '', business: '', kind: '', runs: '', country: '' };
export const SEARCH_NAMES = Object.keys(NO_SEARCH) as readonly (keyof ToolSearch)[];

/** A place on the shelf of a need: the reason to choose the tool there, and the business types that it suits. */
export type Place = {
  readonly id: string;
  readonly reason: string;
  readonly for: readonly string[] | null;
  readonly not_for: readonly string[] | null;
  /** Where the tool is offered, in words; empty if it is offered everywhere. */
  readonly where: string;
};

export type Need = {
  readonly slug: string;
  readonly name: string;
  /** Other names that people use for the need. */
  readonly words: readonly string[];
  /** The tool that suits most kinds of business; null if the editor placed none. */
  readonly pick: string | null;
  /** The editor's choices, the best first. */
  readonly places: readonly Place[];
  /** Tools of the need that the editor has not placed. */
  readonly others: readonly string[];
};

export type Trade = {
  readonly id: string;
  readonly name: string;
  readonly type: string;
  readonly words: readonly string[];
  /** The trade's needs in order of importance, with the tools that the editor picks for each. */
  readonly needs: readonly { readonly slug: string; readonly ids: readonly string[] }[];
};

export type Tool = {
  readonly id: string;
  readonly name: string;
  readonly vendor: string;
  readonly needs: readonly string[];
  readonly businesses: readonly string[];
  readonly kind: string;
  readonly runs: readonly string[];
  /** Countries where the tool cannot be used. */
  readonly closed: readonly string[];
  /** The free part, or the free part for one need if that differs. */
  readonly limits: string;
  readonly limitsOf: Readonly<Record<string, string>>;
  /** The tool's requirements, and the age of the vendor's words. */
  readonly notes: string;
};

/** The directory in the form that the search reads. */
export type Index = {
  readonly needs: readonly Need[];
  readonly trades: readonly Trade[];
  readonly tools: readonly Tool[];
};

export type Row = { readonly tool: Tool; readonly says: string };

/** Rows of one need; `need` is null if the names or texts of tools matched. Each tool has one row only. */
export type Section = { readonly need: Need | null; readonly rows: readonly Row[] };

export type Found = {
  readonly sections: readonly Section[];
  readonly count: number;
  readonly trade: Trade | null;
  /** The need that was probably meant if nothing was understood. */
  readonly near: Need | null;
};

const STOP = new Set(
  'a an and any app application apps are at best business businesses can cheap company cost do easy for free freeware get good help how i in is it looking make me my need no of on online or our own platform program programme programs send simple small smallest software solution some something subscription system that the to tool tools top use using want way we what which with without work you your'.split(
    ' ',
  ),
);

/** The words of a text; "e-mail" is one word. */
const wordsOf = (text: string): readonly string[] =>
  plainWords(text.replace(/\./g, '').replace(/\b(\p{L})[-\u2010\u2011](?=\p{L})/gu, '$1'));

const telling = (words: readonly string[]): readonly string[] => {
  const some = words.filter((word) => !STOP.has(word));
  return some.length === 0 ? words : some;
};

type Phrase<Of> = { readonly of: Of; readonly words: readonly string[] };

type Vocabulary = {
  readonly needs: readonly Phrase<Need>[];
  readonly trades: readonly Phrase<Trade>[];
  readonly tools: readonly Phrase<Tool>[];
  /** The number of needs in which a word occurs. Rare words count more. */
  readonly spread: ReadonlyMap<string, number>;
  readonly known: ReadonlySet<string>;
};

const vocabularies = new WeakMap<Index, Vocabulary>();

function vocabularyOf(index: Index): Vocabulary {
  const made = vocabularies.get(index);
  if (made !== undefined) return made;
  // "timesheet" also finds "time sheet", and vice versa.
  const phrases = <Of>(of: Of, texts: readonly string[]): readonly Phrase<Of>[] =>
    texts.flatMap((text) => {
      const words = telling(wordsOf(text));
      const joined = words.length === 2 ? [{ of, words: [words.join('')] }] : [];
      return words.length === 0 ? [] : [{ of, words }, ...joined];
    });
  const needs = index.needs.flatMap((need) => phrases(need, [need.name, ...need.words]));
  // For a trade, every word counts: "online retailer" does not mean a retailer.
  const trades = index.trades.flatMap((trade) =>
    [trade.name, trade.id, ...trade.words].map((text) => ({ of: trade, words: wordsOf(text) })),
  );
  const general = new Set([...needs, ...trades].flatMap(({ words }) => words));
  const tools = index.tools.flatMap((tool) =>
    [...new Set(wordsOf(`${tool.name} ${tool.vendor}`))].map((word) => ({ of: tool, words: [word] })),
  );
  const named = tools.filter(
    ({ words: [word = ''] }) => !general.has(word) && !STOP.has(word) && word.length > 2,
  );
  const spread = new Map<string, Set<string>>();
  for (const { of, words } of needs)
    for (const word of words) spread.set(word, (spread.get(word) ?? new Set()).add(of.slug));
  const vocabulary = {
    needs,
    trades,
    tools: named,
    spread: new Map([...spread].map(([word, slugs]) => [word, slugs.size])),
    known: new Set([...general, ...named.flatMap(({ words }) => words)]),
  };
  vocabularies.set(index, vocabulary);
  return vocabulary;
}

/** The words that were typed, as the vocabulary spells them: "calender" is "calendar", and "invoi" is "invoice". */
function understood(text: string, { known }: Vocabulary): readonly string[] {
  const read = (word: string): string => {
    if (known.has(word) || STOP.has(word)) return word;
    const begun = word.length >= 3 ? [...known].filter((other) => other.startsWith(word)) : [];
    const [shortest] = begun.sort((one, other) => one.length - other.length);
    if (shortest !== undefined) return shortest;
    const most = word.length >= 8 ? 2 : word.length >= 4 ? 1 : 0;
    let nearest = word;
    let least = most + 1;
    for (const other of known) {
      // A typo is rarely in the first letter.
      if (other[0] !== word[0] || Math.abs(other.length - word.length) > most) continue;
      const far = distance(word, other);
      if (far < least) [nearest, least] = [other, far];
    }
    return nearest;
  };
  return wordsOf(text).map(read);
}

const isIn = (words: readonly string[], asked: readonly string[]): boolean =>
  words.every((word) => asked.includes(word));

/** The named trade that matches the most words; null if no trade is named. */
function tradeIn(asked: readonly string[], { trades }: Vocabulary): Phrase<Trade> | null {
  const named = trades.filter(({ words }) => ` ${asked.join(' ')} `.includes(` ${words.join(' ')} `));
  return named.sort((one, other) => other.words.length - one.words.length)[0] ?? null;
}

/** The named needs, the best match first: whole phrases before single words. */
function needsIn(asked: readonly string[], { needs, spread }: Vocabulary): readonly Need[] {
  const points = new Map<Need, number>();
  const add = (need: Need, score: number) => points.set(need, Math.max(points.get(need) ?? 0, score));
  for (const { of, words } of needs) {
    // A word that many needs share, such as "management", says nothing by itself.
    const telling = words.filter((word) => asked.includes(word) && (spread.get(word) ?? 9) <= 2);
    add(of, isIn(words, asked) ? 10 * words.length : (3 * telling.length) / words.length);
  }
  return [...points]
    .filter(([, score]) => score > 0)
    .sort(([, one], [, other]) => other - one)
    .map(([need]) => need);
}

/** The named tools, matched by a distinctive word or by the first two words. More matching words come first. */
function toolsIn(asked: readonly string[], vocabulary: Vocabulary, tools: readonly Tool[]): readonly Tool[] {
  const named = new Set(
    vocabulary.tools.flatMap(({ of, words: [word = ''] }) => (asked.includes(word) ? [of] : [])),
  );
  for (const tool of tools) {
    const [first, second] = wordsOf(tool.name);
    if (first !== undefined && second !== undefined && isIn([first, second], asked)) named.add(tool);
  }
  const shared = ({ name }: Tool): number => wordsOf(name).filter((word) => asked.includes(word)).length;
  return [...named].sort((one, other) => shared(other) - shared(one));
}

const isFor = ({ for: types, not_for }: Place, business: string): boolean =>
  business === '' || (types?.includes(business) !== false && !not_for?.includes(business));

/** Whether a tool passes the filters on its own properties. */
const passes = (tool: Tool, { kind, runs, country }: ToolSearch): boolean =>
  (kind === '' || tool.kind === kind) &&
  (runs === '' || tool.runs.includes(runs)) &&
  (country === '' || !tool.closed.includes(country));

/** The reasons for a tool's places as one text: a shared beginning appears once, with everyone it applies to. */
export function reasonsText(places: readonly Omit<Place, 'id'>[], saysWhom = true): string {
  const said = new Map<string, (typeof places)[number][]>();
  for (const place of places) {
    const beginning = place.reason.split(' ').slice(0, 4).join(' ');
    said.set(beginning, [...(said.get(beginning) ?? []), place]);
  }
  return [...said.values()]
    .map((alike) => {
      const [first] = alike;
      const types = alike.flatMap((place) => place.for ?? []);
      const isForSome = saysWhom && alike.every((place) => place.for !== null);
      const not = saysWhom && alike.length === 1 ? (first?.not_for ?? []) : [];
      const where = alike.every((place) => place.where !== '') ? (first?.where ?? '') : '';
      return [
        first?.reason,
        ...(isForSome ? [`For ${businessText([...new Set(types)])}.`] : []),
        ...(not.length === 0 ? [] : [`Not for ${businessText(not)}.`]),
        ...(where === '' ? [] : [where]),
      ].join(' ');
    })
    .join(' ');
}

/**
 * The tools of a need, one row each with all of its reasons: the pick first, then the editor's order. For one kind of
 * business, only the editor's order counts.
 */
export function rowsOf(need: Need, tools: ReadonlyMap<string, Tool>, business = ''): readonly Row[] {
  const places = need.places.filter((place) => isFor(place, business));
  const isListed = (id: string) => business === '' || tools.get(id)?.businesses.includes(business);
  const first = business === '' && need.pick !== null ? [need.pick] : [];
  const ids = new Set([...first, ...places.map(({ id }) => id), ...need.others.filter(isListed)]);
  return [...ids].flatMap((id) => {
    const tool = tools.get(id);
    const here = places.filter((place) => place.id === id);
    return tool === undefined ? [] : [{ tool, says: reasonsText(here, business === '') }];
  });
}

/** Maximum number of tools shown for each need of a trade. The page of the need has all. */
const MOST_OF_A_TRADE = 3;

/** The tools that a search finds, each of them once. */
export function findTools(index: Index, search: ToolSearch): Found {
  const vocabulary = vocabularyOf(index);
  const read = understood(search.words, vocabulary);
  const named = tradeIn(read, vocabulary);
  const trade = named?.of ?? null;
  const asked = telling(read);
  const left = asked.filter((word) => !named?.words.includes(word));
  const tools = new Map(index.tools.map((tool) => [tool.id, tool]));
  // "Bookkeeping" is a need, although bookkeepers are a trade.
  const written = search.words.trim().toLowerCase();
  const whole =
    index.needs.find(({ name, words }) => [name.toLowerCase(), ...words].includes(written)) ??
    vocabulary.needs.find(({ words }) => words.join(' ') === asked.join(' '))?.of;
  const chosen = index.needs.filter(({ slug }) => slug === search.need);
  const worded = whole === undefined ? needsIn(left, vocabulary) : [whole];
  const byTrade = worded.length === 0 && trade !== null;
  const business = search.business || (trade?.type ?? '');
  const shown = new Set<string>();
  const once = (rows: readonly Row[], most = Number.POSITIVE_INFINITY): readonly Row[] => {
    const fresh = rows.filter(({ tool }) => !shown.has(tool.id) && passes(tool, search)).slice(0, most);
    for (const { tool } of fresh) shown.add(tool.id);
    return fresh;
  };
  /** The picks of the trade before the others. */
  const ofNeed = (need: Need): readonly Row[] => {
    const picks = trade?.needs.find(({ slug }) => slug === need.slug)?.ids ?? [];
    const rank = ({ tool }: Row) => (picks.includes(tool.id) ? picks.indexOf(tool.id) : picks.length);
    const fitting = rowsOf(need, tools, business);
    const all = fitting.length > 0 || search.business !== '' ? fitting : rowsOf(need, tools);
    const more = picks
      .filter((id) => all.every(({ tool }) => tool.id !== id))
      .flatMap((id) => tools.get(id) ?? []);
    return [...all, ...more.map((tool) => ({ tool, says: '' }))].sort(
      (one, other) => rank(one) - rank(other),
    );
  };

  const byName = toolsIn(left, vocabulary, index.tools).filter(
    ({ needs }) => search.need === '' || needs.includes(search.need),
  );
  const first = { need: null, rows: once(byName.map((tool) => ({ tool, says: '' }))) };
  const of = (needs: readonly Need[], most?: number): readonly Section[] =>
    needs.map((need) => ({ need, rows: once(ofNeed(need), most) }));
  const needOf = (slug: string) => index.needs.find((need) => need.slug === slug) ?? [];
  const nothing = search.words.trim() === '';
  let rest: readonly Section[];
  if (chosen.length > 0) rest = of(chosen);
  else if (nothing) rest = of(index.needs);
  else if (byTrade)
    rest = of(
      (trade?.needs ?? []).flatMap(({ slug }) => needOf(slug)),
      MOST_OF_A_TRADE,
    );
  else rest = of(worded.slice(0, 3));
  const isUnderstood = nothing || chosen.length > 0 || byTrade || worded.length > 0 || byName.length > 0;
  if (!isUnderstood) rest = [{ need: null, rows: once(withText(asked, index)) }];
  const sections = [first, ...rest].filter(({ rows }) => rows.length > 0);
  return {
    sections,
    count: shown.size,
    trade,
    near: isUnderstood || shown.size > 0 ? null : nearestNeed(asked, vocabulary),
  };
}

/** The tools whose texts have one of the words, those with more of them first. */
function withText(asked: readonly string[], { tools, needs }: Index): readonly Row[] {
  const reasons = new Map<string, string>();
  for (const { places } of needs)
    for (const { id, reason } of places) reasons.set(id, `${reasons.get(id) ?? ''} ${reason}`);
  const long = asked.filter((word) => word.length >= 4);
  const scored = tools.map((tool) => {
    const words = wordsOf(`${tool.limits} ${reasons.get(tool.id) ?? ''}`);
    return { tool, points: long.filter((word) => words.includes(word)).length };
  });
  return scored
    .filter(({ points }) => points > 0)
    .sort((one, other) => other.points - one.points)
    .map(({ tool }) => ({ tool, says: '' }));
}

/** The need with the word nearest to a typed one; null if none is near. */
function nearestNeed(asked: readonly string[], { needs }: Vocabulary): Need | null {
  let near: Need | null = null;
  let least = 0.45;
  for (const word of asked.filter(({ length }) => length >= 4))
    for (const { of, words } of needs)
      for (const other of words) {
        const far = distance(word, other) / Math.max(word.length, other.length);
        if (far < least) [near, least] = [of, far];
      }
  return near;
}

/** The result of the search, in a sentence. */
export function foundText({ count, trade, near, sections }: Found, { words }: ToolSearch): string {
  if (count === 0) {
    if (near !== null) return `We found nothing for “${words}”. Did you mean ${near.name}?`;
    return 'No tool matches all of this. Remove a filter, or pick a need below.';
  }
  const many = count === 1 ? '1 tool' : `${count} tools`;
  const [only, ...others] = sections.flatMap(({ need }) => need ?? []);
  if (trade !== null) return `${many} for ${tradeWords(trade)}`;
  return only !== undefined && others.length === 0 ? `${many}: ${only.name}` : many;
}
