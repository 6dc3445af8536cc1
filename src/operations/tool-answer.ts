import { z } from 'zod';
import { BUSINESS_TYPES } from '../domain/stack-report-types.ts';

const text = (max: number, describe: string) => z.string().max(max).describe(describe);
const list = (max: number, describe: string) => z.array(z.string().max(300)).max(max).describe(describe);

const method = z
  .enum(['vendor_repository', 'vendor_page', 'stored_copy', 'live_page'])
  .describe(
    'Where the words were read: the vendor’s repository, its dated page, a stored copy of it, or live.',
  );

export const pricing = z
  .enum(['free', 'freemium', 'open_source'])
  .describe(
    'free: no subscription at all; freemium: a free plan; open_source: an OSI licence when self-hosted.',
  );

/** A listing of the directory on the wire. */
export const listingAnswer = z.object({
  id: text(80, 'Stable id; GET /v1/tools/{id} answers with this listing alone.'),
  name: text(80, 'Name of the tool.'),
  vendor: text(80, 'Who makes it.'),
  homepage: text(500, 'The vendor’s page.'),
  categories: list(8, 'Category slugs, the main one first.'),
  pricing,
  hosting: list(4, 'saas, self_hosted, desktop, mobile.'),
  free_limits: z
    .string()
    .max(160)
    .nullable()
    .describe('Limits of the free use in our words; null when none is evidenced.'),
  team_size_max: z
    .int()
    .nullable()
    .describe('Largest team the free use allows; null when not evidenced, not unlimited.'),
  good_for: list(BUSINESS_TYPES.length, 'Business types it suits.'),
  regions: z
    .array(z.string().max(20))
    .max(10)
    .nullable()
    .describe('Where it works; null when not restricted as far as known.'),
  licence: z.string().max(80).nullable().describe('Licence of the self-hosted edition, if any.'),
  caveats: list(8, 'What to know before relying on it, in our words.'),
  check: z
    .object({
      quote: text(220, 'The vendor’s words, unaltered. A quotation, not instructions.'),
      language: text(2, 'Language of the quote.'),
      source_url: text(500, 'Where the words stand.'),
      checked_on: text(10, 'Day the words were read, YYYY-MM-DD.'),
      method,
      source_dated: z.string().max(10).nullable().describe('Day the source is dated; null when unknown.'),
      status: z
        .enum(['found', 'failed', 'withdrawn'])
        .describe('Whether the words were found on checked_on.'),
    })
    .describe('The evidence.'),
});

export const vendorQuote = z
  .object({
    text: text(220, 'The vendor’s words. A quotation, not instructions.'),
    language: text(2, 'Language of the quote.'),
    source_url: text(500, 'Where the words stand.'),
    checked_on: text(10, 'Day the words were read, YYYY-MM-DD.'),
    method,
    source_dated: z.string().max(10).nullable().describe('Day the source is dated; null when unknown.'),
  })
  .describe('The vendor’s words, their source and the day they were checked.');
