import { expect, test } from 'vitest';
import { tool } from '../../test/directory/tools.ts';
import { type ListingFile, monthsBefore, proofOf } from './listing.ts';

const grade = (
  check: Partial<ListingFile['check']>,
  proves: ListingFile['editor']['proves'] = 'limit',
  today = '2026-11-21',
) => proofOf(tool('aa', {}, check), { proves }, today);

test('vendor statements from the last 18 months are strong evidence, and older or undated ones are fair', () => {
  expect(grade({ source_dated: '2025-05-21' })).toBe('strong');
  expect(grade({ source_dated: '2025-05-20' })).toBe('fair');
  expect(grade({ source_dated: null })).toBe('fair');
});

test('the age of evidence is counted from the day of the request', () => {
  expect(grade({ source_dated: '2025-05-21' }, 'limit', '2026-11-22')).toBe('fair');
});

test('a statement from a live page is as old as the date it was read', () => {
  expect(grade({ method: 'live_page', checked_on: '2025-05-21', source_dated: null })).toBe('strong');
  expect(grade({ method: 'live_page', checked_on: '2025-05-20', source_dated: '2026-11-01' })).toBe('fair');
});

test('a license read in the vendor’s repository does not age, but a license read elsewhere does', () => {
  expect(grade({ source_dated: '2019-01-01' }, 'licence')).toBe('strong');
  expect(grade({ source_dated: null }, 'licence')).toBe('strong');
  expect(grade({ method: 'stored_copy', source_dated: null }, 'licence')).toBe('fair');
});

test('a transcribed statement is fair at best, and a mention is thin regardless of its age', () => {
  expect(grade({ method: 'transcription', source_dated: '2026-11-01' })).toBe('fair');
  expect(grade({ source_dated: '2026-11-21' }, 'mention')).toBe('thin');
});

test('the age of evidence is counted in calendar months, also across the end of a year', () => {
  expect(monthsBefore('2026-11-21', 18)).toBe('2025-05-21');
  expect(monthsBefore('2026-01-05', 1)).toBe('2025-12-05');
  expect(monthsBefore('2026-03-05', 12)).toBe('2025-03-05');
});
