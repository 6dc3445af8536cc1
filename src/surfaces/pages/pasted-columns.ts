import { type Column, namedSo, nameOf } from './pasted-names.ts';
import {
  type Between,
  figureOf,
  hasCurrency,
  isFigure,
  isProven,
  MOST_TAX,
  netIn,
  ONE,
  type Proof,
  proofIn,
  type Rows,
} from './pasted-proof.ts';

/*
 * Finds the meaning of each spreadsheet column: from its figures if they prove it, from its head, or else from its
 * content.
 */

export type Reading = {
  readonly columns: readonly (Column | null)[];
  /** The reason for omitting a column, for some columns. */
  readonly reasons: ReadonlyMap<number, string>;
  /** Whether the head or the figures leave no doubt about quantity, price and tax. */
  readonly isSure: boolean;
};

/** A table with the facts about its columns, before any of them has a meaning. */
type Table = ReturnType<typeof tableOf>;

const isPercent = (cell: string): boolean => isFigure(cell) && /\d\s*%$/.test(cell);

function tableOf(rows: Rows, head: readonly string[]) {
  const indexes = Array.from(
    { length: Math.max(0, ...rows.map(({ length }) => length)) },
    (_, index) => index,
  );
  const filled = indexes.map((index) => rows.map((row) => row[index] ?? '').filter((cell) => cell !== ''));
  const count = (index: number, is: (cell: string) => boolean): number =>
    filled[index]?.filter(is).length ?? 0;
  // A word or a dash among the figures of a column is not a figure, and the form says so.
  const most = (index: number, is: (cell: string) => boolean): boolean =>
    count(index, is) * 2 > (filled[index]?.length ?? 0);
  const words = indexes.find((index) => filled[index]?.length !== 0 && !most(index, isFigure)) ?? ONE;
  const percents = indexes.filter(
    (index) => index !== words && count(index, isPercent) * 2 > count(index, isFigure),
  );
  const plain = indexes.filter((index) => most(index, isFigure) && !percents.includes(index));
  // Quantities may be words on most lines.
  const hasFigures = (index: number): boolean =>
    plain.includes(index) ||
    (count(index, isFigure) > 0 &&
      index !== words &&
      !percents.includes(index) &&
      (plain.length < 2 || !['description', null].includes(nameOf(head[index]))));
  const figures = indexes.filter(hasFigures);
  return {
    rows,
    head,
    indexes,
    /** The first column of words. */
    words,
    /** The columns of figures; columns with percent signs are separate. */
    figures,
    percents,
    isMoney: (index: number) => most(index, hasCurrency),
    hasCents: (index: number) => filled[index]?.some((cell) => /[.,]\d{2}(?!\d)/.test(cell)) ?? false,
    isWhole: (index: number) => filled[index]?.every((cell) => !/[.,]\d{1,2}(?!\d)/.test(cell)) ?? false,
    named: (name: Column) =>
      namedSo(head, name === 'tax_percent' ? [...figures, ...percents] : figures, name),
    isNamed: indexes.some((index) => nameOf(head[index]) !== null),
    position: plain.length < indexes.length && isCounting(rows, plain.length) ? 0 : ONE,
  };
}

/**
 * Whether the first column numbers the lines: 1, 2, 3, or 10, 20, 30. A single line has a 1 before two other figures.
 */
