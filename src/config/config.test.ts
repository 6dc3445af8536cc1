import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import {
  cdpSecret,
  configOf,
  faultsOf,
  local,
  payTo,
  production,
  relayerKey,
} from '../../test/support/config.ts';
import { configMessage, readConfig } from './config.ts';

test('without settings, the service runs on the embedded chain', () => {
  expect(configOf({})).toEqual({
    port: 4021,
    host: '127.0.0.1',
    publicBaseUrl: 'http://127.0.0.1:4021',
    payTo: null,
    drainDelaySeconds: 0,
    metrics: null,
    network: {
      name: 'Base',
      caip2: 'eip155:8453',
      chainId: 8453,
      explorer: 'https://basescan.org',
      publicRpcUrl: 'https://mainnet.base.org',
      isForStaging: false,
      usdc: '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913',
      usdcName: 'USD Coin',
      usdcVersion: '2',
    },
    settlers: [{ kind: 'embedded' }],
    rpcUrls: [],
    gasGweiPerCent: 10_000,
    gasBudgetGweiPerHour: 20_000_000,
    confirmations: 0,
    operatorToken: null,
    relayer: null,
    cdpApiKey: null,
    ownershipProof: null,
    receiptKey: null,
    retiredReceiptKeys: [],
    redisUrl: null,
    trustedProxies: [],
    freeRequestsPerMinute: 30,
    contactEmail: null,
    referenceRates: [],
    logLevel: 'info',
    production: false,
  });
});

test('an empty or blank value counts as absent', () => {
  expect(configOf({ PORT: '', PAY_TO: '  ', SETTLERS: '', REDIS_URL: '\t', NODE_ENV: '' })).toEqual(
    configOf({}),
  );
});

test('every setting of a production environment is read', () => {
  const config = configOf({
    ...production,
    PORT: '8080',
    HOST: '0.0.0.0',
    SETTLERS: 'local, cdp,payai,https://facilitator.example/x402/',
    RPC_URLS: 'https://one.example/KEY, https://two.example',
    CDP_API_KEY_ID: 'id',
    CDP_API_KEY_SECRET: cdpSecret,
    REDIS_URL: 'rediss://:pass@redis.example:6380/0',
    TRUSTED_PROXIES: '10.0.0.0/8, 192.0.2.1,fd00::/8',
    FREE_REQUESTS_PER_MINUTE: '60',
    METRICS_ADDRESS: '[::1]:9464',
    OPERATOR_TOKEN: 'a-token-of-some-length',
    CONTACT_EMAIL: 'hello@calc.example',
    LOG_LEVEL: 'warn',
  });
  expect(config).toMatchObject({ port: 8080, host: '0.0.0.0', publicBaseUrl: 'https://calc.example', payTo });
  expect(config).toMatchObject({
    freeRequestsPerMinute: 60,
    metrics: { host: '::1', port: 9464 },
    contactEmail: 'hello@calc.example',
  });
  expect(config.production).toBe(true);
  expect(config.settlers).toEqual([
    { kind: 'local' },
    { kind: 'cdp' },
    { kind: 'payai' },
    { kind: 'facilitator', url: 'https://facilitator.example/x402' },
  ]);
  expect(config.rpcUrls.map((url) => url.reveal())).toEqual([
    'https://one.example/KEY',
    'https://two.example',
  ]);
  expect(config.relayer?.key.reveal()).toBe(relayerKey);
  expect([config.cdpApiKey?.id.reveal(), config.cdpApiKey?.secret.reveal()]).toEqual(['id', cdpSecret]);
  expect(config.redisUrl?.reveal()).toBe('rediss://:pass@redis.example:6380/0');
  expect(config.trustedProxies).toEqual([
    { address: '10.0.0.0', prefix: 8, family: 'ipv4' },
    { address: '192.0.2.1', prefix: 32, family: 'ipv4' },
    { address: 'fd00::', prefix: 8, family: 'ipv6' },
  ]);
});

test('the staging network uses its own name in signatures', () => {
  expect(configOf({ ...local, NETWORK: 'eip155:84532' }).network).toEqual({
    name: 'Base Sepolia',
    caip2: 'eip155:84532',
    chainId: 84532,
    explorer: 'https://sepolia.basescan.org',
    publicRpcUrl: 'https://sepolia.base.org',
    isForStaging: true,
    usdc: '0x036CbD53842c5426634e7929541eC2318f3dCF7e',
    usdcName: 'USDC',
    usdcVersion: '2',
  });
});

