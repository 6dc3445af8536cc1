import { CURRENCY_CODES } from '../../domain/currency.ts';
import { readNumber, withCents } from './written-number.ts';

/* Finds the rows of a spreadsheet that sum other rows, by their words or by their figures. */

/** Whether a cell has a figure, with its sign, unit or word. */
const isNumeric = (cell: string): boolean =>
  /\d/.test(cell) &&
  /^[^\p{L}]{0,4}[\p{L}]{0,3}[\d\s.,'’%+\-−\p{Sc}]+[\p{L}\p{Sc}%]{0,3}\)?$/u.test(withCents(cell));

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

const words = (text: string): ReadonlySet<string> => new Set(text.split(' '));

const SUM = words(
  'total totals totale totaal totalt subtotal subtotale subtotaal sum suma summa somme soma delsum delsumma slutsumma gesamt insgesamt alt ialt yhteensä razem ogółem łącznie',
);
// 'Zwischensumme', 'Gesamtbetrag', 'Nettopreis'
const SUM_IN_GERMAN =
  /^(?:summe|(?:zwischen|end|gesamt|netto|brutto|rechnungs|angebots)(?:summe|betrag|preis|kosten))$/;
// Words for a sum below the last line. Above it, they may be a line.
const SUM_AT_THE_END = words(
  'net gross netto brutto neto bruto amount balance montant montante importe importo imponible imponibile betrag bedrag belopp beløb kwota wartość',
);
// With one of these words, a sum is the amount to pay.
const DUE = words('due payable payer pagar pagare betalen régler betala betale zapłaty');
const TAX = words(
  'tax taxes vat gst hst pst qst mwst ust umsatzsteuer mehrwertsteuer tva iva btw moms mva alv ptu podatek taxe impuesto impuestos imposto irpf',
);
const BESIDE = words(
  'sub sous grand order invoice quote project job estimated sales plus zzgl zuzüglich of in to a à da te at on rate amt pay cost price prix ht ttc ex exc excl excluding exclusive inc incl including inclusive inkl incluido avec dont before after without sin con hors toutes comprises général general generale geral base att til do i av exkl eks ekskl',
);
const CURRENCIES: ReadonlySet<string> = new Set(CURRENCY_CODES.map((code) => code.toLowerCase()));

const wordsOf = (cell: string): readonly string[] =>
  (
    cell
      .normalize()
      .toLowerCase()
      .replace(/\b(\p{L})\.(?=\p{L}\b)/gu, '$1')
      .match(/[\p{L}\p{N}]+/gu) ?? []
  ).filter((word) => /\p{L}/u.test(word));
const isSum = (word: string): boolean => SUM.has(word) || SUM_IN_GERMAN.test(word);
/** Whether any word of a cell means a sum. */
const hasSumWord = (cell: string): boolean => wordsOf(cell).some(isSum);
const isKnown = (word: string): boolean =>
  isSum(word) || [SUM_AT_THE_END, DUE, TAX, BESIDE, CURRENCIES].some((set) => set.has(word));

type SumKind = 'sum' | 'sum at the end' | 'tax' | null;

/**
 * The kind of sum that a row names; null if the row has no figure, an unknown word, or a label without words. The
 * label is the first cell that is neither empty nor a rate.
 */
function sumKindOf(cells: readonly string[]): SumKind {
  const label = cells.find((cell) => cell !== '' && !/^[+\s]*[\d.,]+\s*%$/.test(cell)) ?? '';
  if (wordsOf(label).length === 0 || !wordsOf(label).every(isKnown) || !cells.some(isNumeric)) return null;
  // A figure may include a word, such as a local currency name.
  const all = cells.flatMap((cell): readonly string[] =>
    isNumeric(cell) && !wordsOf(cell).every(isKnown) ? [] : wordsOf(cell),
  );
  if (!all.every(isKnown)) return null;
  const isAtTheEnd = all.some((word) => SUM_AT_THE_END.has(word));
  if (all.some(isSum) || (isAtTheEnd && all.some((word) => DUE.has(word)))) return 'sum';
  if (isAtTheEnd) return 'sum at the end';
  return all.some((word) => TAX.has(word)) ? 'tax' : null;
}

/** The rows that sum other rows, by index, with their words: a sum, and the taxes and sums directly next to it. */
function totalsIn(rows: Rows): ReadonlyMap<number, string> {
  const kinds = rows.map((cells, index) => (index === 0 ? null : sumKindOf(cells)));
  const last = rows.findLastIndex((cells) => cells.some(isNumeric));
  const found = new Map<number, string>();
  for (let from = 0; from < kinds.length; from += 1) {
    let end = from;
    while (end < kinds.length && kinds[end] !== null) end += 1;
    const block = kinds.slice(from, end);
    // By itself, 'Net' or 'Montant 48/35' may be the last line.
    const isEnd = end === last + 1 && (block.length > 1 || found.size > 0);
    if (block.includes('sum') || (isEnd && block.includes('sum at the end')))
      for (let index = from; index < end; index += 1)
        found.set(index, (rows[index] ?? []).find((cell) => /\p{L}/u.test(cell)) ?? '');
    from = end;
  }
  return found;
}

const CENTS = 0.02;
// A form has fewer lines than this.
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
function sumsIn(rows: Rows): ReadonlyMap<number, string> {
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

/** The rows that sum other rows, by index, with their words. */
export const sumRowsIn = (rows: Rows): ReadonlyMap<number, string> =>
  new Map([...totalsIn(rows), ...sumsIn(rows)]);
