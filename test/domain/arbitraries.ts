import fc from 'fast-check';
import { addDays, type Day, LAST_DAY } from '../../src/domain/calendar.ts';
import { currencyDigits } from '../../src/domain/currency.ts';
import { type LateFeeTerms, RATE_TYPES } from '../../src/domain/late-fee.ts';
import { type Micros, micros, powerOfTen, SCALE } from '../../src/domain/money.ts';
import { type PackRequest, TIERS } from '../../src/domain/pack-options.ts';
import type { QuoteItem, QuoteRequest } from '../../src/domain/quote.ts';

/** Decimals between two whole numbers, often with few decimals, as in everyday use. */
export const decimals = (min: bigint, max: bigint, mostDecimals = 6): fc.Arbitrary<Micros> =>
  fc.integer({ min: 0, max: mostDecimals }).chain((count) => {
    const step = powerOfTen(6 - count);
    return fc
      .bigInt({ min: (min * SCALE) / step, max: (max * SCALE) / step })
      .map((value) => (value * step) as Micros);
  });

const MOST = 1_000_000_000n;

export const days = fc.integer({ min: 0, max: LAST_DAY }).map((day) => day as Day);

/** Currencies with two, no and three minor digits. */
const currencies = fc.constantFrom('USD', 'JPY', 'KWD');

/** Every input that the late fee accepts: amount, lateness and currency. */
export const lateFeeInputs: fc.Arbitrary<LateFeeTerms> = fc
  .record({
    currency: fc.option(currencies, { nil: null }),
    rateType: fc.constantFrom(...RATE_TYPES),
    dueDate: days,
    late: fc.oneof(fc.integer({ min: -40, max: 800 }), fc.integer({ min: 0, max: LAST_DAY })),
    graceDays: fc.oneof(fc.constant(0), fc.integer({ min: 0, max: 365 })),
    rateDefaulted: fc.boolean(),
    isLawShown: fc.boolean(),
    asOfSource: fc.constantFrom('paid_date' as const, 'today_utc' as const),
    // The number of days since the day of calculation.
    ago: fc.oneof(fc.constant(0), fc.integer({ min: -1, max: 500 })),
  })
  .chain(({ late, ago, ...terms }) => {
    const digits = terms.currency === null ? 2 : (currencyDigits(terms.currency) ?? 0);
    const rate = {
      monthly_percent: decimals(0n, 1000n),
      annual_percent: decimals(0n, 1000n),
      daily_percent: decimals(0n, 10n),
      flat: decimals(0n, MOST, digits),
    }[terms.rateType];
    const limit = fc.option(decimals(0n, 1000n, digits), { nil: null });
    return fc
      .record({ amount: decimals(1n, MOST, digits), rate, one: limit, other: limit })
      .map(({ one, other, ...money }) => {
        const [minFee, maxFee] = one !== null && other !== null && one > other ? [other, one] : [one, other];
        const paidDate = addDays(terms.dueDate, late);
        const debts = [{ amount: money.amount, dueDate: terms.dueDate }];
        const unpaid = { debts, payments: [], accrual: 'simple' as const };
        return { ...terms, ...money, ...unpaid, minFee, maxFee, paidDate, today: addDays(paidDate, ago) };
      });
  });

/** Lines of every accepted size; `least` below 0 allows credits. */
const quoteItems = (least: bigint, most = MOST): fc.Arbitrary<QuoteItem> =>
  fc.record({
    description: fc.constant('Work'),
    quantity: fc.oneof(decimals(1n, 100n), decimals(0n, 1_000_000n)).map((value) => (value || 1n) as Micros),
    unitPrice: fc.oneof(
      decimals(least < -1000n ? -1000n : least, most < 1000n ? most : 1000n),
      decimals(least, most),
    ),
  });

export const quoteInputs = (least: bigint, most = MOST): fc.Arbitrary<QuoteRequest> =>
  fc.record({
    items: fc.array(quoteItems(least, most), { minLength: 1, maxLength: 12 }),
    currency: currencies,
    discountPercent: decimals(0n, 100n),
    taxPercent: decimals(0n, 100n),
    depositPercent: decimals(0n, 100n),
    validDays: fc.integer({ min: 1, max: 365 }),
    issuedOn: days,
  });

export const packInputs = (least: bigint, most = 1_000_000n): fc.Arbitrary<PackRequest> =>
  fc
    .tuple(quoteInputs(least, most), decimals(0n, 1000n), decimals(0n, 1000n), fc.boolean())
    .map(([request, one, other, bestGiven]) => {
      const [betterMarkup, bestMarkup] = one < other ? [one, other] : [other, one];
      return { ...request, businessName: null, betterMarkup, bestMarkup: bestGiven ? bestMarkup : null };
    });

