import { privateKeyToAccount } from 'viem/accounts';
import { describe, expect, test } from 'vitest';
import { configOf, faultsOf, local, production, relayerKey } from '../../test/support/config.ts';

const key = `0x${'71'.repeat(32)}` as const;

describe('RECEIPT_KEYS', () => {
  test('is the 32-byte private key of an account that holds no money', () => {
    expect(configOf({ ...local, RECEIPT_KEYS: key }).receiptKey?.reveal()).toBe(key);
    expect(configOf(local).receiptKey).toBeNull();
  });

  test.each(['71'.repeat(32), '0x71', `0x${'7g'.repeat(32)}`])('refuses %s', (text) => {
    expect(faultsOf({ ...local, RECEIPT_KEYS: text })).toEqual([
      'RECEIPT_KEYS entry 1 must be 0x and 64 hexadecimal digits',
    ]);
  });

  test.each([relayerKey, relayerKey.toUpperCase().replace('0X', '0x')])(
    'cannot be the RELAYER_KEY',
    (text) => {
      expect(faultsOf({ ...local, RECEIPT_KEYS: text })).toEqual([
        'RECEIPT_KEYS entry 1 is RELAYER_KEY; use a key of an account without money',
      ]);
    },
  );

  test('cannot be the key of PAY_TO', () => {
    const { address } = privateKeyToAccount(key);
    expect(faultsOf({ ...local, PAY_TO: address, RECEIPT_KEYS: key })).toEqual([
      'RECEIPT_KEYS entry 1 is the key of PAY_TO; use a key of an account without money',
    ]);
  });

  test('cannot be a development key in production', () => {
    const RECEIPT_KEYS = '0xac0974bec39a17e36ba4a6b4d238ff944bacb478cbed5efcae784d7bf4f2ff80';
    expect(faultsOf({ ...production, RECEIPT_KEYS })).toEqual([
      'RECEIPT_KEYS entry 1 is a development key that is public',
    ]);
    expect(faultsOf({ ...local, RECEIPT_KEYS })).toEqual([]);
  });
});

test('RECEIPT_KEYS may list the public halves of earlier keys after the key, as /.well-known/did.json shows them', () => {
  const x = 'a'.repeat(43);
  expect(configOf({ RECEIPT_KEYS: `${key},${x}` }).retiredReceiptKeys).toEqual([x]);
  expect(faultsOf({ RECEIPT_KEYS: `${key},${x},0x71` })).toEqual([
    'RECEIPT_KEYS entry 3 must be the 43 characters of x in /.well-known/did.json',
  ]);
});
