import { expect, test } from 'vitest';
import { configOf, faultsOf, local, payTo } from '../../test/support/config.ts';

const hosted = { SETTLERS: 'payai', PAY_TO: payTo, REDIS_URL: 'redis://127.0.0.1' };
const REDIS_URL = 'redis://127.0.0.1';
const tooFew = (workers: number) =>
  `WORKERS is more than there are keys for the settler local: processes with one key take each other's nonces. Give RELAYER_KEYS at least ${workers} keys, or use hosted settlers`;
const keys = (count: number) =>
  Array.from({ length: count }, (_, index) => `0x${String(index + 11).repeat(32)}`).join();
const leased = { ...local, RELAYER_KEY: '', REDIS_URL };

test('several workers share a Redis and settle by others', () => {
  expect(configOf({}).workers).toBe(1);
  expect(configOf({ ...hosted, WORKERS: '4' }).workers).toBe(4);
  expect(configOf({ ...local, WORKERS: '1' }).workers).toBe(1);
  expect(configOf({ ...leased, RELAYER_KEYS: keys(4), WORKERS: '4' }).workers).toBe(4);
});

test.each([
  [{ ...hosted, WORKERS: '0' }, ['WORKERS must be a whole number from 1 to 64']],
  [{ ...hosted, WORKERS: '65' }, ['WORKERS must be a whole number from 1 to 64']],
  [{ ...hosted, WORKERS: 'auto' }, ['WORKERS must be a whole number from 1 to 64']],
  [{ WORKERS: '2' }, ['WORKERS must be 1 with the embedded chain, which belongs to one process']],
  [
    { ...hosted, WORKERS: '2', REDIS_URL: '' },
    ['REDIS_URL is missing; several WORKERS share what was paid for and the limits through it'],
  ],
  [{ ...hosted, WORKERS: '2', REDIS_URL: 'x' }, ['REDIS_URL must be a redis:// or rediss:// URL']],
  [{ ...local, WORKERS: '2', REDIS_URL }, [tooFew(2)]],
  [{ ...local, SETTLERS: 'payai,local', WORKERS: '2', REDIS_URL }, [tooFew(2)]],
  [{ ...leased, RELAYER_KEYS: keys(3), WORKERS: '4' }, [tooFew(4)]],
  [
    { ...leased, REDIS_URL: '', RELAYER_KEYS: keys(1), WORKERS: '2' },
    ['REDIS_URL is missing; several WORKERS share what was paid for and the limits through it', tooFew(2)],
  ],
])('%j is refused', (env, faults) => {
  expect(faultsOf(env)).toEqual(faults);
});
