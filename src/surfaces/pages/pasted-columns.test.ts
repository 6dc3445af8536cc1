import { describe, expect, it } from 'vitest';
import { columnsOf, NONE } from './pasted-columns.ts';
import { leftOutOf, linesOf, pastedTable } from './pasted-rows.ts';

describe('columns of rows pasted from a spreadsheet', () => {
  /**
   * Returns each line as its quantity, price and tax, the columns that were left out, and whether the page asks about
   * them.
   */
  const readAs = (text: string): readonly [lines: string, left: readonly string[], asks: boolean] => {
    const table = pastedTable(text.replaceAll('|', '\t').replaceAll(' / ', '\n'));
    const lines = linesOf(table, table.choice).map(
      ({ quantity = '1', unit_price: price, tax_percent: tax }) =>
        [quantity, 'x', price, ...(tax === undefined ? [] : ['+', tax])].join(' '),
    );
    return [lines.join(', '), leftOutOf(table, table.choice), !table.isSure];
  };
  const COUNTS = 'which counts the lines';
  it.each([
    // A third number next to a quantity and a price
    ['1001|Roses|£2.50|40 / 1007|Vases|£8|10', '40 x £2.50, 10 x £8', ['column 1'], true],
    ['1001|Roses|40|2.50 / 1007|Vases|10|8', '40 x 2.50, 10 x 8', ['column 1'], true],
    ['4|Roses|40|2.50 / 5|Vases|10|8', '40 x 2.50, 10 x 8', [`column 1, ${COUNTS}`], true],
    ['1.1|Roses|40|2.50 / 1.2|Vases|10|8', '40 x 2.50, 10 x 8', ['column 1'], true],
    ['1|Roses|40|£2 / Garden| / 2|Vases|10|£8', '40 x £2, 1 x , 10 x £8', [`column 1, ${COUNTS}`], false],
    ['2|Roses|£50 / 3|Vases|£80', '2 x £50, 3 x £80', [], true],
    ['Lawn|£80|£96 / Hedge|£20|£24', '1 x £80, 1 x £20', ['column 3'], true],
    ['Rosor|2,50 kr|40 / Vaser|8 kr|10', '40 x 2,50 kr, 10 x 8 kr', [], false],
    // Line amounts, and figures with unknown headings
    ['Roses|2.50|40|100 / Vases|8.00|10|80', '2.50 x 40, 8.00 x 10', ['column 4'], true],
    ['Item|Amount|Price|Total / Roses|40|2.50|100', '40 x 2.50', [], true],
    ['Item|Amount|Price / Roses|40|2.50 / Vases|10|8', '40 x 2.50, 10 x 8', [], true],
    ['Item|Price|Total / Roses|2.50|100', '1 x 2.50', ['Total'], false],
    ['Item|Qty|Price|Total / Roses|2|100|600', '2 x 100', [], false],
    ['Item|Qty|Amount / Roses|40|100 / Vases|10|80', '1 x 100, 1 x 80', ['Qty'], true],
    ['Item|Qty|Code|Total / Roses|2|4711|300', '1 x 300', ['Qty', 'Code'], true],
    ['Item|List price|Qty|Net price|Total / Roses|3|40|2.50|100', '40 x 3', ['Net price'], true],
    // Taxes and discounts
    ['Item|Qty|Price|VAT|Total / A|10|20|40.00|240', '10 x 20', ['VAT'], false],
    ['Item|Qty|Price|VAT / A|10|20|4 / B|5|20|2', '10 x 20 + 4, 5 x 20 + 2', [], true],
    ['Item|Qty|Price|VAT / A|10|20|£4', '10 x 20', ['VAT'], false],
    ['Item|Qty|Price|VAT / A|10|20|0.2', '10 x 20 + 0.2', [], true],
    ['Item|Qty|Price|VAT / A|10|20|20 / B|5|20|20', '10 x 20 + 20, 5 x 20 + 20', [], true],
    ['Item|Qty|Price|VAT % / A|10|20|20 / B|5|20|5', '10 x 20 + 20, 5 x 20 + 5', [], false],
    ['Item|Qty|Price|VAT / A|1|2|20% / B|5|2|exempt', '1 x 2 + 20%, 5 x 2 + exempt', [], false],
    ['Item|Qty|Price|IVA 21% / A|2|5|21', '2 x 5 + 21', [], false],
    ['Item|Qty|Price|IVA 21% / A|2|5|2.10', '2 x 5', ['IVA 21%'], false],
    ['Item|Qty|Price|Total / A|3|0.125|0.38', '3 x 0.125', [], false],
    ['Item|Net|VAT %|Gross / A|100|20|120 / B|50|20|60', '1 x 100 + 20, 1 x 50 + 20', ['Gross'], true],
    ['A|100|20|120 / B|50|10|60', '100 x 20, 50 x 10', ['column 4'], true],
    ['A|100|20%|120 / B|50|20%|60', '100 x 120 + 20%, 50 x 60 + 20%', [], true],
    ['A|10|20|10%|180 / B|2|100|5%|190', '10 x 20 + 10%, 2 x 100 + 5%', ['column 5'], true],
    ['A|2|100|20|180 / B|1|50|0|50', '2 x 100, 1 x 50', ['column 4', 'column 5'], true],
    ['Artikel|Menge|Preis|Rabatt|Summe / A|2|100|10%|180', '2 x 100', ['Rabatt'], false],
    ['A|2|100|10%|20% / B|1|50|0%|20%', '2 x 100, 1 x 50', ['column 4', 'column 5'], true],
    ['A|2|£100|20% / B|1|£50|20%', '2 x £100 + 20%, 1 x £50 + 20%', [], true],
    ['Oak|10%|450', '1 x 450 + 10%', [], true],
    ['Item|Amount|Rate / A|100|20% / B|50|20%', '1 x 100, 1 x 50', ['Rate'], false],
    ['Item|Einzel|Anz|Summe / A|2.50|40|100 / B|8|10|80', '1 x 100, 1 x 80', ['Einzel', 'Anz'], true],
    ['1001|2|40 / 1007|1|20', '2 x 40, 1 x 20', ['column 1'], true],
    // Words among the figures
    ['Roses|40|2.50 / Vases|a dozen|8', '40 x 2.50, a dozen x 8', [], true],
    ['Oak|large|2|450 / Elm|40cm|1|20', '2 x 450, 1 x 20', [], true],
    ['Item|SKU|Price|Total / Oak|A1|5|5', '1 x 5', ['SKU', 'Total'], false],
  ] as const)(
    'are identified by their headings, or else the owner is asked about them: %s',
    (text, lines, left, asks) => {
      expect(readAs(text)).toEqual([lines, left, asks]);
    },
  );
  it.each([
    'Bezeichnung|Menge|Stückpreis|Summe',
    'Bezeichnung|Anzahl|Stk.-Preis|Gesamt',
    'Artikel|Menge|EP|GP',
    'Vare|Antal|Stk. pris|I alt',
    'Vara|Antal|à pris|Summa',
    'Vara|Antal|Á pris|Summa',
    'Tuote|Kpl|Kpl-hinta|Yht.',
    'Service|Hours|Hourly rate|Total',
    'Service|Total hours|Day rate|Total price',
    'Item|Quantity|Net price|Price in total',
    'Désignation|Qté|PU HT|Prix total HT',
  ])('are identified by a heading whose keyword is not at its beginning: %s', (head) => {
    expect(readAs(`${head} / Roses|40|2.50|100 / Vases|10|8|80`)).toEqual(['40 x 2.50, 10 x 8', [], false]);
  });
  it('have their headings found below a title, even if the title contains a number', () => {
    const head = 'Item|Qty|Price|VAT 20%|Total';
    const table = 'Roses|10|20|40|240 / Vases|5|20|20|120';
    expect(readAs(`Quote for Smith / No. 7|2026-11-23 / ${head} / ${table}`)).toEqual([
      '10 x 20, 5 x 20',
      ['VAT 20%', 'the row “Quote for Smith”', 'the row “No. 7”'],
      false,
    ]);
    expect(readAs(`Price list, spring|| / ${head} / ${table}`)[0]).toBe('10 x 20, 5 x 20');
    expect(readAs('Price list / Roses|40|£2.50')).toEqual(['1 x , 40 x £2.50', [], false]);
    for (const head of ['Price / 5 / 8', '|Price / A|5 / B|8', 'Mis|Mitu|Price / A||5 / B||8'])
      expect(readAs(head)[0]).toBe('1 x 5, 1 x 8');
    expect(readAs('Hedge|120 / Lawn|450 / Price of oak|later')[0]).toBe('1 x 120, 1 x 450, 1 x later');
  });
  it.each([
    ['Roses|200 / Hedge|100 / |300', '1 x 200, 1 x 100', ['the row “300”']],
    ['Item|Qty|Price / A|2|100 / B|1|100 / ||300', '2 x 100, 1 x 100', ['the row “300”']],
    [
      'Item|Price / A|200 / B|100 / Subtotal labour|300 / C|40 / Total materials|40 / Overall total|340',
      '1 x 200, 1 x 100, 1 x 40',
      ['the row “Subtotal labour”', 'the row “Total materials”', 'the row “Overall total”'],
    ],
    ['Item|Price / Lawn|200 / Total excavation|900', '1 x 200, 1 x 900', []],
    ['5|10 / 2|20 / 1|90', '5 x 10, 2 x 20, 1 x 90', []],
  ])('leave out a row whose figure is the sum of the others: %s', (text, lines, left) => {
    expect(readAs(text).slice(0, 2)).toEqual([lines, left]);
  });
  it.each([
    ['Item|Qty|Price inc VAT|VAT % / A|1|120|20 / B|2|60|20', '1 x 120, 2 x 60', ['VAT %']],
    ['Item|Qty|Prix TTC|TVA % / A|1|120|20', '1 x 120', ['TVA %']],
    ['Item|Qty|Preis|MwSt. % / A|1|100|19 / B|2|50|19', '1 x 100 + 19, 2 x 50 + 19', []],
    ['Item|Hours|Rate|Cost / A|2|100|200 / Materials|||250', '2 x 100, 1 x ', ['Cost']],
  ])('leave out a tax that the prices include, and the second of two prices: %s', (text, lines, left) => {
    expect(readAs(text).slice(0, 2)).toEqual([lines, left]);
  });
  it('need an answer from the owner if an amount or a rate has two meanings', () => {
    for (const text of [
      'A|20|100|120',
      'Item|Labour|Materials|Sum / A|20|100|120',
      'Design|80|1.5|120 / Code|90|2.5|225',
    ])
      expect([text, readAs(text)[2]]).toEqual([text, true]);
  });
  it('are identified from the first two hundred lines', () => {
    let read = 0;
    const line = ['Tree', '2', '3', '6'];
    const unread = new Proxy(line, {
      get(target, name) {
        read += 1;
        return Reflect.get(target, name);
      },
    });
    const rows = Array.from({ length: 20_000 }, (_, index) => (index < 200 ? line : unread));
    expect(columnsOf(rows, []).choice).toEqual({ quantity: 1, unit_price: 2, tax_percent: NONE });
    expect(read).toBe(0);
  });
  it('are read from a table with hundreds of columns', () => {
    const rows = Array.from({ length: 3 }, (_, row) =>
      Array.from({ length: 400 }, (_, column) => row + column + 1).join('\t'),
    );
    expect(pastedTable(rows.join('\n')).cells).toHaveLength(3);
  });
});
