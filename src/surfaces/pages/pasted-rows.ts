import { type Choice, columnsOf, type Field, type Guess, nameOf } from './pasted-columns.ts';
import { isFigure, type Rows, sumRowsIn } from './pasted-totals.ts';

/*
 * Converts rows of a spreadsheet to lines of a quote. Cells stay as written; their numbers are parsed like the numbers
 * in every other field.
 */

export type PastedRow = Readonly<Partial<Record<Field, string>>>;

/** A text from a spreadsheet, with a guess at what its columns mean. */
export type Pasted = Guess & {
  readonly cells: Rows;
  readonly head: readonly string[];
  /** Rows that are not lines, in words. */
  readonly leftOutRows: readonly string[];
};

/** The table in a text copied from a spreadsheet (tabs) or from a CSV file (commas or semicolons). */
export function pastedTable(text: string): Pasted {
  const table = cellsOf(text).filter((cells) => cells.some((cell) => cell !== ''));
  const at = headAt(table);
  const head = table[at] ?? [];
  const all = table.slice(at + 1);
  const sums = sumRowsIn(all);
  const cells = all.filter((_, index) => !sums.has(index));
  const titles = table.slice(0, Math.max(0, at)).map(([words = '']) => words);
  return {
    ...columnsOf(cells, head),
    cells,
    head,
    leftOutRows: [...titles, ...sums.values()].map((words) => `the row “${words}”`),
  };
}

/** The lines of a table, read by the chosen columns. */
export function linesOf({ cells, descriptions, total }: Pasted, choice: Choice): readonly PastedRow[] {
  const parts = Object.entries(choice) as [Exclude<Field, 'description'>, number][];
  return cells.map((row) => {
    const line: Partial<Record<Field, string>> = {};
    const description = descriptions.flatMap((index) => row[index] || []).join(', ');
    if (description !== '') line.description = description;
    for (const [part, index] of parts) if (row[index]) line[part] = row[index];
    // The amount of a single line is its price if it has no other.
    if (row[total] && !line.unit_price && !line.quantity) line.unit_price = row[total];
    return line;
  });
}

/** What the lines do not contain: nonempty columns, by their head or their number, and rows that are not lines. */
export function leftOutOf(pasted: Pasted, choice: Choice): readonly string[] {
  const { cells, head, descriptions, total, position, leftOutRows } = pasted;
  const used = new Set([...descriptions, ...Object.values(choice), total]);
  const columns = Math.max(0, ...cells.map(({ length }) => length));
  const left = [...Array(columns).keys()].filter(
    (index) => !used.has(index) && cells.some((row) => (row[index] ?? '') !== ''),
  );
  const counts = (index: number): string => (index === position ? ', which counts the lines' : '');
  return [...left.map((index) => `${nameAt(head, index)}${counts(index)}`), ...leftOutRows];
}

const nameAt = (head: readonly string[], index: number): string => head[index] || `column ${index + 1}`;

/** A column to choose: its head, or its first figures. */
export function columnLabel({ head, cells }: Pasted, index: number): string {
  const figures = cells.flatMap((row) => row[index] || []).slice(0, 2);
  return `${nameAt(head, index)}: ${figures.join(', ')}`;
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

// One wrong column makes a cell wrong in every line, so only a few are named.
const MOST_NAMED = 3;

type Report = {
  readonly leftOut: readonly string[];
  /** The lines, of which the first `count` fit. */
  readonly rows: readonly PastedRow[];
  readonly count: number;
  /** Numbers that were not understood. */
  readonly unread: readonly { readonly label: string; readonly value: string }[];
  /** The maximum number of lines in a form. */
  readonly most: number;
};

/** A report on pasted lines: it names everything that was omitted or not understood. */
export function pastedWords({ count, rows, leftOut, unread, most }: Report): string {
  const over = rows.length - count;
  const more = unread.length - MOST_NAMED;
  const named = unread
    .slice(0, MOST_NAMED)
    .map(({ label, value }) => `${label} (“${value}”)`)
    .join('; ');
  return [
    `${count} ${count === 1 ? 'line' : 'lines'} pasted.`,
    over > 0 && `The last ${over} were not: there is room for ${most} lines in total.`,
    leftOut.length > 0 && `Left out: ${leftOut.join('; ')}.`,
    withoutPrice(rows.slice(0, count)),
    named !== '' && `Not understood: ${named}${more > 0 ? `, and ${more} more` : ''}.`,
  ]
    .filter(Boolean)
    .join(' ');
}

/** Lines that still need a price, if no total comes before them. A row of only words is usually a section heading. */
function withoutPrice(lines: readonly PastedRow[]): string {
  const unpriced = lines.filter(({ unit_price }) => !unit_price);
  if (unpriced.length === 0) return '';
  if (unpriced.length === lines.length) return 'No line has a price yet.';
  const names = unpriced.slice(0, MOST_NAMED).map(({ description }) => `“${description ?? ''}”`);
  const more = unpriced.length - names.length;
  const [have, remove] =
    unpriced.length === 1
      ? ['1 line has', 'It is probably a section heading: remove it']
      : [`${unpriced.length} lines have`, 'They are probably section headings: remove them'];
  const isHead = unpriced.every(({ quantity, tax_percent }) => !quantity && !tax_percent);
  return `${have} no price: ${names.join('; ')}${more > 0 ? `, and ${more} more` : ''}.${isHead ? ` ${remove}, or enter a price.` : ''}`;
}