test('every fault is reported at once, in one message', () => {
  const faults = [
    'SETTLERS entry 2 must be embedded, local, cdp, payai or the URL of a facilitator',
    'RPC_URLS is missing; the settler local needs it',
    'RELAYER_KEY is missing; the settler local needs it',
    'NODE_ENV must be one of production, development',
    'PORT must be a whole number from 1 to 65535',
    'PUBLIC_BASE_URL must be https in production',
    'PAY_TO is missing; it is the address that receives the USDC',
    'TRUSTED_PROXIES entry 1 is not an IP address or a CIDR range',
    'COLD_PROBE was removed: delete it; a request without any input gets 402 with the settler cdp or payai, and 400 otherwise',
  ];
  const env = {
    NODE_ENV: 'prod',
    SETTLERS: 'local,coinbase',
    PORT: '70000',
    PUBLIC_BASE_URL: 'http://calc.example',
    PAYTO: payTo,
    TRUSTED_PROXIES: 'proxy.internal',
    COLD_PROBE: '404',
  };
  expect(faultsOf(env)).toEqual(faults);
  const reading = readConfig(env);
  expect(configMessage(reading.ok ? [] : reading.faults, reading.warnings)).toBe(
    [
      '9 settings are wrong:',
      ...faults.map((fault) => `  ${fault}`),
      'Perhaps mistyped:',
      '  PAY_TO is not set, but PAYTO is, which is not a setting',
      'The settings are described in .env.example.',
    ].join('\n'),
  );
});

describe('production', () => {
  test('is the default if the money is real', () => {
    const real = { ...production, NODE_ENV: undefined };
    expect(configOf(real).production).toBe(true);
    expect(configOf({ ...real, NODE_ENV: 'development' }).production).toBe(false);
    expect(configOf({ ...real, NETWORK: 'eip155:84532' }).production).toBe(false);
    expect(configOf({}).production).toBe(false);
    expect(faultsOf({ ...real, PUBLIC_BASE_URL: undefined })).toEqual([
      'PUBLIC_BASE_URL is missing; production requires the https origin that callers use',
    ]);
  });

  test('refuses play money and plain http, and requires a public origin', () => {
    expect(faultsOf({ NODE_ENV: 'production' })).toEqual([
      'SETTLERS must name real settlers in production; the embedded chain is play money',
      'PUBLIC_BASE_URL is missing; production requires the https origin that callers use',
      'PAY_TO is missing; it is the address that receives the USDC',
    ]);
    expect(faultsOf({ ...production, PUBLIC_BASE_URL: 'http://calc.example' })).toEqual([
      'PUBLIC_BASE_URL must be https in production',
    ]);
  });

  test('refuses accounts whose private keys are public', () => {
    const key = '0xac0974bec39a17e36ba4a6b4d238ff944bacb478cbed5efcae784d7bf4f2ff80';
    const account = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8';
    expect(faultsOf({ ...production, PAY_TO: account, RELAYER_KEY: key })).toEqual([
      'PAY_TO is a development account whose private key is public',
      'RELAYER_KEY is a development key that is public',
    ]);
    expect(faultsOf({ ...local, PAY_TO: account, RELAYER_KEY: key })).toEqual([]);
  });
});

test.each([
  [{ REDIS_URL: 'http://redis.example' }, 'REDIS_URL must be a redis:// or rediss:// URL'],
  [{ REDIS_URL: 'redis.example:6379' }, 'REDIS_URL must be a redis:// or rediss:// URL'],
  [{ RPC_URLS: 'https://a.example,wss://b.example' }, 'RPC_URLS entry 2 is not an http:// or https:// URL'],
  [{ CONTACT_EMAIL: 'a@b' }, 'CONTACT_EMAIL must be one email address'],
  [
    { CONTACT_EMAIL: 'a@b.example\u0000' },
    'CONTACT_EMAIL contains a line break or another control character',
  ],
  [{ CONTACT_EMAIL: `${'a'.repeat(9000)}@b.example` }, 'CONTACT_EMAIL is longer than 8192 characters'],
  [
    { CDP_API_KEY_ID: 'id', CDP_API_KEY_SECRET: cdpSecret.slice(2) },
    'CDP_API_KEY_SECRET must be a key secret in the platform’s format: base64 of 64 bytes (Ed25519), or an EC key as PEM (ES256) with \\n for line breaks',
  ],
  [{ LOG_LEVEL: 'INFO' }, 'LOG_LEVEL must be one of debug, info, warn, error, silent'],
  [{ FREE_REQUESTS_PER_MINUTE: '0' }, 'FREE_REQUESTS_PER_MINUTE must be a whole number from 1 to 1000000'],
])('a setting is refused if its value is wrong: %j', (env, fault) => {
  expect(faultsOf({ SETTLERS: 'embedded', ...env })).toEqual([fault]);
});

