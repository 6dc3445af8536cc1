import { describe, expect, it, test } from 'vitest';
import { green, packed, quoted } from '../../../../test/support/papers.ts';
import { BLANK, type Letterhead } from './letterhead.ts';
import { coverNoteOf, packNotes, packSheet, packView } from './pack.ts';
import { quoteSheet } from './quote.ts';
import { type Sheet, type SheetTable, sheetBlocks, sheetText } from './sheet.ts';

const items = [
  { description: 'Design', quantity: 3, unit_price: 850 },
  { description: 'Photography', quantity: 1.5, unit_price: 785 },
  { description: 'Leaflets', quantity: 250, unit_price: 0.75, tax_percent: 0 },
];
const mixed = { currency: 'GBP', items, tax_percent: 20, discount_percent: 5, deposit_percent: 0 };
const plain = { ...mixed, items: items.map(({ tax_percent: _, ...line }) => line) };

const tableOf = ({ parts }: Sheet): SheetTable => {
  const [table] = parts.flatMap((part) => ('table' in part ? [part.table] : []));
  if (table === undefined) throw new Error('The document has no table');
  return table;
};
const taxesOf = (sheet: Sheet) => tableOf(sheet).totals.filter(({ label }) => label.includes('VAT'));

test('the text of a pack is its document, a note to send with it, and the steps between the options for its owner', () => {
  const body = packed();
  const blocks = packView(body);
  expect(blocks).toEqual(
    expect.arrayContaining([...sheetBlocks(packSheet(body, BLANK)), ...packNotes(body)]),
  );
  const letters = blocks.flatMap((block) => ('letter' in block ? [block.letter] : []));
  expect(letters).toEqual([body.cover_note.subject, body.cover_note.body]);
  const [table] = packNotes(body).flatMap((block) => ('table' in block ? [block.table] : []));
  expect(table?.rows).toEqual([
    [expect.stringMatching(/^Markup/), '0%', '25%', '50%'],
    [expect.stringContaining('Essential'), '$0.00', '$321.93', '$644.30'],
    [expect.any(String), '', '$321.93 (24.99%)', '$322.37 (20.02%)'],
  ]);
});

test('tax and deposit have a row only if they were requested', () => {
  const body = packed({ tax_percent: 0, deposit_percent: 0, discount_percent: 5 });
  const labels = tableOf(packSheet(body, BLANK)).totals.map(({ label }) => label);
  expect(labels).toEqual(['Subtotal', 'Discount 5%', 'Total']);
});

describe('a pack of lines with different tax rates', () => {
  const sheet = packSheet(packed(mixed), green);

  it('shows the rate of each line, even 0', () => {
    const { head, rows } = tableOf(sheet);
    expect(head).toEqual(['Item', 'Quantity', 'Tax', 'Essential', 'Enhanced', 'Premium']);
    expect(rows.map(([what, , tax]) => [what, tax])).toEqual([
      ['Design', '20%'],
      ['Photography', '20%'],
      ['Leaflets', '0%'],
    ]);
  });

  it('shows the amount on which the tax of each option is calculated', () => {
    expect(taxesOf(sheet)).toEqual([
      {
        label: 'VAT 20%',
        values: [
          { value: '£708.22', below: 'on £3,541.12' },
          { value: '£885.28', below: 'on £4,426.41' },
          { value: '£1,062.34', below: 'on £5,311.69' },
        ],
        isMain: false,
      },
    ]);
    expect(sheetText(sheet)).toContain('Leaflets: Quantity 250, Tax 0%, Essential £187.50 (£0.75 each), ');
    expect(sheetText(sheet)).toContain('VAT 20%: Essential £708.22 (on £3,541.12), Enhanced £885.28 (on ');
  });

  it('shows the taxed amount for prices that include tax, for every rate, and for an option without a line at a rate', () => {
    const changes = {
      currency: 'GBP',
      items: [
        { description: 'Plants', unit_price: 100, tax_percent: 5, tier: 'best' },
        { description: 'Work', unit_price: 200 },
      ],
      tax_percent: 20,
      prices_include_tax: true,
      deposit_percent: 0,
      best_markup_percent: 50,
    };
    expect(taxesOf(packSheet(packed(changes), green)).map(({ label, values }) => [label, ...values])).toEqual(
      [
        [
          'Includes VAT at 20%',
          { value: '£33.33', below: 'on £166.67' },
          { value: '£41.67', below: 'on £208.33' },
          { value: '£50.00', below: 'on £250.00' },
        ],
        ['Includes VAT at 5%', '£0.00', '£0.00', { value: '£7.14', below: 'on £142.86' }],
      ],
    );
  });
});

