import { type Coding, codingFor, isKnown } from './negotiation.ts';
import { type Reply, type Representation, representations } from './representations.ts';

const MAX_AGE_SECONDS = 300;

// Operations that may be cached hand out the same frozen body for the same question.
const rendered = new WeakMap<object, (coding: Coding) => Representation>();

/** Answers a question whose answer changes with a release only: ETag, 304, compressed where it helps. */
export function cachedReply(
  body: object,
  header: (name: string) => string | undefined,
  headers: Readonly<Record<string, string>>,
): Reply {
  const { coding, bytes, etag } = rendering(body)(codingFor(header('accept-encoding')));
  const shared = {
    ...headers,
    // Each caller has limits of its own, so only the caller's own cache may keep the answer with its headers.
    'cache-control': `private, max-age=${MAX_AGE_SECONDS}`,
    etag,
    vary: 'Accept-Encoding',
  };
  if (isKnown(header('if-none-match'), etag)) return { status: 304, headers: shared, body: null };
  const inCoding = coding === 'identity' ? shared : { ...shared, 'content-encoding': coding };
  return { status: 200, headers: inCoding, body: bytes };
}

function rendering(body: object): (coding: Coding) => Representation {
  const known = rendered.get(body);
  if (known !== undefined) return known;
  const made = representations(
    { type: 'application/json', body: JSON.stringify(body) },
    (representation) => representation,
  );
  rendered.set(body, made);
  return made;
}
