import type { BusinessType } from '../domain/directory-labels.ts';
import { distance, plainWords } from '../domain/words.ts';
import table from './trades.json' with { type: 'json' };
import paid from './worth-paying-for.json' with { type: 'json' };

/** The smallest and largest business, in people. */
type Teams = readonly [from: number, to: number];
type ByNeed<Of> = Readonly<Partial<Record<string, Of>>>;

type TradeTool = {
  readonly id: string;
  readonly reason: string;
  readonly teams?: Teams;
  /** What the trade uses the tool for, if that differs from other businesses; follows the word "to". */
  readonly purpose?: string;
  readonly first_hour?: string[];
};

/** A trade: its names, its tools, what its reports say, and a quote as its owner would write it. */
export type Trade = {
  readonly id: string;
  /** The usual name: "Nail salon". */
  readonly name: string;
  readonly business_type: BusinessType;
  /** Other words for the trade, in lower case. */
  readonly words: readonly string[];
  /** The words that name a trade without its own entry, for which this one is the nearest. */
  readonly near?: readonly string[];
  /** Set on a copy for a neighboring trade, which has the same tools but other work. */
  readonly is_neighbor?: true;
  /** The tools of the trade in order of choice. */
  readonly tools: ByNeed<readonly TradeTool[]>;
  /** What this trade does in the first hour with any tool. */
  readonly first_hour?: ByNeed<string[]>;
  /** What this trade should know about any tool. */
  readonly notes?: ByNeed<string>;
  /** Like `notes`, but only for some countries. */
  readonly notes_in?: readonly {
    readonly need: string;
    readonly regions: readonly string[];
    readonly text: string;
  }[];
  /** The names that this trade uses for its needs: "Drawing plans (CAD)". */
  readonly need_names?: ByNeed<string>;
  /** What to do if no tool is picked. */
  readonly ways_out?: ByNeed<string>;
  /** Needs of the business type that the trade does not have. */
  readonly without?: readonly string[];
  /** Needs that only tools of the trade can meet. */
  readonly own_tools_only?: readonly string[];
  /** Whether the owner is an accountant, to whom other businesses are referred. */
  readonly is_adviser?: boolean;
  /** Whether client documents must not be kept in private accounts. */
  readonly confidential?: boolean;
  /**
   * The team size from which a free tool is the wrong answer, and the reason. `need` is the need that it concerns, if
   * that is not the trade's own software.
   */
  readonly free_is_wrong?: { readonly from_team: number; readonly text: string; readonly need?: string };
  readonly quote: {
    /** Three lines of a typical quote; round prices, without a currency. */
    readonly lines: readonly {
      readonly description: string;
      readonly quantity: number;
      readonly unit: string;
      readonly unit_price: number;
    }[];
    /** What the owner could add to the better and the best option. */
    readonly better: readonly string[];
    readonly best: readonly string[];
  };
};

/** A tool that is worth its price where a free one would be the wrong answer. */
export type PaidTool = {
  /** The id of the tool in the directory, if it is listed. The price comes only from the listing. */
  readonly id: string;
  readonly name: string;
  readonly homepage: string;
  readonly need: string;
  readonly why: string;
  readonly teams?: Teams;
  readonly regions?: readonly string[];
  /** The trades that the tool is made for; absent if it suits every business of a kind. */
  readonly trades?: readonly string[];
  /** Needs that the tool also meets, if it is not listed. */
  readonly covers?: readonly string[];
  /** The kinds of business that it suits. */
  readonly types?: readonly BusinessType[];
};

/** `named` if the words name the trade; `nearest` if it is the closest in the table. */
export type TradeMatch = { readonly trade: Trade; readonly how: 'named' | 'nearest' };

/** The trade in the caller's words, and the trade of the table that they mean; null if none is near. */
export type AskedTrade = { readonly asked: string; readonly match: TradeMatch | null };

export const TRADES: readonly Trade[] = table as readonly Trade[];

/** A paid tool for fewer trades than this is too special for their neighbors. */
const WIDE = 4;