describe('a pack with two taxes', () => {
  const two = (changes: object) =>
    packSheet(
      packed({
        currency: 'CAD',
        tax_name: 'GST',
        tax_percent: 5,
        second_tax_name: 'QST',
        second_tax_percent: 9.975,
        deposit_percent: 0,
        items: [{ description: 'Sod', quantity: 60, unit: 'm²', unit_price: 9.8 }],
        ...changes,
      }),
      BLANK,
    );

  const labelsOf = (sheet: ReturnType<typeof two>) =>
    tableOf(sheet)
      .totals.map(({ label }) => label)
      .filter((label) => /^[GQ]ST /.test(label));

  it('names both taxes in the given order, and does not show a rate next to a line if all lines have both', () => {
    expect(tableOf(two({})).head).not.toContain('Tax');
    expect(labelsOf(two({}))).toEqual(['GST 5%', 'QST 9.975%']);
  });

  it('shows both rates next to a line if another line has none', () => {
    const items = [
      { description: 'Sod', unit_price: 100 },
      { description: 'Permit', unit_price: 50, tax_percent: 0 },
    ];
    const { head, rows } = tableOf(two({ items }));
    expect(rows.map((row) => row[head.indexOf('Tax')])).toEqual(['5% + 9.975%', '0%']);
  });

  it('keeps two taxes with the same rate separate', () => {
    expect(labelsOf(two({ second_tax_percent: 5 }))).toEqual(['GST 5%', 'QST 5%']);
  });
});

describe('a pack with recurring prices', () => {
  it('shows the period next to each total', () => {
    const sheet = packSheet(packed({ price_per: 'month' }), BLANK);
    expect(tableOf(sheet).totals.map(({ label }) => label)).toContain('Total per month');
    const options = sheet.parts.flatMap((part) => ('options' in part ? part.options : []));
    for (const { total } of options) expect(total).toMatch(/ per month$/);
  });
});

describe('a pack that names its client, its job, its number and its tax', () => {
  const sheet = packSheet(
    packed({
      currency: 'CAD',
      client_name: 'Jo Smith',
      job: 'the back garden',
      quote_number: 'Q-7',
      tax_name: 'HST',
      items: [{ description: 'Plants', quantity: 60, unit: 'piece', unit_price: 14, discount_percent: 10 }],
    }),
    BLANK,
  );

  it('shows these details on paper without asking for them again', () => {
    expect(sheet.client).toEqual(['Jo Smith']);
    expect(sheet.facts[0]).toEqual({ label: 'Number', value: 'Q-7' });
    expect(sheet.parts[0]).toEqual({ subject: 'The back garden' });
    expect(tableOf(sheet).totals.map(({ label }) => label)).toContain('HST 8.25%');
  });

  it('shows the unit and the discount of a line', () => {
    expect(tableOf(sheet).rows[0]?.slice(1, 3)).toEqual([
      '60 pieces',
      { value: 'CA$756.00', below: 'CA$14.00 per piece, less 10% (CA$84.00)' },
    ]);
  });
});

describe('a pack whose lines have one tax rate', () => {
  it('shows the rate once', () => {
    const sheet = packSheet(packed(plain), green);
    expect(tableOf(sheet).head).toEqual(['Item', 'Quantity', 'Essential', 'Enhanced', 'Premium']);
    expect(taxesOf(sheet)).toMatchObject([{ label: 'VAT 20%', values: ['£743.85', '£929.93', '£1,116.01'] }]);
  });
});

