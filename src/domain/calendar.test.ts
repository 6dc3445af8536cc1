import { describe, expect, it } from 'vitest';
import { addDays, type Day, dayText, LAST_DAY, longDayText, parseDay, utcDay } from './calendar.ts';

describe('the date parser', () => {
  it.each([
    ['1970-01-01', 0],
    ['2024-02-29', 19_782],
    ['2026-11-21', 20_778],
    ['9999-12-31', 2_932_896],
  ])('reads %s as day %s', (text, number) => {
    expect(parseDay(text)).toBe(number);
    expect(dayText(number as Day)).toBe(text);
  });
});

describe('counting days across months and leap years', () => {
  const between = (from: string, to: string) => Number(parseDay(to)) - Number(parseDay(from));
  it.each([
    ['2024-02-28', '2024-03-01', 2],
    ['2023-02-28', '2023-03-01', 1],
    ['2024-02-29', '2024-03-01', 1],
    ['2024-02-29', '2026-11-21', 996],
    ['2026-04-01', '2026-04-11', 10],
    ['2026-04-01', '2026-05-16', 45],
    ['2023-07-01', '2024-01-15', 198],
  ])('gives %s to %s as %s days', (from, to, days) => {
    expect(between(from, to)).toBe(days);
  });

  it.each([
    ['2028-01-31', 30, '2028-03-01'],
    ['2026-01-01', 30, '2026-01-31'],
    ['2026-11-21', 7, '2026-11-28'],
    ['2026-03-01', -1, '2026-02-28'],
  ])('gives %s + %s days as %s', (from, days, to) => {
    expect(dayText(addDays(parseDay(from) as Day, days))).toBe(to);
  });
});

it('the calendar ends on the last day that YYYY-MM-DD can express', () => {
  expect(dayText(addDays(LAST_DAY, 30))).toBe('9999-12-31');
  expect(dayText(addDays(0 as Day, -1))).toBe('1970-01-01');
  expect(utcDay(-1)).toBe(0);
  expect(utcDay(Number.MAX_SAFE_INTEGER)).toBe(LAST_DAY);
});

it('an instant belongs to its day in UTC', () => {
  expect(dayText(utcDay(Date.UTC(2026, 10, 21, 23, 59, 59, 999)))).toBe('2026-11-21');
  expect(dayText(utcDay(Date.UTC(2026, 10, 22)))).toBe('2026-11-22');
});

it('a letter writes the month in words', () => {
  expect(longDayText(parseDay('2026-09-01') as Day)).toBe('1 September 2026');
  expect(longDayText(parseDay('9999-12-31') as Day)).toBe('31 December 9999');
});
