import { figureOf, isFigure, type Rows } from './pasted-proof.ts';
import { hasSumWord } from './pasted-totals.ts';

/* The rows of a spreadsheet that sum up others, by their figures. */

const CENTS = 0.02;
// More than a form has lines.
const MOST_LINES = 200;

/** What a line may come to: the figure in a column, or its two figures multiplied. */
function worthsOf(cells: readonly string[], column: number): readonly [number, number] {
  const figures = cells.filter(isFigure).map(figureOf);
  const cell = cells[column] ?? '';
  const [one = 0, other = 1] = figures;
  return [isFigure(cell) ? figureOf(cell) : 0, figures.length < 3 ? one * other : 0];
}

/**
 * The rows whose last figure is the sum of the lines before them, or of those since the last sum, by their index with
 * their words: such as have no words at all where the lines have some, and such as have a word for a sum among others.
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

/** Whether a row has figures alone. */
const isBare = (cells: readonly string[]): boolean => cells.every((cell) => cell === '' || isFigure(cell));
