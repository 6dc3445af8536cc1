import type { AnswerOf } from '../../operations/answers.ts';
import { type CallsParts, type SurfaceParts, takeCall } from '../calls/calls.ts';
import { once } from '../http/documents.ts';
import type { Reply, Requested } from '../http/listener.ts';
import type { Router } from '../http/router.ts';
import type { Site } from '../site.ts';
import { finderHtml } from './finder.tsx';
import { COMPARE_PATH, comparedHtml } from './finder-compare.tsx';
import { finderOf } from './finder-directory.ts';
import { privateHeaders } from './page-documents.ts';
import { pleaseWait, secondsIn } from './please-wait.ts';
import { placed } from './shell.tsx';
import { NO_SEARCH, SEARCH_NAMES, type ToolSearch } from './views/finder-match.ts';

export type FinderParts = CallsParts & Pick<SurfaceParts, 'callerOf'> & { readonly site: Site };

const MOST_CHARACTERS = 80;
/** Of those that were ticked, how many are looked at. */
const MOST_TICKED = 20;

/**
 * Searches the directory for browsers without script, and shows two or three listings side by side. Each page takes a
 * free turn. A request without a search is left to the next handler, which serves the document.
 */
export function mountFinder(router: Router, parts: FinderParts): void {
  const { site } = parts;
  const directory = placed(site).find(({ name }) => name === 'list_tools');
  const listing = site.operations.find(({ name }) => name === 'tool');
  if (directory === undefined || listing === undefined) return;
  const { path } = directory.page;
  const finder = once(() => finderOf(site, directory));
  const sent = privateHeaders(path, site.baseUrl);
  const limited = pleaseWait({ path, heading: 'Find a free tool' }, site);
  const inTurn = async (requested: Requested, html: () => string): Promise<Reply> => {
    const asked = { operation: directory, caller: parts.callerOf(requested), isCounted: true };
    const taken = await takeCall<Reply>(asked, parts, () => ({
      refusal: { status: 200, headers: sent, body: html() },
    }));
    if ('refusal' in taken) return taken.refusal;
    const headers = { ...sent, ...taken.headers };
    return { status: 429, headers, body: limited(secondsIn(headers), 'link') };
  };

  router.on(['GET'], path, (requested) => {
    const search = searchIn(new URLSearchParams(requested.query));
    return search === null ? null : inTurn(requested, () => finderHtml(finder(), search));
  });
  router.on(['GET'], COMPARE_PATH, (requested) => {
    const ids = [...new Set(new URLSearchParams(requested.query).getAll('id'))].slice(0, MOST_TICKED);
    const listings = () => ids.flatMap((id) => (site.ask(listing, { id }) as AnswerOf<'tool'> | null) ?? []);
    return inTurn(requested, () => comparedHtml(finder(), listings()));
  });
}

/** The search in a query; null where there is none. */
function searchIn(query: URLSearchParams): ToolSearch | null {
  const asked = SEARCH_NAMES.map(
    (name) => [name, (query.get(name) ?? '').trim().slice(0, MOST_CHARACTERS)] as const,
  );
  return SEARCH_NAMES.some((name) => query.has(name)) ? { ...NO_SEARCH, ...Object.fromEntries(asked) } : null;
}
