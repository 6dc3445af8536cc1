import type { ListingFile } from '../../src/directory/listing.ts';
import { siteOf } from './refresh-address.ts';
import type { Fetched } from './refresh-fetch.ts';
import { candidateSentences, holdsQuote, isReadable, nearestText, pageTexts } from './refresh-text.ts';

const CANDIDATES_PER_LEAD = 8;

/** The result of a new check of a source. `unknown` changes nothing: the operator's network is not the vendor's fault. */
export type Verdict =
  | { readonly kind: 'found'; readonly sourceUrl: string }
  | { readonly kind: 'failed'; readonly reason: string; readonly nearest: string | null }
  | { readonly kind: 'unknown'; readonly reason: string };

const BLOB = /^https:\/\/github\.com\/([\w.-]+\/[\w.-]+)\/blob\/[^/]+\/(.+)$/;

/** A file in a public repository, in its newest version; null for any other address. */
function repositoryFile(sourceUrl: string): { readonly raw: string; readonly page: string } | null {
  const [, repository, path] = BLOB.exec(sourceUrl) ?? [];
  if (repository === undefined || path === undefined) return null;
  return {
    raw: `https://raw.githubusercontent.com/${repository}/HEAD/${path}`,
    page: `https://github.com/${repository}/blob/HEAD/${path}`,
  };
}

/** The address to read, and the sites within which redirects stay with the vendor. */
export function lookAt(sourceUrl: string, homepage: string) {
  const url = repositoryFile(sourceUrl)?.raw ?? sourceUrl;
  return { url, sites: new Set([siteOf(url), siteOf(sourceUrl), siteOf(homepage)]) };
}

export function verdictOn({ check }: ListingFile, fetched: Fetched): Verdict {
  if (fetched.kind === 'unknown') return fetched;
  if (fetched.kind === 'lost') return { kind: 'failed', reason: fetched.reason, nearest: null };
  if (!isReadable(fetched.contentType))
    return { kind: 'unknown', reason: `the source is not text but ${fetched.contentType}` };
  let likeliest: string | null = null;
  for (const text of pageTexts(fetched.contentType, fetched.body)) {
    likeliest ??= text;
    if (holdsQuote(text, check.quote))
      return { kind: 'found', sourceUrl: repositoryFile(check.source_url)?.page ?? fetched.permanentUrl };
  }
  const nearest = nearestText(likeliest ?? '', check.quote);
  return { kind: 'failed', reason: 'the quote is not on the page', nearest };
}

/** The listing after a new check; the vendor's words themselves never change here. */
export function afterVerdict(listing: ListingFile, verdict: Verdict, today: string): ListingFile {
  const { check, editor } = listing;
  if (verdict.kind === 'unknown') return listing;
  if (verdict.kind === 'failed') {
    const failure = { reason: verdict.reason.slice(0, 200), nearest_text: verdict.nearest };
    return {
      ...listing,
      changed_on: check.status === 'failed' ? listing.changed_on : today,
      check: { ...check, status: 'failed' },
      editor: { ...editor, refreshed_on: today, failure },
    };
  }
  const isRepository = repositoryFile(check.source_url) !== null;
  const method = isRepository ? 'vendor_repository' : 'live_page';
  const isSame =
    check.status === 'found' && check.method === method && check.source_url === verdict.sourceUrl;
  return {
    ...listing,
    changed_on: isSame ? listing.changed_on : today,
    check: {
      ...check,
      source_url: verdict.sourceUrl,
      checked_on: today,
      method,
      transcribed_by: null,
      source_dated: isRepository ? today : check.source_dated,
      status: 'found',
    },
    editor: { ...editor, refreshed_on: today, failure: null },
  };
}

/** Sentences of a lead's page that an editor may quote, or a note on why there are none. */
export function sentencesFor(fetched: Fetched): { sentences: string[]; note: string } {
  if (fetched.kind !== 'page') return { sentences: [], note: fetched.reason };
  if (!isReadable(fetched.contentType))
    return { sentences: [], note: `the source is not text but ${fetched.contentType}` };
  const [text = ''] = pageTexts(fetched.contentType, fetched.body);
  const sentences = candidateSentences(text, CANDIDATES_PER_LEAD);
  return { sentences, note: sentences.length === 0 ? 'no sentence on the page mentions a free plan' : '' };
}
