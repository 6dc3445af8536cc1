import { z } from 'zod';
import { integerOr } from '../catalog/number-fields.ts';
import { type Context, operation, type Partly, usd } from '../catalog/operation.ts';
import { choice, flagOr, words } from '../catalog/word-fields.ts';
import type { Directory } from '../directory/directory.ts';
import { dayText } from '../domain/calendar.ts';
import type { Fault } from '../domain/result.ts';
import { stackReport } from '../domain/stack-report.ts';
import { BUSINESS_TYPES } from '../domain/stack-report-types.ts';
import { pricing, vendorQuote } from './tool-answer.ts';
import { unknownCategory } from './tools.ts';

const input = z.strictObject({
  business_type: choice(BUSINESS_TYPES, { describe: 'What kind of business.', example: 'trades' }),
  needs: words({
    describe: 'Categories to add to those of the business type: slugs or common words, comma separated.',
    maxWords: 20,
    maxCodePoints: 60,
    example: 'e_signature,backup',
  }),
  team_size: integerOr(
    { describe: 'People who would use the tools. Default: not given.', min: 1, max: 10_000 },
    null,
  ),
  free_only: flagOr({ describe: 'true: only tools that do the job without ever paying.' }, false),
});

const text = (max: number, describe: string) => z.string().max(max).describe(describe);
const list = (max: number, describe: string) => z.array(z.string().max(600)).max(max).describe(describe);

const alternative = z.object({
  id: text(80, 'Id of the listing.'),
  name: text(80, 'Name of the tool.'),
  homepage: text(500, 'The vendor’s page.'),
  pricing,
  why: text(600, 'Why it is the alternative.'),
  vendor_quote: vendorQuote,
});

const pick = z.object({
  need: text(60, 'Category slug of the need.'),
  need_name: text(80, 'Name of the need for people.'),
  tool: z
    .object({
      id: text(80, 'Id of the listing.'),
      name: text(80, 'Name of the tool.'),
      vendor: text(80, 'Who makes it.'),
      homepage: text(500, 'The vendor’s page.'),
      categories: list(8, 'Category slugs, the main one first.'),
      pricing,
      hosting: list(4, 'saas, self_hosted, desktop, mobile.'),
      free_limits: z.string().max(160).nullable().describe('Limits of the free use in our words.'),
      team_size_max: z
        .int()
        .nullable()
        .describe('Largest team the free use allows; null when not evidenced.'),
      regions: z.array(z.string().max(20)).max(10).nullable().describe('Where it works, if restricted.'),
      licence: z.string().max(80).nullable().describe('Licence of the self-hosted edition, if any.'),
    })
    .describe('The one tool picked for this need.'),
  vendor_quote: vendorQuote,
  why: list(12, 'Reasons, each a fact of the listing.'),
  caveats: list(12, 'What to know before relying on it.'),
  alternatives: z
    .array(alternative)
    .max(2)
    .describe('Two others, of another hosting kind where there is one.'),
  also_covers: list(50, 'Other needs of this report that the tool meets.'),
});

const output = z.object({
  business_type: z.enum(BUSINESS_TYPES).describe('What was asked for.'),
  team_size: z.int().nullable().describe('What was asked for.'),
  free_only: z.boolean().describe('What was asked for.'),
  generated_on: text(10, 'Day of the report (UTC).'),
  picks: z.array(pick).max(60).describe('One tool per need, in the order to set them up.'),
  unmet: z
    .array(
      z.object({ need: text(60, 'Category slug.'), reason: text(600, 'Why no checked listing meets it.') }),
    )
    .max(60)
    .describe('Needs without a pick; none is dropped silently.'),
  getting_started: list(20, 'What to do first, in order.'),
  caveats: list(20, 'What to know about the report as a whole.'),
  directory: z
    .object({
      listings: z.int().describe('Listings that were considered.'),
      oldest_check: text(10, 'Day of the oldest check.'),
      newest_check: text(10, 'Day of the newest check.'),
    })
    .describe('The directory behind the report.'),
});

/** The report worth a dollar: one checked tool per need of a business. */
export default function stackReportOperation(directory: Directory) {
  const check = ({ business_type: type, needs }: Partly<z.output<typeof input>>): readonly Fault[] =>
    (needs ?? []).flatMap((word, index) =>
      directory.category(word, type) === null ? [unknownCategory(directory, `/needs/${index}`, word)] : [],
    );

  return operation({
    name: 'small_business_stack_report',
    operationId: 'getStackReport',
    title: 'Free-tool stack report (paid)',
    summary: 'One checked free tool per need of a business',
    description:
      'Paid: 1 USDC on Base via x402. For a business type, one checked free or freemium tool per need, with the vendor’s words, check date, alternatives and caveats. Call without payment to get the price challenge; invalid input is never charged.',
    route: { method: 'GET', path: '/v1/stack-report', alsoByPost: true },
    page: {
      path: '/stack-report',
      heading: 'Free software for your business',
      summary:
        'One free tool per need of your business, each with the vendor’s words, their source and the day they were checked. USD 1.',
      lead: 'Tell us what kind of business you run: for each thing it needs, one free tool from the checked directory, why this one, what to know, and what else would do.',
      view: 'report',
    },
    price: usd('1.00'),
    input,
    output,
    example: { business_type: 'trades', team_size: 4 },
    check,
    run: (values, { today }: Context) => {
      const result = stackReport(
        {
          businessType: values.business_type,
          needs: values.needs.flatMap((word) => directory.category(word, values.business_type)?.slug ?? []),
          teamSize: values.team_size,
          freeOnly: values.free_only,
          generatedOn: dayText(today),
        },
        directory,
      );
      return result.ok
        ? { kind: 'answer', body: result.report as unknown as z.input<typeof output> }
        : { kind: 'no_answer', detail: result.reason };
    },
  });
}