/** The paid tools that a trade or a kind of business should know; with those of the trade first. */
export function worthPayingFor(trade: Trade | null, type: BusinessType): readonly PaidTool[] {
  const all = paid as unknown as readonly PaidTool[];
  const ofTrade = all.filter(
    ({ trades = [] }) =>
      trade !== null && trades.includes(trade.id) && (!trade.is_neighbor || trades.length >= WIDE),
  );
  return [...new Set([...ofTrade, ...all.filter(({ types }) => types?.includes(type))])];
}

/** Maximum length of the words that name a trade, in code points. */
export const MAX_TRADE_CHARACTERS = 60;

/** Words that do not distinguish trades. */
const FILLER = new Set(
  'a an the my our i im am we are is own run have of in on at for with and or to small little local family independent freelance self employed business company firm ltd limited llc inc'.split(
    ' ',
  ),
);

/** Words that say nothing about the work: a boat builder builds no houses. */
const GENERIC = new Set(
  'contractor builder engineer technician tech installer fitter specialist expert shop store studio centre center school club clinic service maker teacher instructor coach trainer designer decorator architect artist painter agent repair'.split(
    ' ',
  ),
);

/** The words of a text without numbers and filler. */
const wordsOf = (text: string): readonly string[] =>
  plainWords(text).filter((word) => !FILLER.has(word) && !/^\d+$/.test(word));

type Phrase = TradeMatch & { readonly words: readonly string[]; readonly text: string };

/** Every name of every trade; a trade's own name and id before its other words. */
const PHRASES: readonly Phrase[] = TRADES.flatMap((trade) =>
  [trade.name, trade.id, ...trade.words].map((name) => {
    const words = wordsOf(name);
    return { trade, how: trade.near?.includes(name) ? 'nearest' : 'named', words, text: words.join(' ') };
  }),
);

/** The number of trades in which each word occurs: the rarer a word, the more it says. */
const TRADES_WITH = PHRASES.reduce((counts, { trade, words }) => {
  for (const word of words) counts.set(word, (counts.get(word) ?? new Set()).add(trade.id));
  return counts;
}, new Map<string, Set<string>>());

const weightOf = (word: string): number => Math.log((TRADES.length + 1) / (TRADES_WITH.get(word)?.size ?? 1));

/**
 * Allows one typing error in five letters or more, and two in ten or more: "room" must not become "roof". A short word
 * keeps its first letter: "towing" must not become "mowing".
 */
const isTypo = (written: string, meant: string): boolean => {
  const most = written.length >= 10 ? 2 : 1;
  if (written.length < 5 || Math.abs(written.length - meant.length) > most) return false;
  if (written.length < 7 && written[0] !== meant[0]) return false;
  return distance(written, meant) <= most;
};

/** The phrase with the highest score above 0; of equal ones, the first. Null if there is none. */
function best(score: (phrase: Phrase) => number): Phrase | null {
  let found: Phrase | null = null;
  let most = 0;
  for (const phrase of PHRASES) {
    const points = score(phrase);
    if (points > most) [found, most] = [phrase, points];
  }
  return found;
}

/** Minimum share of the text that the nearest trade must cover: a funeral director is not a finance director. */
const LEAST_SHARED = 0.55;

/** The share of the text that a phrase covers, weighted by how distinctive its words are; 0 if it is too far. */
function shared(written: readonly string[], { words }: Phrase): number {
  const isIn = (word: string) => words.some((other) => other === word || isTypo(word, other));
  const weigh = (some: readonly string[]) => some.reduce((sum, word) => sum + weightOf(word), 0);
  const common = written.filter(isIn);
  const share = weigh(common) / weigh(written);
  // Of two phrases that cover the same share, the one with fewer other words is nearer.
  return common.every((word) => GENERIC.has(word)) || share < LEAST_SHARED
    ? 0
    : share + common.length / words.length / 10;
}

/**
 * The trade that a text means, or null if none in the table is near: "3-chair nail bar" is a nail salon. Case, accents,
 * plurals and filler words do not matter. `text` has up to MAX_TRADE_CHARACTERS.
 */
