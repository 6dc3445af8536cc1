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
  /** The countries of a tool that is offered in at most three; null for any other tool. */
  readonly only: readonly string[] | null;
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
  /** The trade's needs in order of importance, with the editor's picks and the advice if no tool fits. */
  readonly needs: readonly {
    readonly slug: string;
    readonly picks: readonly { readonly id: string; readonly reason: string }[];
    readonly advice: string;
  }[];
};

export type Tool = {
  readonly id: string;
  readonly name: string;
  readonly vendor: string;
  readonly needs: readonly string[];
  /** The name of its main need. */
  readonly main: string;
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
  /** Tools without a free plan that owners know. */
  readonly known: readonly { readonly id: string; readonly name: string; readonly says: string }[];
};

export type Row = { readonly tool: Tool; readonly says: string };

/** Rows of one need; `need` is null if the names or texts of tools matched. Each tool has one row only. */
export type Section = { readonly need: Need | null; readonly rows: readonly Row[]; readonly advice?: string };

export type Found = {
  readonly sections: readonly Section[];
  readonly count: number;
  readonly trade: Trade | null;
  /** A named tool that has no free plan. */
  readonly known: Index['known'][number] | null;
  /** The need that was probably meant if nothing was understood. */
  readonly near: Need | null;
};

const STOP = new Set(
  'a an and any app application apps are at best big business businesses can cheap company cost do easy for free freeware get good help how i in is it looking make me my need no of on online or our own platform program programme programs send simple small smallest software solution some something subscription system that the to tool tools top use using want way we what which with without work you your'.split(
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
  const needs = index.needs.flatMap((need) => phrases(need, [need.name, need.slug, ...need.words]));
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
  const read = (word: string, at: number, all: readonly string[]): string => {
    if (known.has(word) || STOP.has(word)) return word;
    // Only the last word can be unfinished.
    const isBegun = word.length >= 3 && at === all.length - 1;
    const begun = isBegun ? [...known].filter((other) => other.startsWith(word)) : [];
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

/** The named trade that matches the most words, in none of `besides`; null if no trade is named. */
function tradeIn(
  asked: readonly string[],
  { trades }: Vocabulary,
  besides: readonly Phrase<Need>[],
): Phrase<Trade> | null {
  const others = new Set(besides.map(({ words }) => words.join(' ')));
  const named = trades.filter(({ words }) => {
    const name = words.join(' ');
    return !others.has(name) && ` ${asked.join(' ')} `.includes(` ${name} `);
  });
  return named.sort((one, other) => other.words.length - one.words.length)[0] ?? null;
}

/** The named needs, the best match first: whole phrases before single words, and rare words before common ones. */
function needsIn(asked: readonly string[], { needs, spread }: Vocabulary): readonly Need[] {
  const points = new Map<Need, number>();
  const add = (need: Need, score: number) => points.set(need, Math.max(points.get(need) ?? 0, score));
  for (const { of, words } of needs) {
    const shared = (word: string): number => spread.get(word) ?? 9;
    // A word that many needs share, such as "management", says nothing by itself.
    const telling = words.filter((word) => asked.includes(word) && shared(word) <= 2);
    const commonness = Math.max(...words.map(shared)) / 10;
    const apart = asked.join(' ').includes(words.join(' ')) ? 0 : 1;
    const whole = 10 * words.length - commonness - apart;
    add(of, isIn(words, asked) ? whole : (3 * telling.length) / words.length);
  }
  const found = [...points].sort(([, one], [, other]) => other - one);
  const [[, best] = ['', 0]] = found;
  // A much weaker match is a coincidence, such as a business card in a question about card payments.
  return found.filter(([, score]) => score > 0 && score > best / 2).map(([need]) => need);
}

/** Endings of company names. */
const COMPANY = new Set('inc llc ltd limited gmbh corporation corp pty ag bv sa sas ab aps'.split(' '));

/**
 * The named tools, matched by a distinctive word, by the first two words, or by their whole name or vendor. More
 * matching words come first.
 */
function toolsIn(asked: readonly string[], vocabulary: Vocabulary, tools: readonly Tool[]): readonly Tool[] {
  const named = new Set(
    vocabulary.tools.flatMap(({ of, words: [word = ''] }) => (asked.includes(word) ? [of] : [])),
  );
  const whole = asked.join(' ');
  for (const tool of tools) {
    const words = wordsOf(tool.name);
    const maker = wordsOf(tool.vendor).filter((word) => !COMPANY.has(word));
    const isCalled = words.length > 1 && isIn(words.slice(0, 2), asked);
    if (isCalled || telling(words).join(' ') === whole || maker.join(' ') === whole) named.add(tool);
  }
  const shared = ({ name }: Tool): number => wordsOf(name).filter((word) => asked.includes(word)).length;
  return [...named].sort((one, other) => shared(other) - shared(one));
}

/** The named tool that has no free plan: by its first two words, or by the first if no listed tool begins with it. */
function knownIn(asked: readonly string[], { known, tools }: Index): Found['known'] {
  const listed = new Set(tools.map(({ name }) => wordsOf(name)[0]));
  const isNamed = ([first = '', second]: readonly string[]): boolean =>
    asked.includes(first) && (!listed.has(first) || (second !== undefined && asked.includes(second)));
  return known.find(({ name }) => isNamed(wordsOf(name))) ?? null;
}

/** The business and country that a list of tools is for; an empty text does not restrict it. */
type Reader = Pick<ToolSearch, 'business' | 'country'>;

const isFor = ({ for: types, not_for, only }: Place, { business, country }: Reader): boolean =>
  (business === '' || (types?.includes(business) !== false && !not_for?.includes(business))) &&
  (country === '' || only?.includes(country) !== false);

/** Whether a tool passes the filters on its own properties. */
const passes = (tool: Tool, { kind, runs, country }: ToolSearch): boolean =>
  (kind === '' || tool.kind === kind) &&
  (runs === '' || tool.runs.includes(runs)) &&
  (country === '' || !tool.closed.includes(country));

const MANY_TYPES = 9;
/** Maximum number of business types that a text names. */
const MOST_NAMED = 3;

/** The reason of the place for most kinds of business, with its limits; empty without a place. */
export function reasonText(places: readonly Omit<Place, 'id'>[], saysWhom = true): string {
  const reach = ({ for: types, not_for }: Omit<Place, 'id'>): number =>
    (types?.length ?? MANY_TYPES) - (not_for?.length ?? 0);
  const [place] = [...places].sort((one, other) => reach(other) - reach(one));
  if (place === undefined) return '';
  const types = [...new Set(places.flatMap((one) => one.for ?? []))];
  const isForFew = saysWhom && types.length <= MOST_NAMED && places.every((one) => one.for !== null);
  const not = saysWhom && places.length === 1 ? (place.not_for ?? []) : [];
  return [
    place.reason,
    ...(isForFew ? [`For ${businessText(types)}.`] : []),
    ...(not.length > 0 ? [`Not for ${businessText(not)}.`] : []),
    ...(place.where === '' ? [] : [place.where]),
  ].join(' ');
}

/** The purpose of a tool that the editor gave no reason for. */
function purposeText({ needs, main, businesses }: Tool, need: Need): string {
  if (needs[0] !== need.slug)
    return `Mainly for ${main.replace(/^[A-Z](?=[a-z])/, (first) => first.toLowerCase())}.`;
  const isForFew = businesses.length > 0 && businesses.length <= MOST_NAMED;
  return isForFew ? `${main} for ${businessText(businesses)}.` : `${main} for most businesses.`;
}

/**
 * The tools of a need, one row each with its reason: the pick first, then the editor's order, with tools for at
 * most three countries after all other tools. For one kind of business or one country, only the editor's order counts.
 */
export function rowsOf(
  need: Need,
  tools: ReadonlyMap<string, Tool>,
  { business, country }: Reader = NO_SEARCH,
): readonly Row[] {
  const fitting = need.places.filter((place) => isFor(place, { business, country }));
  const isNational = ({ only }: Place): boolean => country === '' && only !== null;
  const wide = fitting.filter((place) => !isNational(place));
  const places = [...wide, ...fitting.filter((place) => wide.every(({ id }) => id !== place.id))];
  const isListed = (id: string) => business === '' || tools.get(id)?.businesses.includes(business);
  const first = business === '' && country === '' && need.pick !== null ? [need.pick] : [];
  const ids = new Set([...first, ...places.map(({ id }) => id), ...need.others.filter(isListed)]);
  return [...ids].flatMap((id) => {
    const tool = tools.get(id);
    if (tool === undefined) return [];
    const here = places.filter((place) => place.id === id);
    return { tool, says: reasonText(here, business === '') || purposeText(tool, need) };
  });
}

/** Maximum number of tools shown for each need of a trade. The page of the need shows all of them. */
const MOST_OF_A_TRADE = 3;

/** The tools that a search finds, each of them once. */
export function findTools(index: Index, search: ToolSearch): Found {
  const vocabulary = vocabularyOf(index);
  const read = understood(search.words, vocabulary);
  const asked = telling(read);
  const chosen = index.needs.filter(({ slug }) => slug === search.need);
  // "Bookkeeping" is a need, although bookkeepers are a trade.
  const named = tradeIn(read, vocabulary, chosen.length === 0 ? vocabulary.needs : []);
  const trade = named?.of ?? null;
  const written = search.words.trim().toLowerCase();
  // "Tool hire" is a trade, although "hire" without the filler "tool" is a need.
  const isTrade = named?.words.join(' ') === read.join(' ');
  const whole =
    index.needs.find(({ name, words }) => [name.toLowerCase(), ...words].includes(written)) ??
    vocabulary.needs.find(({ words }) => !isTrade && words.join(' ') === asked.join(' '))?.of;
  const left = asked.filter((word) => !named?.words.includes(word));
  const tools = new Map(index.tools.map((tool) => [tool.id, tool]));
  const worded = whole === undefined ? needsIn(left, vocabulary) : [whole];
  const byTrade = worded.length === 0 && trade !== null;
  const reader = { business: search.business || (trade?.type ?? ''), country: search.country };
  const shown = new Set<string>();
  const once = (rows: readonly Row[], most = Number.POSITIVE_INFINITY): readonly Row[] => {
    const fresh = new Map<string, Row>();
    for (const row of rows) {
      const { tool } = row;
      if (fresh.size === most) break;
      if (!shown.has(tool.id) && !fresh.has(tool.id) && passes(tool, search)) fresh.set(tool.id, row);
    }
    for (const id of fresh.keys()) shown.add(id);
    return [...fresh.values()];
  };
  /** The picks of the trade with its own reasons, before the others. */
  const ofNeed = (need: Need): readonly Row[] => {
    const picked = trade?.needs.find(({ slug }) => slug === need.slug)?.picks ?? [];
    const picks = picked.flatMap(({ id, reason }) => {
      const tool = tools.get(id);
      return tool === undefined ? [] : [{ tool, says: reason }];
    });
    // Without placed tools, the need has only tools for particular trades.
    if (byTrade && need.places.length === 0) return picks;
    const fitting = rowsOf(need, tools, reader);
    return [...picks, ...(fitting.length > 0 || search.business !== '' ? fitting : rowsOf(need, tools))];
  };

  const byName = toolsIn(left, vocabulary, index.tools).filter(
    ({ needs }) => search.need === '' || needs.includes(search.need),
  );
  const inMainNeed = (tool: Tool): Row => {
    const need = index.needs.find(({ slug }) => slug === tool.needs[0]);
    const says = need && rowsOf(need, new Map([[tool.id, tool]])).find((row) => row.tool === tool)?.says;
    return { tool, says: says ?? '' };
  };
  const first: Section = { need: null, rows: once(byName.map(inMainNeed)) };
  const of = (needs: readonly Need[]): readonly Section[] =>
    needs.map((need) => ({ need, rows: once(ofNeed(need)) }));
  const ofTrade = (): readonly Section[] =>
    (trade?.needs ?? []).flatMap(({ slug, advice }) => {
      const need = index.needs.find((one) => one.slug === slug);
      return need === undefined ? [] : [{ need, rows: once(ofNeed(need), MOST_OF_A_TRADE), advice }];
    });
  const nothing = search.words.trim() === '';
  const isUnderstood = nothing || chosen.length > 0 || byTrade || worded.length > 0 || byName.length > 0;
  let rest: readonly Section[];
  if (chosen.length > 0) rest = of(chosen);
  else if (nothing) rest = of(index.needs);
  else if (byTrade) rest = ofTrade();
  else if (isUnderstood) rest = of(worded.slice(0, 3));
  else rest = [{ need: null, rows: once(withText(asked, index).map(inMainNeed)) }];
  const sections = [first, ...rest].filter(({ rows, advice }) => rows.length > 0 || advice);
  return {
    sections,
    count: shown.size,
    trade,
    known: knownIn(left, index),
    near: isUnderstood || shown.size > 0 ? null : nearestNeed(asked, vocabulary),
  };
}

/** The tools whose texts have one of the words, those with more of them first. */
function withText(asked: readonly string[], { tools, needs }: Index): readonly Tool[] {
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
    .map(({ tool }) => tool);
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
  const hint = count === 1 ? '' : ' Select two or three to compare.';
  if (trade !== null) return `${many} for ${tradeWords(trade)}, our picks first.${hint}`;
  return `${many}${sections[0]?.need?.pick ? ', our pick first' : ''}.${hint}`;
}
