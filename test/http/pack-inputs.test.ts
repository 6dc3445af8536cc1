import { describe, expect, it } from 'vitest';
import { inOrder } from '../support/facts.ts';
import { app, british, pack } from './quote-inputs.ts';
import { quote } from './quoting.ts';
import type { Json } from './wire.ts';

describe('POST /v1/quote-pack', () => {
  const answered = () =>
    pack({
      ...british,
      items: [
        { description: 'Deck', unit_price: 1000 },
        { description: 'City permit fee (at cost)', unit_price: 350, tax_percent: 0, markup: false },
        { description: 'Lights', unit_price: 200, tier: 'better', markup: false },
      ],
      discount_percent: 5,
      deposit_percent: 20,
      good_name: 'Basic',
      better_name: 'Plus',
      best_name: 'Pro',
      best_adds: ['A bench, built in'],
      better_markup_percent: 25,
      best_markup_percent: 50,
    });

  it('has options that can differ in their lines, prices and words', async () => {
    const { options, cover_note: note, caveats } = await answered();
    expect(
      options.map(({ label, items }: Json) => [
        label,
        ...items.map(({ line, unit_price: price }: Json) => [line, price]),
      ]),
    ).toEqual([
      ['Basic', [1, 1000], [2, 350]],
      ['Plus', [1, 1250], [2, 350], [3, 200]],
      ['Pro', [1, 1500], [2, 350], [3, 200]],
    ]);
    expect(options.map(({ adds, adds_source: source }: Json) => [adds, source])).toEqual([
      [['Deck', 'City permit fee (at cost)'], 'lines'],
      [['Lights'], 'lines'],
      [['A bench, built in'], 'given'],
    ]);
    expect(note.body).toMatch(inOrder('Plus', 'Basic', '\n', 'Lights'));
    expect(note.body).toMatch(inOrder('5%', '20%'));
    expect(caveats.join()).not.toMatch(/Plus|Pro\b/);
  });

  it('offers all inputs of the free quote in every option', async () => {
    const { options } = await answered();
    const [good] = options;
    const free = await quote({
      ...british,
      items: [
        { description: 'Deck', unit_price: 1000 },
        { description: 'City permit fee (at cost)', unit_price: 350, tax_percent: 0 },
      ],
      discount_percent: 5,
      deposit_percent: 20,
    });
    const { items: _, ...totals } = free;
    for (const [name, value] of Object.entries(totals))
      if (name in good) expect([name, good[name]]).toEqual([name, value]);
    for (const option of options) {
      expect(Object.keys(option)).toEqual(expect.arrayContaining(['formatted', 'formula', 'tax_breakdown']));
      expect(option.formula.lines).toHaveLength(option.items.length);
    }
    expect(options[1].formatted.total).toBe('£1,985.50');
  });

  it('says before and after payment what a pack lacks, and still sells it', async () => {
    const plain = { items: [{ description: 'Gutter clean', unit_price: 90 }], trade: 'gutter cleaning' };
    const missing = [expect.stringMatching(inOrder('better_adds', 'best_adds', 'tiers'))];
    const unpaid = await app.post('/v1/quote-pack', plain);
    expect(await unpaid.json()).toMatchObject({
      status: 402,
      price_usd: '0.05',
      ready_to_send: false,
      missing,
    });
    const { options, ...answer } = await pack(plain);
    expect(answer).toMatchObject({ ready_to_send: false, missing });
    expect(options.map(({ total }: Json) => total)).toEqual([90, 112.5, 135]);
  });

  it('returns a pack that is ready to send if each line names its options', async () => {
    const body = {
      items: [
        { description: 'Fitting', unit_price: 900 },
        { description: 'Laminate worktop', quantity: 6, unit_price: 95, tiers: ['good'] },
        { description: 'Quartz worktop', quantity: 6, unit_price: 310, tiers: 'best,better' },
        { description: 'Boiling tap', unit_price: 700, tiers: '["best"]' },
      ],
    };
    expect(await (await app.post('/v1/quote-pack', body)).json()).toMatchObject({
      status: 402,
      ready_to_send: true,
      missing: [],
    });
    const answer = await pack(body);
    expect(answer).toMatchObject({ ready_to_send: true, missing: [] });
    expect(answer.options.map(({ total, replaces }: Json) => [total, replaces])).toEqual([
      [1470, []],
      [2760, ['Laminate worktop']],
      [3460, []],
    ]);
    // An explicit default is the same purchase, so it gets the same answer.
    expect(await pack({ ...body, better_markup_percent: 25 })).toEqual(answer);
  });

  it("accepts the caller's words as a list or separated by semicolons", async () => {
    const items = [{ unit_price: 10 }];
    const adds = async (better_adds: unknown) => (await pack({ items, better_adds })).options[1].adds;
    expect(await adds(['Lights, dimmed', ' Bench '])).toEqual(['Lights, dimmed', 'Bench']);
    expect(await adds('Lights, dimmed; Bench;')).toEqual(['Lights, dimmed', 'Bench']);
    expect(await adds('["Lights, dimmed","Bench"]')).toEqual(['Lights, dimmed', 'Bench']);
  });

  it('names the California limit for a price of 20,000 with a deposit of 10%', async () => {
    const { caveats } = await pack({ items: [{ unit_price: 20_000 }], deposit_percent: 10 });
    expect(caveats.join()).toMatch(inOrder('10%', '1,000'));
  });
});
