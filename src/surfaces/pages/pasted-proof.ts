import { isNumeric } from './pasted-totals.ts';
import { readNumber } from './written-number.ts';

/* What the figures of a spreadsheet prove about its columns: in every row, quantity times price is the total. */

export type Rows = readonly (readonly string[])[];

const ANY = { min: Number.NEGATIVE_INFINITY, max: Number.POSITIVE_INFINITY, hasDecimals: true };

/** Whether a figure has the sign or the code of a currency. */
export function hasCurrency(cell: string): boolean {
  // A figure that could be two numbers still has a currency.
  const found = readNumber(cell.replace(/\d[\d.,'’ ]*/, '1'), ANY, null);
  return found.kind === 'number' && Array.isArray(found.unit);
}

/** Whether a cell is a figure; with letters before it, it is an article number. */
export const isFigure = (cell: string): boolean =>
  isNumeric(cell) && (!/^\p{L}/u.test(cell) || hasCurrency(cell));

/** A number as written, only for comparison: the form decides how to read it. */
export const figureOf = (cell: string): number =>
  (/^\D*[-−–(]/.test(cell) ? -1 : 1) *
  Number(
    cell
      .replace(/[^\d.,]/g, '')
      .replace(/(?<!^0)[.,](?=\d{3}(?!\d))/g, '')
      .replace(',', '.'),
  );

/** Amounts that may lie between quantity times price and the total, each with the resulting total. */
const BETWEEN = {
  nothing: (net: number) => net,
  tax: (net: number, percent: number) => net * (1 + percent / 100),
  discount: (net: number, percent: number) => net * (1 - percent / 100),
  'sum added': (net: number, sum: number) => net + sum,
  'sum taken off': (net: number, sum: number) => net - sum,
};
export type Between = keyof typeof BETWEEN;

/** The columns of a proof. */
export type Proof = {
  /** `ONE` if every line has a quantity of one. */
  readonly quantity: number;
  readonly price: number;
  readonly total: number;
  readonly between: Between;
  readonly beside: number;
};

/** Stands for a missing column. */
export const ONE = -1;

// More columns than any table that people copy, so that a long row costs no time.
const MOST_COLUMNS = 8;
const CENTS = 0.02;
/** A higher percentage than any tax. */
export const MOST_TAX = 30;

const valueIn = (row: readonly string[], index: number): number => {
  const cell = row[index] ?? '';
  return isFigure(cell) ? figureOf(cell) : Number.NaN;
};

/** Quantity times price; an empty quantity is one. */
export const netIn = (row: readonly string[], quantity: number, price: number): number =>
  ((row[quantity] ?? '') === '' ? 1 : valueIn(row, quantity)) * valueIn(row, price);

/** Whether every row with all of these figures proves it, and there is at least one such row. */
export function isProven(rows: Rows, { quantity, price, total, between, beside }: Proof): boolean {
  let count = 0;
  for (const row of rows) {
    const other = between === 'nothing' ? 0 : valueIn(row, beside);
    if (between === 'tax' && other > MOST_TAX) return false;
    const apart = BETWEEN[between](netIn(row, quantity, price), other) - valueIn(row, total);
    if (Number.isNaN(apart)) continue;
    if (Math.abs(apart) >= CENTS) return false;
    count += 1;
  }
  return count > 0;
}

/** The candidate columns for each part of a proof, the likely ones first. */
export type Candidates = {
  readonly quantities: readonly number[];
  readonly prices: readonly number[];
  readonly totals: readonly number[];
  readonly taxes: readonly number[];
  readonly discounts: readonly number[];
};

/** The first proof found; proofs with nothing in between come first. */
export function proofIn(rows: Rows, all: Candidates): Proof | null {
  const some = (columns: readonly number[]): readonly number[] => columns.slice(0, MOST_COLUMNS);
  const { quantities, prices, totals, taxes, discounts } = all;
  const besides: Readonly<Record<Between, readonly number[]>> = {
    nothing: [ONE],
    tax: taxes,
    discount: discounts,
    'sum added': taxes,
    'sum taken off': discounts,
  };
  for (const between of Object.keys(BETWEEN) as Between[])
    for (const beside of some(besides[between]))
      for (const quantity of some(quantities))
        for (const price of some(prices))
          for (const total of some(totals)) {
            const proof = { quantity, price, total, between, beside };
            const columns = [quantity, price, total, beside].filter((index) => index !== ONE);
            if (new Set(columns).size === columns.length && isProven(rows, proof)) return proof;
          }
  return null;
}
