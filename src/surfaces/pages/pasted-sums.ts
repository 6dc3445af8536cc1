import { figureOf, isFigure, type Rows } from './pasted-proof.ts';
import { hasSumWord } from './pasted-totals.ts';

/* Finds the rows of a spreadsheet that sum other rows, by their figures. */

const CENTS = 0.02;
// More lines than a form has.
const MOST_LINES = 200;

/** The possible amounts of a line: the figure in a column, or the product of its two figures. */
function worthsOf(cells: readonly string[], column: number): readonly [number, number] {
  const figures = cells.filter(isFigure).map(figureOf);
  const cell = cells[column] ?? '';
  const [one = 0, other = 1] = figures;
  return [isFigure(cell) ? figureOf(cell) : 0, figures.length < 3 ? one * other : 0];
}

/**
 * The rows whose last figure is the sum of all lines before them, or of the lines since the last sum; by index, with
 * their words. Only rows without words (if the lines have some) and rows with a word for a sum count.
 */
export function sumsIn(rows: Rows): ReadonlyMap<number, string> {
  const found = new Map<number, string>();
  const hasWords = rows.some((cells) => !isBare(cells));
  let since = 0;
  for (const [index, cells] of rows.slice(0, MOST_LINES).entries()) {
    const column = cells.findLastIndex(isFigure);
    const isNamed = cells.some(hasSumWord);
    if (column < 0 || !(isNamed || (hasWords && isBare(cells)))) continue;
    const sum = figureOf(cells[column] ?? '');
    const isSumFrom = (start: number): boolean => {
      const lines = rows.slice(start, index).filter((_, at) => !found.has(start + at));
      if (lines.length < (isNamed ? 1 : 2)) return false;
      return [0, 1].some((way) => {
        const all = lines.reduce((before, line) => before + Number(worthsOf(line, column)[way]), 0);
        return Math.abs(all - sum) < CENTS;
      });
    };
    if (!isSumFrom(since) && !isSumFrom(0)) continue;
    found.set(index, cells.find((cell) => /\p{L}/u.test(cell)) ?? cells[column] ?? '');
    since = index + 1;
  }
  return found;
}

/** Whether a row has only figures. */
const isBare = (cells: readonly string[]): boolean => cells.every((cell) => cell === '' || isFigure(cell));