export function tradeOf(text: string): TradeMatch | null {
  const written = wordsOf(text);
  if (written.length === 0 || [...text].length > MAX_TRADE_CHARACTERS) return null;
  const exact = PHRASES.find((phrase) => phrase.text === written.join(' '));
  if (exact !== undefined) return matchOf(exact);
  if (ONLINE_SHOP.test(written.join(' '))) return byName('online_shop');
  // A bookshop with a café is a bookshop.
  const [head = ''] = text.split(/\s(?:with|and)\s|[&,(]/);
  return named(wordsOf(head)) ?? named(written) ?? nearestTo(written);
}

/** A shop on the web, whatever it sells. */
const ONLINE_SHOP = /^online .*\b(?:shop|store|boutique|retailer|seller)$/;

/** The trade with an id, as a match by name; null for an unknown id. */
const byName = (id: string): TradeMatch | null => {
  const trade = TRADES.find((one) => one.id === id);
  return trade === undefined ? null : { trade, how: 'named' };
};

/** The trade of a phrase; of a neighboring trade only what both share, without the words on the work. */
function matchOf({ trade, how }: TradeMatch): TradeMatch {
  if (how === 'named') return { trade, how };
  const { first_hour: _, notes, notes_in: __, ...shared } = trade;
  const tools = Object.fromEntries(
    Object.entries(trade.tools).map(([need, some = []]) => [
      need,
      some.map(({ first_hour: ___, purpose: ____, ...tool }) => tool),
    ]),
  );
  return {
    trade: { ...shared, tools, ...(trade.confidential && notes && { notes }), is_neighbor: true },
    how,
  };
}

/** The trade with the longest name that occurs in a text; null if there is none. */
function named(written: readonly string[]): TradeMatch | null {
  const whole = ` ${written.join(' ')} `;
  // Of two names with the same length, the last one counts: handmade jewellery is jewellery. A generic name counts least.
  const bonus = (text: string) => (GENERIC.has(text) ? -0.5 : whole.endsWith(` ${text} `) ? 0.5 : 0);
  const inside = best(({ words, text }) => (whole.includes(` ${text} `) ? words.length + bonus(text) : 0));
  if (inside === null || inside.how === 'nearest' || inside.words.length > 1)
    return inside && matchOf(inside);
  const rest = written.filter((word) => word !== inside.text);
  if (rest.every((word) => GENERIC.has(word))) return { trade: inside.trade, how: 'named' };
  // A single word among others can mean something else, above all before them: a doll's hospital is not a hospital.
  const isLast = rest.length > 0 && written.at(-1) === inside.text && !GENERIC.has(inside.text);
  return isLast ? { trade: inside.trade, how: 'nearest' } : matchOf({ ...inside, how: 'nearest' });
}

function nearestTo(written: readonly string[]): TradeMatch | null {
  const whole = written.join(' ');
  const typo = PHRASES.find((phrase) => isTypo(whole, phrase.text));
  if (typo !== undefined) return typo.how === 'named' ? { trade: typo.trade, how: 'nearest' } : matchOf(typo);
  const near = best((phrase) => shared(written, phrase));
  return near === null ? null : matchOf({ trade: near.trade, how: 'nearest' });
}

/** Minimum score of a guess. A word of one trade scores 1, and a word of two trades scores half. */
const LEAST_GUESS = 1.2;

/** The trade that the lines of a quote are about; null unless one trade is far ahead of the others. */
export function tradeOfLines(descriptions: readonly string[]): Trade | null {
  // A whole line counts like a word.
  const inParts = (text: string): readonly string[] => [wordsOf(text).join(' '), ...wordsOf(text)];
  const written = [...new Set(descriptions.flatMap(inParts))];
  const known = TRADES.map(({ name, words, quote: { lines, better, best: most } }) => {
    const texts = [name, ...words, ...lines.map(({ description }) => description), ...better, ...most];
    return new Set(texts.flatMap(inParts).filter((word) => word.length > 3));
  });
  const points = (word: string): number => 1 / known.filter((words) => words.has(word)).length;
  const scores = known.map((words) =>
    written.reduce((sum, word) => sum + (words.has(word) ? points(word) : 0), 0),
  );
  const [first = 0, second = 0] = scores.toSorted((one, other) => other - one);
  if (first < LEAST_GUESS || first < 1.5 * second) return null;
  return TRADES[scores.indexOf(first)] ?? null;
}
