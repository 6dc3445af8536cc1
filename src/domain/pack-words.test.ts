import { expect, it } from 'vitest';
import { dec, items, packRequest, valued } from '../../test/domain/samples.ts';
import type { PackRequest } from './pack-options.ts';
import { quotePack } from './quote-pack.ts';

const pack = (changes: Partial<PackRequest>) => valued(quotePack(packRequest(changes)));
const WORKED = { items: items([3, '33.33'], ['1.5', 80], [1, '19.99']) };

it('one pack has no effect on the next', () => {
  const asked = { ...WORKED, adds: { better: ['A plan'], best: ['A visit'] }, bestMarkup: dec(50) };
  const { tiers } = pack(asked);
  const first = pack(asked);
  (first.tiers[0].includes as string[]).push('x');
  (first.tiers[2].adds as string[]).length = 0;
  expect(pack(asked).tiers).toEqual(tiers);
});

it('a pack promises only what the caller has stated', () => {
  const { coverNote, terms, tiers } = pack(WORKED);
  expect(tiers.map(({ addsSource }) => addsSource)).toEqual(['lines', 'none', 'none']);
  expect(JSON.stringify([coverNote, terms])).not.toMatch(/priority|check|visit|contact/i);
});
