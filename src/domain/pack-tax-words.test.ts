import { describe, expect, it } from 'vitest';
import { dec, packRequest, valued } from '../../test/domain/samples.ts';
import { factsIn } from '../../test/support/facts.ts';
import type { PackItem, PackRequest } from './pack-options.ts';
import { quotePack } from './quote-pack.ts';

const line = (rate: number, more: Partial<PackItem> = {}): PackItem => ({
  description: `At ${rate}%`,
  quantity: dec(1),
  unitPrice: dec(1000),
  taxPercent: dec(rate),
  ...more,
});

/** What the terms, the cover note and the notes of a pack of these lines say about its tax. */
function said(items: readonly PackItem[], changes: Partial<PackRequest> = {}) {
  const { terms, coverNote, warnings } = valued(quotePack(packRequest({ items, ...changes })));
  return {
    term: terms.find(({ title }) => title === 'Taxes')?.text.split('. ')[0],
    // The prices do not include it.
    note: /^.*\btax\b.*$/m.exec(coverNote.body)?.[0],
    words: coverNote.body.split(/\s+/).length,
    warnings,
  };
}

describe('a pack names a tax rate only for the lines with that rate', () => {
  it.each([
    ['one rate', [20, 20], ['20%']],
    ['a line without tax', [20, 0], ['20%']],
    ['two rates', [20, 5], ['20%', '5%']],
    ['three rates', [5, 20, 10], ['20%', '10%', '5%']],
    ['two rates and a line without tax', [20, 0, 5], ['20%', '5%']],
    ['more rates than a sentence holds', [25, 20, 10, 5, 2, 0], []],
  ])('%s', (_, rates, expected) => {
    const { term, note } = said(rates.map((rate) => line(rate)));
    const percents = (text: string | undefined) => factsIn(text).filter((fact) => fact.endsWith('%'));
    expect(percents(term)).toEqual(expected);
    expect(percents(note)).toEqual(expected);
  });

  it('it says so if the rate does not apply to some lines', () => {
    const of = (...rates: number[]) => said(rates.map((rate) => line(rate))).term;
    expect(new Set([of(20, 20), of(20, 0), of(20, 5), of(20, 5, 0)]).size).toBe(4);
  });

  it('it claims nothing for the lines of a more expensive option', () => {
    const later = (first: number, then: number) => said([line(first), line(then, { tier: 'best' })]).term;
    expect(factsIn(later(20, 5))).toEqual(['20%', '5%']);
    expect(factsIn(later(20, 0))).toEqual(['20%']);
  });

  it('it does not deny a tax that only a more expensive option has', () => {
    const items = [line(0), line(20, { tier: 'best' })];
    const { term, note, warnings } = said(items, { pricesIncludeTax: true });
    expect(factsIn(term)).toEqual(['20%']);
    expect(note).toContain('20%');
    const taxless = said([line(0)], { pricesIncludeTax: true }).warnings;
    expect(taxless).not.toEqual([]);
    expect(warnings).not.toEqual(expect.arrayContaining(taxless));
  });

  it('its cover note remains short', () => {
    const { words } = said([line(20), line(5), line(0)], {
      discountPercent: dec(5),
      depositPercent: dec(25),
    });
    expect(words).toBeLessThanOrEqual(110);
  });
});
