import { columnsOf } from './pasted-columns.ts';
import { type Column, type Field, nameOf } from './pasted-names.ts';
import { isFigure } from './pasted-proof.ts';
import { sumsIn } from './pasted-sums.ts';
import { totalsIn } from './pasted-totals.ts';

/*
 * Converts rows of a spreadsheet to lines of a quote. Cells stay as written; their numbers are parsed like those of
 * every other field.
 */

export type PastedRow = Readonly<Partial<Record<Field, string>>>;

export type Pasted = {
  readonly rows: readonly PastedRow[];
  /** Nonempty columns that match no field, by their head or their number, and rows of totals. */
  readonly leftOut: readonly string[];
  /** The first line with a price, present if quantity, price and tax could be read differently. */
  readonly guess?: PastedRow | undefined;
};

/** The lines of a text copied from a spreadsheet (tabs) or from a CSV file (commas or semicolons). */
export function pastedRows(text: string): Pasted {
  const table = cellsOf(text).filter((cells) => cells.some((cell) => cell !== ''));
  const at = headAt(table);
  const head = table[at] ?? [];
  const all = table.slice(at + 1);
  const totals = new Map([...totalsIn(all), ...sumsIn(all)]);
  const rows = all.filter((_, index) => !totals.has(index));
  const { columns, reasons, isSure } = columnsOf(rows, head);
  const lines = rows.map((cells) => lineOf(cells, columns));
  const isLeft = (index: number): boolean => rows.some((cells) => (cells[index] ?? '') !== '');
  const nameAt = (index: number): string =>
    [head[index] || `column ${index + 1}`, reasons.get(index)].filter(Boolean).join(', ');
  return {
    rows: lines,
    guess: isSure ? undefined : lines.find(({ unit_price }) => unit_price),
    leftOut: [
      ...columns.flatMap((column, index) => (column === null && isLeft(index) ? [nameAt(index)] : [])),
      ...[...table.slice(0, Math.max(0, at)).map(([words = '']) => words), ...totals.values()].map(
        (words) => `the row “${words}”`,
      ),
    ],
  };
}

// Maximum number of title rows above a head.
const MOST_ABOVE = 3;

/** The index of the row that names the most columns; -1 if none does. */
function headAt(table: readonly (readonly string[])[]): number {
  const width = Math.max(...table.slice(0, MOST_ABOVE + 2).map(({ length }) => length));
  const names = table.slice(0, MOST_ABOVE + 1).map((cells) => namesIn(cells, width));
  const isHead = (at: number): boolean =>
    Number(names[at]) > 0 &&
    // A row with few words below figures may be a line.
    (Number(names[at]) > 2 || !table.slice(0, at).some((cells) => cells.some(isFigure)));
  const heads = names.map((count, at) => (isHead(at) ? count : 0));
  return heads.findIndex((count) => count > 0 && count === Math.max(...heads));
}

/**
 * The number of columns that a row names. 0 if it is not a head: a head names a price or two columns and has no figure.
 */
function namesIn(cells: readonly string[], width: number): number {
  const names = cells.map(nameOf).filter((name) => name !== null);
  const isTitle = width > 1 && cells[0] !== '' && cells.filter(Boolean).length === 1;
  const isHead =
    !cells.some(isFigure) &&
    names.some((name) => name !== 'description') &&
    (names.length > 1 || (names.includes('unit_price') && !isTitle));
  return isHead ? names.length : 0;
}

function lineOf(cells: readonly string[], columns: readonly (Column | null)[]): PastedRow {
  const line: Partial<Record<Field, string>> = {};
  for (const [index, cell] of cells.entries()) {
    const column = columns[index];
    if (column == null || column === 'total' || cell === '') continue;
    line[column] = line[column] === undefined ? cell : `${line[column]}, ${cell}`;
  }
  const total = cells[columns.indexOf('total')];
  // The amount of a single line is its price if it has no other.
  if (total && !line.unit_price && !line.quantity) line.unit_price = total;
  return line;
}

/** Cells by the rules of RFC 4180, which spreadsheets also follow with tabs. */
function cellsOf(text: string): readonly (readonly string[])[] {
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