/** A few usual rates of quotes, and sometimes any other rate. */
const rates = fc.oneof(
  fc.constantFrom(0n, 5n, 20n).map((percent) => (percent * SCALE) as Micros),
  decimals(0n, 100n),
);
const maybe = <T>(arbitrary: fc.Arbitrary<T>) => fc.option(arbitrary, { nil: undefined });

/** Lines with their own rates, amounts of money and prices including tax, in a range that is usual for small businesses. */
export const richQuoteInputs: fc.Arbitrary<QuoteRequest> = fc
  .tuple(quoteInputs(-100n, 1000n), currencies)
  .chain(([request, currency]) => {
    const money = (most: bigint) => decimals(0n, most, currencyDigits(currency) ?? 0);
    return fc
      .record({
        taxed: fc.array(maybe(rates), { minLength: 12, maxLength: 12 }),
        reduced: fc.array(maybe(rates), { minLength: 12, maxLength: 12 }),
        secondTax: maybe(rates.map((percent) => ({ percent, name: 'QST' }))),
        roundTotalTo: maybe(fc.constantFrom(...STEPS[currency === 'JPY' ? 'JPY' : 'other'])),
        taxPercent: rates,
        discountAmount: maybe(money(200n)),
        depositAmount: maybe(money(500n)),
        pricesIncludeTax: fc.constantFrom(undefined, true as const),
      })
      .map(({ taxed, reduced, ...rich }) => ({
        ...request,
        ...rich,
        currency,
        items: request.items.map((item, index) => ({
          ...item,
          quantity: ((item.quantity % (20n * SCALE)) + 1n) as Micros,
          taxPercent: taxed[index],
          discountPercent: reduced[index],
        })),
      }));
  });

/** Smallest coins: of the yen, and of currencies with decimal places. */
const STEPS = {
  JPY: ['1', '5', '10'].map((step) => micros(step) as Micros),
  other: ['0.01', '0.05', '0.1', '0.25', '1', '5'].map((step) => micros(step) as Micros),
};

/** Lines of only some options, prices without markup, and rounded prices. */
export const richPackInputs: fc.Arbitrary<PackRequest> = fc
  .record({
    pack: packInputs(-100n, 1000n),
    rich: richQuoteInputs,
    tiers: fc.array(fc.constantFrom(undefined, undefined, 'better' as const, 'best' as const), {
      minLength: 12,
      maxLength: 12,
    }),
    options: fc.array(maybe(fc.subarray([...TIERS], { minLength: 1, maxLength: 2 })), {
      minLength: 12,
      maxLength: 12,
    }),
    adds: maybe(fc.constantFrom({ better: ['A plan'] }, { best: ['A visit'] })),
    isDefault: fc.boolean(),
    kept: fc.array(fc.constantFrom(undefined, false as const), { minLength: 12, maxLength: 12 }),
    roundUnitTo: maybe(
      fc.constantFrom('50000', '500000', '1000000', '5000000').map((step) => BigInt(step) as Micros),
    ),
  })
  .map(({ pack, rich, tiers, options, adds, isDefault, kept, roundUnitTo }) => ({
    ...pack,
    ...rich,
    ...(isDefault && { betterMarkup: (25n * SCALE) as Micros, bestMarkup: null }),
    roundUnitTo,
    adds,
    items: rich.items.map((item, index) => ({
      ...item,
      description: `Line ${index + 1}`,
      tier: index === 0 ? undefined : tiers[index],
      tiers: index === 0 || tiers[index] !== undefined ? undefined : options[index],
      markup: kept[index],
    })),
  }));

/** Hostile names of up to 120 code points, and longer ones than a cleaner expects. */
export const hostileNames = fc
  .array(
    fc.oneof(
      fc.constantFrom(
        ...[
          '\r\n',
          '\n',
          '\u2028',
          '\u2029',
          '\u0085',
          '\u0000',
          '\u202E',
          '\u2066',
          '\u200B',
          '\u200D',
          '\u200C',
        ],
        ...[
          '\uFEFF',
          '\uFE0F',
          '\u{E0001}',
          '\u{E0041}',
          '\u{E0100}',
          '\uD800',
          '\uDFFF',
          '\uE000',
          '\u3164',
          '\u2800',
        ],
        ...[
          '$&',
          '$1',
          "$'",
          '{{x}}',
          '<b>',
          '[Client Name]',
          '%s',
          '`',
          '"',
          ' ',
          '  ',
          'Bcc: a@b.c',
          'é',
          'e\u0301',
        ],
        ...['👩\u200D🔬', '❤\uFE0F', 'ا', '山', 'क्\u200Dष', '1\uFE0F\u20E3'],
      ),
      fc.string({ unit: 'binary', maxLength: 6 }),
      fc.string({ unit: 'grapheme-ascii', maxLength: 12 }),
    ),
    { maxLength: 30 },
  )
  .map((parts) => [...parts.join('')].slice(0, 120).join(''));
