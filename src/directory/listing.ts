import { z } from 'zod';
import {
  BUSINESS_TYPES,
  CHECK_METHODS,
  HOSTINGS,
  type Proof,
  REQUIREMENTS,
} from '../domain/directory-labels.ts';
import { REGIONS } from '../domain/regions.ts';

const MAX_CAVEAT_CHARACTERS = 240;
const MAX_CAVEAT_SENTENCES = 2;

const sentences = (text: string) => text.match(/[.!?](?=\s|$)/g)?.length ?? 0;

export const https = z.url({ protocol: /^https$/, error: 'must be an https address' }).max(500);
export const slug = z.string().regex(/^[a-z0-9]+(?:_[a-z0-9]+)*$/, 'must be a slug such as email_marketing');
export const line = (max: number) => z.string().trim().min(1).max(max);
const businessType = z.enum(BUSINESS_TYPES);
const hosting = z.enum(HOSTINGS);
export const requirement = z.enum(REQUIREMENTS);
/** ISO 3166-1 alpha-2 codes, and `EU` for all of its members. */
export const regions = z.array(z.enum(REGIONS)).min(1);

const caveat = line(1000)
  .refine((text) => text.length <= MAX_CAVEAT_CHARACTERS, {
    error: `a caveat has at most ${MAX_CAVEAT_CHARACTERS} characters`,
  })
  .refine((text) => sentences(text) <= MAX_CAVEAT_SENTENCES, {
    error: `a caveat has at most ${MAX_CAVEAT_SENTENCES} sentences`,
  });

/**
 * A price. It has figures only if the vendor's own words were read; details that those words do not give are null.
 */
const then = z
  .strictObject({
    text: line(160),
    source_url: https,
    plan: line(60).nullable().default(null),
    /** The price when paid monthly, if the vendor offers that: '49' or '12.50'. */
    amount: z
      .string()
      .regex(/^(?:0|[1-9]\d*)(?:\.\d{2})?$/, "must be an amount such as '49' or '12.50'")
      .nullable()
      .default(null),
    currency: z
      .string()
      .regex(/^[A-Z]{3}$/, 'must be a currency code such as USD')
      .nullable()
      .default(null),
    per: z.enum(['user', 'account', 'location']).nullable().default(null),
    period: z.enum(['month', 'year']).nullable().default(null),
    /** If the tool is priced per unit, the number of units in the first paid plan: after three free channels, four. */
    times: z.int().min(2).optional(),
    people: z.int().min(1).optional(),
    /** A day on which the vendor's page showed the words; null if unknown. */
    source_dated: z.iso.date().nullable().default(null),
  })
  .refine(
    ({ amount, currency, per, period }) =>
      new Set([amount, currency, per, period].map((part) => part === null)).size === 1,
    { path: ['amount'], error: 'amount, currency, per and period are given together' },
  );

const check = z.strictObject({
  /** The vendor's words, unchanged, with line breaks and Markdown marks. */
  quote: z.string().min(20, 'a quote has 20 to 220 characters').max(220, 'a quote has 20 to 220 characters'),
  language: z.string().regex(/^[a-z]{2}$/, 'must be a two-letter language code'),
  /** Our translation of a quote in another language. */
  quote_translation: z
    .strictObject({ text: line(300), language: z.literal('en') })
    .nullable()
    .default(null),
  source_url: https,
  checked_on: z.iso.date(),
  method: z.enum(CHECK_METHODS),
  /** The person who transcribed the vendor's words, and the day on which they were read. */
  transcribed_by: z
    .strictObject({ name: line(80), url: https, read_on: z.iso.date() })
    .nullable()
    .default(null),
  source_dated: z.iso.date().nullable(),
  status: z.enum(['found', 'failed', 'withdrawn']),
});

