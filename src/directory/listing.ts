import { z } from 'zod';
import { BUSINESS_TYPES } from '../domain/stack-report-types.ts';

const MAX_CAVEAT_CHARACTERS = 240;
const MAX_CAVEAT_SENTENCES = 2;

const sentences = (text: string) => text.match(/[.!?](?=\s|$)/g)?.length ?? 0;

const https = z.url({ protocol: /^https$/, error: 'must be an https address' }).max(500);
const slug = z.string().regex(/^[a-z0-9]+(?:_[a-z0-9]+)*$/, 'must be a slug such as email_marketing');
const line = (max: number) => z.string().trim().min(1).max(max);
const businessType = z.enum(BUSINESS_TYPES);
const hosting = z.enum(['saas', 'self_hosted', 'desktop', 'mobile']);

const caveat = line(1000)
  .refine((text) => text.length <= MAX_CAVEAT_CHARACTERS, {
    error: `a caveat has at most ${MAX_CAVEAT_CHARACTERS} characters`,
  })
  .refine((text) => sentences(text) <= MAX_CAVEAT_SENTENCES, {
    error: `a caveat has at most ${MAX_CAVEAT_SENTENCES} sentences`,
  });

const check = z.strictObject({
  /** The vendor's words, raw: line breaks and Markdown marks included. */
  quote: z.string().min(20, 'a quote has 20 to 220 characters').max(220, 'a quote has 20 to 220 characters'),
  language: z.string().regex(/^[a-z]{2}$/, 'must be a two-letter language code'),
  source_url: https,
  checked_on: z.iso.date(),
  method: z.enum(['vendor_repository', 'vendor_page', 'stored_copy', 'live_page']),
  source_dated: z.iso.date().nullable(),
  status: z.enum(['found', 'failed', 'withdrawn']),
});

/** One listing as the public sees it; the editor's own notes are not part of it. */
const publicListing = z.strictObject({
  id: z.string().regex(/^[a-z0-9]+(?:-[a-z0-9]+)*$/, 'must be an id such as invoice-ninja'),
  name: line(80),
  vendor: line(80),
  homepage: https,
  categories: z.array(slug).min(1).max(8),
  pricing: z.enum(['free', 'freemium', 'open_source']),
  hosting: z.array(hosting).min(1).max(4),
  free_limits: line(160).nullable(),
  team_size_max: z.int().min(1).max(10_000).nullable(),
  good_for: z.array(businessType).min(1),
  regions: z
    .array(z.enum(['CA', 'DE', 'Europe', 'UK', 'US']))
    .min(1)
    .nullable(),
  licence: line(80).nullable(),
  caveats: z.array(caveat).max(6),
  check,
});

/** What the editor knows about a listing and the ranking needs; docs/directory.md explains each field. */
const editor = z.strictObject({
  weak: z.enum(['undated_commit', 'old_text', 'limits_unproven']).nullable(),
  proves: z.enum(['limit', 'price', 'licence', 'mention']),
  free_on: z.array(hosting).min(1).max(4),
  developer_only: z.boolean(),
  requires: line(60).nullable(),
  kinds: z.record(slug, slug),
  tight_limit: z.boolean(),
  usable_for_good: z.boolean(),
  /** The day of the last look at the live source, whatever it showed. */
  refreshed_on: z.iso.date().nullable(),
  failure: z.strictObject({ reason: line(200), nearest_text: z.string().max(400).nullable() }).nullable(),
});

export const ListingFileSchema = publicListing
  .extend({ editor })
  .refine(({ pricing, licence }) => pricing !== 'open_source' || licence !== null, {
    path: ['licence'],
    error: 'an open-source listing names its licence',
  })
  .refine(({ check, editor }) => (check.status === 'failed') === (editor.failure !== null), {
    path: ['editor', 'failure'],
    error: 'a failed check says why it failed, and no other does',
  })
  .refine(({ hosting, editor }) => editor.free_on.every((kind) => hosting.includes(kind)), {
    path: ['editor', 'free_on'],
    error: 'a tool is free only where it runs',
  });

export type Listing = z.infer<typeof publicListing>;
export type ListingFile = z.infer<typeof ListingFileSchema>;

/** A tool that owners name often but whose vendor evidence is still wanted; never part of an answer. */
export const LeadSchema = z.strictObject({
  id: publicListing.shape.id,
  name: line(80),
  vendor: line(80),
  homepage: https,
  source_url: https,
  categories: z.array(slug).min(1).max(8),
  expected: z.enum(['free_plan', 'not_free_or_doubtful']),
});
export type Lead = z.infer<typeof LeadSchema>;

export const LeftOutSchema = z.strictObject({ id: publicListing.shape.id, reason: line(240) });
