import type { Context, Hono } from 'hono';
import type { AnswerOf } from '../../operations/answers.ts';
import { type CallsParts, type SurfaceParts, takeCall } from '../calls/calls.ts';
import { once } from '../http/document.ts';
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
export function mountFinder(app: Hono, parts: FinderParts): void {
  const { site } = parts;
  const directory = placed(site).find(({ name }) => name === 'list_tools');
  const listing = site.operations.find(({ name }) => name === 'tool');
  if (directory === undefined || listing === undefined) return;
  const { path } = directory.page;
  const finder = once(() => finderOf(site, directory));
  const sent = privateHeaders(path, site.baseUrl);
  const limited = pleaseWait({ path, heading: 'Find a free tool' }, site);
  const inTurn = async (context: Context, html: () => string): Promise<Response> => {
    const asked = { operation: directory, caller: parts.callerOf(context), isCounted: true };
    const taken = await takeCall<Response>(asked, parts, () => ({
      refusal: new Response(html(), { headers: sent }),
    }));
    if ('refusal' in taken) return taken.refusal;
    const headers = new Headers({ ...sent, ...taken.headers });
    return new Response(limited(secondsIn(headers), 'link'), { status: 429, headers });
  };

  app.get(path, (context, next) => {
    const search = searchIn(new URL(context.req.url).searchParams);
    return search === null ? next() : inTurn(context, () => finderHtml(finder(), search));
  });
  app.get(COMPARE_PATH, (context) => {
    const ids = [...new Set(new URL(context.req.url).searchParams.getAll('id'))].slice(0, MOST_TICKED);
    const listings = () => ids.flatMap((id) => (site.ask(listing, { id }) as AnswerOf<'tool'> | null) ?? []);
    return inTurn(context, () => comparedHtml(finder(), listings()));
  });
}

/** The search in a query; null where there is none. */
function searchIn(query: URLSearchParams): ToolSearch | null {
  const asked = SEARCH_NAMES.map(
    (name) => [name, (query.get(name) ?? '').trim().slice(0, MOST_CHARACTERS)] as const,
  );
  return SEARCH_NAMES.some((name) => query.has(name)) ? { ...NO_SEARCH, ...Object.fromEntries(asked) } : null;
}
