import { z } from 'zod';
import { later, type ValuesOf } from '../catalog/field.ts';
import * as field from '../catalog/fields.ts';
import { type Context, operation, type PartialInput, usd } from '../catalog/operation.ts';
import { type Micros, micros, microsNumber, minorNumber } from '../domain/money.ts';
import { type PackRequest, PERIODS, TIERS } from '../domain/pack-options.ts';
import type { PackTier } from '../domain/pack-words.ts';
import type { QuoteItem } from '../domain/quote.ts';
import { type QuotePack, quotePack } from '../domain/quote-pack.ts';
import type { Fault } from '../domain/result.ts';
import { MAX_TRADE_CHARACTERS, tradeOf } from '../trades/trades.ts';
import { hinted, ITEM_ALIASES, named, QUOTE_ALIASES } from './aliases.ts';
import {
  amount,
  amountOrNull,
  listOf,
  nullableText,
  object,
  oneOf,
  orNull,
  sentences,
  text,
  texts,
  whole,
} from './answer-fields.ts';
import { date, lineAnswer, totalsAnswer, usedAnswer } from './quote.ts';
import {
  DESCRIBED_LIST,
  inputWithNeutralValues,
  itemFields,
  onceFor,
  quoteFields,
  requestOf,
  shareFaults,
  totalsBody,
  usedBody,
  validityBody,
} from './quote-reckoning.ts';

const items = field.list(
  {
    ...itemFields,
    tier: later(
      field.choice(TIERS, {
        describe: 'Lowest option with this line; higher options include it.',
        default: 'good',
      }),
    ),
    tiers: field.choices(TIERS, { describe: 'Instead of tier: exactly the options with this line.' }),
    markup: later(field.flag({ describe: 'false: this price is not marked up.', default: true })),
  },
  {
    ...DESCRIBED_LIST,
    meant: {
      ...ITEM_ALIASES,
      ...named('tier', 'good, better or best', 'option level package from_tier'),
      ...named('tiers', 'a list of good, better and best', 'options packages'),
      ...named(
        'markup',
        'true or false; set the percentages in better_markup_percent and best_markup_percent at the top level',
        'at_cost pass_through no_markup',
      ),
    },
  },
);

const nameOf = (option: string, fallback: string) =>
  field.text({
    describe: `Name of ${option}. Default: ${fallback}.`,
    maxCodePoints: 40,
    default: undefined,
  });
const addsOf = (option: string, than: string, example: string) =>
  field.phrases({
    describe: `What ${option} adds to ${than}.`,
    maxPhrases: 10,
    maxCodePoints: 200,
    example,
  });

const detail = (describe: string, maxCodePoints: number) =>
  field.text({ describe, maxCodePoints, default: undefined });
const stated = (describe: string, example: string) =>
  field.phrases({ describe, maxPhrases: 10, maxCodePoints: 200, example });

const input = {
  items,
  ...quoteFields,
  business_name: field.text({
    describe: 'Business that signs the note.',
    maxCodePoints: 120,
    example: 'Green Gardens',
    default: null,
  }),
  better_markup_percent: field.decimal({
    describe:
      'Markup of better over good, as a % of each positive unit price. With tiers or adds, 25 means 0 unless best_markup_percent is sent.',
    min: '0',
    max: '1000',
    default: 25,
  }),
  best_markup_percent: field.decimal({
    describe: 'Markup of best over good, in percent, at least that of better. Default: twice that of better.',
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
    describe: 'Rounds marked-up prices to multiples of this, such as 5.',
    min: '0',
    aboveMin: true,
    max: '1000',
    default: undefined,
  }),
  recommended: later(
    field.choice([...TIERS, 'none'], { describe: 'Recommended option.', default: 'better' }),
  ),
  client_name: detail('Name in the greeting.', 120),
  job: detail('The job, such as your kitchen at 4 Elm Road.', 120),
  quote_number: detail('Quote number.', 60),
  start: detail('Start date of the job.', 120),
  payment_stages: stated('Payment stages.', 'Half on the day'),
  exclusions: stated('What is not included.', 'Skip hire'),
  warranty: detail('Your warranty.', 300),
  extra_terms: stated('Your own terms.', 'Flowers may be swapped by season'),
  price_per: field.choice(PERIODS, { describe: 'Period of recurring prices.', default: undefined }),
  trade: field.text({
    describe: 'Your trade, such as plumber, for ideas in the notes.',
    maxCodePoints: MAX_TRADE_CHARACTERS,
    default: undefined,
  }),
};

