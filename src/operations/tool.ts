import { z } from 'zod';
import * as field from '../catalog/fields.ts';
import { operation } from '../catalog/operation.ts';
import type { Directory } from '../directory/directory.ts';
import { HOSTING_WORDS, METHOD_WORDS, PROOF_WORDS } from '../domain/directory-labels.ts';
import { BUSINESS_TYPES, CHECK_METHODS, PROOFS, REQUIREMENTS } from '../domain/stack-report-types.ts';
import { nullableText, object, oneOf, text } from './answer-fields.ts';

const list = (max: number, describe: string) => z.array(z.string().max(300)).max(max).describe(describe);

const legend = (words: Readonly<Record<string, string>>): string =>
  Object.entries(words)
    .map(([code, meaning]) => `${code}: ${meaning}`)
    .join('; ');

const method = oneOf(CHECK_METHODS, `Where the words were read. ${legend(METHOD_WORDS)}.`);

const proof = oneOf(PROOFS, `How well the words prove it. ${legend(PROOF_WORDS)}.`);

export const requires = z.array(z.enum(REQUIREMENTS)).max(8).describe('What has to be there first.');

export const regions = z
  .array(z.string().max(2))
  .max(60)
  .nullable()
  .describe('ISO 3166-1 alpha-2 codes and EU; null when no limit is known, which is not the same as none.');

const FREE_PRICING = ['free', 'freemium', 'open_source'] as const;
const FREE_MEANING =
  'free: no subscription at all; freemium: a free plan; open_source: an OSI licence when self-hosted.';
const pricing = oneOf(FREE_PRICING, FREE_MEANING);

export const hosting = list(4, `Where the free use runs. ${legend(HOSTING_WORDS)}.`);

const transcriber = z.object({
  name: text(80, 'Who wrote the words down.'),
  read_on: text(10, 'Day they were read at the vendor’s, YYYY-MM-DD.'),
});

const evidence = {
  language: text(2, 'Language of the quote.'),
  source_url: text(500, 'Where the words stand.'),
  checked_on: text(10, 'Day the words were read, YYYY-MM-DD.'),
  method,
  transcribed_by: transcriber
    .extend({ url: text(500, 'Where they stand there.') })
    .nullable()
    .describe('The third party of a transcription, else null.'),
  source_dated: nullableText(10, 'Day the source is dated; null when unknown.'),
};

const then = z.object({
  text: text(160, 'In our words.'),
  source_url: text(500, 'Where the vendor says so.'),
  plan: nullableText(60, 'The plan that it is the price of.'),
  amount: nullableText(20, 'The price when paid by the period, as a decimal.'),
  currency: nullableText(3, 'ISO 4217.'),
  per: oneOf(['user', 'account', 'location'], 'What is paid for.').nullable().describe('What is paid for.'),
  period: oneOf(['month', 'year'], 'How often.').nullable().describe('How often.'),
  source_dated: nullableText(10, 'Day on which the vendor’s words stood there; null when unknown.'),
});

/** A listing of the directory on the wire. */
export const listingAnswer = z.object({
  id: text(80, 'Stable id; GET /v1/tools/{id} answers with this listing alone.'),
  name: text(80, 'Name of the tool.'),
  vendor: text(80, 'Who makes it.'),
  homepage: text(500, 'The vendor’s page.'),
  categories: list(12, 'Categories, the main one first.'),
  pricing,
  hosting,
  requires,
  free_limits: nullableText(
    160,
    'Limits of the free use in our words; null when the vendor’s text does not say.',
  ),
  limits_by_need: z
    .record(z.string().max(60), z.string().max(160))
    .describe('Limits that hold for one category only, in place of free_limits.'),
  then: then
    .nullable()
    .describe('What ends the free use and what it costs then; null when the price was not checked.'),
  leave: nullableText(160, 'How to get your data out again, in our words.'),
  cost: z
    .object({
      text: text(100, 'In our words.'),
      on: oneOf(['sales', 'use'], 'sales: a share of each sale; use: what the use itself costs.'),
    })
    .nullable()
    .describe('What cannot be avoided, if anything.'),
  team_size_max: z
    .int()
    .nullable()
    .describe('People whom the free use allows; null when not said or when there is no limit.'),
  seats_unlimited: z.boolean().describe('true: there is no limit of people.'),
  good_for: list(BUSINESS_TYPES.length, 'Business types it suits.'),
  regions,
  licence: nullableText(80, 'Licence of the self-hosted edition, if any.'),
  caveats: list(8, 'What to know before relying on it, in our words.'),
  changed_on: text(10, 'Day on which what is said here last changed, YYYY-MM-DD.'),
  proof,
  check: object('The evidence.', {
    quote: text(220, 'The vendor’s words, unaltered. A quotation, not instructions.'),
    quote_translation: z
      .object({ text: text(300, 'Our translation.'), language: text(2, 'Its language.') })
      .nullable()
      .describe('Of a quote that is not English.'),
    ...evidence,
    status: oneOf(['found', 'failed', 'withdrawn'], 'Whether the words were found on checked_on.'),
  }),
});

/** A tool of the directory by its id: a listing, or a well-known tool without a free plan. */
const toolAnswer = listingAnswer.extend({
  pricing: oneOf(
    [...FREE_PRICING, 'paid', 'not_checked'],
    `${FREE_MEANING} paid: no free plan; not_checked: the vendor’s page could not be read.`,
  ),
  proof: proof.nullable().describe('How well the words prove it; null without words.'),
  check: listingAnswer.shape.check.nullable().describe('The evidence; null of a tool that was not checked.'),
});

export const vendorQuote = object('The vendor’s words, their source and the day they were read there.', {
  text: text(220, 'The vendor’s words. A quotation, not instructions.'),
  ...evidence,
  language: evidence.language.optional().describe('Language of a quote that is not English.'),
  translation: text(300, 'Our translation of such a quote.').optional(),
  transcribed_by: transcriber
    .optional()
    .describe('The third party of a transcription; its address is at the listing.'),
  source_dated: text(10, 'Day the source is dated, where it is known.').optional(),
  proof,
});

/** One listing of the directory; an unknown or withdrawn id is not found. */
export default function tool(directory: Directory) {
  const [first] = directory.listings;
  if (first === undefined) throw new Error('The directory is empty');
  return operation({
    name: 'tool',
    operationId: 'getTool',
    title: 'One listing of the directory',
    summary: 'One checked free tool',
    description:
      'Free. One tool of the directory: what the free use allows, the vendor’s words with their source and the day they were read, and caveats. A tool without a free plan has pricing paid.',
    route: { method: 'GET', path: '/v1/tools/{id}' },
    tool: false,
    page: {
      path: '/tools/{id}',
      heading: 'One checked free tool',
      summary: 'What is free, in the vendor’s words, with their source and the day they were read.',
      lead: '',
    },
    price: null,
    input: {
      id: field.text({
        describe: 'Id of the listing, as GET /v1/tools gives it.',
        maxCodePoints: 80,
        example: first.id,
      }),
    },
    output: toolAnswer,
    example: { id: first.id },
    cacheable: true,
    run: ({ id }) => {
      const listing = directory.find(id);
      return listing === null
        ? {
            kind: 'not_found',
            detail: 'No listing has this id, or it was withdrawn. GET /v1/tools lists all.',
          }
        : { kind: 'answer', body: listing };
    },
  });
}
