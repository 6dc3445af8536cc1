import { CURRENCY_CODES } from '../../domain/currency.ts';
import { withCents } from './written-number.ts';

/* Finds the rows of a spreadsheet that sum other rows, by their words. */

/** Whether a cell has a figure, with its sign, unit or word. */
export const isNumeric = (cell: string): boolean =>
  /\d/.test(cell) &&
  /^[^\p{L}]{0,4}[\p{L}]{0,3}[\d\s.,'’%+\-−\p{Sc}]+[\p{L}\p{Sc}%]{0,3}\)?$/u.test(withCents(cell));

const words = (text: string): ReadonlySet<string> => new Set(text.split(' '));

const SUM = words(
  'total totals totale totaal totalt subtotal subtotale subtotaal sum suma summa somme soma delsum delsumma slutsumma gesamt insgesamt alt ialt yhteensä razem ogółem łącznie',
);
// 'Zwischensumme', 'Gesamtbetrag', 'Nettopreis'
const SUM_IN_GERMAN =
  /^(?:summe|(?:zwischen|end|gesamt|netto|brutto|rechnungs|angebots)(?:summe|betrag|preis|kosten))$/;
// Words for a sum below the last line; above it, they may be a line.
const SUM_AT_THE_END = words(
  'net gross netto brutto neto bruto amount balance montant montante importe importo imponible imponibile betrag bedrag belopp beløb kwota wartość',
);
// With these words, it is the amount to pay.
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
/** Whether a cell has a word for a sum, among others. */
export const hasSumWord = (cell: string): boolean => wordsOf(cell).some(isSum);
const isKnown = (word: string): boolean =>
  isSum(word) || [SUM_AT_THE_END, DUE, TAX, BESIDE, CURRENCIES].some((set) => set.has(word));

type SumKind = 'sum' | 'sum at the end' | 'tax' | null;

/** The kind of sum that a row names: its first cell has words, all of them are known, and the row has a figure. */
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

/** The rows that sum others, by index, with their words: a sum, and the taxes and sums directly next to it. */
export function totalsIn(rows: readonly (readonly string[])[]): ReadonlyMap<number, string> {
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
