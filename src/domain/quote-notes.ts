import { longDayText } from './calendar.ts';
import { type Micros, SCALE } from './money.ts';
import type { Quote } from './quote.ts';

/** What is unusual about this quote, at most three sentences; often none. */
export function quoteWarnings(quote: Quote): string[] {
  return [zeroTotal(quote), zeroLines(quote), wholeDeposit(quote)].filter((warning) => warning !== null);
}

function zeroTotal({ total }: Quote): string | null {
  if (total !== 0n) return null;
  return 'The total is 0: check the prices, the credits and the discount if you expected one.';
}

function zeroLines({ lines }: Quote): string | null {
  const lost = lines.filter(({ unitPrice, lineTotal }) => unitPrice !== 0n && lineTotal === 0n).length;
  if (lost === 0) return null;
  return lost === 1
    ? '1 line rounds to a total of zero although it has a price: check its quantity and unit price.'
    : `${lost} lines round to a total of zero although they have prices: check their quantities and unit prices.`;
}

function wholeDeposit({ total, balance }: Quote): string | null {
  if (total === 0n || balance !== 0n) return null;
  return 'The deposit is the whole total, so no balance is left to pay.';
}

/** What holds for every quote; three sentences, and a fourth on a deposit above a tenth. */
export function quoteCaveats({ request, deposit, validUntil }: Quote): string[] {
  return [
    request.taxPercent === 0n
      ? 'No tax is included: add the rate that your law asks for, if it asks for one.'
      : 'Tax is worked out once, at one rate, on the sum after the discount: check that the rate covers every line.',
    `The prices hold through ${longDayText(validUntil)}, that day included.`,
    'This is arithmetic on the figures given, not tax or legal advice.',
    ...(deposit === 0n ? [] : depositCaveats(request.depositPercent)),
  ];
}

/** One sentence on limits by law for a deposit above a tenth of the total; none for a smaller one. */
export const depositCaveats = (depositPercent: Micros): string[] =>
  depositPercent > 10n * SCALE
    ? [
        'Some places limit deposits, for example home improvement in California to 10% or 1,000 dollars, whichever is less: check before you ask for this one.',
      ]
    : [];
