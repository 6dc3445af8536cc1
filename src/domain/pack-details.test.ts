import { describe, expect, it } from 'vitest';
import { dec, items, packRequest, valued } from '../../test/domain/samples.ts';
import { inOrder } from '../../test/support/facts.ts';
import type { PackRequest } from './pack-options.ts';
import { quotePack } from './quote-pack.ts';

const pack = (changes: Partial<PackRequest> = {}) => valued(quotePack(packRequest(changes)));

const details: PackRequest['details'] = {
  clientName: 'Jo Smith',
  job: 'your kitchen at 4 Elm Road',
  quoteNumber: 'Q-118',
  start: 'week of 5 January 2027',
  paymentStages: ['40% when the units are delivered', 'the rest on completion'],
  exclusions: ['Skip hire', 'Decorating'],
  warranty: 'Two years on our work',
};

describe('a pack says what its client needs to choose', () => {
  const { coverNote, terms } = pack({ details, depositPercent: dec(10) });
  const term = (title: string) => terms.find((each) => each.title === title)?.text;

  it('they are in the cover note', () => {
    expect(coverNote.subject).toContain('Q-118');
    expect(coverNote.body.startsWith('Hello Jo Smith,\n')).toBe(true);
    for (const said of [
      'Here are three options for your kitchen at 4 Elm Road:\n\n',
      'When: week of 5 January 2027\n',
      'Payment: 40% when the units are delivered; the rest on completion\n',
      'Not included: Skip hire; Decorating\n',
      'Warranty: Two years on our work\n',
      'the number Q-118',
    ])
      expect(coverNote.body).toContain(said);
  });

  it('they are in the terms', () => {
    expect(term('Payment')).toMatch(inOrder('40% when the units are delivered', 'the rest on completion'));
    expect(term('Not included')).toBe('Skip hire; Decorating.');
    expect(term('Schedule')).toContain('week of 5 January 2027');
    expect(term('Warranty')).toBe('Two years on our work.');
    expect(term('Deposit')).toContain('10%');
  });

  it('omitted details are not mentioned', () => {
    const plain = pack();
    expect(plain.terms.map(({ title }) => title)).not.toEqual(
      expect.arrayContaining(['Not included', 'Warranty']),
    );
    expect(plain.coverNote.body).not.toMatch(/When:|Payment:|Not included:|Warranty:/);
  });

  it('a deposit is part of the first of several payments, and a single payment comes after it', () => {
    const paid = (paymentStages: string[]) =>
      pack({ details: { paymentStages }, depositPercent: dec(10) }).terms.find(
        ({ title }) => title === 'Payment',
      )?.text;
    expect(paid(['25% on order', '75% on completion'])).toBe(
      '25% on order; 75% on completion. The deposit is part of these payments.',
    );
    expect(paid(['The balance on the day'])).toBe('The balance on the day.');
  });

  it('the deposit is not denied if there are payment stages', () => {
    expect(pack({ details }).coverNote.body).not.toContain('No deposit');
  });
});

describe('the caller chooses the option that is recommended', () => {
  const adds = { better: ['A plan'], best: ['A visit'] };
  const advice = (recommended: PackRequest['recommended']) =>
    pack({ adds, recommended, bestMarkup: dec(50) }).coverNote.body;

  it.each([
    ['best' as const, inOrder('We recommend Premium', 'Enhanced', '\n', 'A visit')],
    ['better' as const, inOrder('We recommend Enhanced', 'Essential', '\n', 'A plan')],
    [undefined, inOrder('We recommend Enhanced', 'Essential', '\n', 'A plan')],
    ['good' as const, /We recommend Essential\.\n/],
  ])('%s', (recommended, said) => {
    expect(advice(recommended)).toMatch(said);
  });
});

it('a pack whose options do not differ yet recommends none', () => {
  expect(pack().missing).not.toEqual([]);
  expect(pack().coverNote.body).not.toContain('We recommend');
});