const phrases = (describe: string) => texts(120, 300, describe);

const option = z.object({
  tier: oneOf(TIERS, 'Which option.'),
  label: text(60, 'Name to show the client.'),
  markup_percent: amount('Markup on each positive unit price.'),
  summary: text(4500, 'Summary of the option.'),
  includes: phrases('Everything that this option includes.'),
  adds: phrases('What this option adds to the previous one.'),
  replaces: phrases('Lines of the previous option that are not in this one.'),
  adds_source: oneOf(
    ['none', 'given', 'lines'],
    'Source of adds. given: your better_adds or best_adds; lines: the lines of the option.',
  ),
  ...totalsAnswer,
  items: listOf(100, 'Lines of the option in the given order.', {
    line: whole('Number of the line in the request, from 1.'),
    ...lineAnswer,
    marked_up: z.boolean().describe('false: the price is the same in every option.'),
  }),
  difference_from_good: amount('Total minus the total of good.'),
  step_from_previous: orNull(
    z.object({
      amount: amount('Total minus the total of the previous option.'),
      percent: amountOrNull('The same as a percentage of the previous total; null if that total is 0.'),
    }),
    'Difference from the previous option; null for good.',
  ),
});

/** The pack on the wire. */
const output = z.object({
  currency: text(3, 'ISO 4217 code of every amount.'),
  business_name: nullableText(120, 'Business that signs the cover note, or null.'),
  client_name: text(120, 'The client, if named.').optional(),
  job: text(120, 'The job, if named.').optional(),
  quote_number: text(60, 'Quote number, if given.').optional(),
  price_per: oneOf([...PERIODS], 'Period of recurring prices.').optional(),
  issued_on: date('Date of the pack (UTC).'),
  valid_days: whole('Days the pack is valid.'),
  valid_until: date('Last day the pack is valid.'),
  ...usedAnswer,
  ready_to_send: z
    .boolean()
    .describe('Whether the options differ in content and in price; the 402 response also says so.'),
  missing: sentences('What to add so that the options differ; empty if the pack is ready to send.'),
  recommended: oneOf(['good', 'better', 'best', 'none'], 'The option the cover note recommends.'),
  options: z.array(option).length(3).describe('Good, better, best, in this order.'),
  terms: listOf(16, 'Standard terms, filled in with the figures of this pack.', {
    title: text(60, 'Heading.'),
    text: text(2200, 'Clause.'),
  }),
  cover_note: object('A short note to send with the pack.', {
    subject: text(120, 'Subject line; text for the client, not instructions.'),
    body: text(20000, 'Cover note as plain text.'),
  }),
  warnings: sentences('Anything unusual about this input.'),
  caveats: sentences('What to know before sending the pack.'),
});

type Values = ValuesOf<typeof input>;

function packRequest(values: Values, context: Context): PackRequest {
  const trade = values.trade === undefined ? undefined : tradeOf(values.trade)?.trade;
  const request = requestOf(values, context);
  return {
    ...request,
    items: values.items.map(({ tier, tiers, markup }, index) => ({
      ...(request.items[index] as QuoteItem),
      tier,
      tiers,
      markup,
    })),
    businessName: values.business_name,
    betterMarkup: values.better_markup_percent,
    bestMarkup: values.best_markup_percent,
    roundUnitTo: values.round_unit_to,
    labels: { good: values.good_name, better: values.better_name, best: values.best_name },
    adds: { better: values.better_adds, best: values.best_adds },
    recommended: values.recommended,
    details: {
      clientName: values.client_name,
      job: values.job,
      quoteNumber: values.quote_number,
      start: values.start,
      paymentStages: values.payment_stages,
      exclusions: values.exclusions,
      warranty: values.warranty,
      extraTerms: values.extra_terms,
      pricePer: values.price_per,
    },
    ideas: trade?.is_neighbor ? undefined : trade?.quote,
    isAtHome: trade && trade.business_type === 'trades',
  };
}

const DEFAULT_BETTER = micros('25') as Micros;

const packs = onceFor((values: Values, context) => quotePack(packRequest(values, context)));

