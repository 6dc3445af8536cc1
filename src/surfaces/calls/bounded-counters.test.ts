import { RateLimiterRes } from 'rate-limiter-flexible';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { BoundedCounters } from './limits.ts';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

const counters = () => new BoundedCounters({ points: 3, windowSeconds: 60, maxKeys: 40 });
const held = (table: BoundedCounters) => table.dump().storage.length;

async function passes(table: BoundedCounters, key: string): Promise<boolean> {
  try {
    await table.consume(key);
    return true;
  } catch (refusal) {
    if (refusal instanceof RateLimiterRes) return false;
    throw refusal;
  }
}

async function passed(table: BoundedCounters, key: string, times: number): Promise<number> {
  let count = 0;
  for (let time = 0; time < times; time += 1) if (await passes(table, key)) count += 1;
  return count;
}

async function flood(table: BoundedCounters, keys: number, prefix = 'stranger') {
  for (let key = 0; key < keys; key += 1) await passes(table, `${prefix} ${key}`);
}

test('ten thousand callers never use more counters than the table has', async () => {
  const table = counters();
  await flood(table, 10_000);
  expect(held(table)).toBe(40);
});

test('a caller that has used up its requests stays refused during a flood', async () => {
  const table = counters();
  expect(await passed(table, 'spender', 4)).toBe(3);
  await flood(table, 10_000);
  expect(await passes(table, 'spender')).toBe(false);
});

test('a caller that was counted before a flood keeps its remaining requests', async () => {
  const table = counters();
  await passes(table, 'regular');
  await flood(table, 10_000);
  expect(await passed(table, 'regular', 5)).toBe(2);
});

test('a new caller in a full table is allowed while its shared counter lasts, and never above its limit', async () => {
  const table = counters();
  await flood(table, 30);
  expect(await passed(table, 'newcomer', 10)).toBe(3);
  await flood(table, 1000, 'crowd');
  expect(await passes(table, 'late newcomer')).toBe(false);
});

test('a caller that began in a shared counter gets no second allowance when the table becomes empty', async () => {
  const table = counters();
  await flood(table, 30);
  vi.advanceTimersByTime(59_000);
  expect(await passed(table, 'newcomer', 4)).toBe(3);
  vi.advanceTimersByTime(2000);
  expect(await passes(table, 'newcomer')).toBe(false);
  vi.advanceTimersByTime(58_000);
  expect(await passed(table, 'newcomer', 4)).toBe(3);
});

test('after a window, nothing is stored and every caller is counted separately again', async () => {
  const table = counters();
  await flood(table, 10_000);
  vi.advanceTimersByTime(60_000);
  expect(held(table)).toBe(0);
  for (let key = 0; key < 30; key += 1) expect(await passed(table, `regular ${key}`, 4)).toBe(3);
});

test('processes differ in which callers share a counter', async () => {
  const fates = [];
  for (let table = 0; table < 5; table += 1) {
    const full = counters();
    await flood(full, 30);
    await passed(full, 'victim', 3);
    const sharers = [];
    for (let key = 0; key < 200; key += 1) sharers.push(await passes(full, `probe ${key}`));
    fates.push(sharers.join());
  }
  expect(new Set(fates).size).toBeGreaterThan(1);
});
