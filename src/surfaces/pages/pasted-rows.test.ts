import { describe, expect, it } from 'vitest';
import { columnLabel, leftOutOf, linesOf, NONE, pastedTable } from './pasted-rows.ts';

const rows = (text: string) => {
  const table = pastedTable(text);
  return linesOf(table, table.choice);
};
const leftOut = (text: string) => {
  const table = pastedTable(text);
  return leftOutOf(table, table.choice);
};
/** Returns each line as its quantity, price and tax, what was left out, and whether the page asks about the columns. */
const readAs = (text: string): readonly [lines: string, left: readonly string[], asks: boolean] => {
  const table = pastedTable(text.replaceAll('|', '\t').replaceAll(' / ', '\n'));
  const lines = linesOf(table, table.choice).map(({ quantity = '1', unit_price: price, tax_percent: tax }) =>
    [quantity, 'x', price, ...(tax === undefined ? [] : ['+', tax])].join(' '),
  );
  return [lines.join(', '), leftOutOf(table, table.choice), !table.isSure];
};

describe('rows pasted from a spreadsheet', () => {
  it('are read as description, quantity and unit price', () => {
    expect(rows('Garden design\t2\t£450.00\nPlants\t40\t£7.25\n')).toEqual([
      { description: 'Garden design', quantity: '2', unit_price: '£450.00' },
      { description: 'Plants', quantity: '40', unit_price: '£7.25' },
    ]);
  });
  it('may have headings in any order', () => {
    expect(rows('Price\tVAT\tItem\tQty\tTotal\r\n5\t20%\tPot\t3\t15\r\n')).toEqual([
      { unit_price: '5', tax_percent: '20%', description: 'Pot', quantity: '3' },
    ]);
  });
  it('may contain line breaks, quotes and separators in quotation marks', () => {
    expect(rows('"Pot, ""blue""\nlarge",2,"1,250.50"\n')).toEqual([
      { description: 'Pot, "blue" large', quantity: '2', unit_price: '1,250.50' },
    ]);
  });
  it('are split at a separator outside quotation marks, not at a comma in a number', () => {
    expect(rows('Pot;2;1,50')).toEqual([{ description: 'Pot', quantity: '2', unit_price: '1,50' }]);
    expect(rows('Item,Qty,Price\n"Pot; blue",2,5')).toEqual([
      { description: 'Pot; blue', quantity: '2', unit_price: '5' },
    ]);
    expect(rows('Hedge $1,250.00\nLawn $80.00')).toEqual([
      { description: 'Hedge $1,250.00' },
      { description: 'Lawn $80.00' },
    ]);
    expect(rows('Hedge,120\nLawn,450')).toEqual([
      { description: 'Hedge', unit_price: '120' },
      { description: 'Lawn', unit_price: '450' },
    ]);
  });
  it('leave out blank rows, and are empty if nothing was pasted', () => {
    expect(rows('\n\nPot\t1\t2\n\n')).toHaveLength(1);
    expect(rows('')).toEqual([]);
  });
  it('keep the text of every column, and name the columns that have no field', () => {
    expect(rows('Oak\tlarge\t2\t450')).toEqual([
      { description: 'Oak, large', quantity: '2', unit_price: '450' },
    ]);
    expect(leftOut('Item\tSKU\tPrice\tNote\tTotal\nOak\tA1\t5\t\t5')).toEqual(['SKU', 'Total']);
    expect(leftOut('Plants\t40\t7.25\t290.00\t17')).toEqual(['column 4', 'column 5']);
    expect(leftOut('Item\tQty\tPrice\tTotal\nPlants\t40\t7.25\t290.00')).toEqual([]);
  });
  it('keep a cell that is not a figure, and the form reports that cell', () => {
    expect(rows('Hedge\t2\t450\nLawn\t3\tTBC\nElm\t1\t50.00')[1]).toEqual({
      description: 'Lawn',
      quantity: '3',
      unit_price: 'TBC',
    });
  });
  it.each(['2,50 €', '2:-', '2,- €', '₹2/-', 'Rs. 2/-'])('have a price written as %s', (price) => {
    expect(rows(`Rosor\t40\t${price}`)).toEqual([
      { description: 'Rosor', quantity: '40', unit_price: price },
    ]);
  });

  it.each([
    'Item|Quantity|Net price|Amount',
    'Service|Total hours|Day rate|Total price',
    'Bezeichnung|Menge|Einzelpreis|Gesamtbetrag',
    'Artikel|Anzahl|Stk.-Preis|Summe',
    'Désignation|Qté|Prix unitaire HT|Prix total HT',
    'Concepto|Cantidad|Precio|Importe',
  ])('are understood if the headings are %s', (head) => {
    expect(readAs(`${head} / Roses|40|2.50|100 / Vases|10|8|80`)).toEqual(['40 x 2.50, 10 x 8', [], false]);
  });
  it.each([
    ['Rosor|2,50 kr|40 / Vaser|8 kr|10', '40 x 2,50 kr, 10 x 8 kr', []],
    ['Price / 5 / 8', '1 x 5, 1 x 8', []],
    ['No.|Item|Qty|Price / 7|Lawn|3|45', '3 x 45', ['No.']],
    ['Item|Qty|Cost|Price|Tax amount / Oak|2|300|450|18.00', '2 x 450', ['Cost', 'Tax amount']],
    ['Item|Amount / Oak|300', '1 x 300', []],
    ['Item|Hours|Rate|Total / Work|2|100|200 / Materials|||250', '2 x 100, 1 x 250', []],
    ['Item|Qty|Price|VAT % / A|10|20|20 / B|5|20|5', '10 x 20 + 20, 5 x 20 + 5', []],
    ['Item|Qty|Price|VAT / A|1|2|20% / B|5|2|exempt', '1 x 2 + 20%, 5 x 2 + exempt', []],
    ['Item|Qty|Price|VAT|Total / A|10|20|40.00|240', '10 x 20', ['VAT']],
    ['Item|Qty|Price inc VAT|VAT % / A|1|120|20', '1 x 120', ['VAT %']],
    ['Item|Qty|Prix TTC|TVA % / A|1|120|20', '1 x 120', ['TVA %']],
    [
      'Quote for Smith / No. 7|2026-11-23 / Item|Qty|Price / A|10|20',
      '10 x 20',
      ['the row “Quote for Smith”', 'the row “No. 7”'],
    ],
    ['Price list / Roses|40|£2.50', '1 x , 40 x £2.50', []],
  ] as const)('need no question if the headings or signs are clear: %s', (text, lines, left) => {
    expect(readAs(text)).toEqual([lines, left, false]);
  });
  it.each([
    ['Roses|40|2.50 / Vases|a dozen|8', '40 x 2.50, a dozen x 8', []],
    ['1|Roses|40|2.50 / 2|Vases|10|8', '40 x 2.50, 10 x 8', ['column 1']],
    ['2|Roses|£50 / 3|Vases|£80', '2 x £50, 3 x £80', []],
    ['Lawn|£80|£96 / Hedge|£20|£24', '1 x £80, 1 x £20', ['column 3']],
    ['Mis|Mitu|Price / Roosid|40|2.50', '1 x 2.50', ['Mitu']],
    ['Nazwa|Ilość|Cena|Wartość / Róże|40|2,50|100', '40 x 2,50', ['Wartość']],
    ['Item|Price|Total / Roses|2.50|100', '1 x 2.50', ['Total']],
    ['Item|Qty|Amount / Roses|40|100', '1 x 100', ['Qty']],
    ['Item|Price|Qty|Net price|Total / Roses|3|40|2.50|100', '40 x 3', ['Net price']],
    ['Item|Qty|Price|VAT / A|10|20|4 / B|5|20|2', '10 x 20 + 4, 5 x 20 + 2', []],
    ['Item|Qty|Price|IVA 21% / A|2|5|2.10', '2 x 5 + 2.10', []],
    ['A|2|100|10%|20% / B|1|50|0%|20%', '2 x 100, 1 x 50', ['column 4', 'column 5']],
    ['Oak|10%|450', '1 x 450', ['column 2']],
    ['Item|Net|VAT %|Gross / A|100|20|120', '1 x 100 + 20', ['Gross']],
  ] as const)('come with a question if the columns are only a guess: %s', (text, lines, left) => {
    expect(readAs(text)).toEqual([lines, left, true]);
  });
  it('are read again with the columns that the owner chooses', () => {
    const table = pastedTable('Roses\t2.50\t40\t7');
    expect(table.figures.map((index) => columnLabel(table, index))).toEqual([
      'column 2: 2.50',
      'column 3: 40',
      'column 4: 7',
    ]);
    const chosen = { unit_price: 1, quantity: 2, tax_percent: 3 };
    expect(linesOf(table, chosen)).toEqual([
      { description: 'Roses', quantity: '40', unit_price: '2.50', tax_percent: '7' },
    ]);
    expect(leftOutOf(table, { ...chosen, tax_percent: NONE })).toEqual(['column 4']);
  });

  it.each([
    ['Lawn|2|40|80 / Hedge|1|20|20 / Total|||100', ['column 4', 'the row “Total”']],
    ['Lawn|2|40 / Hedge|1|20 / ||Subtotal:|100', ['the row “Subtotal:”']],
    ['Lawn|80 / Hedge|20 / VAT|20%|20 / Total due|120', ['the row “VAT”', 'the row “Total due”']],
    ['Lawn|80 / Subtotal|80 / Hedge|20 / Subtotal|20 / Total|100', 3],
    ['Item|Net|VAT|Price / Lawn|80|16|96 / Hedge|20|4|24 / Total|100|20|120', ['Net', 'the row “Total”']],
    ['Item|Qty|Price / A|2|100 / B|1|100 / ||300', ['the row “300”']],
    ['Lawn|80 / Hedge|20 / Net|100 / VAT 20%|20 / Gross|120', 3],
    ['Lawn|80 / Hedge|20 / Nettobetrag|100 / zzgl. 19% MwSt.|19 / Bruttobetrag|119', 3],
    ['Lawn|80 / Hedge|20 / Razem netto|100 / VAT 23%|23 / Razem do zapłaty|123', 3],
    ['Lawn|80 / Hedge|20 / Subtotal|100 / Sales tax 8.25%|8.25 / Amount due|108.25', 3],
    ['Lawn|80 / Hedge|20 / Balance due|100 / Thank you!|', ['the row “Balance due”']],
    ['Item|Price / A|200 / B|100 / Labour|300 / C|40 / Total materials|40 / Overall total|340', 3],
  ] as const)('leave out the rows that sum the others, in any language: %s', (text, left) => {
    const found = readAs(text)[1];
    if (typeof left === 'number') expect(found).toHaveLength(left);
    else expect(found).toEqual(left);
  });
  it.each([
    'Total rewiring of the flat|500 / Fuse box|80',
    'Fuse box|80 / Total rewiring of the flat|500',
    'Bookkeeping|500 / VAT return|300 / Payroll|40',
    'Oak|80 / Elm|80',
    '5|10 / 2|20 / 1|90',
    'Total|100',
  ])('are lines if their figures sum nothing: %s', (text) => {
    expect(readAs(text)[0].split(', ')).toHaveLength(text.split(' / ').length);
  });
  it('are read quickly, even if they are very long or very many', () => {
    // A pattern that backtracks at each character takes minutes for these.
    const long = [' exc', ' total', '1', ' .', 'inc '].map((part) => `Total${part.repeat(60_000)} !\t100`);
    long.push(`${'1'.repeat(300_000)} x\t5`);
    expect(rows(['Lawn\t80', ...long].join('\n')).length).toBeGreaterThan(0);
    const wide = Array.from({ length: 400 }, (_, column) => column).join('\t');
    expect(rows(`${wide}\n${wide}\n${wide}`)).toHaveLength(3);
    expect(rows('Tree\t2\t3\n'.repeat(20_000))).toHaveLength(20_000);
  });
});