function isCounting(rows: Rows, figures: number): boolean {
  const lines = rows.filter((row) => row.slice(1).some(isFigure));
  const [first = 0, ...rest] = lines.map(([cell = '']) => (/^#?\d+[.)]?$/.test(cell) ? figureOf(cell) : 0));
  if (rest.length === 0) return first === 1 && figures > 2;
  const step = first === 10 ? 10 : 1;
  return (
    (first === step || (first > 0 && figures > 2)) &&
    rest.every((count, index) => count === first + step * (index + 1))
  );
}

// More lines than a form has.
const MOST_LINES = 200;

/** Assigns each column its meaning; `head` is empty if there is none. */
export function columnsOf(rows: Rows, head: readonly string[]): Reading {
  const table = tableOf(rows.slice(0, MOST_LINES), head);
  const proof = proofOf(table);
  const main = proof ?? (table.isNamed ? byName(table) : byPlace(table));
  const { quantity, price } = main;
  const tax = taxOf(table, main);
  const reasons = new Map([[table.position, 'which counts the lines']]);
  const columns = table.indexes.map((index): Column | null => {
    if (index === quantity) return 'quantity';
    if (index === price) return 'unit_price';
    if (index === tax) return 'tax_percent';
    if (![...table.figures, ...table.percents].includes(index))
      return isDescription(table, index) ? 'description' : null;
    if (isTotal(table, main, tax, index)) return 'total';
    const reason = reasonOf(table, main, index);
    if (reason !== undefined) reasons.set(index, reason);
    return null;
  });
  if (quantity === table.position) reasons.delete(table.position);
  return { columns, reasons, isSure: isSureOf(table, main, tax) };
}

/** Quantity and price, with their proof if there is one. */
type Main = Omit<Proof, 'total' | 'between'> & { readonly total?: number; readonly between?: Between };

function proofOf({ rows, figures, percents, position, named, isNamed, isMoney, head }: Table): Proof | null {
  const or = (name: Column, other: readonly number[]): readonly number[] =>
    named(name).length > 0 ? named(name) : other;
  const among = (some: readonly number[]): Proof | null => {
    const unnamed = some.filter((index) => nameOf(head[index]) === null);
    const totals = named('total');
    const taxes = named('tax_percent');
    const discounts = [...percents.filter((index) => !taxes.includes(index)), ...unnamed];
    return proofIn(rows, {
      // An 'Amount' may be a quantity.
      quantities: or('quantity', [...unnamed, ...totals, ONE]).filter((index) => !isMoney(index)),
      prices: or('unit_price', unnamed),
      totals: [...totals, ...unnamed],
      // Additions to a price come after it.
      taxes: [...taxes, ...[...discounts].reverse()],
      discounts,
    });
  };
  const proof = among(figures.filter((index) => index !== position)) ?? among(figures);
  // Two equal columns without a head may be a quantity and a price.
  return proof?.quantity === ONE && proof.between === 'nothing' && !isNamed ? null : proof;
}

/**
 * The columns that the head names. Without a named price, the line amount serves as the price, or else the first
 * unnamed figure.
 */
function byName({ figures, head, words, position, named, isMoney, isWhole }: Table): Main {
  const unnamed = figures.filter((index) => nameOf(head[index]) === null && index !== position);
  const [total = ONE] = named('total');
  const other = unnamed.find((index) => index > words) ?? unnamed[0] ?? ONE;
  const [price = total === ONE ? other : total] = named('unit_price');
  const isHowMany = total < price && /^amount/i.test(head[total] ?? '') && isWhole(total) && !isMoney(total);
  const [quantity = isHowMany ? total : ONE] = price === total ? [] : named('quantity');
  return { quantity, price, beside: ONE };
}

/** Without a head, the quantity comes before the price, unless a currency distinguishes them. */
function byPlace({ figures, words, position, isMoney }: Table): Main {
  const all = figures.filter((index) => index !== position);
  const behind = all.filter((index) => index > Math.max(words, 0));
  // A third number, before or instead of the words, is probably an article number.
  const some = behind.length > 1 ? behind : all;
  const money = some.filter(isMoney);
  const price = money[0] ?? some[some.length > 1 ? 1 : 0] ?? ONE;
  const quantity = some.find((index) => index !== price && !money.includes(index)) ?? ONE;
  return { quantity, price, beside: ONE };
}

/** The column of the tax; null if its figures cannot be tax percentages. */
function taxOf(table: Table, main: Main): number | undefined {
  if (main.between === 'tax') return main.beside;
  const { named, percents, isNamed } = table;
  const [tax = isNamed || percents.length > 1 ? undefined : percents[0]] = named('tax_percent');
  const isTax = tax !== undefined && tax !== main.beside && !isGross(table, main);
  return isTax && canBeTax(table, main, tax) ? tax : undefined;
}

/** Whether the prices include tax, according to their head. */
const isGross = ({ head }: Table, { price }: Main): boolean =>
  /(?<!\p{L})(?:inc|gross|brutto|ttc|inkl)/iu.test(head[price] ?? '');

function canBeTax({ rows, head, percents, isMoney }: Table, { quantity, price }: Main, tax: number): boolean {
  const lines = rows.filter((row) => isFigure(row[tax] ?? ''));
  const values = lines.map((row) => figureOf(row[tax] ?? ''));
  if (isMoney(tax) || values.some((value) => value > MOST_TAX || (value > 0 && value < 1))) return false;
  // 'VAT 20%' above other figures is the rate that they were calculated with.
  const [, said] = /(\d[\d.,]*) ?%/.exec(head[tax] ?? '') ?? [];
  if (said !== undefined && values.some((value) => value !== 0 && value !== figureOf(said))) return false;
  // Figures that grow with the price are amounts, not percentages.
  const shares = lines.map((row, index) => Number(values[index]) / netIn(row, quantity, price));
  const isSteady = shares.every((share) => Math.abs(share / Number(shares[0]) - 1) < CLOSE);
  return percents.includes(tax) || new Set(values).size < 2 || !isSteady;
}

const CLOSE = 0.01;

/** Columns of words: those that the head names as descriptions, or all if it names none. */
function isDescription({ indexes, figures, percents, head }: Table, index: number): boolean {
  const words = indexes.filter((one) => !figures.includes(one) && !percents.includes(one));
  const isOne = (one: number): boolean => nameOf(head[one]) === 'description';
  return isOne(index) || (!words.some(isOne) && nameOf(head[index]) === null);
}

/** Whether a column holds line amounts, which the form calculates itself. */
const isTotal = ({ rows }: Table, main: Main, tax: number | undefined, total: number): boolean =>
  total === main.total ||
  isProven(rows, { ...main, total, between: 'nothing' }) ||
  (tax !== undefined && isProven(rows, { ...main, total, between: 'tax', beside: tax }));

function reasonOf(table: Table, main: Main, index: number): string | undefined {
  const { between, beside } = main;
  const { named } = table;
  if (named('tax_percent').includes(index) && isGross(table, main)) return 'which is in the prices';
  if (index === beside && between !== 'sum added') return 'which lowers the price';
  if (index === beside || named('tax_percent').includes(index)) return 'which is no percentage of tax';
  return named('total').includes(index) ? 'which is not quantity times price' : undefined;
}

function isSureOf(table: Table, { quantity, price, total, between }: Main, tax: number | undefined): boolean {
  const { head, named, percents, isMoney, isWhole, hasCents, figures, position, isNamed } = table;
  const isSo = (index: number, name: Column): boolean => nameOf(head[index]) === name;
  const isTaxProven = between === 'tax';
  const isTaxSure =
    tax === undefined ||
    (isSo(tax, 'tax_percent')
      ? isTaxProven || percents.includes(tax) || /%/.test(head[tax] ?? '')
      : isTaxProven && percents.includes(tax));
  const isByMoney = isMoney(price) && !isMoney(quantity);
  // A product does not show which factor is the quantity.
  if (total !== undefined || quantity === ONE) {
    const isKnown = quantity === ONE || isSo(quantity, 'quantity') || isSo(price, 'unit_price');
    const isAmount = quantity === ONE && isSo(price, 'total') && named('quantity').length > 0;
    const isFound = total !== undefined || !isNamed || isSo(price, 'unit_price') || isSo(price, 'total');
    return (
      isTaxSure && isFound && !isAmount && (isKnown || isByMoney || (isWhole(quantity) && hasCents(price)))
    );
  }
  if (isNamed) return isTaxSure && isSo(quantity, 'quantity') && isSo(price, 'unit_price');
  const rest = figures.filter((index) => index !== position && index !== quantity && index !== price);
  return isTaxSure && isByMoney && rest.length === 0 && !isRun(table.rows, quantity);
}

/** Whether the figures of several lines each increase by one, as line numbers do. */
const isRun = (rows: Rows, index: number): boolean =>
  rows.length > 1 &&
  rows.every((row, line) => figureOf(row[index] ?? '') === figureOf(rows[0]?.[index] ?? '') + line);
