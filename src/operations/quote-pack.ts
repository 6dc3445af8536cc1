import type { ValuesOf } from '../catalog/field.ts';
import * as field from '../catalog/fields.ts';
import { type Context, operation, type PartialInput, usd } from '../catalog/operation.ts';
import { type Micros, micros } from '../domain/money.ts';
import type { PackRequest } from '../domain/pack-request.ts';
import { quotePack } from '../domain/quote-pack.ts';
import type { Fault } from '../domain/result.ts';
import { optionBody, packAnswer } from './pack-answer.ts';
import { usedBody, validityBody } from './quote-body.ts';
import {
  faultsIn,
  inputWithNeutralValues,
  lineOf,
  packItems,
  quoteFields,
  requestOf,
  shareFaults,
} from './quote-fields.ts';
import { hinted, QUOTE_MEANT } from './quote-meant.ts';

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
  output: packAnswer,
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
    ...hinted('send better_markup_percent and best_markup_percent, such as 25 and 50', [
      'markup',
      'markup_percent',
      'markups',
    ]),
    ...hinted('did you mean business_name? It signs the cover note', ['company', 'company_name']),
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
