import { compile } from 'html-to-text';
import iconv from 'iconv-lite';

const MAX_NEAREST_CHARACTERS = 300;
const MAX_SENTENCES = 20_000;
const LEAST_LIKENESS = 0.3;

const toText = compile({
  wordwrap: false,
  selectors: [
    { selector: 'a', options: { ignoreHref: true } },
    { selector: 'img', format: 'skip' },
    ...['h1', 'h2', 'h3', 'h4', 'h5', 'h6'].map((selector) => ({ selector, options: { uppercase: false } })),
  ],
});

// Node's own TextDecoder reads windows-1252 as latin1 in some releases and so loses typographic quotes.
const decode = (body: Buffer, label: string): string | null =>
  iconv.encodingExists(label) ? iconv.decode(body, label) : null;

/** The possible character sets of a page: the declared one first, then the two most likely ones. */
function charsets(contentType: string, body: Buffer): string[] {
  const header = /charset=["']?([\w-]+)/i.exec(contentType)?.[1];
  const inside = /charset=["']?([\w-]+)/i.exec(body.subarray(0, 4096).toString('latin1'))?.[1];
  return [
    ...new Set([header, inside, 'utf-8', 'windows-1252'].flatMap((label) => label?.toLowerCase() ?? [])),
  ];
}

/** A page as plain texts, one for each way in which its bytes can be read; the likeliest first, and only when asked. */
export function* pageTexts(contentType: string, body: Buffer): Generator<string, void> {
  for (const label of charsets(contentType, body)) {
    const raw = decode(body, label);
    if (raw === null) continue;
    const isMarkup = /html|xml/i.test(contentType);
    if (!isMarkup) yield raw;
    if (isMarkup || raw.includes('<')) yield toText(raw);
  }
}

export const isReadable = (contentType: string) =>
  contentType === '' || /^(?:text\/|application\/(?:xhtml|json|xml|javascript))/i.test(contentType);

/** Removes differences in form only: white space, Markdown marks, link targets, quotation marks, dashes, invisible characters. */
export const plainWords = (text: string): string =>
  text
    .normalize('NFKC')
    .replace(/[\u00AD\u200B-\u200F\u2060\uFEFF]/g, '')
    .replace(/[‘’‚‛′´]/g, "'")
    .replace(/[“”„‟″«»]/g, '"')
    .replace(/[‐-―−]/g, '-')
    .replace(/\]\([^)\s]{0,500}\)/g, '')
    .replace(/(^|\n)[ \t]*[-+•*][ \t]+/g, '$1')
    .replace(/[*_`#>[\]|~\\]/g, '')
    .replace(/\s+/g, ' ')
    .trim();

export const holdsQuote = (text: string, quote: string): boolean =>
  plainWords(text).includes(plainWords(quote));

const words = (text: string) => new Set(text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []);

function likeness(a: ReadonlySet<string>, b: ReadonlySet<string>): number {
  let shared = 0;
  for (const word of a) if (b.has(word)) shared += 1;
  return (2 * shared) / (a.size + b.size || 1);
}

const sentencesOf = (text: string): string[] =>
  text
    .split(/\n{2,}|(?<=[.!?。])\s+/, MAX_SENTENCES)
    .map((sentence) => sentence.replace(/\s+/g, ' ').trim())
    .filter((sentence) => sentence.length >= 15);

/** The sentence of a page that shares the most words with the quote, or null if none is similar. */
export function nearestText(text: string, quote: string): string | null {
  const wanted = words(quote);
  let best: string | null = null;
  let bestLikeness = LEAST_LIKENESS;
  for (const sentence of sentencesOf(text)) {
    const score = likeness(words(sentence), wanted);
    if (score > bestLikeness) [best, bestLikeness] = [sentence, score];
  }
  return best === null ? null : best.slice(0, MAX_NEAREST_CHARACTERS);
}

const FREE =
  /\bfree\b|\bno (?:monthly|set-?up|subscription) fees?\b|\bwithout charge\b|\bno cost\b|[$€£]\s?0\b/i;
const TRIAL = /free trial|\bfeel free\b|risk-free|toll-free/i;
const NUMBERS = /\d/;

/** Sentences of quotable length that mention a free plan, those with a number first, for an editor to choose from. */
export function candidateSentences(text: string, most: number): string[] {
  const found = sentencesOf(text).filter(
    (sentence) =>
      sentence.length >= 20 && sentence.length <= 220 && FREE.test(sentence) && !TRIAL.test(sentence),
  );
  const numbered = found.filter((sentence) => NUMBERS.test(sentence));
  const other = found.filter((sentence) => !NUMBERS.test(sentence));
  return [...new Set([...numbered, ...other])].slice(0, most);
}