/** One listing as the public sees it; without the editor's private notes. */
const listing = z.strictObject({
  id: z.string().regex(/^[a-z0-9]+(?:-[a-z0-9]+)*$/, 'must be an id such as invoice-ninja'),
  name: line(80),
  vendor: line(80),
  homepage: https,
  categories: z.array(slug).min(1).max(12),
  /** `paid` means no free plan; a free trial does not count as one. Such a listing is never on a shelf. */
  pricing: z.enum(['free', 'freemium', 'open_source', 'paid']),
  /** Where the free version runs; a paid cloud does not count. */
  hosting: z.array(hosting).min(1).max(4),
  /** What an owner must have first. */
  requires: z.array(requirement).default([]),
  free_limits: line(160).nullable(),
  /** Limits of free use for one category, instead of `free_limits`. */
  limits_by_need: z.record(slug, line(160)).default({}),
  /** What ends free use, and the cost after that, or the cost of a tool without a free plan. */
  then: then.nullable().default(null),
  /** How the owner exports the data, as a sentence. */
  leave: line(160).nullable().default(null),
  /** An unavoidable cost: a share of each sale, or something that the use itself requires, such as web hosting. */
  cost: z
    .strictObject({ text: line(100), on: z.enum(['sales', 'use']) })
    .nullable()
    .default(null),
  team_size_max: z.int().min(1).max(10_000).nullable(),
  good_for: z.array(businessType).min(1),
  regions: regions.nullable(),
  licence: line(80).nullable(),
  caveats: z.array(caveat).max(6),
  /** The day on which an editor or an automatic check last changed these facts. */
  changed_on: z.iso.date(),
  check,
});

/** The editor's further knowledge about a listing; docs/directory.md explains each field. */
const editor = z.strictObject({
  /** SHA-256 of the quote, which reveals a changed quote; null until the checker has stored it. */
  quote_sha256: z
    .string()
    .regex(/^[0-9a-f]{64}$/)
    .nullable()
    .default(null),
  proves: z.enum(['limit', 'price', 'licence', 'mention']),
  /** The vendor says that the number of people is unlimited. */
  seats_unlimited: z.boolean().default(false),
  /** Each person opens a separate account; there is no central management. */
  own_accounts: z.boolean().default(false),
  /** The account that an owner signs up with, such as "Google account"; 'none' if the tool needs no account. */
  account: line(40).nullable().default(null),
  /** A step that takes days before the account can be opened, as a sentence. */
  first_step: line(160).nullable().default(null),
  /** The owner's account with another firm that pays the money out ("Stripe account"). */
  paid_into: line(40).nullable().default(null),
  /**
   * Payment firms of some countries that the tool also accepts. They are named only where an international firm does
   * not serve the country.
   */
  home_firms: z.array(line(40)).default([]),
  /** Like `paid_into`, but for paid features, such as paid posts of a newsletter. */
  extra_paid_into: line(40).nullable().default(null),
  /** Whether the shop allows counters and chat windows of other vendors. */
  open_site: z.boolean().default(false),
  /** Free use covers only one need: the first app is free, the second is not. */
  one_need_only: z.boolean().default(false),
  /** `cost.text` for some countries, with their own rates. */
  local_costs: z.record(z.string().regex(/^[A-Z]{2}$/, 'must be a country code'), line(100)).default({}),
  /** Caveats of the listing that do not concern every country, in its exact words. */
  local_caveats: z
    .array(z.strictObject({ caveat, regions: regions.optional(), not_regions: regions.optional() }))
    .max(6)
    .default([]),
  /**
   * Paid plans by the number of people that they cover (null: any number; 0: each person costs extra), with the monthly
   * price in the currency of `then`.
   */
  team_plans: z
    .array(
      z.strictObject({
        plan: line(40).nullable(),
        people: z.int().min(0).nullable(),
        amount: z.string().regex(/^\d+(?:\.\d{2})?$/),
        /** The price of each further person. */
        more: z
          .string()
          .regex(/^\d+(?:\.\d{2})?$/)
          .nullable()
          .default(null),
      }),
    )
    .max(6)
    .default([]),
  /** Other words, by the vendor or by a named third party, that our figures are based on. */
  also_read: z
    .array(
      z.strictObject({
        words: line(300),
        source_url: https,
        /** Needs whose function these words prove; for these needs, a report shows them next to the quote. */
        needs: z.array(slug).optional(),
      }),
    )
    .max(10)
    .default([]),
  /** The day on which the live source was last read, whatever the result. */
  refreshed_on: z.iso.date().nullable(),
  failure: z.strictObject({ reason: line(200), nearest_text: z.string().max(400).nullable() }).nullable(),
});

