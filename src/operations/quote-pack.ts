import { z } from 'zod';
import type { ValuesOf } from '../catalog/field.ts';
import * as field from '../catalog/fields.ts';
import { type Context, operation, type PartialInput, usd } from '../catalog/operation.ts';
import { type Micros, micros, microsNumber, minorNumber } from '../domain/money.ts';
import type { PackRequest, PackTier } from '../domain/pack-request.ts';
import { quotePack } from '../domain/quote-pack.ts';
import type { Fault } from '../domain/result.ts';
import {
  amount,
  amountOrNull,
  listOf,
  nullableText,
  object,
  oneOf,
  sentences,
  text,
  whole,
} from './answer-fields.ts';
import { date, lineAnswer, totalsAnswer, usedAnswer } from './quote.ts';
import { hinted, QUOTE_MEANT } from './quote-meant.ts';
import {
  faultsIn,
  inputWithNeutralValues,
  lineOf,
  packItems,
  quoteFields,
  requestOf,
  shareFaults,
  totalsBody,
  usedBody,
  validityBody,
} from './quote-reckoning.ts';

const nameOf = (option: string, fallback: string) =>
  field.text({
    describe: `Name of ${option}. Default: ${fallback}.`,
    maxCodePoints: 40,
    default: undefined,
  });
const addsOf = (option: string, than: string, example: string) =>
  field.phrases({
    describe: `What ${option} adds to ${than}. In a form: semicolons between. Default: suggestions.`,
    maxPhrases: 10,
    maxCodePoints: 200,
    example,
  });

const input = {
  items: packItems,
  ...quoteFields,
  business_name: field.text({
    describe: 'Who signs the cover note.',
    maxCodePoints: 120,
    example: 'Green Gardens',
    default: null,
  }),
  better_markup_percent: field.decimal({
    describe: 'Better over good, in percent of each positive unit price.',
    min: '0',
    max: '1000',
    default: 25,
  }),
  best_markup_percent: field.decimal({
    describe: 'Best over good, in percent; at least better. Default: twice better.',
    min: '0',
    max: '1000',
    default: null,
  }),
  good_name: nameOf('good', 'Essential'),
  better_name: nameOf('better', 'Enhanced'),
  best_name: nameOf('best', 'Premium'),
  better_adds: addsOf('better', 'good', 'Weekly progress report'),
  best_adds: addsOf('best', 'better', 'Free changes for a month'),
  round_unit_to: field.decimal({
    describe: 'Rounds marked-up prices to a multiple of it, such as 0.05, 1 or 5.',
    min: '0',
    aboveMin: true,
    max: '1000',
    default: undefined,
  }),
};

const option = z.object({
  tier: oneOf(['good', 'better', 'best'], 'Which option.'),
  label: text(60, 'Name to show the client.'),
  markup_percent: amount('Markup on each positive unit price.'),
  summary: text(400, 'The option in a sentence.'),
  includes: sentences('Everything in this option.'),
  adds: sentences('What this option adds to the one before.'),
  adds_source: oneOf(
    ['suggested', 'given', 'lines'],
    'suggested: our words, which must be true before the pack is sent; given: yours; lines: its lines.',
  ),
  ...totalsAnswer,
  items: listOf(100, 'Lines of the option in the order given.', {
    line: whole('Number of the line in the request, from 1.'),
    ...lineAnswer,
    marked_up: z.boolean().describe('false: the price is the same in every option.'),
  }),
  difference_from_good: amount('Total less the total of good.'),
  step_from_previous: z
    .object({
      amount: amount('Total less the total of the option before.'),
      percent: amountOrNull('The same in percent of the option before; null when that is 0.'),
    })
    .nullable()
    .describe('The step up from the option before; null for good.'),
});

/** The pack on the wire. */
const output = z.object({
  currency: text(3, 'ISO 4217 code of every amount.'),
  business_name: nullableText(120, 'Who signs, or null.'),
  issued_on: date('Day of the pack (UTC).'),
  valid_days: whole('Days the pack holds.'),
  valid_until: date('Last day the pack holds, inclusive.'),
  ...usedAnswer,
  recommended: z.literal('better').describe('The option the cover note recommends.'),
  options: z.array(option).length(3).describe('Good, better, best, in this order.'),
  terms: listOf(12, 'Standard terms with the numbers of this pack.', {
    title: text(60, 'Heading.'),
    text: text(600, 'Clause.'),
  }),
  cover_note: object('A short note to send the pack with.', {
    subject: text(120, 'Subject line; text for the client, not instructions.'),
    body: text(4000, 'Cover note as plain text.'),
  }),
  warnings: sentences('What looks unusual about this input.'),
  caveats: sentences('What to know before sending the pack.'),
});

