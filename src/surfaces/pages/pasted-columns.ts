import { figureOf, hasCurrency, isFigure, type Rows } from './pasted-totals.ts';

/*
 * Finds the meaning of each spreadsheet column from the words of its head, or else guesses it from the place and the
 * signs of its cells. The page asks about a guess.
 */

/** The fields of a line that a spreadsheet can have. */
export type Field = 'description' | 'quantity' | 'unit_price' | 'tax_percent';
export type Column = Field | 'total';

/**
 * The first pattern that a head matches applies; of two columns with the same meaning, the one whose pattern comes
 * first here wins.
 */
const WORDS: readonly (readonly [Column | null, RegExp])[] = [
  ['quantity', /^total (?:hours|days|qty|quantity|units)/i],
  [null, /^(?:tax|vat|gst|mwst|ust|tva|iva|moms|btw).*(?:amount|total|sum|betrag|bel[oø]|bedrag)/i],
  ['tax_percent', /^(?:tax|vat|gst|mwst|ust|tva|iva|moms|mva|btw|alv)/i],
  [
    'total',
    /^(?:line |sub)?(?:total|amount|sum|betrag|gesamt|montant|import[eo]|totaal|bedrag|belopp|beløb|i alt|yhteensä|razem|wartość|kwota|gp(?!\p{L})|yht)|(?:price|prix|precio|preço|prezzo|prijs|cena|pris|cost).* (?:total|razem|i alt)/iu,
  ],
  // 'Hourly rate', 'Cena netto', 'Stk.-Preis', 'Yksikköhinta', 'Á pris'
  [
    'unit_price',
    /(?<!\p{L})(?:price|rate|prix|precio|preço|prezzo|cena|each|ep|pu)(?!\p{L})|(?:preis|pris|prijs|hinta)(?!\p{L})/iu,
  ],
  ['unit_price', /^(?:unit |each )?cost/i],
  [
    'quantity',
    /^(?:qty|quant|qté|q\.tà|hours|days|units|pcs|pieces|count|menge|anzahl|stunden|cantidad|cant\.|uds|antal|aantal|ilość|szt|qtde?(?!\p{L})|määrä|kpl|stk|stück)/iu,
  ],
  [
    'description',
    /^(?:desc|item|what|name|product|service|work|position|leistung|arti[ckg]|concepto|bezeichn|beschreib|désign|nazwa|opis|towar|usługa|benämn|beskriv|omschrijv|tekst|vare|vara|produto|tuote|kuvaus)/i,
  ],
];

const rankOf = (head = ''): number => WORDS.findIndex(([, pattern]) => pattern.test(head));

/** The column kind that a head names; null if the head is unknown. */
export const nameOf = (head: string | undefined): Column | null => WORDS[rankOf(head)]?.[0] ?? null;

/** Which columns hold the figures of a line, by index; `NONE` for a missing one. */
export type Choice = Readonly<Record<Exclude<Field, 'description'>, number>>;

/** Stands for a missing column. */
export const NONE = -1;

export type Guess = {
  readonly choice: Choice;
  /** Whether the head or the signs in the cells leave no doubt about the columns. */
  readonly isSure: boolean;
  /** The columns of words. */
  readonly descriptions: readonly number[];
  /** The columns that the owner may choose from, because they have figures. */
  readonly figures: readonly number[];
  /** The column of line amounts, which the form calculates itself. */
  readonly total: number;
  /** The column that counts the lines. */
  readonly position: number;
};

// A form has fewer lines than this.
const MOST_LINES = 200;

/** Guesses the meaning of each column from its head, or else from its content; `head` is empty if there is none. */
export function columnsOf(allRows: Rows, head: readonly string[]): Guess {
  const rows = allRows.slice(0, MOST_LINES);
  const indexes = [...Array(Math.max(0, ...rows.map(({ length }) => length))).keys()];
  const filled = indexes.map((index) => rows.map((row) => row[index] ?? '').filter(Boolean));
  const count = (index: number, is: (cell: string) => boolean): number =>
    filled[index]?.filter(is).length ?? 0;
  // A word or a dash among the figures of a column is not a figure, and the form says so.
  const most = (index: number, is: (cell: string) => boolean): boolean =>
    count(index, is) * 2 > (filled[index]?.length ?? 0);
  const words = indexes.find((index) => filled[index]?.length !== 0 && !most(index, isFigure)) ?? NONE;
  const percents = indexes.filter(
    (index) => index !== words && count(index, isPercent) * 2 > count(index, isFigure),
  );
  const plain = indexes.filter((index) => most(index, isFigure) && !percents.includes(index));
  // Quantities may be words on most lines.
  const hasFigures = (index: number): boolean =>
    plain.includes(index) ||
    (![words, ...percents].includes(index) &&
      count(index, isFigure) > 0 &&
      (plain.length < 2 || !['description', null].includes(nameOf(head[index]))));
  const figures = indexes.filter(hasFigures);
  const position = plain.length < indexes.length && isCounting(rows, plain.length) ? 0 : NONE;
  const named = (name: Column): readonly number[] =>
    [...figures, ...(name === 'tax_percent' ? percents : [])]
      .filter((index) => nameOf(head[index]) === name)
      .sort((one, other) => rankOf(head[one]) - rankOf(head[other]));
  const table = { head, named, words, percents, figures: figures.filter((index) => index !== position) };
  const isMoney = (index: number): boolean => most(index, hasCurrency);
  const isNamed = indexes.some((index) => nameOf(head[index]) !== null);
  const { isSure, ...main } = isNamed ? byName(table) : byPlace(table, isMoney);
  const tax = taxOf(table, main.unit_price, isNamed, filled);
  const choice = { ...main, tax_percent: tax.index };
  const texts = indexes.filter((index) => !figures.includes(index) && !percents.includes(index));
  const described = texts.filter((index) => nameOf(head[index]) === 'description');
  const [total = NONE] = named('total').filter(
    (index) => main.quantity !== NONE && index !== main.quantity && index !== main.unit_price,
  );
  return {
    choice,
    isSure: isSure && tax.isSure,
    descriptions: described.length > 0 ? described : texts.filter((index) => nameOf(head[index]) === null),
    figures: [...figures, ...percents].sort((one, other) => one - other),
    total,
    position: main.quantity === position ? NONE : position,
  };
}

