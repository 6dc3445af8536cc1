import type { Reply, Requested } from './listener.ts';
import {
  type Body,
  type Coding,
  codingFor,
  isKnown,
  preferredType,
  type Representation,
  representations,
} from './reply.ts';
import type { Router } from './router.ts';

/** Content that is the same for every caller as long as the service runs. */
export type Content = {
  /** The forms that Accept chooses from. The first is sent to clients without a preference. */
  readonly forms: readonly [Body, ...Body[]];
  readonly headers?: Readonly<Record<string, string>>;
  readonly maxAgeSeconds?: number;
  /** The content never changes at an address that ends in `?v=` and this text; with '', at any address. */
  readonly version?: string;
};

/** A document is made once: after the port is open, or at its first request if that is earlier. */
export type Document = { readonly path: string; readonly make: () => Content };

/** Runs `make` when its value is first needed, and never again. */
export function once<Value>(make: () => Value): () => Value {
  let made: { readonly value: Value } | undefined;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}

const YEAR_SECONDS = 31_536_000;

/** Browsers that connected over https keep using https, but only for this host of the domain. */
export const secureTransport = (baseUrl: string): Readonly<Record<string, string>> =>
  baseUrl.startsWith('https:') ? { 'strict-transport-security': `max-age=${YEAR_SECONDS}` } : {};

/** A representation that is ready to be sent. */
type Ready = Pick<Representation, 'bytes' | 'etag'> & {
  readonly headers: Readonly<Record<string, string>>;
  /** The headers of a 304. */
  readonly unchanged: Readonly<Record<string, string>>;
};

const MAX_AGE_SECONDS = 300;

/** Serves a document for GET and HEAD, with conditional requests and compression. Returns a function that makes it. */
export function serveDocument(router: Router, baseUrl: string, document: Document): () => void {
  const served = once(() => {
    const made = document.make();
    const content = { ...made, headers: { ...secureTransport(baseUrl), ...made.headers } };
    const types = content.forms.map(({ type }) => type.split(';', 1)[0] ?? type);
    const readies = content.forms.map((form) =>
      representations(form, (made) => readyOf(form, content, made)),
    );
    return { types, readies, version: made.version };
  });
  const answer = ({ header, query }: Requested): Reply => {
    const { types, readies, version } = served();
    const inCoding = readies[preferredType(header('accept'), types)] as (coding: Coding) => Ready;
    const ready = inCoding(codingFor(header('accept-encoding')));
    const isUnchanged = isKnown(header('if-none-match'), ready.etag);
    const headers = isUnchanged ? ready.unchanged : ready.headers;
    const isForGood =
      version !== undefined && (version === '' || version === new URLSearchParams(query).get('v'));
    return {
      status: isUnchanged ? 304 : 200,
      headers: isForGood ? { ...headers, ...FOR_GOOD } : headers,
      body: isUnchanged ? null : ready.bytes,
    };
  };
  router.on(['GET'], document.path, answer);
  return served;
}

const FOR_GOOD = { 'cache-control': `public, max-age=${YEAR_SECONDS}, immutable` };

/** Content that can be made in advance without keeping other requests waiting long. */
export type Warmed = { warm(): Promise<void> };

/** Serves frequently requested documents. `warm` makes the documents that nobody has requested yet, one at a time. */
export function serveDocuments(router: Router, baseUrl: string, documents: readonly Document[]): Warmed {
  const makers = documents.map((document) => serveDocument(router, baseUrl, document));
  return {
    async warm() {
      for (const make of makers) {
        make();
        await new Promise((resolve) => setImmediate(resolve));
      }
    },
  };
}

function readyOf(form: Body, document: Content, { coding, bytes, etag }: Representation): Ready {
  const vary = document.forms.length > 1 ? 'Accept, Accept-Encoding' : 'Accept-Encoding';
  const unchanged = {
    'access-control-allow-origin': '*',
    'access-control-expose-headers': 'ETag, Link',
    'cache-control': `public, max-age=${document.maxAgeSeconds ?? MAX_AGE_SECONDS}`,
    vary,
    etag,
  };
  const headers = {
    ...unchanged,
    'content-type': form.type,
    'content-length': String(bytes.length),
    'x-content-type-options': 'nosniff',
    ...(coding !== 'identity' && { 'content-encoding': coding }),
    ...document.headers,
  };
  return { bytes, etag, headers, unchanged };
}
