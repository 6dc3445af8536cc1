import { regionName } from './regions.ts';
import { listed } from './text.ts';

// The codes of the directory, each with its words.

const codesOf = <Code extends string>(words: Readonly<Record<Code, string>>) =>
  Object.keys(words) as [Code, ...Code[]];

export const BUSINESS_WORDS = {
  service: 'service businesses',
  trades: 'trades',
  retail: 'shops',
  online_store: 'online stores',
  creator: 'creators',
  consultant: 'consultants',
  agency: 'agencies',
  nonprofit: 'nonprofits',
};
export type BusinessType = keyof typeof BUSINESS_WORDS;
export const BUSINESS_TYPES = codesOf(BUSINESS_WORDS);

/** What an owner must have before a tool can be used; completes "needs …". */
const REQUIREMENT_WORDS = {
  server: 'your own server',
  web_hosting: 'web hosting',
  wordpress: 'a WordPress site',
  woocommerce: 'a WooCommerce shop',
  online_shop: 'an online shop',
  open_site: 'a site where you can add code',
  programmer: 'a programmer',
  phone_provider: 'a phone line from a provider',
  other_program: 'another program',
};
export type Requirement = keyof typeof REQUIREMENT_WORDS;
export const REQUIREMENTS = codesOf(REQUIREMENT_WORDS);

/** Where the free version runs; completes "runs …". */
export const HOSTING_WORDS = {
  saas: 'online at the vendor',
  self_hosted: 'on your own server',
  desktop: 'on your computer',
  mobile: 'on a phone or tablet',
};
export const HOSTINGS = codesOf(HOSTING_WORDS);

/** Where and how a quote was read; completes "read on 21 November 2026 …". */
export const METHOD_WORDS = {
  vendor_repository: 'in the vendor’s public repository',
  vendor_page: 'on a dated page of the vendor',
  stored_copy: 'in a stored copy of the vendor’s page',
  live_page: 'on the vendor’s page itself',
  transcription: 'as copied by a named third party',
};
export const CHECK_METHODS = codesOf(METHOD_WORDS);

/** How well the vendor's words support a pick. */
export const PROOF_WORDS = {
  strong: 'a vendor statement from the last 18 months, or the license in its repository',
  fair: 'a vendor statement that is older, undated or copied: check it before you sign up',
  thin: 'the vendor only mentions that something is free; no tool is picked on this alone',
};
export type Proof = keyof typeof PROOF_WORDS;
export const PROOFS = codesOf(PROOF_WORDS);

/** 'the US, Canada and the EU' */
export const regionsText = (regions: readonly string[], word: 'and' | 'or' = 'and'): string =>
  listed(regions.map(regionName), word);

/** The owner of an online shop has a site: the requirement is that the shop system allows the tool. */
const SHOP_WORDS: Partial<Record<Requirement, string>> = {
  online_shop: 'a shop that it can connect to',
  open_site: 'a shop where you can add code',
};

export const requirementsText = (requires: readonly Requirement[], type?: BusinessType): string =>
  listed(
    requires.map(
      (requirement) =>
        (type === 'online_store' ? SHOP_WORDS[requirement] : undefined) ?? REQUIREMENT_WORDS[requirement],
    ),
  );

export const people = (count: number): string => (count === 1 ? '1 person' : `${count} people`);
