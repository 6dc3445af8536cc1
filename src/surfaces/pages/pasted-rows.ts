import { columnsOf } from './pasted-columns.ts';
import { type Column, type Field, nameOf } from './pasted-names.ts';
import { isFigure } from './pasted-proof.ts';
import { sumsIn } from './pasted-sums.ts';
import { totalsIn } from './pasted-totals.ts';

/*
 * Rows of a spreadsheet as lines of a quote. Cells stay as they were written; their numbers are read like those of every
 * other field.
 */

export type PastedRow = Readonly<Partial<Record<Field, string>>>;

export type Pasted = {
  readonly rows: readonly PastedRow[];
  /** The columns with something in them that no field is for, by their head or their number, and rows of totals. */
  readonly leftOut: readonly string[];
  /** Given where quantity, price and tax could be told otherwise: the first line with a price. */
  readonly guess?: PastedRow | undefined;
};

/** The lines in a text that was copied from a spreadsheet (tabs) or from a CSV file (commas or semicolons). */
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

// Titles may stand above a head.
const MOST_ABOVE = 3;

/** Where the row is that names the most columns; -1 for none. */
function headAt(table: readonly (readonly string[])[]): number {
  const width = Math.max(...table.slice(0, MOST_ABOVE + 2).map(({ length }) => length));
  const names = table.slice(0, MOST_ABOVE + 1).map((cells) => namesIn(cells, width));
  const isHead = (at: number): boolean =>
    Number(names[at]) > 0 &&
    // Few words above which there are figures may be a line.
    (Number(names[at]) > 2 || !table.slice(0, at).some((cells) => cells.some(isFigure)));
  const heads = names.map((count, at) => (isHead(at) ? count : 0));
  return heads.findIndex((count) => count > 0 && count === Math.max(...heads));
}

/** How many columns a row names; 0 where it is no head, which names a price or two columns and has no figure. */
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
  // What one line comes to is its price, where it has no other.
  if (total && !line.unit_price && !line.quantity) line.unit_price = total;
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
