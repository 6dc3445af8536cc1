import { describe, expect, it } from 'vitest';
import { inOrder } from '../support/facts.ts';
import { notesOf, TONES, written } from './notices.ts';

describe('a letter', () => {
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
    ['\u200B\u202E', 'Hello,'],
    ['Mrs Patricia Howe', 'Dear Mrs Howe,'],
    ['Frau Anja Keller', 'Dear Frau Keller,'],
    ['Mr James T. Carter', 'Dear Mr Carter,'],
    ['Mr Clean Services', 'Dear Mr Clean Services,'],
    ['Mr & Mrs Howe', 'Dear Mr & Mrs Howe,'],
    ['Gary Moss t/a Moss Roofing', 'Dear Gary Moss,'],
    ['$& $1 {{x}} <b>', 'Dear $& $1 {{x}} <b>,'],
  ])('to %j begins with %j', (client, line) => {
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
  ])('from %j is signed as %j', (business, line) => {
    expect(written({ business_name: business }).split('\n').at(-1)).toBe(line);
  });

  const several = 'Invoices 3 and 4';
  const partsOf = (number: string) => {
    const [, , opening = '', , ask = ''] = written({ invoice_number: number }).split('\n\n');
    return { opening, ask };
  };

  it.each([
    ['Tax invoice 44', 'tax invoice 44', 'tax invoice 44'],
    ['Invoices 3 and 4', 'invoices 3 and 4', 'invoices 3 and 4'],
    ['INV-7 and INV-8', 'invoices INV-7 and INV-8', 'INV-7 and INV-8'],
    ['INV-7 + INV-8', 'invoices INV-7 + INV-8', 'INV-7 + INV-8'],
    ['1042, 1043', 'invoices 1042, 1043', 'invoices 1042, 1043'],
    ['1042 & 1043', 'invoices 1042 & 1043', 'invoices 1042 & 1043'],
    ['Invoice 7 and invoice 8', 'invoices 7 and 8', 'invoices 7 and 8'],
    ['Invoice: 12', 'invoice 12', 'invoice 12'],
    ['Tax Invoice No. 44', 'tax invoice No. 44', 'tax invoice No. 44'],
    ['inv 7; inv 8', 'invoices 7; 8', 'invoices 7; 8'],
    ['Our invoice 9', 'invoice 9', 'invoice 9'],
    ['inv 12', 'invoice 12', 'invoice 12'],
    ['Inv. INV-12', 'invoice INV-12', 'INV-12'],
    ['1042', 'invoice 1042', 'invoice 1042'],
    ['the March invoice', 'the March invoice', null],
    ['invoice for the kitchen', 'the invoice for the kitchen', null],
    ['Invoice dated 4 October', 'the invoice dated 4 October', null],
    ['2nd invoice', 'the 2nd invoice', null],
    ['n/a', 'our invoice', null],
    ['None', 'our invoice', null],
    ['TBD', 'our invoice', null],
    ['-', 'our invoice', null],
    ['invoice no. 12', 'invoice no. 12', 'invoice no. 12'],
    ['INVOICE-1042', 'INVOICE-1042', 'INVOICE-1042'],
    ['no. 7.', 'invoice no. 7', 'invoice no. 7'],
    ['your order 5512', 'our invoice (your order 5512)', 'order 5512'],
    ['INV-7 dated 5 October 2026', 'invoice INV-7 dated 5 October 2026', 'INV-7'],
    ['Invoice 7, dated 5 October', 'invoice 7, dated 5 October', 'invoice 7'],
    ['Final invoice 12', 'final invoice 12', 'final invoice 12'],
    ['deposit invoice 12', 'deposit invoice 12', 'deposit invoice 12'],
    ['12,13,14', 'invoices 12,13,14', 'invoices 12,13,14'],
    ['INV-7,INV-8', 'invoices INV-7,INV-8', 'INV-7,INV-8'],
    ['1,042', 'invoice 1,042', 'invoice 1,042'],
    ['invoice 7 for the garden', 'invoice 7 for the garden', 'invoice 7'],
    ['INV-7 & credit note CN-3', 'our invoice', null],
    ['PO 4431', 'our invoice (PO 4431)', 'PO 4431'],
    ['Rechnung 2026/11', 'Rechnung 2026/11', 'Rechnung 2026/11'],
    ['Credit note 3', 'our invoice', null],
    ['invoiced on Monday', 'our invoice', null],
    ['.', 'our invoice', null],
    ['Invoice', 'our invoice', null],
  ])('names the invoice number %j in the same words as any other', (number, named, reference) => {
    const isSeveral = named.startsWith('invoices ');
    const [like, likeNamed, likeReference] = isSeveral
      ? [partsOf(several), 'invoices 3 and 4', 'invoices 3 and 4']
      : [partsOf('INV-1042'), 'invoice INV-1042', 'INV-1042'];
    expect(like.opening).toContain(` ${likeNamed} `);
    const { opening, ask } = partsOf(number);
    expect(opening).toBe(like.opening.replace(likeNamed, named));
    expect(ask).toBe(reference === null ? partsOf('n/a').ask : like.ask.replace(likeReference, reference));
    expect(partsOf('n/a').ask).not.toMatch(/\breference\b/);
  });

  it('drops a long number from the subject, but never the sender, whose name is cut only if nothing else helps', () => {
    const subjectOf = (changes: Record<string, string>) => written(changes).split('\n')[0];
    const long = `N-${'1'.repeat(58)}`;
    for (const tone of TONES) {
      expect(subjectOf({ tone, invoice_number: long })).toContain('Bright Studio');
      expect(subjectOf({ tone, invoice_number: long })).not.toContain(long);
    }
    const businessName = 'B'.repeat(120);
    const nobody = { business_name: '', tone: 'polite', invoice_number: long };
    expect(subjectOf(nobody)).toBe('Subject: Our invoice was due on 4 November 2026');
    expect(subjectOf({ business_name: businessName })).toMatch(/^Subject: Invoice from B{50,}…$/);
    expect(written({ business_name: businessName }).endsWith(`,\n${businessName}`)).toBe(true);
    const summit = { invoice_number: '7743', business_name: 'Summit Electrical Contractors Inc.' };
    expect(subjectOf({ ...summit, tone: 'final', due_date: '2026-07-15' })).toBe(
      'Subject: Final reminder: invoice 7743 from Summit Electrical Contractors Inc.',
    );
  });

  it('about several invoices is in the plural in every tone', () => {
    const number = { invoice_number: several };
    expect(written({ ...number })).toMatch(inOrder(several, 'Bright Studio', ' were ', '4 November 2026'));
    expect(written({ ...number })).toMatch(/\bthem\b/);
    expect(written({ ...number, tone: 'firm' })).toMatch(/\bthey\b.*\binvoices\b/s);
    expect(written({ ...number })).toMatch(/\nInvoices\b[^\n]*: £1,250\.00\n/);
    expect(notesOf({ invoice_number: 'Credit note 3' }).join()).toContain('credit note');
    for (const tone of TONES)
      expect(written({ ...number, tone })).not.toMatch(/Invoices 3 and 4 .*\b(?:was|has|is)\b/);
  });

  it('about a statement does not call it an invoice, not even in its row', () => {
    const text = written({ invoice_number: 'Statement March 2026' });
    expect(text).toContain('\nAmount: £1,250.00\n');
    expect(text).toMatch(inOrder(' Statement March 2026 ', '£1,250.00'));
    expect(text).toMatch(inOrder(' statement, ', ' Statement March 2026 '));
    expect(text).not.toMatch(/\binvoice/i);
  });

  it.each([
    ['Our invoice 9', 'Invoice 9'],
    ['PO 4431', 'Invoice (PO 4431)'],
    ['our March invoice', 'March invoice'],
    ['2nd invoice', 'The 2nd invoice'],
  ])('names the sender of invoice %j only once in its subject', (number, named) => {
    const subjectOf = (one: string) => written({ invoice_number: one }).split('\n')[0];
    expect(subjectOf(number)).toBe(subjectOf('INV-1042')?.replace('Invoice INV-1042', named));
    expect(subjectOf(number)).toContain(`: ${named} from Bright Studio`);
  });

  it('from a sender whose name begins with "From" has no second "from"', () => {
    expect(written({ business_name: 'From Scratch Bakery' }).split('\n')[0]).toMatch(
      /INV-1042 From Scratch Bakery .*4 November 2026$/,
    );
  });

  it.each(TONES)('that is %s has no number directly after a name in its subject', (tone) => {
    const names = { business_name: 'סטודיו אור', invoice_number: '7-חש' };
    for (const changes of [{}, { grace_days: '20' }, { paid_date: '2026-11-10' }, { invoice_number: '' }])
      expect(written({ ...names, tone, ...changes }).split('\n')[0]).not.toMatch(
        /\p{Script=Hebrew}[^\p{L}\n]*\p{N}/u,
      );
  });

  const noteOn = (number: string) =>
    notesOf({ invoice_number: number }).filter((note) => note.includes('invoice_number'));

  it.each([
    ['not a number', ['invoiced on Monday', 'March']],
    ['not a bill that can be overdue', ['Proforma 12', 'Pro-forma invoice 12', 'Quote 7', 'Receipt 12']],
    ['a credit note', ['Credit note 3']],
    ['missing', ['n/a', 'none', 'TBD', '-', 'to be confirmed']],
  ])('with an invoice number that is %s gets a separate note about it', (_, [number = '', ...others]) => {
    expect(noteOn(number)).toHaveLength(1);
    for (const other of others) expect(noteOn(other), other).toEqual(noteOn(number));
    const kinds = ['March', 'Quote 7', 'Credit note 3', 'n/a'].flatMap(noteOn);
    expect(new Set(kinds).size).toBe(4);
  });
});
