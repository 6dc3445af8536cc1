import { expect, test } from 'vitest';
import { type Found, NO_SEARCH, suits } from './finder-match.ts';

const found = (text: string, words: string): boolean => {
  const tool: Found = { text, needs: [], businesses: [], kind: 'free', runs: [], closed: [] };
  return suits(tool, { ...NO_SEARCH, words });
};

test('a word is found where a word begins with it, in any order, however it is written', () => {
  expect(found('Loyverse POS: sales at the till', 'pos')).toBe(true);
  expect(found('Loyverse POS: sales at the till', 'TILL loy')).toBe(true);
  expect(found('Mailchimp newsletters', 'newsletter')).toBe(true);
  expect(found('Cal.com', 'cal.com')).toBe(true);
  expect(found('Terminplanung für Ärzte', 'ärz')).toBe(true);
  expect(found('Anything', ' , ')).toBe(true);
  expect(found('Sends quotes, makes invoices', 'invoices,quotes')).toBe(true);
});

test('a word is not found inside of another', () => {
  expect(found('PandaDoc: proposals', 'pos')).toBe(false);
  expect(found('BTCPay: money stilled', 'till')).toBe(false);
  expect(found('Loyverse POS', 'pos restaurant')).toBe(false);
});

test('a hyphen makes no difference, in what is asked and in what is there', () => {
  for (const text of ['Email campaigns', 'E-mail campaigns', 'E\u2011mail campaigns'])
    for (const words of ['e-mail', 'email', 'E\u2010Mail']) expect(found(text, words)).toBe(true);
  for (const text of ['Time tracking for teams', 'Time-tracking for teams', 'Timetracking'])
    expect(found(text, 'time-track')).toBe(true);
  expect(found('A point of sale for shops', 'point-of-sale')).toBe(true);
  expect(found('All the time, tracks orders', 'time-orders')).toBe(false);
  expect(found('An open-source tool', 'source')).toBe(true);
  expect(found('An open-source tool', 'open-source')).toBe(true);
});
