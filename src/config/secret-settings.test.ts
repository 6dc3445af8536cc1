import { inspect } from 'node:util';
import { describe, expect, test } from 'vitest';
import { cdpSecret, configOf, local } from '../../test/support/config.ts';
import { configMessage, readConfig } from './config.ts';

describe('secrets', () => {
  test('never appear in any rendering of a Config', () => {
    const config = configOf({
      ...local,
      RPC_URLS: 'https://rpc.example/MARKED',
      CDP_API_KEY_ID: 'MARKED',
      CDP_API_KEY_SECRET: cdpSecret,
      REDIS_URL: 'redis://:MARKED@redis.example',
      OPERATOR_TOKEN: 'MARKED-operator-token',
      RELAYER_KEY: `0x${'17'.repeat(32)}`,
      RECEIPT_KEYS: `0x${'71'.repeat(32)}`,
    });
    const shown = [
      JSON.stringify(config),
      inspect(config, { depth: null, showHidden: true }),
      String(config),
    ].join();
    expect(shown).not.toMatch(/MARKED|1717|BwcHBwcH/);
    expect(shown).toContain('[secret]');
  });

  test('never appear in a fault, not even if they are pasted into the wrong setting', () => {
    const names = [
      'PORT',
      'HOST',
      'PUBLIC_BASE_URL',
      'PAY_TO',
      'EMBEDDED_CHAIN_PORT',
      'NETWORK',
      'SETTLERS',
      'RPC_URLS',
    ];
    const more = [
      'RELAYER_KEY',
      'X402_OWNERSHIP_PROOF',
      'MAX_GAS_GWEI_PER_CENT',
      'GAS_BUDGET_ETH_PER_HOUR',
      'MAX_OUTSTANDING_TRANSACTIONS',
      'MAX_PAYMENTS_PER_TRANSACTION',
      'CONFIRMATIONS',
      'OPERATOR_TOKEN',
      'RECEIPT_KEYS',
      'METRICS_ADDRESS',
      'RELAYER_KEY_FILE',
      'REDIS_URL',
      'TRUSTED_PROXIES',
      'COLD_PROBE',
      'NODE_ENV',
      'PAYTO',
    ];
    const reading = readConfig(
      Object.fromEntries([...names, ...more].map((name) => [name, '0xMARKED beef'])),
    );
    const message = configMessage(reading.ok ? [] : reading.faults, reading.warnings);
    expect(message.split('\n').length).toBeGreaterThan(14);
    expect(message).not.toContain('MARKED');
  });
});

describe('a variable that looks like a mistyped setting', () => {
  test.each([
    ['PAYTO', 'PAY_TO'],
    ['pay_to', 'PAY_TO'],
    ['RPC_URL', 'RPC_URLS'],
    ['RELAYER-KEY', 'RELAYER_KEY'],
    ['REDIS_ULR', 'REDIS_URL'],
    ['SETTLER', 'SETTLERS'],
    ['FREE_REQUEST_PER_MINUTE', 'FREE_REQUESTS_PER_MINUTE'],
  ])('such as %s is reported as a likely typo of %s', (typed, meant) => {
    expect(readConfig({ [typed]: 'x' }).warnings).toEqual([
      { setting: meant, detail: `is not set, but ${typed} is, which is not a setting` },
    ]);
  });

  test('is reported even if the correctly spelled setting is present but empty', () => {
    expect(readConfig({ RPC_URL: 'x', RPC_URLS: '' }).warnings).toMatchObject([{ setting: 'RPC_URLS' }]);
  });

  test('is not reported if the names are only similar, or if the correctly spelled setting is set', () => {
    const strangers = {
      HOSTNAME: 'x',
      POST: 'x',
      SHELL: 'x',
      NODE_OPTIONS: 'x',
      PATH: 'x',
      NETWORKS_DIR: 'x',
      PORTS: 'x',
    };
    expect(readConfig(strangers).warnings).toEqual([]);
    expect(readConfig({ ...local, RPC_URL: 'x' }).warnings).toEqual([]);
  });
});
