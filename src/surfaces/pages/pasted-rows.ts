import { readNumber } from './written-number.ts';

/*
 * Converts rows of a spreadsheet to lines of a quote. The head names the columns; without it they are a guess, and the
 * page asks. Cells stay as written: their numbers are parsed like the numbers in every other field.
 */

/** The fields of a line that a spreadsheet can have. */
type Field = 'description' | 'quantity' | 'unit_price' | 'tax_percent';
export type PastedRow = Readonly<Partial<Record<Field, string>>>;
/** Which columns hold the figures of a line, by index; `NONE` for a missing one. */
export type Choice = Readonly<Record<Exclude<Field, 'description'>, number>>;
export const NONE = -1;

type Cells = readonly string[];

/** The rows of a spreadsheet, with a guess at what its columns mean. */
export type Pasted = {
  readonly head: Cells;
  readonly lines: readonly Cells[];
  /** Titles and sums. */
  readonly leftOut: readonly Cells[];
  readonly choice: Choice;
  /** Whether the head or the signs in the cells leave no doubt about the columns. */
  readonly isSure: boolean;
  /** The columns of words. */
  readonly descriptions: readonly number[];
  /** The columns that the owner may choose from, because they have figures. */
  readonly figures: readonly number[];
  /** The column of line amounts, which the form calculates itself. */
  readonly amount: number;
};

// The words of heads in English, German, French and Spanish. The first pattern that matches applies.
const HEADS: readonly (readonly [Field | 'amount' | null, RegExp])[] = [
  [null, /^(?:tax|vat|gst|mwst|ust|tva|iva).*(?:amount|total|sum|betrag|montant|importe)/i],
  ['tax_percent', /^(?:tax|vat|gst|mwst|ust|tva|iva)/i],
  ['quantity', /^(?:total )?(?:qty|quant|hours|days|units|menge|anzahl|stunden|qté|cant)/i],
  ['amount', /total|amount|\bsum\b|summe\b|betrag|gesamt|montant|importe/i],
  ['unit_price', /price|rate\b|each|preis|prix|precio|tarif/i],
  [
    'description',
    /^(?:item|desc|serv|prod|work|artic|artik|bezeich|beschreib|leistung|désign|prest|concept)/i,
  ],
];

const nameOf = (head = ''): Field | 'amount' | null =>
  HEADS.find(([, words]) => words.test(head))?.[0] ?? null;

/** The table in a text copied from a spreadsheet (tabs) or from a CSV file (commas or semicolons). */
export function pastedTable(text: string): Pasted {
  const table = cellsOf(text).filter((row) => row.some(Boolean));
  const at = headAt(table);
  const head = table[at] ?? [];
  const { lines, sums } = linesAndSums(table.slice(at + 1));
  return { ...columnsOf(lines, head), head, lines, leftOut: [...table.slice(0, Math.max(0, at)), ...sums] };
}

const ANY = { min: Number.NEGATIVE_INFINITY, max: Number.POSITIVE_INFINITY, hasDecimals: true };

/** A number as written, only for comparison; null if the cell has none. */
function figureOf(cell: string): number | null {
  const found = readNumber(cell, ANY, null);
  if (found.kind === 'number') return Number(found.plain);
  return found.kind === 'ambiguous' ? Number(found.choices[1]) : null;
}

const isFigure = (cell: string): boolean => figureOf(cell) !== null;
const isPercent = (cell: string): boolean => isFigure(cell) && cell.includes('%');
const isMoney = (cell: string): boolean => isFigure(cell) && /\p{Sc}|\p{L}/u.test(cell);

// Maximum number of title rows above a head.
const MOST_TITLES = 3;

/** The index of the head: a row that names two columns, or the first row above figures; -1 if there is none. */
function headAt(table: readonly Cells[]): number {
  const isNarrow = table.every(({ length }) => length === 1);
  const isHead = (row: Cells): boolean =>
    !row.some(isFigure) && (row.filter(Boolean).length > 1 || (isNarrow && nameOf(row[0]) !== null));
  const isNamed = (row: Cells): boolean => isHead(row) && row.filter((cell) => nameOf(cell)).length > 1;
  const named = table.slice(0, MOST_TITLES + 1).findIndex(isNamed);
  const isAbove = isHead(table[0] ?? []) && table.some((row) => row.some(isFigure));
  return named < 0 && isAbove ? 0 : named;
}

// More lines than a form has.
const MOST_LINES = 200;
const CENTS = 0.02;

/**
 * Separates the lines from the rows that sum them. The figure of a sum is the sum of all lines above it, or of the
 * lines since the last sum, or a tax on them. A figure without a word or another figure is also a sum.
 */
