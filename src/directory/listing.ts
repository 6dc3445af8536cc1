import { z } from 'zod';
import { REGIONS } from '../domain/regions.ts';
import { BUSINESS_TYPES, CHECK_METHODS, REQUIREMENTS } from '../domain/stack-report-types.ts';

const MAX_CAVEAT_CHARACTERS = 240;
const MAX_CAVEAT_SENTENCES = 2;

const sentences = (text: string) => text.match(/[.!?](?=\s|$)/g)?.length ?? 0;

export const https = z.url({ protocol: /^https$/, error: 'must be an https address' }).max(500);
export const slug = z.string().regex(/^[a-z0-9]+(?:_[a-z0-9]+)*$/, 'must be a slug such as email_marketing');
export const line = (max: number) => z.string().trim().min(1).max(max);
const businessType = z.enum(BUSINESS_TYPES);
const hosting = z.enum(['saas', 'self_hosted', 'desktop', 'mobile']);
export const requirement = z.enum(REQUIREMENTS);
/** ISO 3166-1 alpha-2 codes, and `EU` for its members together. */
export const regions = z.array(z.enum(REGIONS)).min(1);

const caveat = line(1000)
  .refine((text) => text.length <= MAX_CAVEAT_CHARACTERS, {
    error: `a caveat has at most ${MAX_CAVEAT_CHARACTERS} characters`,
  })
  .refine((text) => sentences(text) <= MAX_CAVEAT_SENTENCES, {
    error: `a caveat has at most ${MAX_CAVEAT_SENTENCES} sentences`,
  });

/** A price, with figures only where words of the vendor were read; null for what they do not say. */
const then = z
  .strictObject({
    text: line(160),
    source_url: https,
    plan: line(60).nullable().default(null),
    /** What it costs when paid month by month, where the vendor offers that: '49' or '12.50'. */
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
    /** How many the first paid use has of what is paid by the piece: after three free channels, four. */
    times: z.int().min(2).optional(),
    people: z.int().min(1).optional(),
    /** A day on which the words stood there; null when not known. */
    source_dated: z.iso.date().nullable().default(null),
  })
  .refine(
    ({ amount, currency, per, period }) =>
      new Set([amount, currency, per, period].map((part) => part === null)).size === 1,
    { path: ['amount'], error: 'amount, currency, per and period are given together' },
  );

const check = z.strictObject({
  /** The vendor's words, raw: line breaks and Markdown marks included. */
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
  /** Who wrote the vendor's words down, and when they were read there. */
  transcribed_by: z
    .strictObject({ name: line(80), url: https, read_on: z.iso.date() })
    .nullable()
    .default(null),
  source_dated: z.iso.date().nullable(),
  status: z.enum(['found', 'failed', 'withdrawn']),
});

/** One listing as the public sees it; the editor's own notes are not part of it. */
const listing = z.strictObject({
  id: z.string().regex(/^[a-z0-9]+(?:-[a-z0-9]+)*$/, 'must be an id such as invoice-ninja'),
  name: line(80),
  vendor: line(80),
  homepage: https,
  categories: z.array(slug).min(1).max(12),
  /** `paid`: no free plan, where a free trial is none; such a listing is never on a shelf. */
  pricing: z.enum(['free', 'freemium', 'open_source', 'paid']),
  /** Where the free use runs; a paid cloud is not among them. */
  hosting: z.array(hosting).min(1).max(4),
  /** What has to be there first. */
  requires: z.array(requirement).default([]),
  free_limits: line(160).nullable(),
  /** Limits of the free use that hold for one category only, in place of `free_limits`. */
  limits_by_need: z.record(slug, line(160)).default({}),
  /** What ends the free use and what it costs then, or what a tool without a free plan costs. */
  then: then.nullable().default(null),
  /** How the owner gets the data out again, as a sentence. */
  leave: line(160).nullable().default(null),
  /** What cannot be avoided: a share of each sale, or something that the use itself costs, such as web hosting. */
  cost: z
    .strictObject({ text: line(100), on: z.enum(['sales', 'use']) })
    .nullable()
    .default(null),
  team_size_max: z.int().min(1).max(10_000).nullable(),
  good_for: z.array(businessType).min(1),
  regions: regions.nullable(),
  licence: line(80).nullable(),
  caveats: z.array(caveat).max(6),
  /** The day on which an editor or a look at the source last changed what is said here. */
  changed_on: z.iso.date(),
  check,
});

/** What the editor knows about a listing besides; docs/directory.md explains each field. */
const editor = z.strictObject({
  /** SHA-256 of the quote, so that an altered one is noticed; null until the checker has pinned it. */
  quote_sha256: z
    .string()
    .regex(/^[0-9a-f]{64}$/)
    .nullable()
    .default(null),
  proves: z.enum(['limit', 'price', 'licence', 'mention']),
  /** The vendor says that there is no limit of people. */
  seats_unlimited: z.boolean().default(false),
  /** Each person opens an account of their own, and nothing is managed for all. */
  own_accounts: z.boolean().default(false),
  /** The account it is opened with where several tools share one ("Google account"); 'none' where there is none. */
  account: line(40).nullable().default(null),
  /** What takes days before the account can be opened, as a sentence. */
  first_step: line(160).nullable().default(null),
  /** The owner's own account with another firm through which the money comes ("Stripe account"). */
  paid_into: line(40).nullable().default(null),
  /** Firms of some countries that it takes as well, named where not all of the former serve. */
  home_firms: z.array(line(40)).default([]),
  /** The same for money that is no part of the free use: paid posts of a newsletter. */
  extra_paid_into: line(40).nullable().default(null),
  /** A shop that lets counters and chat windows of others in. */
  open_site: z.boolean().default(false),
  /** The free use covers one need only: the first app is free, the second is not. */
  one_need_only: z.boolean().default(false),
  /** Paid plans by the people whom they cover (null: any number; 0: each costs more), with their monthly price in the currency of `then`. */
  team_plans: z
    .array(
      z.strictObject({
        plan: line(40),
        people: z.int().min(0).nullable(),
        amount: z.string().regex(/^\d+(?:\.\d{2})?$/),
        /** What each further person costs. */
        more: z
          .string()
          .regex(/^\d+(?:\.\d{2})?$/)
          .nullable()
          .default(null),
        /** What the plan counts besides people: “50 jobs a month”. */
        limit: line(40).nullable().default(null),
      }),
    )
    .max(6)
    .default([]),
  /** Other words of the vendor's, or of a named reader, that our figures rest on. */
  also_read: z
    .array(z.strictObject({ words: line(300), source_url: https }))
    .max(10)
    .default([]),
  /** The day of the last look at the live source, whatever it showed. */
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
    error: 'the text is dated after the day it was read',
  });

export type ListingFile = z.infer<typeof ListingFileSchema>;
/** A listing that may stand on a shelf. */
export type FreeListingFile = ListingFile & { readonly pricing: Exclude<ListingFile['pricing'], 'paid'> };

/** A tool that owners ask for and of which no words of the vendor about its price could be read. */
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
