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
  /** The columns with something in them that no field is for, by their head or their number. */
  readonly leftOut: readonly string[];
};

/** The lines in a text that was copied from a spreadsheet (tabs) or from a CSV file (commas or semicolons). */
export function pastedRows(text: string): Pasted {
  const table = cellsOf(text).filter((cells) => cells.some((cell) => cell !== ''));
  const [head = [], ...rest] = table;
  const named = head.map(columnOf);
  const isHead = head.every((cell) => !isNumeric(cell)) && named.some((column) => column === 'unit_price');
  const rows = isHead ? rest : table;
  const columns = once(isHead ? named : guessed(rows));
  const width = Math.max(0, ...rows.map(({ length }) => length));
  const isLeft = (index: number): boolean =>
    columns[index] == null && rows.some((cells) => (cells[index] ?? '') !== '');
  return {
    rows: rows.map((cells) => lineOf(cells, columns)),
    leftOut: Array.from({ length: width }, (_, index) => index)
      .filter(isLeft)
      .map((index) => (isHead && head[index]) || `column ${index + 1}`),
  };
}

/** Words of several columns belong together; of two columns of the same figure the first counts. */
const once = (columns: readonly (Column | null)[]): readonly (Column | null)[] =>
  columns.map((column, index) =>
    column === 'description' || columns.indexOf(column) === index ? column : null,
  );

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
  const mark = text.includes('\t') ? '\t' : text.includes(';') ? ';' : ',';
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
  /\d/.test(cell) && /^[^\p{L}]{0,4}[\p{L}]{0,3}[\d\s.,'’%+\-−\p{Sc}]+[\p{L}\p{Sc}%]{0,3}$/u.test(cell);

const WORDS: readonly (readonly [Column, RegExp])[] = [
  ['total', /^(?:line |sub)?(?:total|amount|sum|betrag|summe|gesamt|montant|importe)/i],
  ['quantity', /^(?:qty|quant|hours|units|count|menge|anzahl|quantit|cantidad|no\.?$|number)/i],
  ['tax_percent', /^(?:tax|vat|gst|mwst|ust|tva|iva)/i],
  ['unit_price', /^(?:(?:unit |each )?(?:price|rate|cost)|preis|einzelpreis|prix|precio|each)/i],
  ['description', /^(?:desc|item|what|name|product|service|work|position|leistung|article|concepto)/i],
];

const columnOf = (cell: string): Column | null =>
  WORDS.find(([, pattern]) => pattern.test(cell))?.[0] ?? null;

/** Guesses columns without a head: words first, then the quantity, then the unit price; then comes the total. */
function guessed(rows: readonly (readonly string[])[]): readonly (Column | null)[] {
  const width = Math.max(0, ...rows.map(({ length }) => length));
  const isNumbers = (index: number): boolean => {
    const cells = rows.map((row) => row[index] ?? '').filter((cell) => cell !== '');
    return cells.length > 0 && cells.every(isNumeric);
  };
  const indexes = Array.from({ length: width }, (_, index) => index);
  const numbers = indexes.filter(isNumbers);
  const [first, second, third] = numbers;
  return indexes.map((index) => {
    if (!numbers.includes(index)) return 'description';
    if (second === undefined) return 'unit_price';
    if (index === first) return 'quantity';
    return index === second ? 'unit_price' : index === third ? 'total' : null;
  });
}
