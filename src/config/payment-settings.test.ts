import { privateKeyToAccount } from 'viem/accounts';
import { describe, expect, test } from 'vitest';
import { configOf, faultsOf, local, payTo, production } from '../../test/support/config.ts';

describe('SETTLERS', () => {
  test.each([
    [
      { SETTLERS: 'embedded,payai' },
      ['SETTLERS lists embedded together with other settlers; they would settle on different chains'],
    ],
    [
      { SETTLERS: 'embedded', NETWORK: 'eip155:84532' },
      ['NETWORK must be eip155:8453 with the embedded chain'],
    ],
    [{ ...local, SETTLERS: 'local,local' }, ['SETTLERS has the same entry twice']],
    [{ ...local, SETTLERS: 'local,,payai' }, ['SETTLERS has an empty entry between its commas']],
    [
      { ...local, SETTLERS: 'payai,http://facilitator.example' },
      ['SETTLERS entry 2 must use https, or http on this machine'],
    ],
    [
      { ...local, SETTLERS: 'https://k@facilitator.example' },
      ['SETTLERS entry 1 must not contain a user name or password'],
    ],
    [{ ...local, SETTLERS: 'https://facilitator.example?key=1' }, ['SETTLERS entry 1 must not have a query']],
    [
      { NODE_ENV: 'development', SETTLERS: 'cdp', PAY_TO: payTo },
      [
        'CDP_API_KEY_ID is missing; the settler cdp needs it',
        'CDP_API_KEY_SECRET is missing; the settler cdp needs it',
      ],
    ],
    [
      { NODE_ENV: 'development', SETTLERS: 'cdp', PAY_TO: payTo, CDP_API_KEY_ID: 'id' },
      ['CDP_API_KEY_SECRET is missing; the settler cdp needs it'],
    ],
    [{ ...local, CDP_API_KEY_ID: 'id' }, ['CDP_API_KEY_SECRET is missing although CDP_API_KEY_ID is set']],
    [
      { NODE_ENV: 'development', SETTLERS: 'payai' },
      ['PAY_TO is missing; it is the address that receives the USDC'],
    ],
    [
      { ...local, SETTLERS: Array.from({ length: 9 }, (_, n) => `https://f${n}.example`).join() },
      ['SETTLERS has 9 entries; the maximum is 8'],
    ],
  ])('refuses %j', (env, faults) => {
    expect(faultsOf(env)).toEqual(faults);
  });

  test('is required for real money, which never silently becomes play money', () => {
    expect(faultsOf({ ...local, SETTLERS: undefined })).toEqual([
      'SETTLERS is missing, so PAY_TO, RPC_URLS, RELAYER_KEY would be ignored and only play money accepted',
    ]);
    expect(faultsOf({ PAY_TO: payTo })).toEqual([
      'SETTLERS is missing, so PAY_TO would be ignored and only play money accepted',
    ]);
    expect(faultsOf({ ...local, SETTLERS: 'embedded', PAY_TO: undefined })).toEqual([]);
  });

  test("may name the embedded chain only without PAY_TO, because the chain's own payee cannot receive real USDC", () => {
    expect(faultsOf({ SETTLERS: 'embedded', PAY_TO: payTo })).toEqual([
      'PAY_TO must not be set with the embedded chain, whose payee cannot receive real USDC',
    ]);
    expect(configOf({ SETTLERS: 'embedded' }).payTo).toBeNull();
  });

  test('may name a facilitator on this machine that uses http, and needs no RPC URL for a hosted settler', () => {
    const hosted = { NODE_ENV: 'development', PAY_TO: payTo };
    expect(faultsOf({ ...hosted, SETTLERS: 'http://127.0.0.1:4022,http://[::1]:4022' })).toEqual([]);
    expect(faultsOf({ ...hosted, SETTLERS: 'payai' })).toEqual([]);
  });
});

