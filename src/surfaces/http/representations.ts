import { createHash } from 'node:crypto';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import type { Reply } from './listener.ts';
import { type Coding, codingFor, isKnown } from './negotiation.ts';

/** The bytes of a representation as sent. */
export type Representation = {
  readonly coding: Coding;
  /** Never a string, which Node would encode again for each answer. */
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly etag: string;
};

/** The content to represent. */
export type Body = {
  readonly type: string;
  readonly body: string | Buffer;
  /** The body as the build compressed it, with a slower setting than a request allows. */
  readonly brotli?: Buffer;
  /** Compressed once with a slower setting, because every byte of a first visit counts. Large bodies are not. */
  readonly isTight?: boolean;
};

// Below this size, compression saves barely more than its headers add.
const MIN_COMPRESSED_BYTES = 600;

/** Constant content in the coding that a client accepts. Each is made once, at its first request. */
export function representations<Made>(
  { type, body, brotli, isTight }: Body,
  made: (representation: Representation) => Made,
): (coding: Coding) => Made {
  const bytes = typeof body === 'string' ? Buffer.from(body) : body;
  const hash = createHash('sha256').update(type).update(body).digest('base64url').slice(0, 22);
  const plain = made({ coding: 'identity', bytes: new Uint8Array(bytes), etag: `"${hash}"` });
  if (bytes.length < MIN_COMPRESSED_BYTES || isCompressed(type)) return () => plain;
  const known = new Map<Coding, Made>([['identity', plain]]);
  return (coding) => {
    const before = known.get(coding);
    if (before !== undefined) return before;
    const small = new Uint8Array(coding === 'br' && brotli ? brotli : compressed(bytes, coding, isTight));
    const ready = made({ coding, bytes: small, etag: `"${hash}-${coding}"` });
    known.set(coding, ready);
    return ready;
  };
}

const isCompressed = (type: string): boolean => /^image\/(?:png|x-icon|vnd)/.test(type);

// Compression blocks all requests, though only once: 20 KB take 2 ms, or 20 ms with the slower setting; the whole
// directory would take 150.
const MOST_TIGHT_BYTES = 65_536;
const FAST = 6;
const PATIENT = 10;

function compressed(bytes: Buffer, coding: Coding, isTight = false): Buffer {
  const quality = isTight && bytes.length <= MOST_TIGHT_BYTES ? PATIENT : FAST;
  if (coding === 'br')
    return brotliCompressSync(bytes, {
      params: { [constants.BROTLI_PARAM_QUALITY]: quality, [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length },
    });
  return gzipSync(bytes, { level: 7 });
}

const MAX_AGE_SECONDS = 300;

type Headers = Readonly<Record<string, string>>;

/** A body in one coding, with all headers of its answer that are the same for every caller. */
type Rendered = Representation & { readonly headers: Headers };

// Cacheable operations return the same frozen body for the same input.
const rendered = new WeakMap<object, (coding: Coding) => Rendered>();

/**
 * Answers a request whose answer changes only with a release: ETag, 304, and compression if it helps. `common` are
 * headers of every answer, cached with the first one; `own` are those of this answer, under other names.
 */
export function cachedReply(
  body: object,
  header: (name: string) => string | undefined,
  { common, own }: { readonly common: Headers; readonly own: Headers },
): Reply {
  const { coding, bytes, etag, headers } = rendering(body, common)(codingFor(header('accept-encoding')));
  // A spread of more than one object takes V8 of Node.js 20 ten times as long.
  const all: Record<string, string> = Object.assign({}, headers, own);
  if (!isKnown(header('if-none-match'), etag)) {
    if (coding !== 'identity') all['content-encoding'] = coding;
    return { status: 200, headers: all, body: bytes };
  }
  return { status: 304, headers: all, body: null };
}

function rendering(body: object, common: Headers): (coding: Coding) => Rendered {
  const known = rendered.get(body);
  if (known !== undefined) return known;
  const made = representations(
    { type: 'application/json', body: JSON.stringify(body) },
    (representation) => ({
      ...representation,
      headers: {
        ...common,
        // Each caller has its own limits, so only the caller's own cache may keep the answer with its headers.
        'cache-control': `private, max-age=${MAX_AGE_SECONDS}`,
        etag: representation.etag,
        vary: 'Accept-Encoding',
      },
    }),
  );
  rendered.set(body, made);
  return made;
}
