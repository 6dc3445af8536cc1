import { orNull } from './or-null.ts';
import { isKeeping } from './pay/storage.ts';

/* The quotes that were sent from this device, newest first. */

export type SentQuote = {
  /** When the quote was first sent; also its id. */
  readonly at: number;
  readonly client: string;
  /** The quote's client, number, day and total. */
  readonly about: string;
  /** The part of the quote's link after the #. */
  readonly query: string;
};

export const SENT_QUOTES = 'sent-quotes';
const MOST = 50;
// A browser stores about 5 million characters for a site, and a purchase must always fit.
const MOST_CHARACTERS = 500_000;

export function sentQuotes(): readonly SentQuote[] {
  const kept: unknown = orNull(() => JSON.parse(localStorage.getItem(SENT_QUOTES) ?? '[]'));
  return Array.isArray(kept) ? kept.filter(isSentQuote) : [];
}

const isSentQuote = (one: SentQuote | null): one is SentQuote =>
  typeof one?.at === 'number' && [one.client, one.about, one.query].every((text) => typeof text === 'string');

/** Stores as many of the newest quotes as fit. */
function store(quotes: readonly SentQuote[]): void {
  let room = MOST_CHARACTERS;
  const kept = quotes.slice(0, MOST).filter(({ query }) => {
    room -= query.length;
    return room >= 0;
  });
  orNull(() => localStorage.setItem(SENT_QUOTES, JSON.stringify(kept)));
}

export const removeSent = (at: number): void => store(sentQuotes().filter((one) => one.at !== at));

/**
 * Stores a quote in place of its earlier version, and returns its id. A quote for a different client is a new quote.
 */
export function keepSent(earlier: number | undefined, quote: Omit<SentQuote, 'at'>): number | undefined {
  if (!isKeeping()) return earlier;
  const all = sentQuotes();
  const before = all.find(({ at, client }) => at === earlier && ['', quote.client].includes(client));
  const at = before?.at ?? Date.now();
  store([{ ...quote, at }, ...all.filter((one) => one.at !== at)]);
  return at;
}
