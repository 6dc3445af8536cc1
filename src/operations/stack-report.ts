import { z } from 'zod';
import type { ValuesOf } from '../catalog/field.ts';
import * as field from '../catalog/fields.ts';
import { type Context, operation, type PartialInput, usd } from '../catalog/operation.ts';
import type { Directory } from '../directory/directory.ts';
import { dayText } from '../domain/calendar.ts';
import { BUSINESS_TYPES } from '../domain/directory-labels.ts';
import type { Fault } from '../domain/result.ts';
import { stackReport } from '../report/report.ts';
import { MAX_TRADE_CHARACTERS, tradeOf, worthPayingFor } from '../trades/trades.ts';
import { listOf, nullableText, object, oneOf, text, texts, whole } from './answer-fields.ts';
import { hosting, regions, vendorQuote } from './tool.ts';
import { unknownCategory } from './tools.ts';

const input = {
  business_type: field.choice(BUSINESS_TYPES, {
    describe: 'Type of business closest to yours.',
    example: 'trades',
  }),
  needs: field.words({
    describe:
      'Further needs, beyond those of your type of business, separated by commas: e_signature,backup.',
    maxWords: 20,
    maxCodePoints: 60,
    example: 'e_signature,backup',
  }),
  team_size: field.integer({
    describe: 'People who would use the tools.',
    min: 1,
    max: 10_000,
    default: null,
  }),
  free_only: field.flag({
    describe: 'Only tools without any cost. A tool for taking payments may charge a fee per sale.',
    default: false,
  }),
  country: field.country({
    describe:
      'Country of the business: two letters such as GB (ISO 3166-1). Default: none; then tools that serve every country come first.',
    example: 'GB',
  }),
  trade: field.text({
    describe: 'Your trade in your own words, such as nail salon or food truck. Its tools come first.',
    maxCodePoints: MAX_TRADE_CHARACTERS,
    default: undefined,
  }),
  format: field.choice(['json', 'markdown'], {
    describe:
      'markdown: also returns the report as text in the field markdown. Both formats are one purchase.',
    default: 'json',
  }),
};

const wellKnown = listOf(2, 'Well-known tools that owners often ask about.', {
  name: text(80, 'Name of the tool.'),
  homepage: text(500, 'The vendor’s page.'),
  why_not_picked: text(200, 'Why it is not the pick.'),
  home: z.boolean().describe('true: the tool serves your country and few others.').optional(),
});

const alternative = z.object({
  id: text(80, 'Id of the listing: GET /v1/tools/{id} returns its page, quotation and caveats.'),
  name: text(80, 'Name of the tool.'),
  plus: text(160, 'Advantage.'),
  minus: text(240, 'Disadvantage.'),
});

const atHome = listOf(2, 'If no country was sent: better tools for some countries.', {
  id: text(80, 'Id of the listing.'),
  name: text(80, 'Name of the tool.'),
  regions,
});

const freeUntil = nullableText(160, 'Limit of free use; null if the vendor does not state one.');
const cost = text(100, 'Unavoidable cost, such as a fee on each sale; omitted if none.').optional();

const pick = z.object({
  need: text(60, 'The need, in the form that needs accepts.'),
  need_name: text(80, 'Name of the need.'),
  tool: object('The one tool picked for this need.', {
    id: text(80, 'Id of the listing: GET /v1/tools/{id} returns everything we know about it.'),
    name: text(80, 'Name of the tool.'),
    vendor: text(80, 'Who makes it.'),
    homepage: text(500, 'The vendor’s page.'),
    hosting,
  }),
  why: texts(4, 600, 'Reasons for this pick, one fact each.'),
  free_until: freeUntil,
  then: nullableText(
    160,
    'What ends free use and what the tool costs then; null if the vendor does not say.',
  ),
  cost,
  vendor_quote: vendorQuote
    .extend({
      page_for: text(2, 'Country that the page is for, if it is not yours.').optional(),
      also: listOf(2, 'Further quotations that prove what is free.', {
        text: text(300, 'The quote.'),
        source_url: text(500, 'Page with the quotation.'),
        dated: text(10, 'Date of the quotation or of its copy; omitted if unknown.').optional(),
      }).optional(),
    })
    .describe('Quotation from the vendor, with its source and the date it was read.'),
  caveats: texts(12, 600, 'What to know before you rely on the tool.'),
  alternatives: z.array(alternative).max(2).describe('The next-best tools that fit.'),
  at_home: atHome.optional(),
  works_with: texts(60, 600, 'Other needs met by the same tool or account.').optional(),
  also_well_known: wellKnown.optional(),
});

const summary = object('Summary of the report.', {
  free_is_wrong: text(
    500,
    'If free is the wrong choice for this trade and team: why, and what to pay for.',
  ).optional(),
  sentence: text(
    600,
    'The report in brief: the tool to pay for, if any, and the needs that free tools meet.',
  ),
  table: listOf(60, 'One row per pick.', {
    need: text(80, 'Name of the need.'),
    tool: text(80, 'Name of the pick.'),
    free_until: freeUntil,
    cost,
  }),
  subscription_total: text(600, 'Total cost of all subscriptions.'),
  accounts: texts(60, 600, 'Accounts to open.'),
  setup_minutes_estimate: whole('Estimated minutes to set everything up for the first time.'),
  first: text(600, 'What to do first.'),
  trap: object('What most often goes wrong for this trade and country, if we know it.', {
    text: text(240, 'What to do or to ask before you start.'),
    source_url: text(500, 'Page of an authority that says so; omitted if none was read.').optional(),
  }).optional(),
  after_free: object('Monthly cost for this team once it has outgrown every free plan.', {
    sentence: text(600, 'In words.'),
    monthly: listOf(5, 'Totals of the known prices, one per currency.', {
      currency: text(3, 'ISO 4217.'),
      amount: text(20, 'As a decimal.'),
    }),
    not_checked: texts(60, 600, 'Picks with a paid plan whose price was not checked.'),
  }),
});

