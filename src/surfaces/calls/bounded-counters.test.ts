import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { BoundedCounters } from './limits.ts';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

const POINTS = 3;
const counters = () => new BoundedCounters(60, 40);

const passes = (table: BoundedCounters, key: string): boolean => table.count(key).count <= POINTS;

function passed(table: BoundedCounters, key: string, times: number): number {
  let count = 0;
  for (let time = 0; time < times; time += 1) if (passes(table, key)) count += 1;
  return count;
}

function flood(table: BoundedCounters, keys: number, prefix = 'stranger') {
  for (let key = 0; key < keys; key += 1) passes(table, `${prefix} ${key}`);
}

test('ten thousand callers never use more counters than the table has', () => {
  const table = counters();
  flood(table, 10_000);
  expect(table.size).toBe(40);
});

test('a caller that has used up its requests stays refused during a flood', () => {
  const table = counters();
  expect(passed(table, 'spender', 4)).toBe(3);
  flood(table, 10_000);
  expect(passes(table, 'spender')).toBe(false);
});

test('a caller that was counted before a flood keeps its remaining requests', () => {
  const table = counters();
  passes(table, 'regular');
  flood(table, 10_000);
  expect(passed(table, 'regular', 5)).toBe(2);
});

test('a new caller in a full table is allowed while its shared counter lasts, and never above its limit', () => {
  const table = counters();
  flood(table, 30);
  expect(passed(table, 'newcomer', 10)).toBe(3);
  flood(table, 1000, 'crowd');
  expect(passes(table, 'late newcomer')).toBe(false);
});

test('a caller that began in a shared counter gets no second allowance when the table becomes empty', () => {
  const table = counters();
  flood(table, 30);
  vi.advanceTimersByTime(59_000);
  expect(passed(table, 'newcomer', 4)).toBe(3);
  vi.advanceTimersByTime(2000);
  expect(passes(table, 'newcomer')).toBe(false);
  vi.advanceTimersByTime(58_000);
  expect(passed(table, 'newcomer', 4)).toBe(3);
});

test('after a window, nothing is stored and every caller is counted separately again', () => {
  const table = counters();
  flood(table, 10_000);
  vi.advanceTimersByTime(60_000);
  expect(table.size).toBe(0);
  for (let key = 0; key < 30; key += 1) expect(passed(table, `regular ${key}`, 4)).toBe(3);
});

test('processes differ in which callers share a counter', () => {
  const fates = [];
  for (let table = 0; table < 5; table += 1) {
    const full = counters();
    flood(full, 30);
    passed(full, 'victim', 3);
    const sharers = [];
    for (let key = 0; key < 200; key += 1) sharers.push(passes(full, `probe ${key}`));
    fates.push(sharers.join());
  }
  expect(new Set(fates).size).toBeGreaterThan(1);
});
