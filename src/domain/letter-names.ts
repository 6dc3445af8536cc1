import { cleanLine } from './text.ts';

/** How a letter speaks of what it asks to be paid for. */
export type InvoiceName = {
  /** In the middle of a sentence: 'invoice INV-1042', or 'our invoice' where no number was given. */
  readonly text: string;
  /** At its beginning. */
  readonly capital: string;
  readonly isNumbered: boolean;
  readonly isPlural: boolean;
  /** What the payer quotes; null where there is no number to quote. */
  readonly reference: string | null;
};

const capitalised = (text: string): string => `${text.charAt(0).toUpperCase()}${text.slice(1)}`;

// 'Inv.', 'Inv 12' and 'Inv #12' are the word cut short; 'INV-12' is a number with a prefix.
const SAYS_INVOICE = /(?<!\p{L})invoices?(?!\p{L})|^inv[.\s#]/iu;
// The word alone, or with what stands before a number.
const NOTHING_BUT_THE_WORD = /^(?:(?:our|the|your|tax|an?)\s+)*invoices?(?:\s*(?:no|nr|num|number|#)\.?)?$/iu;
const BEFORE_THE_NUMBER =
  /^(?:(?:our|the|your|tax)\s+)*invoices?\s+(?:(?:no|nr|num|number)\b\.?\s*)?[#:]?\s*/iu;
// What names its own kind of paper: 'Rechnung 2026/11'.
const SAYS_ITS_KIND =
  /^(?:rechnung|facture|factura|fattura|fatura|faktura|faktuur|bill|statement|debit[ -]note)(?!\p{L})/iu;
// Words, not a number: 'PO 4431', 'March 7'; 'No. 7' is one.
const BEGINS_WITH_A_WORD = /^(?!(?:no|nr|num|number)\b)\p{L}{2,}\s/iu;

/** The name of an invoice by the number that its sender gave; null when nothing was given. */
export function invoiceName(given: string | null): InvoiceName {
  const number = (given === null ? '' : cleanLine(given)).replace(/[\s,;:.]+$/u, '');
  // Nobody pays a credit note: a letter that asked for one would say what is not so.
  const names = /[\p{L}\p{N}]/u.test(number) && !NOTHING_BUT_THE_WORD.test(number) && !isCreditNote(number);
  if (!names) return named('our invoice', { isNumbered: false, isPlural: false, reference: null });
  const hasDigit = /\p{N}/u.test(number);
  if (SAYS_INVOICE.test(number)) {
    const rest = number.replace(BEFORE_THE_NUMBER, '');
    return named(inSentence(number), {
      isNumbered: true,
      isPlural: /(?<!\p{L})invoices(?!\p{L})/iu.test(number),
      reference: hasDigit ? rest : null,
    });
  }
  return named(unsaid(number, hasDigit), {
    isNumbered: true,
    isPlural: false,
    reference: hasDigit ? number : null,
  });
}

/** A number that does not say invoice by itself. */
function unsaid(number: string, hasDigit: boolean): string {
  if (hasDigit && SAYS_ITS_KIND.test(number)) return number;
  return !hasDigit || BEGINS_WITH_A_WORD.test(number) ? `our invoice (${number})` : `invoice ${number}`;
}

/** Whether a number is that of a credit note, for which nothing is to be paid. */
export const isCreditNote = (given: string | null): boolean =>
  /^credit[ -]note(?!\p{L})/iu.test(given?.trim() ?? '');

const named = (text: string, rest: Omit<InvoiceName, 'text' | 'capital'>): InvoiceName => ({
  text,
  capital: capitalised(text),
  ...rest,
});

/** 'Our invoice 9' is 'our invoice 9' in the middle of a sentence; 'INVOICE-9' stays. */
const inSentence = (number: string): string =>
  /^(?:Our|The|Your|Tax|Invoices?)(?!\p{L})/u.test(number)
    ? `${number.charAt(0).toLowerCase()}${number.slice(1)}`
    : number;

const TITLE = String.raw`(?:mr|mrs|ms|miss|mx|dr|prof|professor|sir|madam)\b`;
const DEAR = /^dear\s+/iu;
// Also beginnings of company names, so only with what makes a greeting of them.
const HELLO = new RegExp(String.raw`^(?:hello|hi|hey)\s+(?=${TITLE}|.*[,:]$)`, 'iu');
const AFTER_A_NAME = /[\s,:]+$/u;
const TO_WHOM = /^to whom it may concern$/iu;

/** Whom a letter greets, without a greeting of its own; null when nobody is named. */
export function clientName(given: string | null): string | null {
  const line = given === null ? '' : cleanLine(given);
  return line.replace(DEAR, '').replace(HELLO, '').replace(AFTER_A_NAME, '') || null;
}

/** The first line of a letter. */
export const greetingLine = (word: string, client: string | null): string => {
  if (client === null) return 'Hello,';
  return TO_WHOM.test(client) ? `${capitalised(client)},` : `${word} ${client},`;
};

const CLOSING =
  /^(?:(?:with\s+)?(?:kind|kindest|best|warm|warmest)\s+(?:regards|wishes)|yours\s+(?:sincerely|faithfully|truly)|many\s+thanks)(?:\s*[,;:]\s*|\s+)|^(?:regards|sincerely|thanks|thank you|cheers|best)\s*,\s*/iu;

/** Who signs, without a closing of its own; null when nobody does. */
export function businessName(given: string | null): string | null {
  const line = given === null ? '' : cleanLine(given);
  return line.replace(CLOSING, '').replace(AFTER_A_NAME, '') || null;
}
