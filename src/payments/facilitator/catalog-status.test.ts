import { expect, it } from 'vitest';
import { catalogStatusOf } from './messages.ts';

const header = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64');

it("the status in a facilitator's catalog is read as one of three fixed words", () => {
  expect(catalogStatusOf(header({ bazaar: { status: 'success' } }))).toBe('success');
  expect(catalogStatusOf(header({ bazaar: { status: 'rejected', rejectedReason: 'SECRET' } }))).toBe(
    'rejected',
  );
  expect(catalogStatusOf(header({ bazaar: { status: 'processing' }, other: 1 }))).toBe('processing');
});

it('unknown words, other JSON values and text that is not base64-encoded JSON give no catalog status', () => {
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