test('a Config cannot be changed', () => {
  const config = configOf(local);
  for (const part of [
    config,
    config.network,
    config.settlers,
    config.settlers[0],
    config.rpcUrls,
    config.trustedProxies,
  ])
    expect(Object.isFrozen(part)).toBe(true);
});

test('the service does not start with a removed setting, and the error says what to do instead', () => {
  expect(faultsOf({ ...local, WORKERS: '4' })).toEqual([
    'WORKERS was removed: run several instances behind a proxy with one REDIS_URL (docs/scale.md, several instances)',
  ]);
  expect(faultsOf({ ...local, WORKERS: ' ' })).toEqual([]);
  expect(
    faultsOf({
      ...local,
      RELAYER_KEYS: relayerKey,
      MAX_OUTSTANDING_TRANSACTIONS: '16',
      MAX_PAYMENTS_PER_TRANSACTION: '1',
    }),
  ).toEqual([
    'RELAYER_KEYS was removed: give each instance its own key in RELAYER_KEY (docs/scale.md, several instances)',
    'MAX_OUTSTANDING_TRANSACTIONS was removed: delete it; the service learns how many pending transactions its nodes accept',
    'MAX_PAYMENTS_PER_TRANSACTION was removed: delete it; each payment has its own transaction. For more sales per second, use a facilitator (docs/facilitators.md)',
  ]);
});

test('the error for every removed setting says what to do instead', () => {
  const gone = {
    EMBEDDED_CHAIN_PORT: '8545',
    REFUSED_PAYMENTS_PER_MINUTE: '120',
    RECEIPT_KEY: `0x${'71'.repeat(32)}`,
    RETIRED_RECEIPT_KEYS: 'a'.repeat(43),
    PLAIN_TEXT_HOSTS: 'redis',
    MCP_REGISTRY_AUTH: 'v=MCPv1',
    HEALTH_TOKEN: 'a-token-of-some-length',
    METRICS_TOKEN: 'a-token-of-some-length',
    METRICS_PORT: '9464',
    METRICS_HOST: '127.0.0.1',
  };
  const faults = faultsOf({ ...local, ...gone });
  expect(faults.map((fault) => fault.split(' ', 1)[0])).toEqual(Object.keys(gone));
  for (const fault of faults) expect(fault).toMatch(/^\w+ was (removed|renamed): [a-z]/);
  expect(readConfig({ ...local, ...gone }).warnings).toEqual([]);
});

describe('a secret in a file', () => {
  const folder = mkdtempSync(join(tmpdir(), 'settings-'));
  afterAll(() => rmSync(folder, { recursive: true }));
  const file = (name: string, text: string): string => {
    writeFileSync(join(folder, name), text);
    return join(folder, name);
  };

  test('is read as if it were set in the environment', () => {
    const env = { ...local, RELAYER_KEY: undefined, RELAYER_KEY_FILE: file('key', `${relayerKey}\n`) };
    expect(configOf(env).relayer?.key.reveal()).toBe(relayerKey);
    expect(readConfig(env).warnings).toEqual([]);
  });

  test.each([
    [
      'keep one',
      { RELAYER_KEY_FILE: '/dev/null' },
      'is set together with RELAYER_KEY_FILE; keep one of the two',
    ],
    [
      'not there',
      { RELAYER_KEY: '', RELAYER_KEY_FILE: '/nowhere/MARKED' },
      'is missing: the file that RELAYER_KEY_FILE names cannot be read',
    ],
    [
      'empty',
      { RELAYER_KEY: '', RELAYER_KEY_FILE: '/dev/null' },
      'is missing: the file that RELAYER_KEY_FILE names is empty',
    ],
  ])('is reported as one fault if it cannot be used: %s', (_case, env, detail) => {
    expect(faultsOf({ ...local, ...env })).toEqual([`RELAYER_KEY ${detail}`]);
  });
});

test("the operator's reference rates are read, and every invalid rate is named", () => {
  const of = (text: string) => readConfig({ REFERENCE_RATES: text });
  expect(of('GB 2027-01-01 3.75, EU 2027-01-01 2.4')).toMatchObject({
    ok: true,
    config: { referenceRates: [{ jurisdiction: 'GB', percent: 3_750_000n }, { jurisdiction: 'EU' }] },
  });
  const wrong = of('GB 2027-01-05 3.75,FR 2027-01-01 2');
  expect(wrong.ok ? [] : wrong.faults.map(({ setting }) => setting)).toEqual([
    'REFERENCE_RATES',
    'REFERENCE_RATES',
  ]);
});