function packFaults(partial: PartialInput<Values>, context: Context): readonly Fault[] {
  const { better_markup_percent: better, best_markup_percent: best } = partial;
  const whole = {
    ...inputWithNeutralValues(
      partial.items ?? [PLACEHOLDER],
      partial.items === undefined ? { ...partial, currency: undefined } : partial,
    ),
    business_name: partial.business_name ?? null,
    // An invalid markup is not compared: the two are made equal.
    better_markup_percent: better ?? best ?? DEFAULT_BETTER,
    best_markup_percent: better === undefined ? null : (best ?? null),
  } as Values;
  return [...shareFaults(partial), ...packs.faults(partial, whole, context)];
}

/** One valid line, to compare the markups if the items are invalid. */
const PLACEHOLDER = {
  description: null,
  quantity: micros('1') as Micros,
  unit_price: micros('0') as Micros,
} as Values['items'][number];

/** Encodes an option for the wire. */
function optionBody(tier: PackTier, items: Values['items']) {
  const { items: lines, ...totals } = totalsBody(tier.quote);
  return {
    tier: tier.tier,
    label: tier.label,
    markup_percent: microsNumber(tier.markupPercent),
    summary: tier.summary,
    includes: tier.includes,
    adds: tier.adds,
    replaces: tier.replaces,
    adds_source: tier.addsSource,
    items: lines.map((line, index) => {
      const position = tier.positions[index] ?? 0;
      return { line: position + 1, ...line, marked_up: items[position]?.markup !== false };
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

const readinessBody = ({ missing }: QuotePack) => ({ ready_to_send: missing.length === 0, missing });

export default operation({
  name: 'quote_pack',
  operationId: 'createQuotePack',
  title: 'Good/better/best quote pack (paid)',
  summary: 'Three priced options with terms and a cover note',
  description:
    'Paid: 0.05 USDC on Base via x402. Three priced options, deposit, validity date, standard terms and a cover note from your line items. Call without payment to get the price; invalid input is never charged.',
  route: { method: 'POST', path: '/v1/quote-pack' },
  page: {
    path: '/quote',
    step: 'options',
    heading: 'Good, better, best quote pack',
    summary:
      'Three priced options with deposit, validity date, terms and a cover note, from one list of lines. USD 0.05.',
    lead: 'One list of lines becomes three options to choose from, with a deposit, a valid-until date, standard terms and a short cover note.',
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
    better_markup_percent: 25,
    best_markup_percent: 50,
    better_adds: ['A watering system'],
    best_adds: ['Care for a year'],
  },
  meant: {
    ...QUOTE_ALIASES,
    ...hinted(
      'send better_markup_percent and best_markup_percent, such as 25 and 50',
      'markup markup_percent markups',
    ),
    ...named('client_name', 'the name in the greeting', 'client customer customer_name'),
    ...named('job', 'the job in a few words', 'project subject about site'),
    ...named('quote_number', 'the quote number', 'number reference invoice_number'),
    ...named(
      'payment_stages',
      'a list of payment stages in your own words',
      'stages milestones payment_terms payment_schedule',
    ),
    ...hinted('did you mean business_name? It signs the cover note', 'company company_name'),
    options:
      'leave it out: there are always three options, good, better and best; name them with good_name, better_name and best_name',
    option_names: 'send good_name, better_name and best_name',
    good_adds:
      'leave it out: the good option is your lines as sent; say what the others add in better_adds and best_adds',
  },
  check: packFaults,
  // `check` covers everything but the name on the cover note, which cannot be invalid.
  surelyAnswers: () => true,
  beforePaying: (values, context) => {
    const result = packs.of(values, context);
    return result.ok ? readinessBody(result.value) : null;
  },
  run: (values, context) => {
    const result = packs.of(values, context);
    if (!result.ok) return { kind: 'invalid', faults: result.faults };
    const { tiers, recommended, terms, coverNote, warnings, caveats } = result.value;
    const [good] = tiers;
    return {
      kind: 'answer',
      body: {
        currency: values.currency,
        business_name: values.business_name,
        ...(values.client_name !== undefined && { client_name: values.client_name }),
        ...(values.job !== undefined && { job: values.job }),
        ...(values.quote_number !== undefined && { quote_number: values.quote_number }),
        ...(values.price_per !== undefined && { price_per: values.price_per }),
        ...validityBody(good.quote),
        ...usedBody(good.quote),
        ...readinessBody(result.value),
        recommended,
        options: tiers.map((tier) => optionBody(tier, values.items)),
        terms,
        cover_note: coverNote,
        warnings,
        caveats,
      },
    };
  },
});
