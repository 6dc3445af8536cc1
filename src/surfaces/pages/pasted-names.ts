/* The meanings of spreadsheet column heads. */

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
    /^(?:line |sub)?(?:total|amount|sum|betrag|gesamt|montant|import[eo]|totaal|bedrag|belopp|beløb|i alt|yhteensä|razem|wartość|kwota)|(?:price|prix|precio|preço|prezzo|prijs|cena|pris|cost).* (?:total|razem|i alt)/i,
  ],
  // 'Hourly rate', 'Cena netto', 'Stk.-Preis', 'Yksikköhinta', 'Á pris'
  [
    'unit_price',
    /(?<!\p{L})(?:price|rate|prix|precio|preço|prezzo|cena|each)(?!\p{L})|(?:preis|pris|prijs|hinta)(?!\p{L})/iu,
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

/** The given columns that the head names this way, the best name first. */
export const namedSo = (
  head: readonly string[],
  columns: readonly number[],
  name: Column,
): readonly number[] =>
  columns
    .filter((index) => nameOf(head[index]) === name)
    .sort((one, other) => rankOf(head[one]) - rankOf(head[other]));
