import { capitalised, cleanLine, listed } from './text.ts';

/** What a given number is if it is not an invoice number. */
export type NumberMistake = 'credit_note' | 'not_a_number' | 'not_a_bill';

/** How a letter refers to the invoice. */
export type InvoiceName = {
  /** In the middle of a sentence: 'invoice INV-1042', or 'our invoice' without a number. */
  readonly text: string;
  readonly isNumbered: boolean;
  readonly isPlural: boolean;
  /** The word for the document: 'invoice', 'invoices', 'statement'. */
  readonly noun: string;
  /** The payment reference; null if there is no number to quote. */
  readonly reference: string | null;
  readonly slip: NumberMistake | null;
};

// 'Inv.', 'Inv 12' and 'Inv #12' abbreviate the word; 'INV-12' is a number with a prefix.
const CUT_SHORT = /^inv(?:(?:oice)?\s*:\s*|\.\s*|\s+|(?=#))/iu;
const SAYS_INVOICE = /(?<!\p{L})invoices?(?!\p{L})/iu;
const SAYS_INVOICES = /(?<!\p{L})invoices(?!\p{L})/iu;
const LABEL = String.raw`(?:no|nr|num|number)\b[.:]?\s*`;
// Only the word, or the word with what usually comes before a number.
const NOTHING_BUT_THE_WORD = /^(?:(?:our|the|your|tax|an?)\s+)*invoices?(?:\s*(?:no|nr|num|number|#)\.?)?$/iu;
const NO_ANSWER =
  /^(?:n\/?a|n\.a|none|nil|null|tb[acd]|unknown|pending|no number|to be (?:confirmed|determined|announced)|not (?:known|available|applicable|assigned)(?: yet)?)$/iu;
// A number directly after the word; 'invoice dated 4 October' and '2nd invoice' describe an invoice instead.
const HAS_ITS_NUMBER = new RegExp(
  String.raw`(?<!\p{L})invoices?(?!\p{L})[\s:-]*(?:${LABEL})?#?\s*\S*\p{N}`,
  'iu',
);
const BEFORE_THE_NUMBER = new RegExp(String.raw`^(?:tax\s+)?invoices?\s+(?:${LABEL})?[#:]?\s*`, 'iu');
const OWNED = /^(?:(?:our|the|your)\s+)+(?=(?:tax\s+)?invoices?(?!\p{L}))/iu;
const NEEDS_NO_ARTICLE = /^(?:our|the|your|this|an?)\s/iu;
const KIND = '(?:tax|vat|sales|final|deposit|interim|progress|balance|monthly|pro[ -]?forma)';
const NEEDS_NO_ARTICLE_NUMBERED = new RegExp(
  String.raw`^(?:our|the|your|this|an?)\s|^(?:${KIND}\s+)?invoice`,
  'iu',
);
// A credit note is not paid, so a letter that requests its payment would be wrong.
const CREDIT_NOTE = /(?<!\p{L})credit[ -]notes?(?!\p{L})/iu;
const NO_BILL = /^(?:pro[ -]?forma|quot(?:e|ation)|estimate|receipt)(?!\p{L})/iu;
// A number that names its kind of document: 'Rechnung 2026/11'.
const SAYS_ITS_KIND = /^(?:rechnung|facture|factura|fattura|fatura|faktura|faktuur)(?!\p{L})/iu;
const OTHER_PAPER = /^(?:bill|statement|debit[ -]note)(?!\p{L})/iu;
// Words, not a number: 'PO 4431', 'March 7'; 'No. 7' and 'FT 2026/175' are numbers.
const BEGINS_WITH_A_WORD = /^(?!(?:no|nr|num|number)\b)\p{L}{2,}\s/iu;
const PREFIXED = /^(?!PO\s)\p{Lu}{2,4}\s\S*\p{N}\S*$/u;

const ONE_NUMBER = String.raw`(?:inv(?:oice)?[.\s#]+)?[^\s,;&+]*\p{N}[^\s,;&+]*`;
// '1,042' is one number.
const GROUPED = String.raw`(?!\D*\p{N}{1,3}(?:,\p{N}{3})+$)`;
const BETWEEN_NUMBERS = String.raw`(?:\s*[;&]\s*|,\s*(?:and\s+)?|\s+and\s+|\s+\+\s+)`;
const SEVERAL = new RegExp(
  String.raw`^${GROUPED}(?:(?:our|the|your)\s+)*(?:invoices?\s+)?(?:nos?\.?\s+)?(${ONE_NUMBER}(?:${BETWEEN_NUMBERS}${ONE_NUMBER})+)$`,
  'iu',
);

/** The name of an invoice from the number that its sender gave; `given` is null if the sender gave none. */
export function invoiceName(given: string | null): InvoiceName {
  const line = (given === null ? '' : cleanLine(given)).replace(/[\s,;:.]+$/u, '');
  const number = line.replace(CUT_SHORT, 'invoice ');
  if (!/[\p{L}\p{N}]/u.test(number) || NOTHING_BUT_THE_WORD.test(number) || NO_ANSWER.test(number))
    return unnumbered(null);
  if (CREDIT_NOTE.test(number)) return unnumbered('credit_note');
  const saysInvoice = SAYS_INVOICE.test(number);
  if (!saysInvoice && !/\p{N}/u.test(number)) return unnumbered('not_a_number');
  const name = severalNumbers(number) ?? (saysInvoice ? saidNumber(number) : bareNumber(number));
  return NO_BILL.test(number) ? { ...name, slip: 'not_a_bill' } : name;
}

/** The name of several invoices with their numbers; if a number is missing, 'our invoices'. */
export function invoicesName(numbers: readonly (string | null)[]): InvoiceName {
  const names = numbers.map(invoiceName);
  const isNumbered = names.every((name) => name.isNumbered && name.slip === null);
  const quotable = names.map(({ reference, text }) => (reference ?? text).replace(/^invoice\s+/iu, ''));
  return named(isNumbered ? `invoices ${listed(quotable)}` : 'our invoices', {
    isPlural: true,
    isNumbered,
    reference: isNumbered ? listed(quotable) : null,
  });
}

const unnumbered = (slip: NumberMistake | null): InvoiceName =>
  named('our invoice', { isNumbered: false, reference: null, slip });

const named = (text: string, about: Partial<InvoiceName> & Pick<InvoiceName, 'reference'>): InvoiceName => ({
  text,
  isNumbered: true,
  isPlural: false,
  noun: about.isPlural ? 'invoices' : 'invoice',
  slip: null,
  ...about,
  reference: about.reference?.replace(MORE_THAN_A_REFERENCE, '') ?? null,
});

// The owner and the date are not part of a payment reference.
const MORE_THAN_A_REFERENCE = /^(?:(?:our|the|your)\s+)+|,?\s+(?:dated\s+\p{N}|for\s).*$/giu;

/** A reference that identifies a payment by itself: 'INV-7' does, '9' becomes 'invoice 9'. */
const quoted = (number: string, name: string): string =>
  /^\S*\p{L}/u.test(number.replace(new RegExp(`^${LABEL}`, 'iu'), '')) ? number : name;

/** 'INV-7 and INV-8', '1042, 1043'; null for a single number. */
function severalNumbers(number: string): InvoiceName | null {
  const numbers = SEVERAL.exec(number)?.[1]?.replace(/(?<!\S)inv(?:oice)?[.\s#]+/giu, '');
  if (numbers === undefined) return null;
  const text = `invoices ${numbers}`;
  return named(text, { isPlural: true, reference: quoted(numbers, text) });
}

/** The name from a number that already says "invoice", or from words that describe an invoice. */
function saidNumber(given: string): InvoiceName {
  const isPlural = SAYS_INVOICES.test(given);
  if (!HAS_ITS_NUMBER.test(given)) {
    const text = NEEDS_NO_ARTICLE.test(given) ? inSentence(given) : `the ${inSentence(given)}`;
    return named(text, { isPlural, reference: null });
  }
  const number = inSentence(given.replace(OWNED, ''));
  const text = NEEDS_NO_ARTICLE_NUMBERED.test(number) ? number : `the ${number}`;
  return named(text, { isPlural, reference: quoted(number.replace(BEFORE_THE_NUMBER, ''), number) });
}

/** The name from a number that does not say "invoice". */
function bareNumber(number: string): InvoiceName {
  const paper = OTHER_PAPER.exec(number)?.[0];
  if (paper !== undefined)
    return named(number, { reference: number, noun: paper.toLowerCase().replace('-', ' ') });
  if (SAYS_ITS_KIND.test(number)) return named(number, { reference: number });
  if (BEGINS_WITH_A_WORD.test(number) && !PREFIXED.test(number))
    return named(`our invoice (${number})`, { reference: number });
  const text = `invoice ${number}`;
  return named(text, { reference: quoted(number, text) });
}

/** The label of the row with the amount. */
export function amountLabel({ noun, isPlural }: InvoiceName): string {
  if (noun !== 'invoice' && noun !== 'invoices') return 'Amount';
  return isPlural ? 'Invoices, together' : 'Invoice';
}

/** 'Our invoice' is 'our invoice' in the middle of a sentence; 'INVOICE-9' stays. */
const inSentence = (number: string): string =>
  number.replace(BEGINS_A_SENTENCE, (words) => words.toLowerCase());

const BEGINS_A_SENTENCE =
  /^(?:(?:Our|The|Your|This|Tax|Sales|Final|Deposit|Interim|Progress|Balance|Monthly|Invoices?)(?![\p{L}-])\s*)+/u;

const TITLE = String.raw`(?:mr|mrs|ms|miss|mx|dr|prof|professor|sir|madam)\b`;
const GREETING = String.raw`(?:dear|hello|hi|hey|good\s+(?:morning|afternoon|evening|day))`;
// Company names also begin with these words, so they are removed only if something else shows that they are a
// greeting.
const GREETING_OF_A_NAME = new RegExp(String.raw`^${GREETING}(?:\s*,\s*|\s+(?=${TITLE}|.*[,:;!.]$))`, 'iu');
const GREETS_BY_ITSELF = new RegExp(String.raw`^${GREETING}\s+\S`, 'iu');
const LEGAL_FORM = /\s(?:ltd|limited|inc|llc|llp|plc|corp|co|gmbh|ag|bv|sa|srl|pty)\.?$/iu;
// The last character of '&amp;' belongs to the name: names are never interpreted.
const AFTER_A_NAME = /(?:[\s,:]|(?<!&\w+);)+$/u;
const AFTER_A_GREETING = /[\s,:;!]+$/u;
// The full stop of 'Inc.', 'Jr.' or 'S.A.' is part of the name.
const STOP = /(?<!\.\p{L}|\s\p{L}|\s(?:ltd|inc|llc|llp|plc|corp|co|bros|jr|sr))\.+$/iu;
const TO_WHOM = /^to whom it may concern$/iu;
const NOBODY = /^(?:(?:hello|hi|hey)(?:\s+there)?|there)$/iu;
const NO_NAME = /^(?:n\/a|none|tb[acd]|[-–—?.]+)$/iu;
const AT = String.raw`[\w.+-]+@[\w-]+(?:\.[\w-]+)*\.\p{L}{2,}`;
const ADDRESS = new RegExp(String.raw`^${AT}$|\s<${AT}>$`, 'u');

/** The name in the greeting; null if none is given. */
export function clientName(given: string | null): string | null {
  // A mail program writes 'Dana Reed <dana@example.com>'; a greeting has no address.
  const line = given === null ? '' : cleanLine(given).replace(ADDRESS, '');
  const isCompany = LEGAL_FORM.test(line.replace(AFTER_A_NAME, '')) && !/^dear\s/iu.test(line);
  const isGreeting = GREETING_OF_A_NAME.test(line) && (!isCompany || /[,:;!]$|^\p{L}+,/u.test(line));
  const name = isGreeting
    ? line.replace(GREETING_OF_A_NAME, '').replace(AFTER_A_GREETING, '').replace(STOP, '')
    : line.replace(AFTER_A_NAME, '');
  return name === '' || NO_NAME.test(name) || NOBODY.test(name) ? null : name;
}

/** The first line of a letter. A client name that includes a greeting gets no second one. */
export const greetingLine = (word: string, client: string | null): string => {
  if (client === null) return 'Hello,';
  const isDear = /^dear\s/iu.test(client);
  const isWhole = GREETS_BY_ITSELF.test(client) && (isDear || !LEGAL_FORM.test(client));
  if (isWhole || TO_WHOM.test(client)) return `${capitalised(client)},`;
  return `${word} ${client.replace(TRADE_NAME, '').replace(FULL_NAME, '$<title> $<last>')},`;
};

// 'Gary Moss t/a Moss Roofing' is a person with the name of a business.
const TRADE_NAME = /(?<=\S)\s+(?:t\/a|trading as)\s.*$/iu;
// 'Mrs Patricia Howe' is greeted as 'Mrs Howe'; 'Mr Clean Services' is a business, 'Mr and Mrs Ellis' are two.
const NO_LAST_NAME =
  'services?|clean\\p{L}+|catering|group|shop|stores?|studios?|company|plumbing|electrics|electrical|bakery|cafe|café|books|motors|garage|builders?|building|repairs|solutions|foods|pizza|removals|trading|consulting|partners|associates|dental|law|practice|salon|ltd|limited|inc|llc';
const FULL_NAME = new RegExp(
  String.raw`^(?<title>(?:mr|mrs|ms|miss|mx|frau|herr)\.?)(?:\s(?!(?:and|und)\s)\p{Lu}[\p{L}'’-]*\.?){1,2}\s(?!(?:${NO_LAST_NAME})$)(?<last>\p{Lu}[\p{L}'’-]+)$`,
  'iu',
);

// Companies are called 'Yours Truly' and 'Best Wishes', so only text that ends like a closing counts as one.
const CLOSING =
  /^(?:(?:with\s+)?(?:kind|kindest|best|warm|warmest)\s+(?:regards|wishes)|yours\s+(?:sincerely|faithfully|truly)|many\s+thanks|regards|sincerely|thanks|thank you|cheers|best)\s*[,;:]\s*/iu;
const SENDER = /^from\s*:\s*/iu;

/** The signature without its own closing; null if there is none. */
export function businessName(given: string | null): string | null {
  const line = given === null ? '' : cleanLine(given);
  const name = line.replace(SENDER, '').replace(CLOSING, '').replace(AFTER_A_NAME, '');
  return name === '' || NO_NAME.test(name) ? null : name;
}

// Two sentences, which may also be the name of a business: 'Fresh. Fast and good'.
export const SENTENCES = /\p{L}{5,}[.!?]\s+\p{Lu}\p{Ll}+\s+\p{Ll}/u;