describe('the settings PAY_TO and RELAYER_KEY', () => {
  test('add the checksum to an address that has none', () => {
    expect(configOf({ ...local, PAY_TO: payTo.toLowerCase() }).payTo).toBe(payTo);
  });

  test.each([
    [
      payTo.replace('E4169EE7', 'e4169EE7'),
      'must be 0x and 40 hexadecimal digits, with a valid EIP-55 checksum if it is mixed-case',
    ],
    ['shop.eth', 'must be 0x and 40 hexadecimal digits, with a valid EIP-55 checksum if it is mixed-case'],
    [`0x${'0'.repeat(40)}`, 'is the zero address; payments to it are lost'],
    ['0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913', 'is the USDC contract itself'],
  ])('refuse PAY_TO %s', (address, detail) => {
    expect(faultsOf({ ...local, PAY_TO: address })).toEqual([`PAY_TO ${detail}`]);
  });

  test.each(['0x1234', '17'.repeat(32), `0x${'0'.repeat(64)}`, `0x${'f'.repeat(64)}`])(
    'refuse RELAYER_KEY %s',
    (key) => {
      expect(faultsOf({ ...local, RELAYER_KEY: key })).toEqual([
        'RELAYER_KEY must be a private key: 0x and 64 hexadecimal digits',
      ]);
    },
  );

  test('cannot belong to the same account', () => {
    const { address } = privateKeyToAccount(`0x${'17'.repeat(32)}`);
    expect(faultsOf({ ...local, PAY_TO: address.toLowerCase() })).toEqual([
      'RELAYER_KEY is the key of PAY_TO; use a separate account for gas',
    ]);
  });
});

describe('X402_OWNERSHIP_PROOF', () => {
  const owner = privateKeyToAccount(`0x${'23'.repeat(32)}`);
  const owned = { ...production, PAY_TO: owner.address };

  test('is accepted if PAY_TO signed the origin', async () => {
    const proof = await owner.signMessage({ message: 'https://calc.example' });
    expect(configOf({ ...owned, X402_OWNERSHIP_PROOF: proof }).ownershipProof).toBe(proof);
    expect(
      faultsOf({ ...owned, PUBLIC_BASE_URL: 'https://other.example', X402_OWNERSHIP_PROOF: proof }),
    ).toEqual([
      'X402_OWNERSHIP_PROOF is not the signature of PAY_TO over https://other.example (personal_sign, without a slash)',
    ]);
    expect(faultsOf({ X402_OWNERSHIP_PROOF: proof })).toEqual([
      'X402_OWNERSHIP_PROOF needs PAY_TO, whose key signed it',
    ]);
  });

  test('is refused if it is not a signature', () => {
    expect(faultsOf({ ...owned, X402_OWNERSHIP_PROOF: '0x1234' })).toEqual([
      'X402_OWNERSHIP_PROOF must be a signature: 0x and 130 hexadecimal digits',
    ]);
  });
});

describe('the settings that limit losses', () => {
  test('have sensible defaults for gas and confirmations', () => {
    expect(configOf(local)).toMatchObject({
      gasGweiPerCent: 10_000,
      gasBudgetGweiPerHour: 20_000_000,
      confirmations: 0,
    });
  });

  test.each([
    ['1', 1_000_000_000],
    ['0.000000001', 1],
    ['99.5', 99_500_000_000],
  ])('read GAS_BUDGET_ETH_PER_HOUR %s as %d gwei', (text, gwei) => {
    expect(configOf({ ...local, GAS_BUDGET_ETH_PER_HOUR: text }).gasBudgetGweiPerHour).toBe(gwei);
  });

  test.each(['0', '0.0', '-1', '1e3', '.5', '100', '0.0000000001', '1,5', 'NaN'])(
    'refuse GAS_BUDGET_ETH_PER_HOUR %s',
    (text) => {
      expect(faultsOf({ ...local, GAS_BUDGET_ETH_PER_HOUR: text })).toEqual([
        'GAS_BUDGET_ETH_PER_HOUR must be an amount of ETH over 0 and below 100, such as 0.02',
      ]);
    },
  );

  test.each([
    [{ MAX_GAS_GWEI_PER_CENT: '0' }, 'MAX_GAS_GWEI_PER_CENT must be a whole number from 1 to 100000000'],
    [{ CONFIRMATIONS: '65' }, 'CONFIRMATIONS must be a whole number from 0 to 64'],
    [
      { SETTLERS: 'payai', RPC_URLS: undefined, RELAYER_KEY: undefined, CONFIRMATIONS: '1' },
      'CONFIRMATIONS needs RPC_URLS, because only a node can count blocks',
    ],
    [{ OPERATOR_TOKEN: 'short' }, 'OPERATOR_TOKEN must have at least 16 characters, without spaces'],
    [
      { OPERATOR_TOKEN: 'a token with spaces in it' },
      'OPERATOR_TOKEN must have at least 16 characters, without spaces',
    ],
  ])('refuse %j', (env, fault) => {
    expect(faultsOf({ ...local, ...env })).toEqual([fault]);
  });
});

