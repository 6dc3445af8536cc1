import { describe, expect, it } from 'vitest';
import { pastedRows } from './pasted-rows.ts';

describe('rows pasted from a spreadsheet', () => {
  it('are words, how many, and the price of one', () => {
    expect(pastedRows('Garden design\t2\t£450.00\nPlants\t40\t7,25\n')).toEqual([
      { description: 'Garden design', quantity: '2', unit_price: '£450.00' },
      { description: 'Plants', quantity: '40', unit_price: '7,25' },
    ]);
  });
  it('have a price alone where there is one column of numbers', () => {
    expect(pastedRows('Hedge\t120\nLawn\t80')).toEqual([
      { description: 'Hedge', unit_price: '120' },
      { description: 'Lawn', unit_price: '80' },
    ]);
  });
  it('leave out the total of a line, which is worked out', () => {
    expect(pastedRows('Plants\t40\t7.25\t290.00')).toEqual([
      { description: 'Plants', quantity: '40', unit_price: '7.25' },
    ]);
  });
  it('follow their head, in any order', () => {
    expect(pastedRows('Price\tVAT\tItem\tQty\tTotal\r\n5\t20%\tPot\t3\t15\r\n')).toEqual([
      { unit_price: '5', tax_percent: '20%', description: 'Pot', quantity: '3' },
    ]);
  });
  it('may hold line breaks, quotes and marks in quotes', () => {
    expect(pastedRows('"Pot, ""blue""\nlarge",2,"1,250.50"\n')).toEqual([
      { description: 'Pot, "blue" large', quantity: '2', unit_price: '1,250.50' },
    ]);
  });
  it('are parted by semicolons where a comma is the decimal mark', () => {
    expect(pastedRows('Pot;2;1,50')).toEqual([{ description: 'Pot', quantity: '2', unit_price: '1,50' }]);
  });
  it('leave out blank rows, and are none of nothing', () => {
    expect(pastedRows('\n\nPot\t1\t2\n\n')).toHaveLength(1);
    expect(pastedRows('')).toEqual([]);
  });
});
