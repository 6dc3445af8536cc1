import { describe, expect, test } from 'vitest';
import { candidate, directoryOf, pickOf, reportOf, request, tool } from '../../test/directory/tools.ts';
import { stackReport } from './stack-report.ts';
import { monthsBefore } from './stack-report-score.ts';
import type { Candidate, StackRequest, Tool } from './stack-report-types.ts';

describe('the age of evidence', () => {
  const caveats = (check: Partial<Tool['check']>, over: Partial<Candidate> = {}) =>
    pickOf([candidate(tool('aa', { caveats: [] }, check), over)])?.caveats;

  test('words about a plan older than 18 months carry a warning', () => {
    expect(caveats({ source_dated: '2025-05-21' })).toEqual([]);
    expect(caveats({ source_dated: '2025-05-20' })).toEqual([
      'The quoted text is of 2025-05-20, and plans may have changed since: open its source first.',
    ]);
  });

  test('words of unknown age carry a warning', () => {
    expect(caveats({ method: 'stored_copy', source_dated: null })).toEqual([
      'The age of the quoted text is not known: open its source and compare before you sign up.',
    ]);
  });

  test('a licence text needs no warning', () => {
    expect(caveats({ source_dated: '2020-01-01' }, { proves: 'licence' })).toEqual([]);
  });

  test('a quote found on the live page is as old as that check', () => {
    expect(caveats({ method: 'live_page', source_dated: null })).toEqual([]);
    expect(caveats({ method: 'live_page', checked_on: '2025-05-20', source_dated: null })).toEqual([
      'The quoted text is of 2025-05-20, and plans may have changed since: open its source first.',
    ]);
  });

  test('a stored copy is never said to be what the vendor says now', () => {
    const report = reportOf(
      directoryOf([candidate(tool('aa', {}, { method: 'stored_copy', source_dated: null }))]),
    );
    expect(report.picks[0]?.why.at(-1)).toBe(
      "On 2026-11-21 the vendor's words were read in a stored copy of the vendor's page; the text is not dated.",
    );
    expect(report.caveats[0]).toBe(
      '1 of 1 vendor quotes were read in stored copies of unknown age; they show what the vendor once wrote.',
    );
  });

  test('months are counted on the calendar, over the turn of the year', () => {
    expect(monthsBefore('2026-11-21', 18)).toBe('2025-05-21');
    expect(monthsBefore('2026-01-05', 1)).toBe('2025-12-05');
    expect(monthsBefore('2026-03-05', 12)).toBe('2025-03-05');
  });
});

describe('the report', () => {
  test('a need without a qualifying tool is listed with the reason, not dropped', () => {
    const small = candidate(tool('aa', { team_size_max: 1 }));
    const report = reportOf(directoryOf([small], [candidate(tool('bb'))]), { teamSize: 2 });
    expect(report.picks.map(({ need }) => need)).toEqual(['crm']);
    expect(report.unmet).toEqual([
      {
        need: 'invoicing',
        reason: 'The only checked listing does not qualify: too small for your team: AA (1 person).',
      },
    ]);
  });

  test('a category without listings says so', () => {
    expect(reportOf(directoryOf([candidate(tool('aa'))]), { needs: ['crm'] }).unmet).toEqual([
      { need: 'crm', reason: 'The directory has no checked listing for this need.' },
    ]);
  });

  test('no pick at all is no report', () => {
    expect(stackReport(request, directoryOf([]))).toEqual({
      ok: false,
      reason: 'No checked listing qualifies for any of the 1 needs.',
    });
  });

  test('a team of more than one gets the needs that come with a team, and a need asked for twice comes once', () => {
    const directory = directoryOf([candidate(tool('aa'))], [candidate(tool('bb'))]);
    const needs = (over: Partial<StackRequest>) => reportOf(directory, over).picks.map(({ need }) => need);
    expect(needs({ teamSize: 1 })).toEqual(['invoicing']);
    expect(needs({ teamSize: null })).toEqual(['invoicing']);
    expect(needs({ teamSize: 2 })).toEqual(['invoicing', 'crm']);
    expect(needs({ teamSize: 2, needs: ['crm', 'invoicing'] })).toEqual(['invoicing', 'crm']);
  });

  test('warns when one vendor takes more than half, under whatever name it signs', () => {
    const directory = (second: string) =>
      directoryOf(
        [candidate(tool('aa', { vendor: 'Block, Inc. (Square)' }))],
        [candidate(tool('bb', { vendor: second }))],
      );
    const warning = (second: string) => reportOf(directory(second), { teamSize: 2 }).caveats[0];
    expect(warning('Block')).toBe(
      'Lock-in: 2 of 2 picks come from Block. If its terms change, much of your stack changes with them, so look at the alternatives before you put everything there.',
    );
    expect(warning('Another')).not.toContain('Lock-in');
  });

  test('the order of getting started: compare, sign up, install, ask for help, export', () => {
    const hosted = candidate(tool('aa'));
    const plugin = candidate(tool('bb', { hosting: ['self_hosted'] }), { requires: 'a WordPress site' });
    const report = reportOf(directoryOf([hosted], [plugin]), { teamSize: 2 });
    expect(report.getting_started).toEqual([
      'Open the source under each vendor quote and compare it with the quote before you sign up.',
      'Today: open an account with AA for invoicing.',
      'Last, with help, because a server or another platform comes first: BB for CRM.',
      'Once everything runs, export your data from each tool and keep a copy outside it.',
    ]);
  });
});