const meanings = z.record(z.string().max(40), z.string().max(300));

const output = z.object({
  business_type: oneOf(BUSINESS_TYPES, 'As requested.'),
  team_size: z.int().nullable().describe('As requested.'),
  free_only: z.boolean().describe('As requested.'),
  country: nullableText(2, 'As requested.'),
  trade: object('If a trade was sent: how it was matched.', {
    asked: text(MAX_TRADE_CHARACTERS, 'As requested.'),
    matched: nullableText(60, 'The trade whose tools come first; null if none is close.'),
    how: oneOf(
      ['named', 'nearest', 'none'],
      'named: matched by name; nearest: the closest trade that we know; none: no match.',
    ),
  }).optional(),
  generated_on: text(10, 'Date of the report (UTC).'),
  summary,
  picks: z.array(pick).max(60).describe('One tool per need.'),
  unmet: listOf(60, 'Needs without a pick. Every need is either here or in picks.', {
    need: text(60, 'The need, in the form that needs accepts.'),
    need_name: text(80, 'Name of the need.'),
    reason: text(600, 'Why no checked tool meets it.'),
    way_out: nullableText(240, 'What to do instead.'),
    at_home: atHome.optional(),
    also_well_known: wellKnown.optional(),
  }),
  getting_started: listOf(61, 'What to do, in order: each step builds on the one before.', {
    step: whole('Number of the step.'),
    text: text(600, 'What to do.'),
    needs: texts(60, 600, 'Needs that the step covers.'),
    tool: text(80, 'Id of the tool; omitted if the step is not about a tool.').optional(),
    first_hour: texts(12, 600, 'What to do once you have an account.').optional(),
    monthly_later: nullableText(
      100,
      'What the next plan costs this team each month; null for a tool without one.',
    ).optional(),
    leave: nullableText(160, 'How to export your data; null if not checked.').optional(),
  }),
  worth_paying_for: listOf(
    5,
    'Paid tools to consider where free is the wrong choice; empty with free_only.',
    {
      need: text(60, 'The need that the tool is for.'),
      need_name: text(80, 'Name of the need.'),
      id: nullableText(80, 'Id of its listing for GET /v1/tools/{id}; null if it has none.'),
      name: text(80, 'Name of the tool.'),
      homepage: text(500, 'The vendor’s page.'),
      why: text(400, 'Why it is worth its price.'),
      price: text(300, 'Price from the vendor’s page, or “price not checked”.'),
      source_url: text(500, 'Page with the price.').optional(),
    },
  ),
  does_not_fit: texts(9, 600, 'Picks that do not work together, and what to do about them.'),
  caveats: texts(20, 600, 'What to know about the report as a whole.'),
  legend: object('Explains the grades and methods in this report.', {
    proof: meanings.describe('What the grades mean.'),
    method: meanings.describe('What the methods mean.'),
  }),
  directory: object('The directory behind the report.', {
    listings: whole('Listings in the directory.'),
    oldest_check: text(10, 'Date of the oldest check.'),
    newest_check: text(10, 'Date of the latest check.'),
  }),
  markdown: z.string().max(100_000).optional().describe('The same report as text, if format is markdown.'),
});

/** The software report for one dollar: one checked tool per need of a business. */
export default function stackReportOperation(directory: Directory) {
  const check = ({ business_type: type, needs }: PartialInput<ValuesOf<typeof input>>): readonly Fault[] =>
    (needs ?? []).flatMap((word, index) =>
      directory.category(word, type) === null ? [unknownCategory(directory, `/needs/${index}`, word)] : [],
    );

  return operation({
    name: 'small_business_stack_report',
    operationId: 'getStackReport',
    title: 'Free-tool stack report (paid)',
    summary: 'One checked free tool per need of a business',
    description:
      'Paid: 1 USDC on Base via x402. For a business type, one checked free or freemium tool per need, chosen by an editor, with the vendor’s own statement, check date, alternatives and caveats. Call without payment to get the price; invalid input is never charged.',
    route: { method: 'GET', path: '/v1/stack-report', alsoByPost: true },
    page: {
      path: '/plan',
      heading: 'A software plan for your business',
      summary:
        'One free tool per need of your business, each with a quotation from the vendor, its source and the date we read it. USD 1.',
      lead: 'Say what you do. You get the free tools that suit your business, what to do first, and what each tool costs later.',
    },
    price: usd('1.00'),
    input,
    output,
    form: 'format',
    specifiedInputs: ['needs', 'team_size', 'free_only'],
    example: { business_type: 'trades', team_size: 4 },
    check,
    run: (values, { today }: Context) => {
      const match = values.trade === undefined ? null : tradeOf(values.trade);
      const result = stackReport(
        {
          businessType: values.business_type,
          needs: values.needs.flatMap((word) => directory.category(word, values.business_type)?.slug ?? []),
          teamSize: values.team_size,
          freeOnly: values.free_only,
          country: values.country ?? null,
          trade: values.trade === undefined ? undefined : { asked: values.trade, match },
          paid: worthPayingFor(match?.trade ?? null, values.business_type),
          generatedOn: dayText(today),
        },
        directory,
      );
      return result.ok
        ? { kind: 'answer', body: result.report }
        : { kind: 'no_answer', detail: result.reason };
    },
  });
}
