import { inspect } from 'node:util';
import { privateKeyToAccount } from 'viem/accounts';
import { describe, expect, test } from 'vitest';
import { configMessage, readConfig } from './config.ts';

const payTo = '0x52908400098527886E0F7030069857D2E4169EE7';
const relayerKey = `0x${'17'.repeat(32)}`;
const local = {
  SETTLERS: 'local',
  PAY_TO: payTo,
  RPC_URLS: 'https://rpc.example/v2/k',
  RELAYER_KEY: relayerKey,
};
// Base64 of an Ed25519 seed of 32 sevens and its public key.
const cdpSecret = 'BwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwfqSmxj4pxSCr71UHsTLsX5lUd2rr6+e5JCHuppFEbSLA==';
const production = { ...local, NODE_ENV: 'production', PUBLIC_BASE_URL: 'https://calc.example' };

function configOf(env: Record<string, string | undefined>) {
  const reading = readConfig(env);
  if (!reading.ok) throw new Error(configMessage(reading.faults));
  return reading.config;
}

/** The faults as `SETTING detail` lines; empty when the environment is fine. */
function faultsOf(env: Record<string, string | undefined>) {
  const reading = readConfig(env);
  return reading.ok ? [] : reading.faults.map(({ setting, detail }) => `${setting} ${detail}`);
}

test('with no settings at all the service runs on the embedded chain', () => {
  expect(configOf({})).toEqual({
    port: 4021,
    host: '127.0.0.1',
    publicBaseUrl: 'http://127.0.0.1:4021',
    payTo: null,
    embeddedChainPort: null,
    network: {
      caip2: 'eip155:8453',
      chainId: 8453,
      usdc: '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913',
      usdcName: 'USD Coin',
      usdcVersion: '2',
    },
    settlers: [{ kind: 'embedded' }],
    rpcUrls: [],
    relayerKey: null,
    cdpApiKey: null,
    ownershipProof: null,
    redisUrl: null,
    trustedProxies: [],
    freeRequestsPerMinute: 30,
    coldProbe: 400,
    contactEmail: null,
    logLevel: 'info',
    production: false,
  });
});

test('an empty or blank value is an absent one', () => {
  expect(configOf({ PORT: '', PAY_TO: '  ', SETTLERS: '', REDIS_URL: '\t', NODE_ENV: '' })).toEqual(
    configOf({}),
  );
});

test('a production environment is read in full', () => {
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
    COLD_PROBE: '402',
    CONTACT_EMAIL: 'hello@calc.example',
    LOG_LEVEL: 'warn',
  });
  expect(config).toMatchObject({ port: 8080, host: '0.0.0.0', publicBaseUrl: 'https://calc.example', payTo });
  expect(config).toMatchObject({
    freeRequestsPerMinute: 60,
    coldProbe: 402,
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
  expect(config.relayerKey?.reveal()).toBe(relayerKey);
  expect([config.cdpApiKey?.id.reveal(), config.cdpApiKey?.secret.reveal()]).toEqual(['id', cdpSecret]);
  expect(config.redisUrl?.reveal()).toBe('rediss://:pass@redis.example:6380/0');
  expect(config.trustedProxies).toEqual([
    { address: '10.0.0.0', prefix: 8, family: 'ipv4' },
    { address: '192.0.2.1', prefix: 32, family: 'ipv4' },
    { address: 'fd00::', prefix: 8, family: 'ipv6' },
  ]);
});

test('the staging network signs under its own name', () => {
  expect(configOf({ ...local, NETWORK: 'eip155:84532' }).network).toEqual({
    caip2: 'eip155:84532',
    chainId: 84532,
    usdc: '0x036CbD53842c5426634e7929541eC2318f3dCF7e',
    usdcName: 'USDC',
    usdcVersion: '2',
  });
});

