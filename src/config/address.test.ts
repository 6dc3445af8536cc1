import fc from 'fast-check';
import { getAddress, isAddress, toHex } from 'viem';
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';
import { expect, test } from 'vitest';
import { addressOfKey, checksummed, signerOf } from './address.ts';

const usdc = '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913';

test('an address is spelled with its EIP-55 checksum', () => {
  expect(checksummed(usdc)).toBe(usdc);
  expect(checksummed(usdc.toLowerCase())).toBe(usdc);
  expect(checksummed(`0x${usdc.slice(2).toUpperCase()}`)).toBe(usdc);
});

test.each([
  ['one letter in the wrong case', '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913'.replace('fC', 'fc')],
  ['no prefix', usdc.slice(2)],
  ['an upper-case prefix', usdc.replace('0x', '0X')],
  ['41 digits', `${usdc}0`],
  ['39 digits', usdc.slice(0, -1)],
  ['a private key', `0x${'1'.repeat(64)}`],
  ['a name', 'shop.eth'],
  ['nothing', ''],
])('%s is not an address', (_, text) => {
  expect(checksummed(text)).toBeNull();
});

test('checksums agree with viem for any 20 bytes and any spelling', () => {
  const anyBytes = fc.uint8Array({ minLength: 20, maxLength: 20 });
  const changedDigits = fc.uniqueArray(fc.nat(39), { maxLength: 40 });
  fc.assert(
    fc.property(anyBytes, changedDigits, (bytes, changed) => {
      const right = getAddress(toHex(bytes));
      expect(checksummed(right)).toBe(right);
      expect(checksummed(right.toLowerCase())).toBe(right);
      const digits = [...right.slice(2)];
      for (const index of changed) {
        const digit = digits[index] ?? '';
        digits[index] = digit === digit.toLowerCase() ? digit.toUpperCase() : digit.toLowerCase();
      }
      const spelled = digits.join('');
      const oneCase = spelled === spelled.toLowerCase() || spelled === spelled.toUpperCase();
      expect(checksummed(`0x${spelled}`)).toBe(oneCase || isAddress(`0x${spelled}`) ? right : null);
    }),
  );
});

test('the address of a key is the one that viem derives', () => {
  for (let round = 0; round < 20; round += 1) {
    const key = generatePrivateKey();
    expect(addressOfKey(key)).toBe(privateKeyToAccount(key).address);
  }
});

test('a number that is not a valid private key of the curve has no address', () => {
  const curveOrder = '0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141';
  expect(addressOfKey(curveOrder)).toBeNull();
  expect(addressOfKey(`0x${'0'.repeat(64)}`)).toBeNull();
  expect(addressOfKey('1'.repeat(64))).toBeNull();
});

test('the signer of a personal_sign message is found, for either spelling of the recovery byte', async () => {
  const account = privateKeyToAccount(generatePrivateKey());
  const origin = 'https://calc.example';
  const signature = await account.signMessage({ message: origin });
  const yParity = signature.endsWith('1b') ? '00' : '01';
  expect(signerOf(origin, signature)).toBe(account.address);
  expect(signerOf(origin, signature.slice(0, -2) + yParity)).toBe(account.address);
  expect(signerOf(`${origin}/`, signature)).not.toBe(account.address);
});

test('any 65 bytes are read as a signature without an exception', () => {
  fc.assert(
    fc.property(fc.uint8Array({ minLength: 65, maxLength: 65 }), (bytes) => {
      const signer = signerOf('https://calc.example', toHex(bytes));
      expect(signer === null || isAddress(signer)).toBe(true);
    }),
  );
  expect(signerOf('x', `0x${'0'.repeat(128)}1b`)).toBeNull();
  expect(signerOf('x', '0x1234')).toBeNull();
});
