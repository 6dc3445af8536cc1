import { describe, expect, it } from 'vitest';
import { notesOf, TONES, written } from './notices.ts';

describe('names read right', () => {
  it.each([
    ['Dear Mr. Jones,', 'Dear Mr. Jones,'],
    ['dear Dana', 'Dear Dana,'],
    ['Hello Ms Reed', 'Dear Ms Reed,'],
    ['Hi Dana,', 'Dear Dana,'],
    ['Hello Fresh Ltd', 'Dear Hello Fresh Ltd,'],
    ['Acme, Inc.', 'Dear Acme, Inc.,'],
    ['Acme Ltd:', 'Dear Acme Ltd,'],
    ['to whom it may concern', 'To whom it may concern,'],
    ['Dear', 'Dear Dear,'],
    [',', 'Hello,'],
    ['Hi Sam!', 'Dear Sam,'],
    ['dana.reed@example.com', 'Hello,'],
    ['Dana Reed <dana@example.com>', 'Dear Dana Reed,'],
    ['Hello, Sam', 'Dear Sam,'],
    ['Hello', 'Hello,'],
    ['Hi there!', 'Hello,'],
    ['Hi Sam.', 'Dear Sam,'],
    ['Hello Acme Inc.,', 'Dear Acme Inc.,'],
    ['Hi Sam', 'Hi Sam,'],
    ['hey Sam', 'Hey Sam,'],
    ['Good morning Ms Lee', 'Dear Ms Lee,'],
    ['Good morning Sam', 'Good morning Sam,'],
    ['Ms Lee;', 'Dear Ms Lee,'],
    ['Yahoo!', 'Dear Yahoo!,'],
    ['Salt &amp;', 'Dear Salt &amp;,'],
    ['Dear Acme Ltd', 'Dear Acme Ltd,'],
    ['n/a', 'Hello,'],
    ['-', 'Hello,'],
  ])('a letter to %j begins with %j', (client, line) => {
    expect(written({ tone: 'firm', client_name: client }).split('\n')[2]).toBe(line);
  });

  it.each([
    ['Kind regards, Anna', 'Anna'],
    ['Yours sincerely: Anna Lee', 'Anna Lee'],
    ['Yours Truly Ltd.', 'Yours Truly Ltd.'],
    ['Best Wishes Florist', 'Best Wishes Florist'],
    ['Kind Regards Stationery', 'Kind Regards Stationery'],
    ['Many Thanks Cafe', 'Many Thanks Cafe'],
    ['From: Bright Studio', 'Bright Studio'],
    ['From Scratch Bakery', 'From Scratch Bakery'],
    ['TBD', 'Kind regards,'],
    ['Regards, Anna', 'Anna'],
    ['Best Buy Cars', 'Best Buy Cars'],
    ['Smith & Sons, LLC.', 'Smith & Sons, LLC.'],
    ['Bright Studio,', 'Bright Studio'],
    ['Kind regards', 'Kind regards'],
  ])('%j signs as %j', (business, line) => {
    expect(written({ business_name: business }).split('\n').at(-1)).toBe(line);
  });

  it.each([
    [
      'Tax invoice 44',
      'about tax invoice 44 for £1,250.00. It was due',
      'with tax invoice 44 as the reference?',
    ],
    [
      'Invoices 3 and 4',
      'invoices 3 and 4 for £1,250.00 together. They were due',
      'with invoices 3 and 4 as the reference?',
    ],
    [
      'INV-7 and INV-8',
      'invoices INV-7 and INV-8 for £1,250.00 together. They',
      'with INV-7 and INV-8 as the reference?',
    ],
    [
      'INV-7 + INV-8',
      'invoices INV-7 + INV-8 for £1,250.00 together. They',
      'with INV-7 + INV-8 as the reference?',
    ],
    [
      '1042, 1043',
      'invoices 1042, 1043 for £1,250.00 together. They',
      'with invoices 1042, 1043 as the reference?',
    ],
    [
      '1042 & 1043',
      'invoices 1042 & 1043 for £1,250.00 together. They',
      'with invoices 1042 & 1043 as the reference?',
    ],
    [
      'Invoice 7 and invoice 8',
      'invoices 7 and 8 for £1,250.00 together. They',
      'with invoices 7 and 8 as the reference?',
    ],
    ['Invoice: 12', 'about invoice 12 for', 'with invoice 12 as the reference?'],
    ['Tax Invoice No. 44', 'about tax invoice No. 44 for', 'with tax invoice No. 44 as the reference?'],
    ['inv 7; inv 8', 'invoices 7; 8 for £1,250.00 together. They', 'with invoices 7; 8 as the reference?'],
    ['Our invoice 9', 'about invoice 9 for', 'with invoice 9 as the reference?'],
    ['inv 12', 'about invoice 12 for', 'with invoice 12 as the reference?'],
    ['Inv. INV-12', 'about invoice INV-12 for', 'with INV-12 as the reference?'],
    ['1042', 'about invoice 1042 for', 'with invoice 1042 as the reference?'],
    ['the March invoice', 'about the March invoice for', 'on the invoice?'],
    ['invoice for the kitchen', 'about the invoice for the kitchen for', 'on the invoice?'],
    ['Invoice dated 4 October', 'about the invoice dated 4 October for', 'on the invoice?'],
    ['2nd invoice', 'about the 2nd invoice for', 'on the invoice?'],
    ['n/a', 'about our invoice for', 'on the invoice?'],
    ['None', 'about our invoice for', 'on the invoice?'],
    ['TBD', 'about our invoice for', 'on the invoice?'],
    ['-', 'about our invoice for', 'on the invoice?'],
    ['invoice no. 12', 'about invoice no. 12 for', 'with invoice no. 12 as the reference?'],
    ['INVOICE-1042', 'about INVOICE-1042 for', 'with INVOICE-1042 as the reference?'],
    ['no. 7.', 'about invoice no. 7 for', 'with invoice no. 7 as the reference?'],
    ['your order 5512', 'about our invoice (your order 5512) for', 'with order 5512 as the reference?'],
    ['INV-7 dated 5 October 2026', 'invoice INV-7 dated 5 October 2026 for', 'with INV-7 as the reference?'],
    ['Invoice 7, dated 5 October', 'invoice 7, dated 5 October for', 'with invoice 7 as the reference?'],
    ['Final invoice 12', 'about final invoice 12 for', 'with final invoice 12 as the reference?'],
    ['deposit invoice 12', 'about deposit invoice 12 for', 'with deposit invoice 12 as the reference?'],
    [
      '12,13,14',
      'invoices 12,13,14 for £1,250.00 together. They',
      'with invoices 12,13,14 as the reference?',
    ],
    [
      'INV-7,INV-8',
      'invoices INV-7,INV-8 for £1,250.00 together. They',
      'with INV-7,INV-8 as the reference?',
    ],
    ['1,042', 'about invoice 1,042 for', 'with invoice 1,042 as the reference?'],
    ['invoice 7 for the garden', 'about invoice 7 for the garden for', 'with invoice 7 as the reference?'],
    ['INV-7 & credit note CN-3', 'about our invoice for', 'on the invoice?'],
    ['PO 4431', 'about our invoice (PO 4431) for', 'with PO 4431 as the reference?'],
    ['Rechnung 2026/11', 'about Rechnung 2026/11 for', 'with Rechnung 2026/11 as the reference?'],
    ['Credit note 3', 'about our invoice for', 'on the invoice?'],
    ['invoiced on Monday', 'about our invoice for', 'on the invoice?'],
    [
      'Statement March 2026',
      'about Statement March 2026 for',
      'on the statement, with Statement March 2026 as the reference?',
    ],
    ['.', 'about our invoice for', 'on the invoice?'],
    ['Invoice', 'about our invoice for', 'on the invoice?'],
  ])('invoice number %j', (number, opening, reference) => {
    const text = written({ invoice_number: number });
    expect(text).toContain(opening);
    expect(text).toContain(reference);
    expect(text).not.toMatch(/invoices? (?:tax |our |the )?invoice/i);
  });

  it('several invoices are spoken of as several in every tone', () => {
    const number = { invoice_number: 'Invoices 3 and 4' };
    expect(written({ ...number })).toContain(
      'Invoices 3 and 4 from Bright Studio were due on 4 November 2026',
    );
    expect(written({ ...number })).toContain('matched a payment to them yet');
    expect(written({ ...number, tone: 'firm' })).toContain('they are still unpaid');
    expect(written({ ...number, tone: 'firm' })).toContain('any part of the invoices');
    expect(written({ ...number })).toContain('\nInvoices, together: £1,250.00\n');
    expect(notesOf({ invoice_number: 'Credit note 3' }).join()).toContain('names a credit note');
    for (const tone of TONES)
      expect(written({ ...number, tone })).not.toMatch(/Invoices 3 and 4 .*\b(?:was|has|is)\b/);
  });

  it('a statement is no invoice, and its row is called what it is', () => {
    const text = written({ invoice_number: 'Statement March 2026' });
    expect(text).toContain('\nAmount: £1,250.00\n');
    expect(text).not.toMatch(/\binvoice/i);
  });

  it.each([
    ['Our invoice 9', 'Invoice 9 from Bright Studio was due on 4 November 2026'],
    ['PO 4431', 'Invoice (PO 4431) from Bright Studio was due on 4 November 2026'],
    ['our March invoice', 'March invoice from Bright Studio was due on 4 November 2026'],
    ['2nd invoice', 'The 2nd invoice from Bright Studio was due on 4 November 2026'],
  ])('the subject says once whose %j is', (number, subject) => {
    expect(written({ invoice_number: number }).split('\n')[0]).toBe(`Subject: ${subject}`);
  });

  it('a sender whose name begins with From is not from twice', () => {
    expect(written({ business_name: 'From Scratch Bakery' }).split('\n')[0]).toBe(
      'Subject: Invoice INV-1042 From Scratch Bakery was due on 4 November 2026',
    );
  });

  it.each(TONES)('%s: no subject has a number right after a name', (tone) => {
    const names = { business_name: 'סטודיו אור', invoice_number: '7-חש' };
    for (const changes of [{}, { grace_days: '20' }, { paid_date: '2026-11-10' }, { invoice_number: '' }])
      expect(written({ ...names, tone, ...changes }).split('\n')[0]).not.toMatch(
        /\p{Script=Hebrew}[^\p{L}\n]*\p{N}/u,
      );
  });

  it.each([
    ['invoiced on Monday', 'invoice_number is not a number, so the letter leaves it out'],
    ['March', 'invoice_number is not a number, so the letter leaves it out'],
    ['Proforma 12', 'names a quote, a proforma or a receipt, none of which is a bill that falls overdue'],
    ['Pro-forma invoice 12', 'none of which is a bill that falls overdue'],
    ['Quote 7', 'none of which is a bill that falls overdue'],
    ['Receipt 12', 'none of which is a bill that falls overdue'],
  ])('an invoice number of %j has a note', (number, words) => {
    const notes = notesOf({ invoice_number: number }).join('\n');
    expect(notes).toContain(words);
    expect(notes).not.toContain('does without');
  });

  it('a number that is not known is missing', () => {
    for (const number of ['n/a', 'none', 'TBD', '-', 'to be confirmed'])
      expect(notesOf({ invoice_number: number }).join(), number).toContain('does without invoice_number');
  });
});
