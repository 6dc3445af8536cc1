import { describe, expect, it } from 'vitest';
import { letter, written } from '../../test/domain/letter-samples.ts';

describe('a missing name leaves no gap', () => {
  const nobody = { clientName: null, businessName: null, invoiceNumber: null };

  it('no names at all', () => {
    expect(written({}, nobody)).toMatchInlineSnapshot(`
      "Our invoice was due on 4 November 2026

      Hello,

      A quick reminder about our invoice for 1,250.00. It was due on 4 November 2026, 17 days ago, and we have not matched a payment to it yet.

      Invoice: 1,250.00
      Late fee to 21 November 2026 (1.5% per month of 30 days, 17 days): 10.63
      Total if paid on 21 November 2026: 1,260.63
      Total if paid on 30 November 2026: 1,266.25

      The late fee is the one in our payment terms: 0.625 for each day after 4 November 2026. Could you please pay 1,266.25 by 30 November 2026, or the total for the day if you pay earlier, using the payment details on the invoice? If another date suits you better, reply and tell us which.

      If you have already paid, thank you; a short reply with the date helps us find the payment. If something on the invoice is not right, reply and we will sort it out.

      Kind regards,"
    `);
  });

  it.each([
    ['polite', 'Invoice from Bright Studio was due on 4 November 2026'],
    ['firm', 'Overdue by 17 days: invoice from Bright Studio, due 4 November 2026'],
    ['final', 'Final reminder: invoice from Bright Studio, due 4 November 2026'],
  ] as const)('%s without an invoice number is named by its due date', (tone, subject) => {
    expect(letter({}, { tone, invoiceNumber: null }).subject).toBe(subject);
  });

  it('blank and invisible names are missing names', () => {
    for (const blank of ['', '  ', '\n\t', '\u200B\u202E'])
      expect(written({}, { clientName: blank, businessName: blank, invoiceNumber: blank })).toBe(
        written({}, nobody),
      );
  });
});

describe('a long name is left out of the subject, never cut', () => {
  const number = `N-${'1'.repeat(58)}`;
  it.each([
    ['polite', 'Our invoice was due on 4 November 2026'],
    ['firm', 'Overdue by 17 days: our invoice, due 4 November 2026'],
    ['final', 'Final reminder, overdue by 17 days: our invoice, due 4 November 2026'],
  ] as const)('%s with an invoice number of 60 characters', (tone, subject) => {
    expect(letter({}, { tone, invoiceNumber: number }).subject).toBe(subject);
  });

  it('a business name that does not fit', () => {
    const businessName = 'B'.repeat(120);
    const { subject, body } = letter({}, { businessName });
    expect(subject).toBe('Invoice INV-1042 was due on 4 November 2026');
    expect(body.endsWith(`Kind regards,\n${businessName}`)).toBe(true);
    expect(letter({}, { businessName, invoiceNumber: null }).subject).toBe(
      'Our invoice was due on 4 November 2026',
    );
  });

  it('a number too wide for any subject', () => {
    const { subject, body } = letter({}, { invoiceNumber: `${'🧾'.repeat(59)}1` });
    expect(subject).toBe('Our invoice was due on 4 November 2026');
    expect(body).toContain(`invoice ${'🧾'.repeat(59)}1 for`);
  });
});

describe('a number that already says invoice is not announced a second time', () => {
  it.each([
    ['Invoice 12', 'invoice 12', 'Invoice 12'],
    ['invoice #12', 'invoice #12', 'Invoice #12'],
    ['INVOICE-12', 'INVOICE-12', 'INVOICE-12'],
    ['Inv. 12', 'invoice 12', 'Invoice 12'],
    ['inv 12', 'invoice 12', 'Invoice 12'],
    ['Inv #12', 'invoice #12', 'Invoice #12'],
  ])('%s', (number, named, capital) => {
    const { subject, body } = letter({}, { invoiceNumber: number });
    expect(subject).toBe(`${capital} from Bright Studio was due on 4 November 2026`);
    expect(body).toContain(`reminder about ${named} for 1,250.00`);
    expect(letter({}, { tone: 'final', invoiceNumber: number }).subject).toBe(
      `Final reminder, overdue by 17 days: ${named} from Bright Studio`,
    );
  });

  it.each(['INV-1042', 'INV1042', '12', '#12', 'No. 12', 'R2026/7'])('%s is a number like any', (number) => {
    const { subject, body } = letter({}, { invoiceNumber: number });
    expect(subject).toBe(`Invoice ${number} from Bright Studio was due on 4 November 2026`);
    expect(body).toContain(`reminder about invoice ${number} for`);
  });

  it.each(['Invicta 7', 'Invoiced 7', 'PO 4431', 'March 7'])('%s is words, which stand apart', (number) => {
    const { subject, body } = letter({}, { invoiceNumber: number });
    expect(subject).toBe(`Invoice (${number}) from Bright Studio was due on 4 November 2026`);
    expect(body).toContain(`reminder about our invoice (${number}) for`);
  });
});

it('names are printed literally', () => {
  const { subject, body } = letter(
    {},
    { clientName: '$& $1 {{x}} <b>', businessName: "$'", invoiceNumber: '$`%1' },
  );
  expect(body.startsWith('Hello $& $1 {{x}} <b>,\n')).toBe(true);
  expect(body.endsWith("\nKind regards,\n$'")).toBe(true);
  expect(subject).toBe("Invoice $`%1 from $' was due on 4 November 2026");
});
