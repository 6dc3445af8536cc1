import { createHash } from 'node:crypto';
import { gzipSync } from 'node:zlib';

/** A body rendered once: its text, a strong validator, and its gzip form made at first need. */
type Rendered = { readonly text: string; readonly etag: string; gzip: Buffer | null };

// Below this a gzip header costs more than it saves.
const MIN_GZIP_CHARACTERS = 1_000;
const MAX_AGE_SECONDS = 300;

// Operations that may be cached hand out the same frozen body for the same question.
const rendered = new WeakMap<object, Rendered>();

/** Answers a question whose answer changes with a release only: ETag, 304, gzip where it helps. */
export function cachedReply(
  body: object,
  asked: { ifNoneMatch: string | undefined; acceptEncoding: string | undefined },
  headers: Readonly<Record<string, string>>,
): Response {
  const { text, etag, gzip } = render(body, accepts(asked.acceptEncoding));
  const shared = {
    ...headers,
    // Each caller has limits of its own, so only the caller's own cache may keep the answer with its headers.
    'cache-control': `private, max-age=${MAX_AGE_SECONDS}`,
    etag,
    vary: 'Accept-Encoding',
  };
  if (matches(asked.ifNoneMatch, etag)) return new Response(null, { status: 304, headers: shared });
  return gzip === null
    ? new Response(text, { headers: shared })
    : new Response(new Uint8Array(gzip), { headers: { ...shared, 'content-encoding': 'gzip' } });
}

function render(body: object, wantsGzip: boolean): Rendered {
  let found = rendered.get(body);
  if (found === undefined) {
    const text = JSON.stringify(body);
    // Weak, for the same validator stands for both codings.
    const etag = `W/"${createHash('sha256').update(text).digest('base64url').slice(0, 22)}"`;
    found = { text, etag, gzip: null };
    rendered.set(body, found);
  }
  if (!wantsGzip || found.text.length < MIN_GZIP_CHARACTERS) return { ...found, gzip: null };
  found.gzip ??= gzipSync(found.text);
  return found;
}

const accepts = (header: string | undefined): boolean =>
  /\bgzip\b(?!\s*;\s*q=0(?:\.0*)?\s*(?:,|$))/i.test(header ?? '');

function matches(header: string | undefined, etag: string): boolean {
  if (header === undefined) return false;
  const opaque = etag.replace(/^W\//, '');
  return header.split(',').some((one) => one.trim() === '*' || one.trim().replace(/^W\//, '') === opaque);
}
