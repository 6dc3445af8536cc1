/** The weights in an Accept or Accept-Encoding header (RFC 9110, 12.4): value to weight, in order. */
function weights(header: string): Map<string, number> {
  const weighed = new Map<string, number>();
  for (const part of header.toLowerCase().split(',', MAX_PARTS)) {
    const [value = '', ...parameters] = part.split(';').map((piece) => piece.trim());
    const q = parameters.find((parameter) => parameter.startsWith('q='));
    const weight = q === undefined ? 1 : Number(q.slice(2));
    if (value !== '') weighed.set(value, Number.isFinite(weight) ? weight : 0);
  }
  return weighed;
}

const MAX_PARTS = 40;

export type Coding = 'br' | 'gzip' | 'identity';

// Clients repeat few headers, but may also send many, so the tables are bounded.
const MAX_KNOWN = 200;

/** Caches the result for each header. */
function remembered<Result>(decide: (header: string) => Result): (header: string) => Result {
  const known = new Map<string, Result>();
  return (header) => {
    const before = known.get(header);
    if (before !== undefined) return before;
    const decided = decide(header);
    if (known.size < MAX_KNOWN) known.set(header, decided);
    return decided;
  };
}

const bestCoding = remembered((header): Coding => {
  const weighed = weights(header);
  const weight = (coding: string) => weighed.get(coding) ?? weighed.get('*') ?? 0;
  const br = weight('br');
  const gzip = weight('gzip');
  if (br > 0 && br >= gzip) return 'br';
  return gzip > 0 ? 'gzip' : 'identity';
});

/** The best coding that a client accepts; identity if it accepts none of our codings. */
export const codingFor = (acceptEncoding: string | undefined): Coding =>
  acceptEncoding === undefined ? 'identity' : bestCoding(acceptEncoding);

/**
 * Chooses which of our media types a client prefers, as an index; the first if it does not say. A named type goes
 * before one that a wildcard covers, then the order in the header decides.
 */
export function typeChooser(types: readonly string[]): (accept: string | undefined) => number {
  const best = remembered((accept) => preferredType(accept, types));
  return (accept) => (accept === undefined || types.length === 1 ? 0 : best(accept));
}

function preferredType(accept: string, types: readonly string[]): number {
  const weighed = weights(accept);
  const named = [...weighed.keys()];
  const rank = (type: string) => {
    const family = `${type.split('/', 1)[0]}/*`;
    const range = [type, family, '*/*'].find((candidate) => weighed.has(candidate));
    if (range === undefined) return { weight: 0, exact: false, place: named.length };
    const weight = weighed.get(range) ?? 0;
    // A type with weight 0 is not acceptable, even if it is named.
    return { weight, exact: range === type && weight > 0, place: named.indexOf(range) };
  };
  const ranks = types.map((type, index) => ({ index, ...rank(type) }));
  ranks.sort(
    (one, other) =>
      other.weight - one.weight ||
      Number(other.exact) - Number(one.exact) ||
      (one.exact ? one.place - other.place : 0) ||
      one.index - other.index,
  );
  return ranks[0]?.index ?? 0;
}

/** Whether an If-None-Match names an entity tag, compared weakly (RFC 9110, 13.1.2). */
export function isKnown(ifNoneMatch: string | undefined, etag: string): boolean {
  if (ifNoneMatch === undefined) return false;
  if (ifNoneMatch === etag) return true;
  return ifNoneMatch
    .split(',', MAX_PARTS)
    .map((tag) => tag.trim().replace(/^W\//, ''))
    .some((tag) => tag === etag || tag === '*');
}