function linesAndSums(rows: readonly Cells[]): Record<'lines' | 'sums', readonly Cells[]> {
  const hasWords = rows.some((row) => row.some((cell) => cell !== '' && !isFigure(cell)));
  const sums = new Set<Cells>();
  /** The figures of the lines so far. */
  const lines: (readonly (number | null)[])[] = [];
  let [since, tax] = [0, 0];
  for (const row of rows.slice(0, MOST_LINES)) {
    const cells = row.filter(Boolean);
    const figures = row.map(figureOf);
    const column = figures.findLastIndex((figure) => figure !== null);
    const figure = figures[column] ?? 0;
    const isNamed = nameOf(cells[0]) === 'amount';
    /** Whether the figure is the sum of some lines: of their figures in its column, or of quantities times prices. */
    const isSumOf = (some: typeof lines, of: (sum: number) => number): boolean =>
      [(line: (typeof lines)[number]) => line[column] ?? 0, productOf].some(
        (amount) => Math.abs(of(some.reduce((sum, line) => sum + amount(line), 0)) - figure) < CENTS,
      );
    const isTax = cells.some((cell) => {
      const [, rate] = /(?<!\d)(\d\d?(?:[.,]\d{1,3})?) ?%/.exec(cell) ?? [];
      return rate !== undefined && isSumOf(lines, (sum) => (sum * Number(rate.replace(',', '.'))) / 100);
    });
    // Without its word, a price that is the same as the one above it is no sum.
    const least = isNamed ? 1 : 2;
    const isSum =
      (isNamed || (cells.length === 2 && !cells.every(isFigure))) &&
      [lines, lines.slice(since)].some(
        (some) => some.length >= least && [0, tax].some((more) => isSumOf(some, (sum) => sum + more)),
      );
    if (column < 0 || !(isSum || isTax || (hasWords && cells.length === 1))) lines.push(figures);
    else {
      sums.add(row);
      if (isTax) tax += figure;
      else since = lines.length;
    }
  }
  return { lines: rows.filter((row) => !sums.has(row)), sums: [...sums] };
}

/** The product of a quantity and a price. */
function productOf(line: readonly (number | null)[]): number {
  const figures = line.filter((figure) => figure !== null);
  return figures.length > 2 ? 0 : figures.reduce((one, other) => one * other, Math.sign(figures.length));
}

// A higher percentage than any tax.
const MOST_TAX = 30;

/** The meaning of each column: from its head, or else guessed from its place and the signs of its cells. */
function columnsOf(all: readonly Cells[], head: Cells): Omit<Pasted, 'head' | 'lines' | 'leftOut'> {
  const lines = all.slice(0, MOST_LINES);
  const indexes = [...Array(Math.max(0, ...lines.map(({ length }) => length))).keys()];
  const filled = indexes.map((index) => lines.flatMap((line) => line[index] || []));
  const isMostly = (index: number, is: (cell: string) => boolean): boolean => {
    const [all, some] = [filled[index]?.length ?? 0, filled[index]?.filter(is).length ?? 0];
    return some > 0 && some * 2 >= all;
  };
  const named = (name: Field | 'amount' | null) => indexes.filter((index) => nameOf(head[index]) === name);
  const texts = [...named('description'), ...named(null).filter((index) => !isMostly(index, isFigure))];
  const figures = indexes.filter((index) => !texts.includes(index));
  const isNamed = named(null).length < indexes.length;
  const unnamed = named(null).filter((index) => figures.includes(index) && !isMostly(index, isPercent));
  // A number before the words is probably that of the line or of the article.
  const behind = unnamed.filter((index) => index > (texts[0] ?? NONE));
  const some = behind.length > 1 ? behind : unnamed;
  const money = some.filter((index) => isMostly(index, isMoney));
  const [amount = NONE] = named('amount');
  const [guess = NONE] = isNamed ? [...named('amount'), ...some] : [...money, ...some.slice(1), ...some];
  const [price = guess] = named('unit_price');
  const [counted] = isNamed
    ? named('quantity')
    : some.filter((index) => index !== price && !money.includes(index));
  const quantity = counted === undefined || price === amount ? NONE : counted;
  const canBeTax = (cell: string): boolean => !isMoney(cell) && Number(figureOf(cell)) <= MOST_TAX;
  const isGross = /\b(?:inc|inkl|gross|brutto|ttc)/i.test(head[price] ?? '');
  const [tax = NONE] = isGross ? [] : named('tax_percent').filter((index) => filled[index]?.every(canBeTax));
  const isTaxSure = tax === NONE || isMostly(tax, isPercent) || /^\D*%/.test(head[tax] ?? '');
  const sums = figures.filter((index) => nameOf(head[index]) !== 'tax_percent');
  return {
    choice: { quantity, unit_price: price, tax_percent: tax },
    isSure:
      isTaxSure &&
      (sums.length < 2 ||
        (named('unit_price').length === 1 && named('quantity').length === 1) ||
        (!isNamed && figures.length === 2 && behind.length === 2 && money.length === 1)),
    descriptions: named('description').length > 0 ? named('description') : texts,
    figures,
    amount: quantity === NONE || price === amount ? NONE : amount,
  };
}

