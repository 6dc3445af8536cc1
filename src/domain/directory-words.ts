import type { BusinessType } from './stack-report-types.ts';

/* The words for what the directory says in codes. */

export const BUSINESS_WORDS: Readonly<Record<BusinessType, string>> = {
  service: 'service businesses',
  trades: 'trades',
  retail: 'shops',
  online_store: 'online stores',
  creator: 'creators',
  consultant: 'consultants',
  agency: 'agencies',
  nonprofit: 'nonprofits',
};

export const REGION_WORDS: Readonly<Record<string, string>> = {
  CA: 'Canada',
  DE: 'Germany',
  UK: 'the United Kingdom',
  US: 'the United States',
};

/** Where and how a quote was read. */
export const METHOD_WORDS = {
  vendor_repository: "in the vendor's public repository",
  vendor_page: "on a page of the vendor's that states its own date",
  stored_copy: "in a stored copy of the vendor's page",
  live_page: "on the vendor's live page",
} as const;

/** 'A', 'A and B', 'A, B and C' */
export function listed(names: readonly string[]): string {
  const last = names.at(-1) ?? '';
  return names.length < 2 ? last : `${names.slice(0, -1).join(', ')} and ${last}`;
}

export const people = (count: number): string => (count === 1 ? '1 person' : `${count} people`);