export const ListingFileSchema = listing
  .extend({ editor })
  .refine(({ pricing, licence }) => pricing !== 'open_source' || licence !== null, {
    path: ['licence'],
    error: 'an open-source listing names its licence',
  })
  .refine(
    ({ pricing, free_limits, limits_by_need, team_size_max }) =>
      pricing !== 'paid' ||
      (free_limits === null && team_size_max === null && Object.keys(limits_by_need).length === 0),
    { path: ['pricing'], error: 'a tool without a free plan has no limits of free use' },
  )
  .refine(({ pricing, editor }) => pricing !== 'paid' || editor.proves === 'price', {
    path: ['editor', 'proves'],
    error: 'the quote of a tool without a free plan shows its price',
  })
  .refine(({ caveats, editor }) => editor.local_caveats.every(({ caveat }) => caveats.includes(caveat)), {
    path: ['editor', 'local_caveats'],
    error: 'names a caveat that the listing does not have',
  })
  .refine(({ check, editor }) => (check.status === 'failed') === (editor.failure !== null), {
    path: ['editor', 'failure'],
    error: 'a failed check says why it failed, and no other does',
  })
  .refine(({ check }) => (check.method === 'transcription') === (check.transcribed_by !== null), {
    path: ['check', 'transcribed_by'],
    error: 'a transcription says who wrote the words down, and no other method does',
  })
  .refine(({ check }) => check.language === 'en' || check.quote_translation !== null, {
    path: ['check', 'quote_translation'],
    error: 'a quote in another language has a translation',
  })
  .refine(({ team_size_max, editor }) => team_size_max === null || !editor.seats_unlimited, {
    path: ['editor', 'seats_unlimited'],
    error: 'a team limit and no limit of people exclude each other',
  })
  .refine(
    ({ limits_by_need, categories }) =>
      Object.keys(limits_by_need).every((need) => categories.includes(need)),
    {
      path: ['limits_by_need'],
      error: 'names a category that the listing does not have',
    },
  )
  .refine(({ check: { transcribed_by, checked_on } }) => (transcribed_by?.read_on ?? '') <= checked_on, {
    path: ['check', 'transcribed_by', 'read_on'],
    error: 'the words were written down after the day they were read',
  })
  .refine(({ check: { source_dated, checked_on } }) => (source_dated ?? '') <= checked_on, {
    path: ['check', 'source_dated'],
    error: 'the text is dated after the date it was read',
  });

export type ListingFile = z.infer<typeof ListingFileSchema>;
/** A listing that may be placed on a shelf. */
export type FreeListingFile = ListingFile & { readonly pricing: Exclude<ListingFile['pricing'], 'paid'> };

/** A tool that owners ask for, but whose price we could not read on its vendor's pages. */
export const NotCheckedSchema = z.strictObject({
  ...listing.pick({
    id: true,
    name: true,
    vendor: true,
    homepage: true,
    categories: true,
    good_for: true,
    changed_on: true,
  }).shape,
  regions: regions.nullable().default(null),
  caveats: listing.shape.caveats.default([]),
});

export type NotChecked = z.infer<typeof NotCheckedSchema>;

const STRONG_MONTHS = 18;

/** The ISO day a number of months earlier. The result is only compared, so a day such as 31 February does no harm. */
export function monthsBefore(day: string, months: number): string {
  const index = Number(day.slice(0, 4)) * 12 + Number(day.slice(5, 7)) - 1 - months;
  const year = String(Math.floor(index / 12)).padStart(4, '0');
  return `${year}-${String((index % 12) + 1).padStart(2, '0')}${day.slice(7)}`;
}

/** The latest day on which the vendor's text is known to have been published; null if its age is unknown. */
const textDay = ({ check }: Pick<ListingFile, 'check'>): string | null =>
  check.method === 'live_page' ? check.checked_on : check.source_dated;

/**
 * How well the vendor's words support a pick as of `today`. `strong`: words of the last 18 months, or a license in the
 * vendor's own repository, which does not age like a price. `fair`: words that are older, undated, or transcribed by a
 * third party. `thin`: words that only mention that something is free.
 */
export function proofOf(
  tool: Pick<ListingFile, 'check'>,
  { proves }: Pick<ListingFile['editor'], 'proves'>,
  today: string,
): Proof {
  const { method } = tool.check;
  if (proves === 'mention') return 'thin';
  if (method === 'transcription') return 'fair';
  if (proves === 'licence' && method === 'vendor_repository') return 'strong';
  const day = textDay(tool);
  return day !== null && day >= monthsBefore(today, STRONG_MONTHS) ? 'strong' : 'fair';
}
