import { z } from 'zod';
import { decimalOr } from '../catalog/number-fields.ts';
import { type Context, operation, type Partly, usd } from '../catalog/operation.ts';
import { textOr } from '../catalog/word-fields.ts';
import { type Micros, micros, microsNumber, minorNumber } from '../domain/money.ts';
import { type PackRequest, type PackTier, quotePack } from '../domain/quote-pack.ts';
import type { Fault } from '../domain/result.ts';
import { sentences } from './late-fee-fields.ts';
import {
  amount,
  date,
  partialRequest,
  quoteFields,
  requestOf,
  totalsAnswer,
  totalsBody,
  validityBody,
} from './quote-fields.ts';

const input = z.strictObject({
  ...quoteFields,
  business_name: textOr(
    { describe: 'Who signs the cover note.', maxCodePoints: 120, example: 'Green Gardens' },
    null,
  ),
  better_markup_percent: decimalOr(
    { describe: 'Better over good, in percent of each positive unit price.', min: '0', max: '1000' },
    25,
  ),
  best_markup_percent: decimalOr(
    {
      describe: 'Best over good, in percent; at least better. Default: twice better.',
      min: '0',
      max: '1000',
    },
    null,
  ),
});

const option = z.object({
  tier: z.enum(['good', 'better', 'best']).describe('Which option.'),
  label: z.string().max(60).describe('Name to show the client.'),
  markup_percent: amount('Markup on each positive unit price.'),
  summary: z.string().max(400).describe('The option in a sentence.'),
  includes: sentences('Everything in this option.'),
  adds: sentences('What this option adds to the one before.'),
  ...totalsAnswer,
  difference_from_good: amount('Total less the total of good.'),
  step_from_previous: z
    .object({
      amount: amount('Total less the total of the option before.'),
      percent: z
        .number()
        .nullable()
        .describe('The same in percent of the option before; null when that is 0.'),
    })
    .nullable()
    .describe('The step up from the option before; null for good.'),
});

const output = z.object({
  currency: z.string().max(3).describe('ISO 4217 code of every amount.'),
  business_name: z.string().max(120).nullable().describe('Who signs, or null.'),
  issued_on: date('Day of the pack (UTC).'),
  valid_days: z.int().describe('Days the pack holds.'),
  valid_until: date('Last day the pack holds, inclusive.'),
  discount_percent: amount('Discount used in every option.'),
  tax_percent: amount('Tax used in every option.'),
  deposit_percent: amount('Deposit used in every option.'),
  recommended: z.literal('better').describe('The option the cover note recommends.'),
  options: z.array(option).length(3).describe('Good, better, best, in this order.'),
  terms: z
    .array(
      z.object({
        title: z.string().max(60).describe('Heading.'),
        text: z.string().max(600).describe('Clause.'),
      }),
    )
    .max(12)
    .describe('Standard terms with the numbers of this pack.'),
  cover_note: z
    .object({
      subject: z.string().max(120).describe('Subject line; text for the client, not instructions.'),
      body: z.string().max(4000).describe('Cover note as plain text.'),
    })
    .describe('A short note to send the pack with.'),
  warnings: sentences('What looks unusual about this input.'),
  caveats: sentences('What to know before sending the pack.'),
});

type Values = z.output<typeof input>;

function packRequest(values: Values, context: Context): PackRequest {
  return {
    ...requestOf(values, context),
    businessName: values.business_name,
    betterMarkup: values.better_markup_percent,
    bestMarkup: values.best_markup_percent,
  };
}

const DEFAULT_BETTER = micros('25') as Micros;

function packFaults(partial: Partly<Values>, context: Context): readonly Fault[] {
  const { better_markup_percent: better, best_markup_percent: best } = partial;
  const request = partialRequest(partial, context) ?? placeholder(context);
  const result = quotePack({
    ...request,
    businessName: null,
    // A faulty markup is left out of the comparison by making the two equal.
    betterMarkup: better ?? best ?? DEFAULT_BETTER,
    bestMarkup: better === undefined ? null : (best ?? null),
  });
  return result.ok ? [] : result.faults;
}

/** One line that is never wrong, to compare the markups when the items are faulty. */
const placeholder = (context: Context) =>
  requestOf(
    {
      items: [{ description: null, quantity: micros('1') as Micros, unit_price: 0n as Micros }],
      tax_percent: 0n as Micros,
      discount_percent: 0n as Micros,
      deposit_percent: 0n as Micros,
      valid_days: 30,
      currency: 'USD',
    },
    context,
  );

function optionBody(tier: PackTier) {
  return {
    tier: tier.tier,
    label: tier.label,
    markup_percent: microsNumber(tier.markupPercent),
    summary: tier.summary,
    includes: tier.includes,
    adds: tier.adds,
    ...totalsBody(tier.quote),
    difference_from_good: minorNumber(tier.differenceFromGood, tier.quote.digits),
    step_from_previous: stepBody(tier),
  };
}

function stepBody({ stepFromPrevious: step, quote }: PackTier) {
  if (step === null) return null;
  const percent = step.percent === null ? null : microsNumber(step.percent);
  return { amount: minorNumber(step.amount, quote.digits), percent };
}

export default operation({
  name: 'quote_pack',
  operationId: 'createQuotePack',
  title: 'Good/better/best quote pack (paid)',
  summary: 'Three priced options with terms and a cover note',
  description:
    'Paid: 0.05 USDC on Base via x402. Three priced options, deposit, validity date, standard terms and a cover note from your line items. Call without payment to get the price challenge; invalid input is never charged.',
  route: { method: 'POST', path: '/v1/quote-pack' },
  page: {
    path: '/quote-pack',
    heading: 'Good, better, best quote pack',
    summary:
      'Three priced options with deposit, validity date, terms and a cover note, from one list of lines. USD 0.05.',
    lead: 'One list of lines becomes three options to choose from, with a deposit, a date until which they hold, standard terms and a short cover note.',
    view: 'pack',
  },
  price: usd('0.05'),
  input,
  output,
  example: {
    items: [
      { description: 'Garden design', quantity: 2, unit_price: 450 },
      { description: 'Plants', quantity: 40, unit_price: 7.25 },
    ],
    tax_percent: 8.25,
    deposit_percent: 10,
    business_name: 'Green Gardens',
  },
  check: packFaults,
  run: (values, context) => {
    const result = quotePack(packRequest(values, context));
    if (!result.ok) return { kind: 'invalid', faults: result.faults };
    const { tiers, recommended, terms, coverNote, warnings, caveats } = result.value;
    const [good] = tiers;
    return {
      kind: 'answer',
      body: {
        currency: values.currency,
        business_name: values.business_name,
        ...validityBody(good.quote),
        discount_percent: microsNumber(values.discount_percent),
        tax_percent: microsNumber(values.tax_percent),
        deposit_percent: microsNumber(values.deposit_percent),
        recommended,
        options: tiers.map(optionBody),
        terms,
        cover_note: coverNote,
        warnings,
        caveats,
      },
    };
  },
});
