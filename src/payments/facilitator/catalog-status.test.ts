import { expect, it } from 'vitest';
import { catalogStatusOf } from './messages.ts';

const header = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64');

it('reads how the catalog received a resource, in three fixed words', () => {
  expect(catalogStatusOf(header({ bazaar: { status: 'success' } }))).toBe('success');
  expect(catalogStatusOf(header({ bazaar: { status: 'rejected', rejectedReason: 'SECRET' } }))).toBe(
    'rejected',
  );
  expect(catalogStatusOf(header({ bazaar: { status: 'processing' }, other: 1 }))).toBe('processing');
});

it('reads nothing from other words, other shapes or text that is not base64 of JSON', () => {
  for (const odd of [
    header({ bazaar: { status: 'https://evil.example' } }),
    header({ bazaar: null }),
    header([]),
    '%%%',
    '',
  ])
    expect(catalogStatusOf(odd)).toBeNull();
  expect(catalogStatusOf(null)).toBeNull();
});
