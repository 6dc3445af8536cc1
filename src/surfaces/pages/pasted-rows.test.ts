import { describe, expect, it } from 'vitest';
import { NONE } from './pasted-columns.ts';
import { columnLabel, leftOutOf, linesOf, pastedTable } from './pasted-rows.ts';

const rows = (text: string) => {
  const table = pastedTable(text);
  return linesOf(table, table.choice);
};
const leftOut = (text: string) => {
  const table = pastedTable(text);
  return leftOutOf(table, table.choice);
};

describe('rows pasted from a spreadsheet', () => {
  it('are read as description, quantity and unit price', () => {
    expect(rows('Garden design\t2\t£450.00\nPlants\t40\t7,25\n')).toEqual([
      { description: 'Garden design', quantity: '2', unit_price: '£450.00' },
      { description: 'Plants', quantity: '40', unit_price: '7,25' },
    ]);
  });
  it('may have headings in any order', () => {
    expect(rows('Price\tVAT\tItem\tQty\tTotal\r\n5\t20%\tPot\t3\t15\r\n')).toEqual([
      { unit_price: '5', tax_percent: '20%', description: 'Pot', quantity: '3' },
    ]);
  });
  it.each([
    'Nazwa\tIlość\tCena\tWartość',
    'Bezeichnung\tMenge\tEinzelpreis\tGesamt',
    'Benämning\tAntal\tÀ-pris\tSumma',
    'Beskrivelse\tAntall\tPris\tSum',
    'Varebeskrivelse\tAntal\tStykpris\tBeløb',
    'Tuote\tMäärä\tYksikköhinta\tYhteensä',
    'Omschrijving\tAantal\tPrijs\tBedrag',
    'Descrição\tQtd\tPreço\tTotal',
    'Désignation\tQuantité\tPrix unitaire\tMontant',
    'Descrizione\tQuantità\tPrezzo\tImporto',
  ])('may have headings in other languages: %s', (head) => {
    const text = `${head}\nRosor\t40\t2,50\t100,00`;
    expect(rows(text)).toEqual([{ description: 'Rosor', quantity: '40', unit_price: '2,50' }]);
    expect(leftOut(text)).toEqual([]);
    expect(pastedTable(text).isSure).toBe(true);
  });
  it('may contain line breaks, quotes and separators in quotation marks', () => {
    expect(rows('"Pot, ""blue""\nlarge",2,"1,250.50"\n')).toEqual([
      { description: 'Pot, "blue" large', quantity: '2', unit_price: '1,250.50' },
    ]);
  });
  it('are split at semicolons if a comma is the decimal separator', () => {
    expect(rows('Pot;2;1,50')).toEqual([{ description: 'Pot', quantity: '2', unit_price: '1,50' }]);
  });
  it('leave out blank rows, and are empty if nothing was pasted', () => {
    expect(rows('\n\nPot\t1\t2\n\n')).toHaveLength(1);
    expect(rows('')).toEqual([]);
  });
  it('keep the text of every column, and the first of two columns for one figure', () => {
    expect(rows('Oak\tlarge\t2\t450')).toEqual([
      { description: 'Oak, large', quantity: '2', unit_price: '450' },
    ]);
    expect(rows('Item\tDescription\tPrice\tCost\nOak\tlarge\t5\t3')).toEqual([
      { description: 'Oak, large', unit_price: '5' },
    ]);
  });
  it('are returned with the names of the columns that have no field, except a total with a heading and a quantity', () => {
    expect(leftOut('Item\tDescription\tPrice\tCost\nOak\tlarge\t5\t3')).toEqual(['Cost']);
    expect(leftOut('Item\tSKU\tPrice\tNote\tTotal\nOak\tA1\t5\t\t5')).toEqual(['SKU', 'Total']);
    expect(leftOut('Plants\t40\t7.25\t290.00\t17')).toEqual(['column 4', 'column 5']);
    expect(leftOut('Item\tQty\tPrice\tTotal\nPlants\t40\t7.25\t290.00')).toEqual([]);
  });
  it.each(['2,50 €', '2:-', '2,- €', '₹2/-', 'Rs. 2/-'])('have a price written as %s', (price) => {
    expect(rows(`Rosor\t40\t${price}`)).toEqual([
      { description: 'Rosor', quantity: '40', unit_price: price },
    ]);
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
    expect(leftOutOf(table, chosen)).toEqual([]);
    expect(leftOutOf(table, { ...chosen, quantity: NONE, tax_percent: NONE })).toEqual([
      'column 3',
      'column 4',
    ]);
  });
  it('are read by quantity and price rather than by a row number, a cost or a tax amount', () => {
    const numbered = 'No.\tDescription\tQty\tPrice\n7\tLawn\t3\t45';
    expect(rows(numbered)).toEqual([{ description: 'Lawn', quantity: '3', unit_price: '45' }]);
    expect(leftOut(numbered)).toEqual(['No.']);
    const withCost = 'Item\tQty\tCost\tPrice\tTax amount\nOak\t2\t300\t450\t18.00';
    expect(rows(withCost)).toEqual([{ description: 'Oak', quantity: '2', unit_price: '450' }]);
    expect(leftOut(withCost)).toEqual(['Cost', 'Tax amount']);
    expect(rows('Item\tAmount\nOak\t300')).toEqual([{ description: 'Oak', unit_price: '300' }]);
  });
  it('keep a column of figures even if one cell is not a figure, and the form reports that cell', () => {
    expect(rows('Hedge\t2\t450\nLawn\t3\tTBC\nElm\t1\t(50.00)')).toEqual([
      { description: 'Hedge', quantity: '2', unit_price: '450' },
      { description: 'Lawn', quantity: '3', unit_price: 'TBC' },
      { description: 'Elm', quantity: '1', unit_price: '(50.00)' },
    ]);
  });
  it('are split at a separator outside quotation marks, not at a comma that groups digits', () => {
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
  it.each([
    ['Lawn\t2\t40\t80\nHedge\t1\t20\t20\nTotal\t\t\t100', ['column 4', 'the row “Total”']],
    ['Lawn\t2\t40\nHedge\t1\t20\n\t\tSubtotal:\t100', ['the row “Subtotal:”']],
    ['Lawn\t80\nHedge\t20\nVAT\t20%\t20\nTotal due\t120', ['the row “VAT”', 'the row “Total due”']],
    ['Item\tQty\tPrice\tTotal\nLawn\t2\t40\t80\nHedge\t1\t20\t20\nGesamtbetrag\t\t\t100', 1],
    ['Lawn\t80\nSubtotal\t80\nHedge\t20\nSubtotal\t20\nTotal\t100', 3],
    ['Item\tQty\tPrice\tTotal\nLawn\t2\t40\t80\nHedge\t1\t20\t20\nTotal\t3\t\t100', 1],
    [
      'Item\tNet\tVAT\tPrice\nLawn\t80\t16\t96\nHedge\t20\t4\t24\nTotal\t100\t20\t120',
      ['Net', 'the row “Total”'],
    ],
    ...[
      'Sub-total\t100\nVAT 20%\t20\nGrand total (GBP)\t120',
      'Total (ex VAT)\t100\nVAT (20%)\t20\nTotal (inc VAT)\t120',
      'Net\t100\nVAT\t20\nGross\t120',
      'Subtotal\t100\nSales tax 8.25%\t8.25\nAmount due\t108.25',
      'Nettobetrag\t100\nzzgl. 19% MwSt.\t19\nBruttobetrag\t119',
      'Summe netto\t100\nUmsatzsteuer 19%\t19\nRechnungsbetrag\t119',
      'Total HT :\t100\nT.V.A. 20%\t20\nNet à payer\t120',
      'Montant H.T.\t100\nTVA (20 %)\t20\nMontant TTC\t120',
      'Base imponible\t100\nI.V.A. 21%\t21\nTotal a pagar\t121',
      'Total before tax\t100\nGST\t10\nTotal including GST\tAUD 110',
      'Subtotal\t100 kr\nVAT at 25%\t25 kr\nTotal (SEK)\t125 kr',
      'Subtotale\t100\nIVA 22%\t22\nTotale da pagare\t122',
      'Subtotaal\t100\nBTW 21%\t21\nTotaal te betalen\t121',
      'Zwischensumme\t100\nMehrwertsteuer 19%\t19\nGesamtbetrag\tCHF 119',
      'Delsumma\t100\nMoms 25%\t25\nSumma att betala\t125',
      'Subtotal\t100\nMoms (25 %)\t25\nI alt\t125',
      'Sum eks. mva\t100\nMVA 25%\t25\nSum inkl. mva\t125',
      'Yhteensä\t100\nALV 25,5 %\t25,50\nYhteensä EUR\t125,50',
      'Razem netto\t100\nVAT 23%\t23\nRazem do zapłaty\t123',
      'Subtotaal excl. btw\t100\nBtw 21%\t21\nTe betalen bedrag\t121',
      'Soma\t100\nIVA 23%\t23\nTotal a pagar\t123',
      'Total neto\t100\nImpuestos\t21\nTotal bruto\t121',
    ].map((sums): [string, number] => [`Lawn\t80\nHedge\t20\n${sums}`, 3]),
  ])('leave out summary rows and name them: %j', (text, left) => {
    expect(rows(text).map(({ description }) => description)).toEqual(['Lawn', 'Hedge']);
    if (typeof left === 'number') expect(leftOut(text)).toHaveLength(left);
    else expect(leftOut(text)).toEqual(left);
  });
  it.each([
    'Total rewiring of the flat\t500\nFuse box\t80',
    'Fuse box\t80\nTotal rewiring of the flat\t500',
    'Hole\t80\nTotal excavation\t900',
    'Lawn\t80\nTotal kit\t100\nTotal gym\t40\nSum fee\t3',
    'Tax return\t300\nVAT registration\t120',
    'Fuse box\t80\nVAT return, a quarter\t120\nPayroll\t40',
    'Football goal\t200\nNet\t80\nWhistle\t5',
    'Football goal\t200\nWhistle\t5\nNet\t80',
    'Plaque BA13\t10\t8\t80\nRail 48\t5\t4\t20\nMontant 48/35\t10\t3\t30',
    'Festpreis\t100\nPreis\t20\nBaum\t50',
    '1001\t2\t40 net\n1002\t1\t20 net\n1003\t5\t20 net',
    'Summer planting\t80\nSummary of the garden\t20',
    'Lawn\t80\nNet 3x2 m\t40',
    'Total\t100',
  ])('are kept even if they begin with a summary word: %j', (text) => {
    expect(rows(text)).toHaveLength(text.split('\n').length);
  });
  it.each([
    'Tax return',
    'VAT return',
    'GST registration',
    'IVA trimestral',
    'TVA déclaration',
    'USt-Voranmeldung',
  ])('are also kept above a total: %s', (what) => {
    const table = `Bookkeeping\t500\nSubtotal\t500\n${what}\t300\nTotal\t800`;
    expect(rows(table).map(({ description }) => description)).toEqual(['Bookkeeping', what]);
  });
  it('are kept even if only their tax has a heading and a total follows', () => {
    const days = ['02', '03', '04'].map((day) => `2026-11-${day}\t8\t50\tGST`);
    expect(rows(['Date\tHours\tRate\tTax code', ...days, 'Total\t24\t\t'].join('\n'))).toHaveLength(3);
  });
  it('leave out the amount due even if text follows it', () => {
    for (const sum of ['Amount due', 'Balance due', 'Net à payer'])
      expect(leftOut(`Lawn\t80\nHedge\t20\n${sum}\t100\nThank you!\t`)).toEqual([`the row “${sum}”`]);
  });
  it('are read character by character, even if they are very long', () => {
    // A pattern that backtracks at each character takes minutes for these.
    const long = [' exc', ' total', '1', ' .', 'inc '].map((part) => `Total${part.repeat(60_000)} !\t100`);
    long.push(`${'1'.repeat(300_000)} x\t5`);
    expect(rows(['Lawn\t80', ...long].join('\n')).length).toBeGreaterThan(0);
  });
});