describe('the check for encrypted connections', () => {
  const plain = (setting: string, entry = '') =>
    `${setting} ${entry}is not encrypted, so anyone on the network path could forge the answers; in production, use TLS, or a host on this machine or on a private network`;

  test.each<[Record<string, string>, string[]]>([
    [{ RPC_URLS: 'https://a.example,http://rpc.example/key' }, [plain('RPC_URLS', 'entry 2 ')]],
    [
      { RPC_URLS: 'http://100.64.0.1:8545,http://172.32.0.1' },
      [plain('RPC_URLS', 'entry 1 '), plain('RPC_URLS', 'entry 2 ')],
    ],
    [{ RPC_URLS: 'http://[2a00::1]:8545' }, [plain('RPC_URLS', 'entry 1 ')]],
    [{ REDIS_URL: 'redis://:secret@redis.example:6379' }, [plain('REDIS_URL')]],
    [{ REDIS_URL: 'redis+sentinel://a,b.example/calc' }, [plain('REDIS_URL')]],
    [
      { REDIS_URL: 'rediss+cluster://a,b' },
      ['REDIS_URL names a Redis Cluster, which is not supported; use a single server or redis+sentinel://'],
    ],
  ])('refuses %j in production', (env, faults) => {
    expect(faultsOf({ ...production, ...env })).toEqual(faults);
  });

  test.each([
    { RPC_URLS: 'http://127.0.0.1:8545,http://localhost,http://[::1]:1', REDIS_URL: 'redis://127.0.0.1' },
    { RPC_URLS: 'https://rpc.example', REDIS_URL: 'rediss://redis.example' },
    { RPC_URLS: 'http://10.1.2.3:8545,http://172.31.0.1,http://192.168.1.2', REDIS_URL: 'redis://Redis' },
    { RPC_URLS: 'http://[fd00::1]:8545', REDIS_URL: 'redis://redis.shop.svc.cluster.local' },
    { REDIS_URL: 'rediss+sentinel://a.example,b.example/calc' },
    { REDIS_URL: 'redis+sentinel://A,b.internal:1/calc' },
    { REDIS_URL: 'redis+sentinel://127.0.0.1:7000,[::1]:7001/calc' },
    { REDIS_URL: 'redis://[::1]' },
  ])('accepts %j in production', (env) => {
    expect(faultsOf({ ...production, ...env })).toEqual([]);
  });

  test('accepts unencrypted connections outside of production', () => {
    expect(faultsOf({ ...local, RPC_URLS: 'http://rpc.example', REDIS_URL: 'redis://redis' })).toEqual([]);
  });
});

describe('DRAIN_DELAY_SECONDS', () => {
  test('is zero by default, and at most five minutes', () => {
    expect(configOf(production).drainDelaySeconds).toBe(0);
    expect(configOf({ ...production, DRAIN_DELAY_SECONDS: '15' }).drainDelaySeconds).toBe(15);
    expect(faultsOf({ ...production, DRAIN_DELAY_SECONDS: '301' })).toEqual([
      'DRAIN_DELAY_SECONDS must be a whole number from 0 to 300',
    ]);
  });
});
