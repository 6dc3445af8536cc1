import { privateKeyToAccount } from 'viem/accounts';
import { describe, expect, test } from 'vitest';
import { configOf, faultsOf, local, production } from '../../test/support/config.ts';

const one = `0x${'17'.repeat(32)}` as const;
const other = `0x${'2a'.repeat(32)}` as const;
const REDIS_URL = 'redis://127.0.0.1';
const leased = { ...local, RELAYER_KEY: '', RELAYER_KEYS: `${one}, ${other}`, REDIS_URL };
const NO_REDIS =
  'REDIS_URL is missing; processes lease the keys of RELAYER_KEYS from each other through it. Without it one process settles, with one key';

describe('RELAYER_KEYS', () => {
  test('are leased through Redis, in their order', () => {
    const { relayers, isRelayerLeased } = configOf(leased);
    expect(relayers.map(({ key }) => key.reveal())).toEqual([one, other]);
    expect(relayers.map(({ address }) => address)).toEqual(
      [one, other].map((key) => privateKeyToAccount(key).address),
    );
    expect(isRelayerLeased).toBe(true);
    expect(configOf({ ...leased, RELAYER_KEYS: one }).isRelayerLeased).toBe(true);
    expect(configOf({ ...local, REDIS_URL }).isRelayerLeased).toBe(false);
  });

  test('may name one key where there is no Redis: then it is that of the process', () => {
    const { relayers, isRelayerLeased } = configOf({ ...leased, RELAYER_KEYS: one, REDIS_URL: '' });
    expect([relayers.length, isRelayerLeased]).toEqual([1, false]);
    expect(faultsOf({ ...leased, REDIS_URL: '' })).toEqual([NO_REDIS]);
    expect(faultsOf({ ...leased, REDIS_URL: 'x' })).toEqual([
      'REDIS_URL must be a redis:// or rediss:// URL',
    ]);
  });

  test.each([
    [`${one},0x12`, ['RELAYER_KEYS entry 2 must be a private key: 0x and 64 hexadecimal digits']],
    [`${one},${other},${one.toUpperCase().replace('0X', '0x')}`, ['RELAYER_KEYS has the same entry twice']],
    [
      `${other},${other.toUpperCase().replace('0X', '0x')}`,
      ['RELAYER_KEYS entry 2 is the key of an entry before it'],
    ],
    [`${one},`, ['RELAYER_KEYS has an empty entry between its commas']],
  ])('%s is refused', (RELAYER_KEYS, faults) => {
    expect(faultsOf({ ...leased, RELAYER_KEYS })).toEqual(faults);
  });

  test('say all that is wrong at once, and no key', () => {
    const faults = faultsOf({
      ...leased,
      RELAYER_KEY: one,
      RELAYER_KEYS: `${one},nonsense,${other}`,
      PAY_TO: privateKeyToAccount(other).address,
      REDIS_URL: '',
    });
    expect(faults).toEqual([
      'RELAYER_KEYS is set beside RELAYER_KEY; move that key into it',
      'RELAYER_KEYS entry 2 must be a private key: 0x and 64 hexadecimal digits',
      'RELAYER_KEYS entry 3 is the key of PAY_TO; use a separate account for gas',
      NO_REDIS,
    ]);
    expect(faults.join()).not.toMatch(/1717|2a2a|nonsense/);
  });

  test('are no development keys in production', () => {
    const RELAYER_KEYS = `${one},0xac0974bec39a17e36ba4a6b4d238ff944bacb478cbed5efcae784d7bf4f2ff80`;
    const REDIS_URL = 'rediss://redis.example';
    expect(faultsOf({ ...production, RELAYER_KEY: '', RELAYER_KEYS, REDIS_URL })).toEqual([
      'RELAYER_KEYS entry 2 is a development key that is public',
    ]);
  });
});
