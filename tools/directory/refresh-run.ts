import { DirectoryError } from '../../src/directory/directory-error.ts';
import type { ListingFile } from '../../src/directory/listing.ts';
import type { ShelvesFile } from '../../src/directory/shelves.ts';
import { checkEverything, type Lead } from './everything.ts';
import type { Network } from './refresh-address.ts';
import { type Fetched, type FetchLimits, fetchPage } from './refresh-fetch.ts';
import { afterVerdict, lookAt, sentencesFor, type Verdict, verdictOn } from './refresh-listing.ts';
import { robotsOf } from './refresh-robots.ts';
import { saveListing } from './save.ts';

/** The name by which robots.txt can address this program. */
const AGENT_TOKEN = 'SmallBusinessDirectory';

export type RefreshOptions = {
  readonly folder: string;
  /** Listings and leads to check; none means all listings. */
  readonly ids: readonly string[];
  readonly allLeads: boolean;
  /** Only listings that an editor or a check changed on that day or later; null for all. */
  readonly changedSince: string | null;
  readonly today: string;
  readonly network: Network;
  readonly limits: FetchLimits;
  /** Pause between two requests, and between two to the same host. */
  readonly pauseMs: { readonly anyHost: number; readonly sameHost: number };
  /** Waits for this many milliseconds. */
  readonly rest: (ms: number) => Promise<void>;
  /** A contact for the operator, sent in the user agent. */
  readonly contact: string | null;
  readonly onProgress: (done: number, total: number, id: string) => void;
};

type RefreshRow = { readonly id: string; readonly verdict: Verdict };
type LeadRow = { readonly id: string; readonly sentences: readonly string[]; readonly note: string };
export type Refreshed = {
  readonly rows: readonly RefreshRow[];
  readonly leads: readonly LeadRow[];
  /** Listings of this run that were already checked on the same day. */
  readonly doneBefore: number;
};

/** No such listing or lead. */
export class UnknownIds extends Error {
  override readonly name = 'UnknownIds';
}

const userAgent = (contact: string | null) =>
  `${AGENT_TOKEN}/1.0 (re-reads the pages that a tool directory quotes${contact === null ? '' : `; ${contact}`})`;

/** Reads one page after another, never two at once, and waits as long as the host asks. */
function visitor(options: RefreshOptions) {
  const base = {
    network: options.network,
    limits: options.limits,
    userAgent: userAgent(options.contact),
  };
  const robots = robotsOf(base, AGENT_TOKEN);
  const lastVisits = new Map<string, number>();
  let lastVisit = 0;

  return async (sourceUrl: string, homepage: string): Promise<Fetched> => {
    const { url, sites } = lookAt(sourceUrl, homepage);
    const { host } = new URL(url);
    const sameHostMs = Math.max(options.pauseMs.sameHost, robots.delayOf(new URL(url)) * 1000);
    const earliest = Math.max(
      lastVisit + options.pauseMs.anyHost,
      (lastVisits.get(host) ?? -Infinity) + sameHostMs,
    );
    await options.rest(Math.max(0, earliest - performance.now()));
    const fetched = await fetchPage({ ...base, url, sites, mayVisit: robots.mayVisit });
    lastVisit = performance.now();
    lastVisits.set(host, lastVisit);
    return fetched;
  };
}

/** The listings, those on a shelf first, because reports depend on them. */
function shelvedFirst(listings: readonly ListingFile[], shelves: ShelvesFile | null): readonly ListingFile[] {
  const places = Object.values(shelves?.needs ?? {}).flatMap(({ shelf }) => shelf);
  const shelved = new Set(places.flatMap((entry) => ('id' in entry ? [entry.id] : [])));
  return [...listings.filter(({ id }) => shelved.has(id)), ...listings.filter(({ id }) => !shelved.has(id))];
}

function chosen(options: RefreshOptions, listings: readonly ListingFile[], leads: readonly Lead[]) {
  const wanted = new Set(options.ids);
  const known = new Set([...listings, ...leads].map(({ id }) => id));
  const unknown = options.ids.filter((id) => !known.has(id));
  if (unknown.length > 0) throw new UnknownIds(`no listing or lead named ${unknown.join(', ')}`);
  if (options.allLeads) return { listings: [], leads, doneBefore: 0 };
  if (wanted.size > 0)
    return {
      listings: listings.filter(({ id }) => wanted.has(id)),
      leads: leads.filter(({ id }) => wanted.has(id)),
      doneBefore: 0,
    };
  const since = options.changedSince ?? '';
  const current = listings.filter(
    ({ check, changed_on }) => check.status !== 'withdrawn' && changed_on >= since,
  );
  const due = current.filter(({ editor }) => editor.refreshed_on !== options.today);
  return { listings: due, leads: [], doneBefore: current.length - due.length };
}

/**
 * Reads the live sources of listings, one at a time, and saves each result before the next, so that an interrupted
 * run can continue. Leads are only read. Throws DirectoryError for invalid data and UnknownIds for unknown names; a
 * vendor's fault is a row, never an exception.
 */
export async function refresh(options: RefreshOptions): Promise<Refreshed> {
  const data = checkEverything(options.folder, options.today);
  if (data.faults.length > 0) throw new DirectoryError(data.faults);
  const due = chosen(options, shelvedFirst(data.listings, data.shelves), data.leads);
  const total = due.listings.length + due.leads.length;
  const visit = visitor(options);

  const rows: RefreshRow[] = [];
  for (const listing of due.listings) {
    options.onProgress(rows.length, total, listing.id);
    const fetched = await visit(listing.check.source_url, listing.homepage);
    const verdict = verdictOn(listing, fetched);
    const after = afterVerdict(listing, verdict, options.today);
    if (after !== listing) saveListing(options.folder, after);
    rows.push({ id: listing.id, verdict });
  }
  const leads: LeadRow[] = [];
  for (const lead of due.leads) {
    options.onProgress(rows.length + leads.length, total, lead.id);
    leads.push({ id: lead.id, ...sentencesFor(await visit(lead.source_url, lead.homepage)) });
  }
  options.onProgress(total, total, '');
  return { rows, leads, doneBefore: due.doneBefore };
}
