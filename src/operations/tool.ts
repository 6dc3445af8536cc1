import { z } from 'zod';
import * as field from '../catalog/fields.ts';
import { operation } from '../catalog/operation.ts';
import type { Directory } from '../directory/directory.ts';
import {
  BUSINESS_TYPES,
  CHECK_METHODS,
  HOSTING_WORDS,
  METHOD_WORDS,
  PROOF_WORDS,
  PROOFS,
  REQUIREMENTS,
} from '../domain/directory-labels.ts';
import { nullableText, object, oneOf, orNull, text, texts } from './answer-fields.ts';

const legend = (words: Readonly<Record<string, string>>): string =>
  Object.entries(words)
    .map(([code, meaning]) => `${code}: ${meaning}`)
    .join('; ');

const method = oneOf(CHECK_METHODS, `Where the quotation was read. ${legend(METHOD_WORDS)}.`);

const proof = oneOf(PROOFS, `How well the quotation proves that the tool is free. ${legend(PROOF_WORDS)}.`);

export const requires = z.array(z.enum(REQUIREMENTS)).max(8).describe('What you need before you can use it.');

export const regions = orNull(
  z.array(z.string().max(2)).max(60),
  'ISO 3166-1 alpha-2 codes and EU; null if no limit is known, but there may be one.',
);

const FREE_PRICING = ['free', 'freemium', 'open_source'] as const;
const FREE_MEANING =
  'free: no subscription at all; freemium: a free plan; open_source: an OSI license when self-hosted.';
const pricing = oneOf(FREE_PRICING, FREE_MEANING);

export const hosting = texts(4, 300, `Where the free version runs. ${legend(HOSTING_WORDS)}.`);

const transcriber = z.object({
  name: text(80, 'Name of the third party that copied the quotation.'),
  read_on: text(10, 'Date on which it was copied from the vendor, YYYY-MM-DD.'),
});

const evidence = {
  language: text(2, 'Language of the quotation.'),
  source_url: text(500, 'Page with the quotation.'),
  checked_on: text(10, 'Date on which we read the quotation, YYYY-MM-DD.'),
  method,
  transcribed_by: orNull(
    transcriber.extend({ url: text(500, 'Page with the copy.') }),
    'Third party that copied the quotation, or null.',
  ),
  source_dated: nullableText(10, 'Date of the source; null if unknown.'),
};

const then = z.object({
  text: text(160, 'Summary in our words.'),
  source_url: text(500, 'Page that states this.'),
  plan: nullableText(60, 'Plan with this price.'),
  amount: nullableText(20, 'Price per billing period, as a decimal.'),
  currency: nullableText(3, 'ISO 4217.'),
  per: oneOf(['user', 'account', 'location'], 'Billing unit.').nullable().describe('Billing unit.'),
  period: oneOf(['month', 'year'], 'Billing period.').nullable().describe('Billing period.'),
  source_dated: nullableText(10, 'Date on which the page stated this; null if unknown.'),
});

/** A listing of the directory on the wire. */
export const listingAnswer = z.object({
  id: text(80, 'Stable id; GET /v1/tools/{id} returns only this listing.'),
  name: text(80, 'Name of the tool.'),
  vendor: text(80, 'Vendor.'),
  homepage: text(500, 'The vendor’s page.'),
  categories: texts(12, 300, 'Categories, the main one first.'),
  pricing,
  hosting,
  requires,
  free_limits: nullableText(160, 'Limits of free use in our words; null if the vendor does not state any.'),
  limits_by_need: z
    .record(z.string().max(60), z.string().max(160))
    .describe('Limits for one category, which replace free_limits there.'),
  then: orNull(then, 'What ends free use and what the tool costs then; null if the price was not checked.'),
  leave: nullableText(160, 'How to export your data, in our words.'),
  cost: orNull(
    z.object({
      text: text(100, 'Summary in our words.'),
      on: oneOf(['sales', 'use'], 'sales: a share of each sale; use: a charge for using it.'),
    }),
    'Unavoidable cost, if any.',
  ),
  team_size_max: orNull(z.int(), 'Maximum number of people for free; null if not stated or unlimited.'),
  seats_unlimited: z.boolean().describe('true: unlimited people.'),
  good_for: texts(BUSINESS_TYPES.length, 300, 'Business types it suits.'),
  regions,
  licence: nullableText(80, 'License of the self-hosted edition, if any.'),
  caveats: texts(8, 300, 'What to know before you rely on the tool, in our words.'),
  changed_on: text(10, 'Date of the last change, YYYY-MM-DD.'),
  proof,
  check: object('The evidence.', {
    quote: text(220, 'The vendor’s text, unaltered. A quotation, not instructions.'),
    quote_translation: orNull(
      z.object({ text: text(300, 'Our translation.'), language: text(2, 'Language of the translation.') }),
      'Present if the quotation is not in English.',
    ),
    ...evidence,
    status: oneOf(['found', 'failed', 'withdrawn'], 'Whether the quotation was found on checked_on.'),
  }),
});

/** A tool of the directory by its id: a listing, or a well-known tool without a free plan. */
const toolAnswer = listingAnswer.extend({
  pricing: oneOf(
    [...FREE_PRICING, 'paid', 'not_checked'],
    `${FREE_MEANING} paid: no free plan; not_checked: the vendor’s page could not be read.`,
  ),
  proof: orNull(proof, 'How well the quotation proves that the tool is free; null without a quotation.'),
  check: orNull(listingAnswer.shape.check, 'The evidence; null if the tool was not checked.'),
});

export const vendorQuote = object('Quotation from the vendor, with its source and the date it was read.', {
  text: text(220, 'The vendor’s text. A quotation, not instructions.'),
  ...evidence,
  language: evidence.language.optional().describe('Language of the quotation, if not English.'),
  translation: text(300, 'Our translation, if not English.').optional(),
  transcribed_by: transcriber
    .optional()
    .describe('Third party that copied the quotation; its page is in the listing.'),
  source_dated: text(10, 'Date of the source, if known.').optional(),
  proof,
});

/** One listing in the directory; an unknown or withdrawn id is not found. */
export default function tool(directory: Directory) {
  const [first] = directory.listings;
  if (first === undefined) throw new Error('The directory is empty');
  return operation({
    name: 'tool',
    operationId: 'getTool',
    title: 'One listing in the directory',
    summary: 'One checked free tool',
    description:
      'Free. One tool in the directory: what is free, a quotation from the vendor with its source and the date it was read, and caveats. A tool without a free plan has pricing paid.',
    route: { method: 'GET', path: '/v1/tools/{id}' },
    tool: false,
    page: {
      path: '/tools/{id}',
      heading: 'One checked free tool',
      summary: 'What is free, quoted from the vendor, with the source and the date it was read.',
      lead: '',
    },
    price: null,
    input: {
      id: field.text({
        describe: 'Id of the listing, from GET /v1/tools.',
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
            detail: 'No listing has this id, or it was withdrawn. GET /v1/tools lists all tools.',
          }
        : { kind: 'answer', body: listing };
    },
  });
}
