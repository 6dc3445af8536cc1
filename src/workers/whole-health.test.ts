import { expect, test } from 'vitest';
import type { Health } from '../health/health.ts';
import { wholeHealth } from './whole-health.ts';

const well: Health = { status: 'ok', payments: 'ok', reasons: [] };
const away: Health = { status: 'degraded', payments: 'unavailable', reasons: ['redis_down'] };

test.each([
  ['all are well', well, { health: [well], missing: 0 }, well],
  [
    'another one takes no payments',
    well,
    { health: [away, away], missing: 0 },
    { status: 'degraded', payments: 'ok', reasons: ['redis_down'] },
  ],
  [
    'it takes none itself and another one does',
    away,
    { health: [well], missing: 0 },
    { status: 'degraded', payments: 'ok', reasons: ['redis_down'] },
  ],
  ['none takes any', away, { health: [away], missing: 0 }, away],
  [
    'one is not there',
    well,
    { health: [], missing: 1 },
    { status: 'degraded', payments: 'ok', reasons: ['workers_missing'] },
  ],
  [
    'it ends',
    { ...well, status: 'draining' },
    { health: [well], missing: 0 },
    { status: 'draining', payments: 'ok', reasons: [] },
  ],
] as const)('the health of all when %s', (_name, own, others, told) => {
  expect(wholeHealth(own, others)).toEqual(told);
});
