import { describe, expect, it } from 'vitest';
import { letter, written } from '../../test/domain/letter-samples.ts';

describe('a missing name leaves no gap', () => {
  const nobody = { clientName: null, businessName: null, invoiceNumber: null };

  it('no names at all', () => {
    expect(written({}, nobody)).toMatchInlineSnapshot(`
      "Reminder: Invoice due 4 November 2026

      Hello,

      A friendly reminder that our invoice for 1,250.00, due on 4 November 2026, is now 17 days past its due date. It may simply have been overlooked.

      Invoice amount: 1,250.00
      Late fee (1.5% per month, 17 days): 10.63
      Total now due: 1,260.63

      The late fee follows our payment terms and is worked out to 21 November 2026. Could you please pay by 28 November 2026, or let us know when we can expect payment?

      If you have already paid, thank you, and please ignore this message. If something on the invoice needs attention, just reply and we will look into it together.

      Kind regards,
      Accounts receivable"
    `);
  });

  it.each([
    ['polite', 'Reminder: Invoice from Bright Studio due 4 November 2026'],
    ['firm', 'Overdue: Invoice from Bright Studio due 4 November 2026'],
    ['final', 'Final notice: Invoice from Bright Studio due 4 November 2026'],
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
  const number = 'N'.repeat(60);
  it.each([
    ['polite', `Reminder: Invoice ${number}`],
    ['firm', `Overdue: Invoice ${number}`],
    ['final', `Final notice: ${number}`],
  ] as const)('%s with an invoice number of 60 characters', (tone, subject) => {
    expect(letter({}, { tone, invoiceNumber: number }).subject).toBe(subject);
  });

  it('a business name that does not fit', () => {
    const businessName = 'B'.repeat(120);
    const { subject, body } = letter({}, { businessName });
    expect(subject).toBe('Reminder: Invoice INV-1042 due 4 November 2026');
    expect(body.endsWith(`Kind regards,\n${businessName}`)).toBe(true);
    expect(letter({}, { businessName, invoiceNumber: null }).subject).toBe(
      'Reminder: Invoice due 4 November 2026',
    );
  });

  it('a number too wide for any subject', () => {
    const { subject, body } = letter({}, { invoiceNumber: '🧾'.repeat(60) });
    expect(subject).toBe('Reminder: Invoice due 4 November 2026');
    expect(body).toContain(`invoice ${'🧾'.repeat(60)} for`);
  });
});

describe('a number that already says invoice is not announced a second time', () => {
  it.each(['Invoice 12', 'invoice #12', 'INVOICE-12', 'Inv. 12', 'inv 12', 'Inv #12'])('%s', (number) => {
    const { subject, body } = letter({}, { invoiceNumber: number });
    expect(subject).toBe(`Reminder: ${number} from Bright Studio due 4 November 2026`);
    expect(body).toContain(`reminder that ${number} for 1,250.00`);
    expect(letter({}, { tone: 'final', invoiceNumber: number }).subject).toBe(
      `Final notice: ${number} from Bright Studio, 17 days overdue`,
    );
  });

  it.each(['INV-1042', 'INV1042', 'Invicta 7', 'Invoiced 7', '12'])('%s is a number like any', (number) => {
    const { subject, body } = letter({}, { invoiceNumber: number });
    expect(subject).toBe(`Reminder: Invoice ${number} from Bright Studio due 4 November 2026`);
    expect(body).toContain(`reminder that invoice ${number} for`);
  });
});

it('names are printed literally', () => {
  const { subject, body } = letter(
    {},
    { clientName: '$& $1 {{x}} <b>', businessName: "$'", invoiceNumber: '$`%s' },
  );
  expect(body.startsWith('Hello $& $1 {{x}} <b>,\n')).toBe(true);
  expect(body.endsWith("\nKind regards,\n$'")).toBe(true);
  expect(subject).toBe("Reminder: Invoice $`%s from $' due 4 November 2026");
});