describe('a quote', () => {
  it('shows the taxed amount if its lines have different rates', () => {
    expect(taxesOf(quoteSheet(quoted(mixed), green))).toMatchObject([
      { label: 'VAT 20% on £3,541.12', values: ['£708.22'] },
    ]);
    expect(taxesOf(quoteSheet(quoted(plain), green))).toMatchObject([
      { label: 'VAT 20%', values: ['£743.85'] },
    ]);
  });
});

describe('the cover note of a pack', () => {
  const nameless = packed({ business_name: undefined });
  const noteOf = (letterhead: Partial<Letterhead>, body = nameless) =>
    coverNoteOf(body, { ...BLANK, ...letterhead });
  const greetingOf = (client: string) => noteOf({ client }).body.split('\n')[0];

  it('has the name that the owner writes on the document in its heading and signature if the pack was bought without a name', () => {
    const { subject, body } = noteOf({ business: ' Hart  Ltd ' });
    expect(body).toMatch(/\n\n.*,\nHart Ltd$/);
    expect(subject).toMatch(/\bHart Ltd\b.*December 21, 2026$/);
    expect(noteOf({})).toEqual(nameless.cover_note);
  });

  it('reads the same whether the name came with the purchase or from the document', () => {
    for (const business of ['Hart Ltd', 'Long name '.repeat(8).trim(), 'שלום $& (2019)'])
      expect(noteOf({ business })).toEqual(packed({ business_name: business }).cover_note);
  });

  it('keeps the name with which the pack was bought if the owner writes another name on the document', () => {
    expect(noteOf({ business: 'Another Ltd' }, packed())).toEqual(packed().cover_note);
  });

  it('has only the additions that the owner kept or added', () => {
    const asked = { better_adds: ['A plan'], best_adds: ['A visit'], best_markup_percent: 50 };
    for (const recommended of ['good', 'better', 'best']) {
      const body = packed({ ...asked, recommended });
      expect(noteOf({ better: 'A plan\n', best: 'A visit' }, body)).toEqual(body.cover_note);
      const changed = body.cover_note.body.replace('A plan', 'Another plan');
      expect(noteOf({ better: 'Another plan', best: 'A visit' }, body).body).toBe(changed);
    }
    const items = [
      { description: 'Laminate', unit_price: 90, tiers: ['good'] },
      { description: 'Quartz', unit_price: 300, tiers: ['better', 'best'] },
    ];
    const replaced = packed({ items });
    expect(noteOf({ better: 'Granite' }, replaced)).toEqual(replaced.cover_note);
  });

  it('greets the client in the document, as a letter does', () => {
    expect(greetingOf('Jo Smith\n1 Road\nLeeds')).toBe('Hello Jo Smith,');
    expect(greetingOf('\n Acme, Inc.\n4 Park Row')).toBe('Hello Acme, Inc.,');
    expect(greetingOf('Dear Mrs Smith,\n4 Park Row')).toBe('Hello Mrs Smith,');
    expect(greetingOf('TBC')).toBe('Hello,');
    expect(greetingOf(' \n ')).toBe('Hello,');
    expect(noteOf({ client: 'Jo $& Smith' }, packed()).body).toMatch(/^Hello Jo \$& Smith,\n\n/);
  });

  it('does not use an email address as a greeting', () => {
    expect(greetingOf('Mrs J Smith, 4 Park Row, Leeds')).toBe('Hello Mrs Smith,');
    expect(greetingOf('Mr and Mrs Ellis, 14 Cotham Road')).toBe('Hello Mr and Mrs Ellis,');
    expect(greetingOf('Smith, Jones & Partners')).toBe('Hello Smith, Jones & Partners,');
    expect(greetingOf(','.repeat(200_000))).toBe('Hello,');
  });
});
