import { describe, expect, test } from 'vitest';
import { candidate, directoryOf, pickOf, reportOf, tool } from '../../test/directory/tools.ts';

describe('the pick of a need', () => {
  test('is the tool made for the need before one that also covers it', () => {
    const side = candidate(tool('aa'), { isMain: false });
    expect(pickOf([side, candidate(tool('zz'))])?.tool.id).toBe('zz');
  });

  test('is a tool named for the business type before one that is not', () => {
    const other = candidate(tool('aa', { good_for: ['agency'] }));
    expect(pickOf([other, candidate(tool('zz'))])?.tool.id).toBe('zz');
  });

  test('is the id that comes first when two tools are equal', () => {
    expect(pickOf([candidate(tool('bb')), candidate(tool('aa'))])?.tool.id).toBe('aa');
  });

  test('has younger evidence before older evidence', () => {
    const old = candidate(tool('aa', {}, { source_dated: '2024-01-31' }));
    expect(pickOf([old, candidate(tool('zz'))])?.tool.id).toBe('zz');
  });

  test('never rests on weak evidence, which may still be an alternative with the reason', () => {
    const weak = candidate(tool('aa'), { weak: 'old_text' });
    const pick = pickOf([weak, candidate(tool('zz', { good_for: ['agency'] }))]);
    expect(pick?.tool.id).toBe('zz');
    expect(pick?.alternatives.map(({ id }) => id)).toEqual(['aa']);
    expect(pick?.alternatives[0]?.why).toContain('Not the pick because the quoted text is old.');
  });

  test('is not a tool of a kind that only looks like an answer', () => {
    const kind = {
      label: 'hosting without an editor',
      role: 'never',
      only_for: null,
      team_max: null,
    } as const;
    const pick = pickOf([candidate(tool('aa'), { kind }), candidate(tool('zz'))]);
    expect([pick?.tool.id, pick?.alternatives]).toEqual(['zz', []]);
  });

  test('is not a program for developers, unless an agency asks', () => {
    const forDevelopers = candidate(tool('aa'), { developerOnly: true });
    const other = candidate(tool('zz', { good_for: ['retail'], regions: ['US'] }));
    expect(pickOf([forDevelopers, other])?.tool.id).toBe('zz');
    expect(pickOf([forDevelopers, other], { businessType: 'agency' })?.tool.id).toBe('aa');
  });

  test('runs at the vendor or on a desk before it asks for a server', () => {
    const server = candidate(tool('aa', { hosting: ['self_hosted', 'saas'] }), { freeOn: ['self_hosted'] });
    const desktop = candidate(tool('zz', { hosting: ['desktop'], good_for: ['agency'] }), { isMain: false });
    expect(pickOf([server, desktop])?.tool.id).toBe('zz');
  });

  test('fits the team: four seats are no answer for five people', () => {
    const small = candidate(tool('aa', { team_size_max: 4 }));
    const large = candidate(tool('zz', { team_size_max: 9, good_for: ['agency'] }));
    expect(pickOf([small, large], { teamSize: 4 })?.tool.id).toBe('aa');
    expect(pickOf([small, large], { teamSize: 5 })?.tool.id).toBe('zz');
  });

  test('leaves out plans without known limits when only free ones are asked for', () => {
    const unknown = candidate(tool('aa', { free_limits: null }));
    const trial = candidate(tool('bb'), { usableForGood: false });
    const known = candidate(tool('zz', { good_for: ['agency'] }));
    expect(pickOf([unknown, trial, known])?.tool.id).toBe('aa');
    expect(pickOf([unknown, trial, known], { freeOnly: true })?.tool.id).toBe('zz');
  });

  test('is for every country before it is for some, and names the rival to those who live there', () => {
    const regional = candidate(tool('aa', { regions: ['UK', 'Europe'] }));
    const others = ['xx', 'yy', 'zz'].map((id) => candidate(tool(id)));
    const pick = pickOf([regional, ...others]);
    expect(pick?.tool.id).toBe('xx');
    expect(pick?.caveats).toContain(
      'In the United Kingdom and Europe, look at AA as well: https://aa.example',
    );
  });

  test('is for every country even when one for some has all points and it has hardly any', () => {
    const regional = candidate(tool('aa', { regions: ['US'] }));
    const other = candidate(tool('zz', { good_for: ['retail'] }, { source_dated: '2024-01-31' }), {
      isMain: false,
      proves: 'price',
    });
    expect(pickOf([regional, other])?.tool.id).toBe('zz');
  });

  test('names the tool for all others when it serves some regions only', () => {
    const regional = candidate(tool('aa', { regions: ['UK', 'Europe'] }));
    const server = candidate(tool('zz', { hosting: ['self_hosted'], good_for: ['retail'] }), {
      isMain: false,
    });
    const pick = pickOf([regional, server]);
    expect(pick?.tool.id).toBe('aa');
    expect(pick?.caveats).toContain(
      'Outside the United Kingdom and Europe, look at ZZ instead: https://zz.example',
    );
    expect(pickOf([regional])?.caveats.join(' ')).not.toContain('Outside');
  });
});

describe('what stands beside a pick', () => {
  test('one of the two alternatives runs somewhere else than the pick', () => {
    const desktop = candidate(tool('zz', { hosting: ['desktop'], good_for: ['agency'] }), { isMain: false });
    const pick = pickOf([candidate(tool('aa')), candidate(tool('bb')), candidate(tool('cc')), desktop]);
    expect(pick?.alternatives.map(({ id }) => id)).toEqual(['bb', 'zz']);
  });

  test('the vendor is quoted raw, with source, day and method', () => {
    const pick = pickOf([candidate(tool('aa', {}, { quote: 'It is **free**\n  for [ever](x).' }))]);
    expect(pick?.vendor_quote).toEqual({
      text: 'It is **free**\n  for [ever](x).',
      language: 'en',
      source_url: 'https://aa.example/pricing',
      checked_on: '2026-11-21',
      method: 'vendor_repository',
      source_dated: '2026-08-01',
    });
  });

  test('the reasons cite facts of the listing', () => {
    expect(pickOf([candidate(tool('aa', { team_size_max: 3 }))])?.why).toEqual([
      'Free plan: 10 invoices a month.',
      'Invoicing is its main purpose.',
      'Suits service businesses.',
      'It runs at the vendor, nothing to install on a server.',
      'The free use covers 3 people; your team has 1.',
      "On 2026-11-21 the vendor's words were read in the vendor's public repository; the text is dated 2026-08-01.",
    ]);
  });

  test('a tool that covers another need of the same report says so', () => {
    const both = tool('aa', { categories: ['invoicing', 'crm'] });
    const report = reportOf(directoryOf([candidate(both)], [candidate(both, { isMain: false })]), {
      needs: ['crm'],
    });
    expect(report.picks.map(({ need, also_covers }) => [need, also_covers])).toEqual([
      ['invoicing', ['crm']],
      ['crm', ['invoicing']],
    ]);
    expect(report.picks[1]?.why).toContain('It covers CRM besides its main purpose, invoicing.');
  });
});
