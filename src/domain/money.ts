/** A decimal value x 10^6: prices, quantities, rates, percents. */
export type Micros = bigint & { readonly __unit: 'micros' };

/** An amount in a currency's minor units: cents, yen, fils. */
export type Minor = bigint & { readonly __unit: 'minor' };

export const SCALE = 1_000_000n;

/**
 * No amount of money is above 999,999,999,999.99. In the finest currency (three minor digits), that is 15 significant
 * digits, the most that every JSON number keeps exactly.
 */
const LARGEST_MONEY_HUNDREDTHS = 99_999_999_999_999n;

const DECIMAL = /^(-?)([0-9]{1,40})(?:\.([0-9]{1,6}))?$/;
// At most 10^9 and 15 digits: no two such decimals have the same double.
const SHORT_DECIMAL = /^-?[0-9]{1,9}(?:\.[0-9]{1,6})?$/;

/** Reads a plain ASCII decimal: optional '-', digits, at most six decimal places; anything else is null. */
export function micros(text: string): Micros | null {
  if (SHORT_DECIMAL.test(text)) return numberMicros(Number(text));
  const parts = DECIMAL.exec(text);
  if (parts === null) return null;
  const [, sign, whole, fraction = ''] = parts;
  const magnitude = BigInt(`${whole}${fraction.padEnd(6, '0')}`);
  return (sign === '-' ? -magnitude : magnitude) as Micros;
}

// Up to this value, every whole number is exact as a double, and no two decimals of 15 digits have the same double.
const MOST_IN_A_DOUBLE = 1_000_000_000_000_000n;
const LEAST_IN_A_DOUBLE = -MOST_IN_A_DOUBLE;
const isInADouble = (value: bigint): boolean => value <= MOST_IN_A_DOUBLE && value >= LEAST_IN_A_DOUBLE;

/** The millionths in a JSON number up to 10^9 with at most six decimal places; null for every other number. */
export function numberMicros(number: number): Micros | null {
  const millionths = Math.round(number * 1e6);
  return millionths / 1e6 === number && Math.abs(number) <= 1e9 ? (BigInt(millionths) as Micros) : null;
}

/**
 * Rounds to the nearest integer, halves away from zero (EN 16931). Every amount of a quote, fee or letter is rounded
 * here.
 */
export function divRound(numerator: bigint, denominator: bigint): bigint {
  if (denominator > 0n && isInADouble(numerator) && isInADouble(denominator)) {
    // The quotient of two exact whole numbers never rounds up to the next whole number.
    const [dividend, divisor] = [Number(numerator), Number(denominator)];
    const rounded = Math.floor((2 * Math.abs(dividend) + divisor) / (2 * divisor));
    return BigInt(dividend < 0 ? -rounded : rounded);
  }
  const positive = numerator < 0n === denominator < 0n;
  const dividend = numerator < 0n ? -numerator : numerator;
  const divisor = denominator < 0n ? -denominator : denominator;
  const rounded = (2n * dividend + divisor) / (2n * divisor);
  return positive ? rounded : -rounded;
}

const POWERS_OF_TEN = Array.from({ length: 15 }, (_, exponent) => 10n ** BigInt(exponent));

/** 10^exponent from 0 to 14, the most decimals of a product. */
export function powerOfTen(exponent: number): bigint {
  const power = POWERS_OF_TEN[exponent];
  if (power === undefined) throw new RangeError(`no power of ten for ${exponent}`);
  return power;
}

// A double holds all of these exactly. Calculating the power would take longer than everything else here.
const NUMBERS = POWERS_OF_TEN.map(Number);
const numberScaleOf = (decimals: number): number => NUMBERS[decimals] as number;

/** A quantity times a price, rounded to the smallest coin. */
export const productOf = (quantity: Micros, price: Micros, digits: number): Minor =>
  divRound(quantity * price, powerOfTen(12 - digits)) as Minor;

/** The number of significant decimal places of a value: 1.50 has one. */
export function decimalsOf(value: Micros): number {
  let decimals = 6;
  if (isInADouble(value))
    for (let rest = Number(value); decimals > 0 && rest % 10 === 0; rest /= 10) decimals -= 1;
  else while (decimals > 0 && value % powerOfTen(7 - decimals) === 0n) decimals -= 1;
  return decimals;
}

/** A decimal value in minor units; null if it has more decimal places than the currency. */
export function exactMinor(value: Micros, digits: number): Minor | null {
  const step = powerOfTen(6 - digits);
  return value % step === 0n ? ((value / step) as Minor) : null;
}

/** An amount with at most `digits` decimal places, in minor units. */
export const minorOf = (value: Micros, digits: number): Minor => (value / powerOfTen(6 - digits)) as Minor;

// Indexed by the minor digits of a currency.
const LARGEST_MONEY = POWERS_OF_TEN.map((unit) => (LARGEST_MONEY_HUNDREDTHS * unit) / 100n);
const SMALLEST_MONEY = LARGEST_MONEY.map((largest) => -largest);

export const exceedsLargestMoney = (amount: Minor, digits: number): boolean =>
  amount > (LARGEST_MONEY[digits] as bigint) || amount < (SMALLEST_MONEY[digits] as bigint);

/** The text of a whole number that is exact as a double. */
function wholeText(amount: number, digits: number): string {
  if (amount < 0) return `-${wholeText(-amount, digits)}`;
  if (digits === 0) return String(amount);
  const unit = numberScaleOf(digits);
  const fraction = amount % unit;
  return `${(amount - fraction) / unit}.${String(fraction).padStart(digits, '0')}`;
}

/** '1250.00' */
export function minorText(amount: Minor, digits: number): string {
  if (isInADouble(amount)) return wholeText(Number(amount), digits);
  // Such an amount has more digits than decimals.
  const text = String(amount);
  return digits === 0 ? text : `${text.slice(0, -digits)}.${text.slice(-digits)}`;
}

/** '22.764375', without trailing zeros. */
export function shortestText(value: bigint, decimals: number): string {
  const number = Number(value) / numberScaleOf(decimals);
  // Below a millionth, JavaScript writes a number with an exponent.
  if (isInADouble(value) && Math.abs(number) >= 1e-6) return String(number);
  let [shorter, left] = [value, decimals];
  while (left > 0 && shorter % 10n === 0n) {
    shorter /= 10n;
    left -= 1;
  }
  return minorText(shorter as Minor, left);
}

/** The JSON number nearest to the amount. It prints the same digits up to 15 of them. */
export function minorNumber(amount: Minor, digits: number): number {
  // Both operands are exact, and IEEE division rounds correctly. The result is therefore the same double as from
  // parsing the text.
  return Number(amount) / numberScaleOf(digits);
}

/** The shortest exact text: '1.5', '12', '-0.25'. */
export const microsText = (value: Micros): string => shortestText(value, 6);

/** The JSON number nearest to the value. It prints the same digits up to 15 of them. */
export function microsNumber(value: Micros): number {
  return Number(value) / 1e6;
}