/** The lines of a table, read by the chosen columns. */
export function linesOf({ lines, descriptions, amount }: Pasted, choice: Choice): readonly PastedRow[] {
  return lines.map((row) => {
    const [quantity, price, tax] = [row[choice.quantity], row[choice.unit_price], row[choice.tax_percent]];
    const description = descriptions.flatMap((index) => row[index] || []).join(', ');
    // The amount of a single line is its price if it has no other.
    const unit_price = price || (!quantity && row[amount]);
    return {
      ...(description && { description }),
      ...(quantity && { quantity }),
      ...(unit_price && { unit_price }),
      ...(tax && { tax_percent: tax }),
    };
  });
}

/** What the lines do not contain: nonempty columns, and rows that are not lines. */
export function leftOutOf({ lines, head, leftOut, ...of }: Pasted, choice: Choice): readonly string[] {
  const used = new Set([...of.descriptions, ...Object.values(choice), of.amount]);
  const columns = [...Array(Math.max(0, ...lines.map(({ length }) => length))).keys()].filter(
    (index) => !used.has(index) && lines.some((row) => row[index]),
  );
  return [
    ...columns.map((index) => nameAt(head, index)),
    ...leftOut.map((row) => `the row “${row.find((cell) => /\p{L}/u.test(cell)) ?? row.find(Boolean)}”`),
  ];
}

const nameAt = (head: Cells, index: number): string => head[index] || `column ${index + 1}`;

/** A column to choose: its head, or its first figures. */
export const columnLabel = ({ head, lines }: Pasted, index: number): string =>
  `${nameAt(head, index)}: ${lines
    .flatMap((row) => row[index] || [])
    .slice(0, 2)
    .join(', ')}`;

/** Cells by the rules of RFC 4180, which spreadsheets also follow with tabs. */
function cellsOf(text: string): readonly Cells[] {
  const unquoted = text.replace(/"(?:[^"]|"")*"/g, '');
  // If every comma groups the digits of a number, no comma separates cells.
  const isParted = /(?<!\d),|,(?!\d{3}(?!\d))/.test(unquoted);
  const mark = ['\t', ';'].find((one) => unquoted.includes(one)) ?? (isParted ? ',' : '\t');
  const rows: string[][] = [[]];
  const cell = new RegExp(`(?:"((?:[^"]|"")*)"|([^${mark}\\r\\n]*))(${mark}|\\r\\n|\\n|\\r|$)`, 'gy');
  for (const [all, quoted, bare = '', end] of text.matchAll(cell)) {
    const value = quoted === undefined ? bare : quoted.replaceAll('""', '"');
    rows.at(-1)?.push(value.replace(/\s+/gu, ' ').trim());
    if (end === '' || all === '') break;
    if (end !== mark) rows.push([]);
  }
  return rows;
}

type Report = {
  readonly leftOut: readonly string[];
  /** The lines, of which the first `count` fit. */
  readonly rows: readonly PastedRow[];
  readonly count: number;
  /** Numbers that were not understood. */
  readonly unread: readonly string[];
  /** The maximum number of lines in a form. */
  readonly most: number;
};

/** A report on pasted lines: it names everything that was omitted or not understood. */
export function pastedWords({ count, rows, leftOut, unread, most }: Report): string {
  const over = rows.length - count;
  const unpriced = rows.slice(0, count).filter(({ unit_price }) => !unit_price);
  return [
    `${count} ${count === 1 ? 'line' : 'lines'} pasted.`,
    over > 0 && `The last ${over} were not: there is room for ${most} lines in total.`,
    leftOut.length > 0 && `Left out: ${leftOut.join('; ')}.`,
    unpriced.length > 0 &&
      `No price yet: ${fewOf(unpriced.map(({ description = '' }) => `“${description}”`))}.`,
    unread.length > 0 && `Not understood: ${fewOf(unread)}.`,
  ]
    .filter(Boolean)
    .join(' ');
}

// One wrong column makes a cell wrong in every line, so only a few are named.
const MOST_NAMED = 3;
const fewOf = (all: readonly string[]): string =>
  all.slice(0, MOST_NAMED).join('; ') +
  (all.length > MOST_NAMED ? `, and ${all.length - MOST_NAMED} more` : '');
