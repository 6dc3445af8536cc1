import type { SurfaceParts } from '../calls/calls.ts';
import { type ProblemCode, problem } from '../problem.ts';
import { type Answering, type Reply, type Requested, rawResponse } from './listener.ts';
import { PREFLIGHT_HEADERS, problemReply } from './reply.ts';

/**
 * Answers a request, or returns null to pass it to the next handler of its path. `segment` is the decoded last segment
 * of the path if the route has `{…}` there.
 */
export type Handler = (requested: Requested, segment: string) => Reply | Promise<Reply> | null;

/** Rewrites an answer as a page for people; returns null to keep it. */
export type AsPage = (requested: Requested, reply: Reply) => Reply | null;

export type Router = Answering & {
  /**
   * Answers some methods at a path; GET also answers HEAD. Handlers of one method are called in the order in which
   * they were added. Every other method except OPTIONS gets 405 with Allow.
   */
  on(methods: readonly string[], path: string, handler: Handler): void;
  /** Rewrites the 405 of a path. */
  onRefused(path: string, asPage: AsPage): void;
  /** Rewrites the 404 of unknown paths, and the 500 of bugs. */
  onFault(asPage: AsPage): void;
};

type Route = { readonly handlers: Map<string, Handler[]>; asPage: AsPage };

const PREFLIGHT: Reply = { status: 204, headers: PREFLIGHT_HEADERS, body: null };
const stays: AsPage = () => null;

/** A router for exact paths, and for paths whose last segment is variable. */
export function createRouter({ baseUrl, onBug }: Pick<SurfaceParts, 'baseUrl' | 'onBug'>): Router {
  const exact = new Map<string, Route>();
  const open = new Map<string, Route>();
  let faultPage = stays;
  const fault = (code: ProblemCode, headers = {}): Reply => problemReply(problem(baseUrl, code), headers);
  const missing = fault('not_found', { vary: 'Accept' });

  const routeAt = (path: string): Route => {
    const routes = path.endsWith('}') ? open : exact;
    const key = folderOf(path, routes === open);
    const route = routes.get(key) ?? { handlers: new Map(), asPage: stays };
    routes.set(key, route);
    return route;
  };

  function find(path: string): { route: Route; segment: string } | null {
    const route = exact.get(path);
    if (route !== undefined) return { route, segment: '' };
    const folder = folderOf(path, true);
    const segment = path.slice(folder.length + 1);
    const opened = segment === '' ? undefined : open.get(folder);
    if (opened !== undefined) return { route: opened, segment: decoded(segment, decodeURIComponent) };
    const plain = decoded(path, decodeURI);
    return plain === path ? null : find(plain);
  }

  function refused({ handlers, asPage }: Route, requested: Requested): Reply {
    const allow = [...handlers.keys(), 'OPTIONS'].join(', ');
    const reply = problemReply(problem(baseUrl, 'method_not_allowed', `Use ${allow}.`), { allow });
    return asPage(requested, reply) ?? reply;
  }

  function answer(requested: Requested): Reply | Promise<Reply> {
    if (requested.method === 'OPTIONS') return PREFLIGHT;
    const found = find(requested.path);
    if (found === null) return faultPage(requested, missing) ?? missing;
    const handlers = found.route.handlers.get(requested.method);
    if (handlers === undefined) return refused(found.route, requested);
    for (const handler of handlers) {
      const reply = handler(requested, found.segment);
      if (reply !== null) return reply;
    }
    return faultPage(requested, missing) ?? missing;
  }

  return {
    malformed: fault('malformed_request'),
    async answer(requested) {
      try {
        return await answer(requested);
      } catch (error) {
        onBug('http', error, requested.requestId);
        const reply = fault('internal');
        return faultPage(requested, reply) ?? reply;
      }
    },
    on(methods, path, handler) {
      const { handlers } = routeAt(path);
      for (const method of methods.flatMap(withHead))
        handlers.set(method, [...(handlers.get(method) ?? []), handler]);
    },
    onRefused(path, asPage) {
      routeAt(path).asPage = asPage;
    },
    onFault(asPage) {
      faultPage = asPage;
    },
  };
}

/** Answers a path that has moved, with the query, which may be a filled form; `to` may end with a fragment. */
export const movedTo = (to: string, headers: Reply['headers'] = {}, status: 301 | 308 = 301): Handler => {
  const [path = '', place] = to.split('#');
  const hash = place === undefined ? '' : `#${place}`;
  return ({ query }) => ({
    status,
    headers: {
      ...headers,
      'cache-control': 'public, max-age=86400',
      location: query === '' ? to : `${path}?${query}${hash}`,
    },
    body: null,
  });
};

const withHead = (method: string): string[] => (method === 'GET' ? ['GET', 'HEAD'] : [method]);

const folderOf = (path: string, isOpen: boolean): string =>
  isOpen ? path.slice(0, path.lastIndexOf('/')) : path;

/** A text with its percent-encoding decoded; unchanged if that is not possible. */
function decoded(text: string, decode: (text: string) => string): string {
  if (!text.includes('%')) return text;
  try {
    return decode(text);
  } catch {
    return text;
  }
}

const UNREADABLE: Readonly<Record<string, ProblemCode>> = {
  HPE_HEADER_OVERFLOW: 'headers_too_large',
  ERR_HTTP_REQUEST_TIMEOUT: 'request_timeout',
};

/** The complete response to bytes that are not a request, by the error code of Node.js' parser. */
export const unreadableReply =
  (baseUrl: string) =>
  (errorCode: string | undefined): string =>
    rawResponse(problemReply(problem(baseUrl, UNREADABLE[errorCode ?? ''] ?? 'malformed_request')));
