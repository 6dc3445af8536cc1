import robotsParser from 'robots-parser';
import { siteOf } from './refresh-address.ts';
import { type FetchRequest, fetchPage } from './refresh-fetch.ts';

type Rules = {
  readonly isDisallowed: (url: string, agent: string) => boolean | undefined;
  readonly getCrawlDelay: (agent: string) => number | undefined;
};

// The package is CommonJS whose declared default export is the module itself.
const parse = robotsParser as unknown as (url: string, text: string) => Rules;

const MAX_ROBOTS_BYTES = 512_000;
const MAX_CRAWL_DELAY_S = 30;

const isClientError = (status: number | null) => status !== null && status >= 400 && status < 500;

/**
 * Reads each host's robots.txt once. RFC 9309: a missing file allows everything, and one that cannot be read allows
 * nothing.
 */
export function robotsOf(base: Pick<FetchRequest, 'network' | 'limits' | 'userAgent'>, agentToken: string) {
  const known = new Map<string, Promise<Rules | null>>();
  const delays = new Map<string, number>();

  const read = async (origin: string): Promise<Rules | null> => {
    const url = `${origin}/robots.txt`;
    const limits = { ...base.limits, maxBytes: MAX_ROBOTS_BYTES };
    const sites = new Set([siteOf(url)]);
    const fetched = await fetchPage({ ...base, url, sites, limits, mayVisit: async () => true });
    if (fetched.kind === 'lost') return parse(url, '');
    if (fetched.kind === 'unknown') return isClientError(fetched.status) ? parse(url, '') : null;
    const rules = parse(url, fetched.body.toString('utf8'));
    delays.set(origin, Math.min(rules.getCrawlDelay(agentToken) ?? 0, MAX_CRAWL_DELAY_S));
    return rules;
  };

  return {
    mayVisit: async (url: URL): Promise<boolean> => {
      const rules = known.get(url.origin) ?? read(url.origin);
      known.set(url.origin, rules);
      const found = await rules;
      return found !== null && found.isDisallowed(url.href, agentToken) !== true;
    },
    /** Seconds that the host asks to wait between two pages, at most 30, because otherwise a run would never end. */
    delayOf: (url: URL): number => delays.get(url.origin) ?? 0,
  };
}
