import { expect, test } from 'vitest';
import { createRestarts } from './restarts.ts';

const served = { hasServed: true, livedMs: 5_000 };
const failedStart = { hasServed: false, livedMs: 300 };

test('a worker that dies is replaced at once, one that dies again and again ever more slowly, within bounds', () => {
  const restarts = createRestarts();
  const waits = Array.from({ length: 10 }, () => restarts.ended(served));
  expect(waits.map((verdict) => verdict.kind === 'again' && verdict.afterMs)).toEqual([
    0, 100, 200, 400, 800, 1_600, 3_200, 6_400, 10_000, 10_000,
  ]);
});

test('who has served for a minute is replaced at once again', () => {
  const restarts = createRestarts();
  for (let count = 0; count < 6; count += 1) restarts.ended(served);
  expect(restarts.ended({ hasServed: true, livedMs: 60_000 })).toEqual({ kind: 'again', afterMs: 0 });
});

test('five starts that fail one after the other are the end; one that serves in between begins anew', () => {
  const restarts = createRestarts();
  for (let count = 0; count < 4; count += 1) expect(restarts.ended(failedStart).kind).toBe('again');
  expect(restarts.ended(served).kind).toBe('again');
  for (let count = 0; count < 4; count += 1) expect(restarts.ended(failedStart).kind).toBe('again');
  expect(restarts.ended(failedStart)).toEqual({ kind: 'give_up' });
});
