/*
 * Rows of a spreadsheet as lines of a quote. Cells stay as they were written; their numbers are read like those of every
 * other field.
 */

export type PastedRow = {
  readonly description?: string;
  readonly quantity?: string;
  readonly unit_price?: string;
  readonly tax_percent?: string;
};

type Column = keyof PastedRow | 'total';

export type Pasted = {
  readonly rows: readonly PastedRow[];
  /** The columns with something in them that no field is for, by their head or their number, and rows of totals. */
  readonly leftOut: readonly string[];
};

/** The lines in a text that was copied from a spreadsheet (tabs) or from a CSV file (commas or semicolons). */
export function pastedRows(text: string): Pasted {
  const table = cellsOf(text).filter((cells) => cells.some((cell) => cell !== ''));
  const [head = [], ...rest] = table;
  const named = namedBy(head);
  const isHead = head.every((cell) => !isNumeric(cell)) && named.includes('unit_price');
  const all = isHead ? rest : table;
  const totals = totalsIn(all);
  const rows = all.filter((_, index) => !totals.has(index));
  const columns = isHead ? named : guessed(rows);
  const width = Math.max(0, ...rows.map(({ length }) => length));
  const isLeft = (index: number): boolean =>
    columns[index] == null && rows.some((cells) => (cells[index] ?? '') !== '');
  return {
    rows: rows.map((cells) => lineOf(cells, columns)),
    leftOut: [
      ...Array.from({ length: width }, (_, index) => index)
        .filter(isLeft)
        .map((index) => (isHead && head[index]) || `column ${index + 1}`),
      ...[...totals.values()].map((words) => `the row “${words}”`),
    ],
  };
}

function lineOf(cells: readonly string[], columns: readonly (Column | null)[]): PastedRow {
  const line: Partial<Record<keyof PastedRow, string>> = {};
  for (const [index, cell] of cells.entries()) {
    const column = columns[index];
    if (column == null || column === 'total' || cell === '') continue;
    line[column] = line[column] === undefined ? cell : `${line[column]}, ${cell}`;
  }
  return line;
}

/** Cells by the rules of RFC 4180, which spreadsheets keep with tabs as well. */
function cellsOf(text: string): readonly (readonly string[])[] {
  const unquoted = text.replace(/"(?:[^"]|"")*"/g, '');
  // Where every comma groups the digits of a number, none parts cells.
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

const isNumeric = (cell: string): boolean =>
  /\d/.test(cell) && /^[^\p{L}]{0,4}[\p{L}]{0,3}[\d\s.,'’%+\-−\p{Sc}]+[\p{L}\p{Sc}%]{0,3}\)?$/u.test(cell);

/** Of two columns of the same figure the one whose words stand first counts. */
const WORDS: readonly (readonly [Column | null, RegExp])[] = [
  [null, /^(?:tax|vat|gst|mwst|ust|tva|iva).*(?:amount|total|sum|betrag)/i],
  ['total', /^(?:line |sub)?(?:total|amount|sum|betrag|summe|gesamt|montant|importe)/i],
  ['quantity', /^(?:qty|quant|hours|units|count|menge|anzahl|quantit|cantidad)/i],
  ['tax_percent', /^(?:tax|vat|gst|mwst|ust|tva|iva)/i],
  ['unit_price', /^(?:(?:unit |each )?(?:price|rate)|preis|einzelpreis|prix|precio|each)/i],
  ['unit_price', /^(?:unit |each )?cost/i],
  ['description', /^(?:desc|item|what|name|product|service|work|position|leistung|article|concepto)/i],
];

const TOTAL =
  /^(?:(?:sub|grand|net|gross|sous)[ -]?)?(?:totals?|sum|(?:balance|amount) due|somme|suma|(?:zwischen|end|gesamt)?(?:summe|betrag)|gesamt)(?:[ ,(]+(?:amount|price|gross|to|ht|[a-z]{3}|[ei][xn]c\w*\.?|[£$€])\)?)*:?$/i;
const TAX = /^(?:(?:sales|plus) )?(?:tax|vat|gst|mwst|ust|tva|iva)\b/i;

/**
 * The rows that sum up others, by their index with their words: words and one figure. A row of tax is one only among
 * totals or right above the last.
 */
function totalsIn(rows: readonly (readonly string[])[]): ReadonlyMap<number, string> {
  const labels = rows.map((cells) => {
    const [label = '', ...others] = cells.filter((cell) => cell !== '');
    const [figure, ...more] = others.filter((cell) => !cell.endsWith('%'));
    return more.length === 0 && figure !== undefined && isNumeric(figure) ? label : '';
  });
  const isTotal = (label: string, index: number): boolean => index > 0 && TOTAL.test(label);
  const first = labels.findIndex(isTotal);
  const last = labels.findLastIndex(isTotal);
  const isTax = (label: string, index: number): boolean =>
    index > 0 && index < last && (index > first || index === last - 1) && TAX.test(label);
  return new Map(
    [...labels.entries()].filter(([index, label]) => isTotal(label, index) || isTax(label, index)),
  );
}

/** The columns that a head names. Words of several columns belong together. */
function namedBy(head: readonly string[]): readonly (Column | null)[] {
  const ranks = head.map((cell) => WORDS.findIndex(([, pattern]) => pattern.test(cell)));
  const columns = ranks.map((rank) => WORDS[rank]?.[0] ?? null);
  const isBest = (column: Column | null, index: number): boolean =>
    columns.every(
      (other, at) =>
        other !== column ||
        Number(ranks[at]) > Number(ranks[index]) ||
        (ranks[at] === ranks[index] && at >= index),
    );
  const kept = columns.map((column, index) =>
    column === 'description' || isBest(column, index) ? column : null,
  );
  // What a line comes to is its price where no other is named, and one of it is meant.
  const isPrice = !kept.includes('unit_price') && !kept.includes('quantity');
  return kept.map((column) => (isPrice && column === 'total' ? 'unit_price' : column));
}

/** A number as written, for comparing alone: what it is taken for is the form's to say. */
const figureOf = (cell = ''): number =>
  Number(
    cell
      .replace(/[^\d.,]/g, '')
      .replace(/[.,](?=\d{3}(?!\d))/g, '')
      .replace(',', '.'),
  );

/** Guesses columns without a head: words, the quantity, the unit price, and the total where it is their product. */
function guessed(rows: readonly (readonly string[])[]): readonly (Column | null)[] {
  const width = Math.max(0, ...rows.map(({ length }) => length));
  const indexes = Array.from({ length: width }, (_, index) => index);
  const filled = (index: number) => rows.map((row) => row[index] ?? '').filter((cell) => cell !== '');
  // A word or a dash among the figures of a column is no figure, and the form says so.
  const isOf = (index: number, is: (cell: string) => boolean): boolean =>
    filled(index).filter(is).length * 2 > filled(index).length;
  const taxes = indexes.filter((index) => isOf(index, (cell) => /\d\s*%$/.test(cell)));
  const numbers = indexes.filter((index) => isOf(index, isNumeric) && !taxes.includes(index));
  const [first = 0, second, third] = numbers;
  const isProduct = (row: readonly string[]): boolean =>
    Math.abs(figureOf(row[first]) * figureOf(row[second ?? 0]) - figureOf(row[third ?? 0])) < 0.02;
  return indexes.map((index) => {
    if (taxes.includes(index)) return index === taxes[0] ? 'tax_percent' : null;
    if (!numbers.includes(index)) return 'description';
    if (second === undefined) return 'unit_price';
    if (index === first) return 'quantity';
    return index === second ? 'unit_price' : index === third && rows.every(isProduct) ? 'total' : null;
  });
}
