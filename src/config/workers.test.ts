import { expect, test } from 'vitest';
import { configOf, faultsOf, local, payTo } from '../../test/support/config.ts';

const hosted = { SETTLERS: 'payai', PAY_TO: payTo, REDIS_URL: 'redis://127.0.0.1' };
const ONE_KEY =
  "WORKERS must be 1 with the settler local: processes with one relayer key take each other's nonces. Start an instance for each key instead, or use hosted settlers";

test('several workers share a Redis and settle by others', () => {
  expect(configOf({}).workers).toBe(1);
  expect(configOf({ ...hosted, WORKERS: '4' }).workers).toBe(4);
  expect(configOf({ ...local, WORKERS: '1' }).workers).toBe(1);
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
  [{ ...local, WORKERS: '2', REDIS_URL: 'redis://127.0.0.1' }, [ONE_KEY]],
  [{ ...local, SETTLERS: 'payai,local', WORKERS: '2', REDIS_URL: 'redis://127.0.0.1' }, [ONE_KEY]],
])('%j is refused', (env, faults) => {
  expect(faultsOf(env)).toEqual(faults);
});
