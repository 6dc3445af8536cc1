import { expect, test } from 'vitest';
import { adviceOf } from './finder-directory.ts';

type Body = Parameters<typeof adviceOf>[0];
const place = (id: string, more: Partial<Body['shelf'][number]> = {}): Body['shelf'][number] => ({
  id,
  reason: `Why ${id}.`,
  for: null,
  not_for: null,
  regions: null,
  requires: [],
  ...more,
});
const advice = (...shelf: Body['shelf']) =>
  adviceOf({ shelf, tools: shelf.map(({ id }) => ({ id, name: id.toUpperCase() })) } as unknown as Body);

test('the advice of a category is what comes first for most kinds of business', () => {
  expect(advice(place('a'), place('b'))).toBe('Look at A first. Why a.');
  expect(advice(place('a', { for: ['nonprofit'] }), place('b'))).toBe('Look at B first. Why b.');
  expect(advice(place('a', { not_for: ['nonprofit', 'retail'] }), place('b'))).toBe(
    'Look at A first. Why a.',
  );
  expect(advice(place('a', { for: ['creator'] }))).toBe('Look at A first. Why a.');
  expect(
    advice(
      place('a', { for: ['agency'], reason: 'For agencies.' }),
      place('a', { not_for: ['agency', 'retail'], reason: 'For the others.' }),
      place('b'),
    ),
  ).toMatch(/\bA\b.*\. For the others\.$/);
});

test('it says where a first choice is not offered everywhere, and is none of an empty shelf', () => {
  expect(advice(place('a', { regions: ['US', 'CA'] }))).toMatch(/\bA\b.*\boffered\b.*\. Why a\.$/);
  expect(advice()).toBeNull();
});