describe('dates are agreed later only if none is known', () => {
  const schedule = (given: PackRequest['details']) =>
    pack({ details: given }).terms.find(({ title }) => title === 'Schedule')?.text;

  it.each(['your wedding on 20 March 2027', 'the party on December 12'])('%s is a known date', (job) => {
    expect(schedule({ job })).not.toContain('agreed after');
  });

  it('a job without a date has its dates agreed later', () => {
    expect(schedule({ job: '3 Marsh Road' })).toContain('agreed after');
  });
});

describe('a tax has the name that clients know', () => {
  const body = (changes: Partial<PackRequest>) => pack({ taxPercent: dec(5), ...changes }).coverNote.body;

  it('it follows the country of the currency, or is the given name', () => {
    expect(body({ currency: 'GBP' })).toContain('VAT at 5%');
    expect(body({ currency: 'AUD' })).toContain('GST at 5%');
    expect(body({ currency: 'USD' })).toContain('sales tax at 5%');
    expect(body({ currency: 'USD', taxName: 'Sales Tax' })).toContain('include sales tax at 5%');
    expect(body({ currency: 'CAD', taxName: 'HST' })).toContain('HST at 5%');
  });

  it('the second tax has its name, too', () => {
    const secondTax = { percent: dec('9.975'), name: 'QST' };
    expect(body({ taxName: 'GST', secondTax })).toContain('GST at 5% and QST at 9.975%');
    const mixed = [...items([1, 100]), { ...items([1, 10])[0], taxPercent: dec(0) }] as PackRequest['items'];
    expect(body({ taxName: 'GST', secondTax, items: mixed })).toContain('GST and QST at the rates shown');
  });
});

describe('a pack has words for special cases', () => {
  const said = (changes: PackRequest['details'], more: Partial<PackRequest> = {}) => {
    const { coverNote, terms } = pack({ ...more, details: changes });
    return [...terms.map(({ title, text }) => `${title}: ${text}`), coverNote.body].join('\n');
  };

  it('for the day of an event, which acceptance does not fix', () => {
    const text = said({ start: 'on 15 January 2027' });
    expect(text).toContain('Schedule: When: on 15 January 2027. Either side');
    expect(said({ start: 'three weeks after you accept' })).toContain(
      'When: three weeks after you accept. The date is fixed after acceptance.',
    );
  });

  it("for the owner's own terms", () => {
    const text = said({ extraTerms: ['Flowers may be swapped by season', 'Travel is included.'] });
    expect(text).toContain('Also agreed: Flowers may be swapped by season. Travel is included.');
    expect(text).toContain('\nAlso agreed: Flowers may be swapped by season; Travel is included.');
  });

  it('for prices that recur', () => {
    const text = said({ pricePer: 'month' });
    expect(text).toContain('Prices: The prices, the tax and the totals are per month.');
    expect(text).toMatch(/Essential: \$[\d.]+ per month\n/);
  });

  it('for payment stages without a deposit', () => {
    expect(said({ paymentStages: ['30% at signing', '70% at the end'] })).not.toContain('No deposit');
  });

  it('for the deposit of the recommended option, or of each option if none is recommended', () => {
    const adds = { better: ['A plan'], best: ['A visit'] };
    const deposit = (recommended: PackRequest['recommended']) =>
      said({}, { adds, recommended, depositPercent: dec(10), bestMarkup: dec(50) });
    expect(deposit('best')).toMatch(/books the work; for Premium that is \$3\.00/);
    expect(deposit('none')).toContain(
      'books the work: $2.00 for Essential, $2.50 for Enhanced or $3.00 for Premium.',
    );
    expect(deposit('none')).not.toContain('recommend');
  });

  it('for a job whose words cannot begin a sentence', () => {
    expect(said({ job: 'New web site' })).toContain('Job: New web site\n\nThank you');
  });

  it('for large counts and single items', () => {
    const items = [
      { description: 'Translation', unitPrice: dec(1), quantity: dec(18437), unit: 'word' },
      { description: 'Support', unitPrice: dec(260), quantity: dec(1), unit: 'month' },
    ];
    expect(pack({ items }).tiers[0].includes).toEqual([
      'Translation: 18,437 words at $1.00 per word',
      'Support: $260.00 per month',
    ]);
  });
});
