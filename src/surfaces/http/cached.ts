import { type Coding, codingFor, isKnown } from './negotiation.ts';
import { type Reply, type Representation, representations } from './representations.ts';

const MAX_AGE_SECONDS = 300;

type Headers = Readonly<Record<string, string>>;

/** What is sent of a body in one coding, and all headers of its answer that are the same for every caller. */
type Rendered = Representation & { readonly headers: Headers };

// Operations that may be cached hand out the same frozen body for the same question.
const rendered = new WeakMap<object, (coding: Coding) => Rendered>();

/**
 * Answers a question whose answer changes with a release only: ETag, 304, compressed where it helps. `common` are
 * headers of every answer, kept with the first one to a question; `own` are those of this one, under other names.
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
        // Each caller has limits of its own, so only the caller's own cache may keep the answer with its headers.
        'cache-control': `private, max-age=${MAX_AGE_SECONDS}`,
        etag: representation.etag,
        vary: 'Accept-Encoding',
      },
    }),
  );
  rendered.set(body, made);
  return made;
}
