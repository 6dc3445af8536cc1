import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { createRateLimit, type RateLimit } from './limits.ts';

beforeEach(() => {
  vi.useFakeTimers({ now: Date.parse('2026-11-21T00:00:00Z') });
});
afterEach(() => {
  vi.useRealTimers();
});

const free = () => createRateLimit({ name: 'free', limit: 30, windowSeconds: 60, maxKeys: 100 });

async function takeMany(limit: RateLimit, key: string, times: number) {
  const decisions = [];
  for (let count = 0; count < times; count += 1) decisions.push(await limit.take(key));
  return decisions;
}

describe('the limit of 30 requests a minute', () => {
  test('allows exactly 30 requests in a window and refuses the 31st', async () => {
    const decisions = await takeMany(free(), '203.0.113.7', 40);
    expect(decisions.map(({ allowed }) => allowed)).toEqual([
      ...Array(30).fill(true),
      ...Array(10).fill(false),
    ]);
    expect(decisions[0]).toEqual({ allowed: true, limit: 30, remaining: 29, resetSeconds: 60 });
    expect(decisions[29]).toEqual({ allowed: true, limit: 30, remaining: 0, resetSeconds: 60 });
    expect(decisions[30]).toEqual({ allowed: false, limit: 30, remaining: 0, resetSeconds: 60 });
  });

  test('begins its window with the first request and ends it 60 seconds later, regardless of refusals', async () => {
    const limit = free();
    await limit.take('203.0.113.7');
    vi.advanceTimersByTime(59_000);
    expect((await takeMany(limit, '203.0.113.7', 40)).filter(({ allowed }) => allowed).length).toBe(29);
    vi.advanceTimersByTime(999);
    expect((await limit.take('203.0.113.7')).allowed).toBe(false);
    vi.advanceTimersByTime(1);
    expect(await limit.take('203.0.113.7')).toEqual({
      allowed: true,
      limit: 30,
      remaining: 29,
      resetSeconds: 60,
    });
  });

  test('never asks for a wait longer than the window, even if the clock is set back', async () => {
    const limit = free();
    await takeMany(limit, '203.0.113.7', 30);
    vi.setSystemTime(Date.now() - 3_600_000);
    expect((await limit.take('203.0.113.7')).resetSeconds).toBe(60);
  });
});

describe('the rate-limit headers', () => {
  test('show the policy, the remaining requests and the time until renewal', async () => {
    const limit = free();
    expect(limit.headers(await limit.take('203.0.113.7'))).toEqual({
      'RateLimit-Policy': '"free";q=30;w=60',
      RateLimit: '"free";r=29;t=60',
    });
    await takeMany(limit, '203.0.113.7', 29);
    vi.advanceTimersByTime(18_500);
    expect(limit.headers(await limit.take('203.0.113.7'))).toEqual({
      'RateLimit-Policy': '"free";q=30;w=60',
      RateLimit: '"free";r=0;t=42',
      'Retry-After': '42',
    });
  });

  test('give a wait after which the caller is allowed again, at any moment of the window', async () => {
    for (const elapsed of [0, 1, 999, 1000, 59_001, 59_999]) {
      const limit = free();
      await takeMany(limit, '203.0.113.7', 30);
      vi.advanceTimersByTime(elapsed);
      const refused = await limit.take('203.0.113.7');
      const retryAfter = limit.headers(refused)['Retry-After'];
      expect(refused.allowed).toBe(false);
      vi.advanceTimersByTime(Number(retryAfter) * 1000);
      expect((await limit.take('203.0.113.7')).allowed).toBe(true);
    }
  });
});

describe('counters in another store', () => {
  test('are used instead of those in memory', async () => {
    const counters = { count: async () => ({ count: 31, restMs: 12_000 }) };
    const limit = createRateLimit({ name: 'free', limit: 30, windowSeconds: 60, maxKeys: 100, counters });
    expect(await limit.take('203.0.113.7')).toEqual({
      allowed: false,
      limit: 30,
      remaining: 0,
      resetSeconds: 12,
    });
  });

  test('do not cause a refusal if they fail', async () => {
    const counters = { count: () => Promise.reject(new Error('no connection')) };
    const limit = createRateLimit({ name: 'free', limit: 30, windowSeconds: 60, maxKeys: 100, counters });
    await expect(limit.take('203.0.113.7')).rejects.toThrow('no connection');
  });
});
