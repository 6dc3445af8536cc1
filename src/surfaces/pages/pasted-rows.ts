import { CURRENCY_CODES } from '../../domain/currency.ts';

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

const words = (text: string): ReadonlySet<string> => new Set(text.split(' '));

const SUM = words('total totals totale totaal subtotal subtotale subtotaal sum suma somme gesamt insgesamt');
// 'Zwischensumme', 'Gesamtbetrag', 'Nettopreis'
const SUM_IN_GERMAN =
  /^(?:summe|(?:zwischen|end|gesamt|netto|brutto|rechnungs|angebots)(?:summe|betrag|preis|kosten))$/;
// What sums up below the last line; above it, it may be a line.
const SUM_AT_THE_END = words(
  'net gross netto brutto neto bruto amount balance montant importe imponible imponibile betrag',
);
// With these it is what is to be paid.
const DUE = words('due payable payer pagar pagare betalen régler');
const TAX = words(
  'tax taxes vat gst hst pst qst mwst ust umsatzsteuer mehrwertsteuer tva iva btw taxe impuesto impuestos irpf',
);
const BESIDE = words(
  'sub sous grand order invoice quote project job estimated sales plus zzgl zuzüglich of in to a à da te at on rate amt pay cost price prix ht ttc ex exc excl excluding exclusive inc incl including inclusive inkl incluido avec dont before after without sin con hors toutes comprises général general generale base',
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
const isKnown = (word: string): boolean =>
  isSum(word) || [SUM_AT_THE_END, DUE, TAX, BESIDE, CURRENCIES].some((set) => set.has(word));

type SumKind = 'sum' | 'sum at the end' | 'tax' | null;

/** What a row sums up, by its words: its first cell has some, each of them is known, and it has a figure. */
function sumKindOf(cells: readonly string[]): SumKind {
  const label = cells.find((cell) => cell !== '' && !/^[+\s]*[\d.,]+\s*%$/.test(cell)) ?? '';
  // A figure may have a word of its own, such as a currency in its own language.
  const all = cells.flatMap((cell): readonly string[] =>
    isNumeric(cell) && !wordsOf(cell).every(isKnown) ? [] : wordsOf(cell),
  );
  if (wordsOf(label).length === 0 || !cells.some(isNumeric) || !all.every(isKnown)) return null;
  const isAtTheEnd = all.some((word) => SUM_AT_THE_END.has(word));
  if (all.some(isSum) || (isAtTheEnd && all.some((word) => DUE.has(word)))) return 'sum';
  if (isAtTheEnd) return 'sum at the end';
  return all.some((word) => TAX.has(word)) ? 'tax' : null;
}

/** The rows that sum up others, by their index with their words: a sum, and the taxes and sums right beside it. */
function totalsIn(rows: readonly (readonly string[])[]): ReadonlyMap<number, string> {
  const kinds = rows.map((cells, index) => (index === 0 ? null : sumKindOf(cells)));
  const last = rows.findLastIndex((cells) => cells.some(isNumeric));
  const found = new Map<number, string>();
  for (let from = 0; from < kinds.length; from += 1) {
    let end = from;
    while (end < kinds.length && kinds[end] !== null) end += 1;
    const block = kinds.slice(from, end);
    // Alone, 'Net' or 'Montant 48/35' may be the last line.
    const isEnd = end === last + 1 && (block.length > 1 || found.size > 0);
    if (block.includes('sum') || (isEnd && block.includes('sum at the end')))
      for (let index = from; index < end; index += 1)
        found.set(index, (rows[index] ?? []).find((cell) => /\p{L}/u.test(cell)) ?? '');
    from = end;
  }
  return found;
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
