import { describe, expect, test } from 'vitest';
import { tradeOf } from '../../src/trades/trades.ts';
import { asking } from './asking.ts';

const { reportOf } = asking();

test.each([
  ['funeral director', 'service'],
  ['choir', 'nonprofit'],
] as const)('a %s does not get a booking page or sales records', (text, businessType) => {
  const trade = { asked: text, match: tradeOf(text) };
  const { picks } = reportOf({ businessType, trade, country: 'GB', teamSize: 4 });
  const needs = picks.map(({ need }) => need);
  expect(needs).not.toContain('scheduling_booking');
  expect(needs).not.toContain('crm');
});

test('a team of fewer than six gets team chat only if it asks for it', () => {
  const needs = (teamSize: number) =>
    reportOf({ businessType: 'creator', country: 'SE', teamSize }).picks.map(({ need }) => need);
  expect(needs(5)).not.toContain('team_chat');
  expect(needs(6)).toContain('team_chat');
});

test('a charity is told about verification and the domain before it opens its first account', () => {
  const { getting_started } = reportOf({ businessType: 'nonprofit', country: 'IE', teamSize: 25 });
  expect(getting_started.map(({ text }) => text).join(' ')).toMatch(/verified.*domain/);
});

describe('the total of later prices', () => {
  test('does not begin with a tool to pay for if the buyer wants only free tools', () => {
    const { summary } = reportOf({ businessType: 'service', teamSize: 5, freeOnly: true });
    expect(summary.after_free.sentence).toMatch(/^Nothing /);
  });

  test('does not include a plan for one person as the plan of a team', () => {
    const later = (teamSize: number) =>
      reportOf({ businessType: 'service', country: 'GB', teamSize }).summary.after_free.not_checked;
    expect(later(1)).not.toContain('Bitwarden');
    expect(later(4)).toContain('Bitwarden');
  });
});