test('every fault is reported at once, in one message', () => {
  const faults = [
    'NODE_ENV must be one of production, development, test',
    'SETTLERS entry 2 must be embedded, local, cdp, payai or the URL of a facilitator',
    'RPC_URLS is missing; the settler local needs it',
    'RELAYER_KEY is missing; the settler local needs it',
    'PORT must be a whole number from 1 to 65535',
    'PUBLIC_BASE_URL must be https in production',
    'PAY_TO is missing; it is the address that receives the USDC',
    'TRUSTED_PROXIES entry 1 is not an IP address or a CIDR range',
    'COLD_PROBE must be one of 400, 402',
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
  test('refuses play money and plain http, and needs its public origin', () => {
    expect(faultsOf({ NODE_ENV: 'production' })).toEqual([
      'SETTLERS must name real settlers in production; the embedded chain is play money',
      'PUBLIC_BASE_URL is missing; production needs the https origin under which callers come',
      'PAY_TO is missing; it is the address that receives the USDC',
    ]);
    expect(faultsOf({ ...production, PUBLIC_BASE_URL: 'http://calc.example' })).toEqual([
      'PUBLIC_BASE_URL must be https in production',
    ]);
  });

  test('refuses accounts whose keys are public', () => {
    const key = '0xac0974bec39a17e36ba4a6b4d238ff944bacb478cbed5efcae784d7bf4f2ff80';
    const account = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8';
    expect(faultsOf({ ...production, PAY_TO: account, RELAYER_KEY: key })).toEqual([
      'PAY_TO is a development account whose private key is public',
      'RELAYER_KEY is a development key that is public',
    ]);
    expect(faultsOf({ ...local, PAY_TO: account, RELAYER_KEY: key })).toEqual([]);
  });
});

describe('PORT, HOST and PUBLIC_BASE_URL', () => {
  test.each(['0', '65536', '-1', '1e3', '0x50', '80.0', '８０', '+80', '8 0', '99999999999999999999'])(
    'PORT %s is refused',
    (port) => {
      expect(faultsOf({ PORT: port })).toEqual(['PORT must be a whole number from 1 to 65535']);
    },
  );

  test.each([
    ['localhost', 'http://localhost:4021'],
    ['0.0.0.0', 'http://127.0.0.1:4021'],
    ['::', 'http://[::1]:4021'],
    ['::1', 'http://[::1]:4021'],
    ['10.1.2.3', 'http://10.1.2.3:4021'],
  ])('HOST %s is called as %s', (host, origin) => {
    expect(configOf({ HOST: host }).publicBaseUrl).toBe(origin);
  });

  test.each(['127.0.0.256', 'a b', 'http://x', '[::1]', 'fe80::1%eth0', '-a', `${'a.'.repeat(40)}!`])(
    'HOST %s is refused',
    (host) => {
      expect(faultsOf({ HOST: host })).toEqual(['HOST must be an IP address or a host name']);
    },
  );

  test.each([
    ['https://calc.example', 'https://calc.example'],
    ['https://calc.example/', 'https://calc.example'],
    ['HTTPS://Calc.Example:443', 'https://calc.example'],
    ['http://[::1]:4021', 'http://[::1]:4021'],
    ['https://bücher.example', 'https://xn--bcher-kva.example'],
  ])('PUBLIC_BASE_URL %s is the origin %s', (text, origin) => {
    expect(configOf({ PUBLIC_BASE_URL: text }).publicBaseUrl).toBe(origin);
  });

  test.each([
    'https://calc.example/shop',
    'https://calc.example//',
    'https://calc.example/?',
    'https://calc.example?a=1',
    'https://calc.example#top',
    'https://user:pass@calc.example',
    'ftp://calc.example',
    'https:calc.example',
    'calc.example',
    '//calc.example',
    'https://',
  ])('PUBLIC_BASE_URL %s is refused', (text) => {
    expect(faultsOf({ PUBLIC_BASE_URL: text })).toEqual([
      expect.stringMatching(/^PUBLIC_BASE_URL (is|must)/),
    ]);
  });

  test('the chain cannot have the port of the service', () => {
    expect(faultsOf({ EMBEDDED_CHAIN_PORT: '4021' })).toEqual([
      'EMBEDDED_CHAIN_PORT is the same port as PORT',
    ]);
    expect(configOf({ EMBEDDED_CHAIN_PORT: '8545' }).embeddedChainPort).toBe(8545);
  });
});

describe('SETTLERS', () => {
  test.each([
    [
      { SETTLERS: 'embedded,payai' },
      ['SETTLERS names embedded beside others; they would settle on different chains'],
    ],
    [
      { SETTLERS: 'embedded', NETWORK: 'eip155:84532' },
      ['NETWORK must be eip155:8453 with the embedded chain'],
    ],
    [{ ...local, SETTLERS: 'local,local' }, ['SETTLERS has the same entry twice']],
    [{ ...local, SETTLERS: 'local,,payai' }, ['SETTLERS has an empty entry between its commas']],
    [
      { ...local, SETTLERS: 'payai,http://facilitator.example' },
      ['SETTLERS entry 2 must be https, or http on this machine'],
    ],
    [
      { ...local, SETTLERS: 'https://k@facilitator.example' },
      ['SETTLERS entry 1 must not carry a user name or password'],
    ],
    [{ ...local, SETTLERS: 'https://facilitator.example?key=1' }, ['SETTLERS entry 1 must not have a query']],
    [
      { SETTLERS: 'cdp', PAY_TO: payTo },
      [
        'CDP_API_KEY_ID is missing; the settler cdp needs it',
        'CDP_API_KEY_SECRET is missing; the settler cdp needs it',
      ],
    ],
    [
      { SETTLERS: 'cdp', PAY_TO: payTo, CDP_API_KEY_ID: 'id' },
      ['CDP_API_KEY_SECRET is missing; the settler cdp needs it'],
    ],
    [{ ...local, CDP_API_KEY_ID: 'id' }, ['CDP_API_KEY_SECRET is missing although CDP_API_KEY_ID is set']],
    [{ SETTLERS: 'payai' }, ['PAY_TO is missing; it is the address that receives the USDC']],
    [
      { ...local, SETTLERS: Array.from({ length: 9 }, (_, n) => `https://f${n}.example`).join() },
      ['SETTLERS has 9 entries; at most 8 are read'],
    ],
  ])('%j is refused', (env, faults) => {
    expect(faultsOf(env)).toEqual(faults);
  });

  test('settings for real money without SETTLERS are not silently played with', () => {
    expect(faultsOf({ ...local, SETTLERS: undefined })).toEqual([
      'SETTLERS is missing, so that RPC_URLS, RELAYER_KEY would be ignored and money be play money',
    ]);
    expect(faultsOf({ ...local, SETTLERS: 'embedded' })).toEqual([]);
  });

  test('a facilitator on this machine may speak http, and a hosted settler needs no RPC', () => {
    expect(faultsOf({ SETTLERS: 'http://127.0.0.1:4022,http://[::1]:4022', PAY_TO: payTo })).toEqual([]);
    expect(faultsOf({ SETTLERS: 'payai', PAY_TO: payTo })).toEqual([]);
  });
});

describe('PAY_TO and RELAYER_KEY', () => {
  test('an address without a checksum is spelled with one', () => {
    expect(configOf({ ...local, PAY_TO: payTo.toLowerCase() }).payTo).toBe(payTo);
  });

  test.each([
    [
      payTo.replace('E4169EE7', 'e4169EE7'),
      'must be 0x and 40 hexadecimal digits, with a right EIP-55 checksum if mixed-case',
    ],
    ['shop.eth', 'must be 0x and 40 hexadecimal digits, with a right EIP-55 checksum if mixed-case'],
    [`0x${'0'.repeat(40)}`, 'is the zero address; what is paid to it is lost'],
    ['0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913', 'is the USDC contract itself'],
  ])('PAY_TO %s is refused', (address, detail) => {
    expect(faultsOf({ ...local, PAY_TO: address })).toEqual([`PAY_TO ${detail}`]);
  });

  test.each(['0x1234', '17'.repeat(32), `0x${'0'.repeat(64)}`, `0x${'f'.repeat(64)}`])(
    'RELAYER_KEY %s is refused',
    (key) => {
      expect(faultsOf({ ...local, RELAYER_KEY: key })).toEqual([
        'RELAYER_KEY must be a private key: 0x and 64 hexadecimal digits',
      ]);
    },
  );

  test('the money earned does not lie under the key that pays for gas', () => {
    const { address } = privateKeyToAccount(`0x${'17'.repeat(32)}`);
    expect(faultsOf({ ...local, PAY_TO: address.toLowerCase() })).toEqual([
      'RELAYER_KEY is the key of PAY_TO; use a separate account for gas',
    ]);
  });
});

describe('X402_OWNERSHIP_PROOF', () => {
  const owner = privateKeyToAccount(`0x${'23'.repeat(32)}`);
  const owned = { ...production, PAY_TO: owner.address };

  test('is taken when PAY_TO signed the origin', async () => {
    const proof = await owner.signMessage({ message: 'https://calc.example' });
    expect(configOf({ ...owned, X402_OWNERSHIP_PROOF: proof }).ownershipProof).toBe(proof);
    expect(
      faultsOf({ ...owned, PUBLIC_BASE_URL: 'https://other.example', X402_OWNERSHIP_PROOF: proof }),
    ).toEqual([
      'X402_OWNERSHIP_PROOF is not the signature of PAY_TO over https://other.example (personal_sign, without a slash)',
    ]);
    expect(faultsOf({ X402_OWNERSHIP_PROOF: proof })).toEqual([
      'X402_OWNERSHIP_PROOF needs PAY_TO, whose key has signed it',
    ]);
  });

  test('is refused when it is no signature', () => {
    expect(faultsOf({ ...owned, X402_OWNERSHIP_PROOF: '0x1234' })).toEqual([
      'X402_OWNERSHIP_PROOF must be a signature: 0x and 130 hexadecimal digits',
    ]);
  });
});

describe('TRUSTED_PROXIES', () => {
  test.each([
    ['10.0.0.0/33', 'is not an IP address or a CIDR range'],
    ['10.0.0/8', 'is not an IP address or a CIDR range'],
    ['10.0.0.0/', 'is not an IP address or a CIDR range'],
    ['10.0.0.0/8/8', 'is not an IP address or a CIDR range'],
    ['fd00::/129', 'is not an IP address or a CIDR range'],
    ['fe80::1%eth0', 'is not an IP address or a CIDR range'],
    ['*', 'is not an IP address or a CIDR range'],
    ['0.0.0.0/0', 'trusts every address there is, so that every caller could choose its own'],
    ['::/0', 'trusts every address there is, so that every caller could choose its own'],
    ['::ffff:10.0.0.0/104', 'is IPv4 in IPv6 spelling; write the IPv4 range'],
  ])('%s is refused', (range, detail) => {
    expect(faultsOf({ TRUSTED_PROXIES: `192.0.2.1,${range}` })).toEqual([
      `TRUSTED_PROXIES entry 2 ${detail}`,
    ]);
  });
});

test.each([
  [{ REDIS_URL: 'http://redis.example' }, 'REDIS_URL must be a redis:// or rediss:// URL'],
  [{ REDIS_URL: 'redis.example:6379' }, 'REDIS_URL must be a redis:// or rediss:// URL'],
  [{ RPC_URLS: 'https://a.example,wss://b.example' }, 'RPC_URLS entry 2 is not an http:// or https:// URL'],
  [{ CONTACT_EMAIL: 'a@b' }, 'CONTACT_EMAIL must be one e-mail address'],
  [
    { CONTACT_EMAIL: 'a@b.example\u0000' },
    'CONTACT_EMAIL contains a line break or another control character',
  ],
  [{ CONTACT_EMAIL: `${'a'.repeat(9000)}@b.example` }, 'CONTACT_EMAIL is longer than 8192 characters'],
  [
    { CDP_API_KEY_ID: 'id', CDP_API_KEY_SECRET: cdpSecret.slice(2) },
    'CDP_API_KEY_SECRET must be the key secret as the platform gives it: base64 of 64 bytes (Ed25519), or a PEM of an EC key (ES256) with \\n for line breaks',
  ],
  [{ LOG_LEVEL: 'INFO' }, 'LOG_LEVEL must be one of debug, info, warn, error, silent'],
  [{ FREE_REQUESTS_PER_MINUTE: '0' }, 'FREE_REQUESTS_PER_MINUTE must be a whole number from 1 to 1000000'],
])('%j is refused', (env, fault) => {
  expect(faultsOf({ SETTLERS: 'embedded', ...env })).toEqual([fault]);
});

describe('secrets', () => {
  test('no rendering of a Config shows one', () => {
    const config = configOf({
      ...local,
      RPC_URLS: 'https://rpc.example/MARKED',
      CDP_API_KEY_ID: 'MARKED',
      CDP_API_KEY_SECRET: cdpSecret,
      REDIS_URL: 'redis://:MARKED@redis.example',
      RELAYER_KEY: `0x${'17'.repeat(32)}`,
    });
    const shown = [
      JSON.stringify(config),
      inspect(config, { depth: null, showHidden: true }),
      String(config),
    ].join();
    expect(shown).not.toMatch(/MARKED|1717|BwcHBwcH/);
    expect(shown).toContain('[secret]');
  });

  test('no fault repeats a value, not even one pasted into the wrong setting', () => {
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

describe('a variable that looks like a mistyped setting', () => {
  test.each([
    ['PAYTO', 'PAY_TO'],
    ['pay_to', 'PAY_TO'],
    ['RPC_URL', 'RPC_URLS'],
    ['RELAYER-KEY', 'RELAYER_KEY'],
    ['REDIS_ULR', 'REDIS_URL'],
    ['SETTLER', 'SETTLERS'],
    ['FREE_REQUEST_PER_MINUTE', 'FREE_REQUESTS_PER_MINUTE'],
  ])('%s is named as perhaps %s', (typed, meant) => {
    expect(readConfig({ [typed]: 'x' }).warnings).toEqual([
      { setting: meant, detail: `is not set, but ${typed} is, which is not a setting` },
    ]);
  });

  test('says nothing of names that merely resemble, nor beside the right one', () => {
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
