import { expect, test } from 'vitest';
import { tool } from '../../test/directory/tools.ts';
import { monthsBefore, proofOf } from './stack-report-proof.ts';
import type { Tool, ToolNotes } from './stack-report-types.ts';

const grade = (check: Partial<Tool['check']>, proves: ToolNotes['proves'] = 'limit', today = '2026-11-21') =>
  proofOf(tool('aa', {}, check), { proves }, today);

test('the vendor’s words of the last 18 months are strong, older ones and those of unknown age are fair', () => {
  expect(grade({ source_dated: '2025-05-21' })).toBe('strong');
  expect(grade({ source_dated: '2025-05-20' })).toBe('fair');
  expect(grade({ source_dated: null })).toBe('fair');
});

test('age is counted from the day of the request', () => {
  expect(grade({ source_dated: '2025-05-21' }, 'limit', '2026-11-22')).toBe('fair');
});

test('words read live are as old as the reading', () => {
  expect(grade({ method: 'live_page', checked_on: '2025-05-21', source_dated: null })).toBe('strong');
  expect(grade({ method: 'live_page', checked_on: '2025-05-20', source_dated: '2026-11-01' })).toBe('fair');
});

test('a licence in the vendor’s repository does not age; one read elsewhere does', () => {
  expect(grade({ source_dated: '2019-01-01' }, 'licence')).toBe('strong');
  expect(grade({ source_dated: null }, 'licence')).toBe('strong');
  expect(grade({ method: 'stored_copy', source_dated: null }, 'licence')).toBe('fair');
});

test('words that a third party wrote down are fair at best, and a mention is thin whatever its age', () => {
  expect(grade({ method: 'transcription', source_dated: '2026-11-01' })).toBe('fair');
  expect(grade({ source_dated: '2026-11-21' }, 'mention')).toBe('thin');
});

test('months are counted on the calendar, over the turn of the year', () => {
  expect(monthsBefore('2026-11-21', 18)).toBe('2025-05-21');
  expect(monthsBefore('2026-01-05', 1)).toBe('2025-12-05');
  expect(monthsBefore('2026-03-05', 12)).toBe('2025-03-05');
});