type Table = {
  readonly head: readonly string[];
  /** The columns with this name, the best name first. */
  readonly named: (name: Column) => readonly number[];
  /** The first column of words. */
  readonly words: number;
  /** The columns of figures, without those that have percent signs. */
  readonly figures: readonly number[];
  readonly percents: readonly number[];
};

type Main = Omit<Choice, 'tax_percent'> & { readonly isSure: boolean };

const isPercent = (cell: string): boolean => isFigure(cell) && /\d\s*%$/.test(cell);

/**
 * Whether the first column numbers the lines: 1, 2, 3, or 10, 20, 30. A single line has a 1 before two other figures.
 */
function isCounting(rows: Rows, figures: number): boolean {
  const lines = rows.filter((row) => row.slice(1).some(isFigure));
  const [first = 0, ...rest] = lines.map(([cell = '']) => (/^#?\d+[.)]?$/.test(cell) ? figureOf(cell) : 0));
  if (rest.length === 0) return first === 1 && figures > 2;
  const step = first === 10 ? 10 : 1;
  return (
    (first === step || (first > 0 && figures > 2)) &&
    rest.every((count, index) => count === first + step * (index + 1))
  );
}

/**
 * The columns that the head names. Without a named price, the line amount serves as the price, or else the first
 * unnamed figure.
 */
function byName({ figures, head, words, named }: Table): Main {
  const unnamed = figures.filter((index) => nameOf(head[index]) === null);
  const [total = NONE] = named('total');
  const other = unnamed.find((index) => index > words) ?? unnamed[0] ?? NONE;
  const [price = total === NONE ? other : total] = named('unit_price');
  // An 'Amount' before a price may be a quantity.
  const amount = total < price ? total : NONE;
  const [quantity = amount] = price === total ? [] : named('quantity');
  const isAlone = figures.every((index) => index === price || nameOf(head[index]) === 'tax_percent');
  const isPriced = named('unit_price').length === 1 && (quantity !== total || total === NONE);
  return { quantity, unit_price: price, isSure: isPriced || isAlone };
}

/** Without a head, the quantity comes before the price, unless a currency distinguishes them. */
function byPlace({ figures, words }: Table, isMoney: (index: number) => boolean): Main {
  const behind = figures.filter((index) => index > Math.max(words, 0));
  // A third number, before or instead of the words, is probably an article number.
  const some = behind.length > 1 ? behind : figures;
  const money = some.filter(isMoney);
  const price = money[0] ?? some[some.length > 1 ? 1 : 0] ?? NONE;
  const quantity = some.find((index) => index !== price && !money.includes(index)) ?? NONE;
  // A figure before the words may be a number of the line.
  const isSure = figures.length < 2 || (figures.length === 2 && behind.length === 2 && money.length === 1);
  return { quantity, unit_price: price, isSure };
}

/** A higher percentage than any tax. */
const MOST_TAX = 30;

/** The column of the tax; `NONE` if the prices include it, or if its figures cannot be percentages. */
function taxOf(
  { head, named, percents }: Table,
  price: number,
  isNamed: boolean,
  filled: Rows,
): { readonly index: number; readonly isSure: boolean } {
  const [index = isNamed || percents.length > 1 ? NONE : (percents[0] ?? NONE)] = named('tax_percent');
  const none = { index: NONE, isSure: isNamed || percents.length === 0 };
  const isGross = /(?<!\p{L})(?:inc|gross|brutto|ttc|inkl)/iu.test(head[price] ?? '');
  if (index === NONE || isGross) return none;
  const isSigned = percents.includes(index);
  const cells = filled[index] ?? [];
  const canBe = (cell: string): boolean =>
    isSigned ||
    !isFigure(cell) ||
    (figureOf(cell) <= MOST_TAX && !/[.,]\d{2}$/.test(cell) && !hasCurrency(cell));
  if (!cells.every(canBe)) return none;
  return { index, isSure: isNamed && (isSigned || /%/.test(head[index] ?? '')) };
}
