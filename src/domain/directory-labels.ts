import { regionName } from './regions.ts';
import type { BusinessType, CheckMethod, Hosting, Proof, Requirement } from './stack-report-types.ts';
import { listed } from './text.ts';

/* Words for the codes of the directory. */

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

/** A requirement of a tool; completes "needs …". */
const REQUIREMENT_WORDS: Readonly<Record<Requirement, string>> = {
  server: 'your own server',
  web_hosting: 'web hosting',
  wordpress: 'a WordPress site',
  woocommerce: 'a WooCommerce shop',
  online_shop: 'an online shop',
  open_site: 'a site that allows it',
  programmer: 'a programmer',
  phone_provider: 'a phone line from a provider',
  other_program: 'another program',
};

/** Where the free version runs; completes "runs …". */
export const HOSTING_WORDS: Readonly<Record<Hosting, string>> = {
  saas: 'online at the vendor',
  self_hosted: 'on your own server',
  desktop: 'on your computer',
  mobile: 'on a phone or tablet',
};

/** Where and how a quote was read; completes "read on 21 November 2026 …". */
export const METHOD_WORDS: Readonly<Record<CheckMethod, string>> = {
  vendor_repository: 'in the vendor’s public repository',
  vendor_page: 'on a dated page of the vendor',
  stored_copy: 'in a stored copy of the vendor’s page',
  live_page: 'on the vendor’s page itself',
  transcription: 'as copied by a named third party',
};

/** What a grade of proof means. */
export const PROOF_WORDS: Readonly<Record<Proof, string>> = {
  strong: 'a vendor statement from the last 18 months, or the license in its repository',
  fair: 'a vendor statement that is older, undated or copied: check it before you sign up',
  thin: 'the vendor only mentions that something is free; no tool is picked on this alone',
};

/** 'the US, Canada and the EU' */
export const regionsText = (regions: readonly string[], word: 'and' | 'or' = 'and'): string =>
  listed(regions.map(regionName), word);

/** The owner of an online shop has a site: the requirement is that the shop system allows the tool. */
const SHOP_WORDS: Partial<Record<Requirement, string>> = {
  online_shop: 'a shop that allows it',
  open_site: 'a shop that allows it',
};

export const requirementsText = (requires: readonly Requirement[], type?: BusinessType): string =>
  listed(
    requires.map(
      (requirement) =>
        (type === 'online_store' ? SHOP_WORDS[requirement] : undefined) ?? REQUIREMENT_WORDS[requirement],
    ),
  );

export const people = (count: number): string => (count === 1 ? '1 person' : `${count} people`);
