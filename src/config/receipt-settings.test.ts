import { privateKeyToAccount } from 'viem/accounts';
import { describe, expect, test } from 'vitest';
import { configOf, faultsOf, local, production, relayerKey } from '../../test/support/config.ts';

const key = `0x${'71'.repeat(32)}` as const;

describe('RECEIPT_KEY', () => {
  test('is 32 bytes that hold no money', () => {
    expect(configOf({ ...local, RECEIPT_KEY: key }).receiptKey?.reveal()).toBe(key);
    expect(configOf(local).receiptKey).toBeNull();
  });

  test.each(['71'.repeat(32), '0x71', `0x${'7g'.repeat(32)}`])('%s is refused', (text) => {
    expect(faultsOf({ ...local, RECEIPT_KEY: text })).toEqual([
      'RECEIPT_KEY must be 0x and 64 hexadecimal digits',
    ]);
  });

  test.each([relayerKey, relayerKey.toUpperCase().replace('0X', '0x')])('is not RELAYER_KEY', (text) => {
    expect(faultsOf({ ...local, RECEIPT_KEY: text })).toEqual([
      'RECEIPT_KEY is RELAYER_KEY; use one that holds no money',
    ]);
  });

  test('is not the key of PAY_TO', () => {
    const { address } = privateKeyToAccount(key);
    expect(faultsOf({ ...local, PAY_TO: address, RECEIPT_KEY: key })).toEqual([
      'RECEIPT_KEY is the key of PAY_TO; use one that holds no money',
    ]);
  });

  test('is no development key in production', () => {
    const RECEIPT_KEY = '0xac0974bec39a17e36ba4a6b4d238ff944bacb478cbed5efcae784d7bf4f2ff80';
    expect(faultsOf({ ...production, RECEIPT_KEY })).toEqual([
      'RECEIPT_KEY is a development key that is public',
    ]);
    expect(faultsOf({ ...local, RECEIPT_KEY })).toEqual([]);
  });
});

test('RETIRED_RECEIPT_KEYS are public halves as /.well-known/did.json shows them', () => {
  const x = 'a'.repeat(43);
  expect(configOf({ RETIRED_RECEIPT_KEYS: x }).retiredReceiptKeys).toEqual([x]);
  expect(faultsOf({ RETIRED_RECEIPT_KEYS: `${x},${key}` })).toEqual([
    'RETIRED_RECEIPT_KEYS entry 2 must be the 43 characters of x in /.well-known/did.json',
  ]);
});

describe('MCP_REGISTRY_AUTH', () => {
  const bytes = (count: number) => Buffer.alloc(count, 7).toString('base64');

  test.each([`v=MCPv1; k=ed25519; p=${bytes(32)}`, `v=MCPv1; k=ecdsap384; p=${bytes(49)}`])(
    'is taken as the registry’s own guide writes it: %s',
    (text) => {
      expect(configOf({ MCP_REGISTRY_AUTH: text }).mcpRegistryAuth).toBe(text);
    },
  );

  test.each([
    bytes(32),
    `v=MCPv1; k=ed25519; p=${bytes(49)}`,
    `v=MCPv1; k=ed25519; p=${bytes(64)}`,
    `v=MCPv1; k=rsa; p=${bytes(32)}`,
    `v=MCPv1; k=ed25519; p=${'07'.repeat(32)}`,
    `calc.example. IN TXT "v=MCPv1; k=ed25519; p=${bytes(32)}"`,
  ])('%s is refused', (text) => {
    expect(faultsOf({ MCP_REGISTRY_AUTH: text })).toEqual([
      expect.stringMatching(
        /^MCP_REGISTRY_AUTH must be v=MCPv1; k=ed25519; p= and the public key of 32 bytes/,
      ),
    ]);
  });
});