type Values = ValuesOf<typeof input>;

function packRequest(values: Values, context: Context): PackRequest {
  return {
    ...requestOf(values, context),
    items: values.items.map((item, index) => ({
      ...lineOf(item, index),
      tier: item.tier === 'good' ? undefined : item.tier,
      markup: item.markup === false ? false : undefined,
    })),
    businessName: values.business_name,
    betterMarkup: values.better_markup_percent,
    bestMarkup: values.best_markup_percent,
    roundUnitTo: values.round_unit_to,
    labels: { good: values.good_name, better: values.better_name, best: values.best_name },
    adds: { better: values.better_adds, best: values.best_adds },
  };
}

const DEFAULT_BETTER = micros('25') as Micros;

function packFaults(partial: PartialInput<Values>, context: Context): readonly Fault[] {
  const { better_markup_percent: better, best_markup_percent: best } = partial;
  const whole = {
    ...partial,
    ...(partial.items === undefined
      ? inputWithNeutralValues([PLACEHOLDER], {})
      : inputWithNeutralValues(partial.items, partial)),
    business_name: null,
    // A faulty markup is left out of the comparison by making the two equal.
    better_markup_percent: better ?? best ?? DEFAULT_BETTER,
    best_markup_percent: better === undefined ? null : (best ?? null),
  } as Values;
  return [...shareFaults(partial), ...faultsIn(quotePack(packRequest(whole, context)))];
}

/** One line that is never wrong, to compare the markups when the items are faulty. */
const PLACEHOLDER = {
  description: null,
  quantity: micros('1') as Micros,
  unit_price: micros('0') as Micros,
  tax_percent: undefined,
};

/** Encodes an option for the wire. */
function optionBody(tier: PackTier, request: PackRequest) {
  const { items, ...totals } = totalsBody(tier.quote);
  return {
    tier: tier.tier,
    label: tier.label,
    markup_percent: microsNumber(tier.markupPercent),
    summary: tier.summary,
    includes: tier.includes,
    adds: tier.adds,
    adds_source: tier.addsSource,
    items: items.map((item, index) => {
      const position = tier.positions[index] ?? 0;
      return { line: position + 1, ...item, marked_up: request.items[position]?.markup !== false };
    }),
    ...totals,
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
    'Paid: 0.05 USDC on Base via x402. Three priced options, deposit, validity date, standard terms and a cover note from your line items. Call without payment to get the price; invalid input is never charged.',
  route: { method: 'POST', path: '/v1/quote-pack' },
  page: {
    path: '/quote-pack',
    heading: 'Good, better, best quote pack',
    menu: 'Three options',
    summary:
      'Three priced options with deposit, validity date, terms and a cover note, from one list of lines. USD 0.05.',
    lead: 'One list of lines becomes three options to choose from, with a deposit, a date until which they hold, standard terms and a short cover note.',
  },
  price: usd('0.05'),
  input,
  output,
  specifiedInputs: [
    'tax_percent',
    'discount_percent',
    'deposit_percent',
    'valid_days',
    'currency',
    'business_name',
    'better_markup_percent',
    'best_markup_percent',
  ],
  example: {
    items: [
      { description: 'Garden design', quantity: 2, unit_price: 450 },
      { description: 'Plants', quantity: 40, unit_price: 7.25 },
    ],
    tax_percent: 8.25,
    deposit_percent: 10,
    business_name: 'Green Gardens',
  },
  meant: {
    ...QUOTE_MEANT,
    ...hinted(
      'send better_markup_percent and best_markup_percent, such as 25 and 50',
      'markup markup_percent markups',
    ),
    ...hinted('did you mean business_name? It signs the cover note', 'company company_name'),
    options:
      'leave it out: there are always good, better and best; name them with good_name, better_name, best_name',
    option_names: 'send good_name, better_name and best_name',
    good_adds:
      'leave it out: good has the lines themselves; better_adds and best_adds say what the others add',
  },
  check: packFaults,
  // Its check covers everything but the name on the cover note, which cannot be invalid.
  surelyAnswers: () => true,
  run: (values, context) => {
    const request = packRequest(values, context);
    const result = quotePack(request);
    if (!result.ok) return { kind: 'invalid', faults: result.faults };
    const { tiers, recommended, terms, coverNote, warnings, caveats } = result.value;
    const [good] = tiers;
    return {
      kind: 'answer',
      body: {
        currency: values.currency,
        business_name: values.business_name,
        ...validityBody(good.quote),
        ...usedBody(good.quote),
        recommended,
        options: tiers.map((tier) => optionBody(tier, request)),
        terms,
        cover_note: coverNote,
        warnings,
        caveats,
      },
    };
  },
});
