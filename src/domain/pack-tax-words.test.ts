import { describe, expect, it } from 'vitest';
import { dec, packRequest, valued } from '../../test/domain/samples.ts';
import type { PackItem, PackRequest } from './pack-request.ts';
import { quotePack } from './quote-pack.ts';

const line = (rate: number, more: Partial<PackItem> = {}): PackItem => ({
  description: `At ${rate}%`,
  quantity: dec(1),
  unitPrice: dec(1000),
  taxPercent: dec(rate),
  ...more,
});

/** What the terms, the cover note and the notes of a pack of these lines say of its tax. */
function said(items: readonly PackItem[], changes: Partial<PackRequest> = {}) {
  const { terms, coverNote, warnings } = valued(quotePack(packRequest({ items, ...changes })));
  return {
    term: terms.find(({ title }) => title === 'Taxes')?.text.split('. ')[0],
    note: /The totals include [^.]+\.|No tax is included\./.exec(coverNote.body)?.[0],
    words: coverNote.body.split(/\s+/).length,
    warnings,
  };
}

describe('a pack claims a rate for no line that does not bear it', () => {
  it.each([
    ['one rate', [20, 20], 'tax at 20%'],
    ['a line without tax', [20, 0], 'tax at 20% on the lines that bear it'],
    ['two rates', [20, 5], 'tax at 20% or 5%, depending on the line'],
    ['three rates', [5, 20, 10], 'tax at 20%, 10% or 5%, depending on the line'],
    ['two rates and a line without tax', [20, 0, 5], 'tax at 20% or 5% on the lines that bear it'],
    ['more rates than a sentence holds', [25, 20, 10, 5, 2, 0], 'tax at the rates shown'],
  ])('%s', (_, rates, expected) => {
    const { term, note } = said(rates.map((rate) => line(rate)));
    expect(term).toBe(`Each total includes ${expected}`);
    expect(note).toBe(`The totals include ${expected}.`);
  });

  it('nor for the lines of a dearer option', () => {
    const later = (first: number, then: number) =>
      said([line(first), line(then, { tier: 'best' })]).term?.replace('Each total includes tax ', '');
    expect(later(20, 5)).toBe('at 20% or 5%, depending on the line');
    expect(later(20, 0)).toBe('at 20% on the lines that bear it');
  });

  it('and does not deny the tax that only a dearer option has', () => {
    const items = [line(0), line(20, { tier: 'best' })];
    const { term, note, warnings } = said(items, { pricesIncludeTax: true });
    expect(term).toBe('Each total includes tax at 20% on the lines that bear it');
    expect(note).toBe('The totals include tax at 20% on the lines that bear it.');
    expect(warnings.join()).not.toContain('no line has a rate');
    expect(said([line(0)], { pricesIncludeTax: true }).warnings.join()).toContain('no line has a rate');
  });

  it('in a cover note that is still short', () => {
    const { words } = said([line(20), line(5), line(0)], {
      discountPercent: dec(5),
      depositPercent: dec(25),
    });
    expect(words).toBeLessThanOrEqual(110);
  });
});
