import fc from 'fast-check';
import { privateKeyToAccount } from 'viem/accounts';
import { hashTypedData, recoverAddress } from 'viem/utils';
import { describe, expect, it } from 'vitest';
import { terms } from '../../../test/support/app.ts';
import { usdcDomain, usdcTypes } from '../../devnet/usdc.ts';
import type { Authorization, Hex, Payment } from './payment.ts';
import { domainSeparator, signingOf } from './signature.ts';

const KEY: Hex = '0x59c6995e998f97a5a0044966f0945389dc9e86dae88c7a8412f4603b6b78690d';
const account = privateKeyToAccount(KEY);
const signing = signingOf(terms);
const ORDER = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n;

const typedData = (message: Authorization) =>
  ({ domain: usdcDomain, types: usdcTypes, primaryType: 'TransferWithAuthorization', message }) as const;

const authorization: Authorization = {
  from: account.address.toLowerCase() as Hex,
  to: `0x${'aa'.repeat(20)}`,
  value: 10_000n,
  validAfter: 0n,
  validBefore: 1_800_000_000n,
  nonce: `0x${'07'.repeat(32)}`,
};
const paymentOf = (signature: Hex, changes: Partial<Authorization> = {}): Payment => ({
  authorization: { ...authorization, ...changes },
  signature,
  accepted: { scheme: 'exact', network: 'eip155:8453' },
  identifier: null,
  extensions: undefined,
});
const signed = () => account.signTypedData(typedData(authorization));
/** Signatures of the account over the payment with these nonces: half of all signatures have v = 27, half v = 28. */
const SIGNED_WITH_27 = {
  nonce: `0x${'01'.repeat(32)}`,
  signature:
    '0xf454fa51c033a6ac8fbe13cbe1c3e4efd99a414893b362571a09444b81453c22133cf93f5054b257d6ee92c05a9c51413fc426c152cf71bf2d2c469ad88b217a1b',
} as const;
const SIGNED_WITH_28 = {
  nonce: `0x${'05'.repeat(32)}`,
  signature:
    '0xc76565347b7e1d480c82d40cec18fa4399c235d70458cba4f78012e7b00ee98f5f7b5b8e3fda09102eebffc969bd794497c86a10c910128167ae6993d7384af61c',
} as const;
const withRecoveryByte = (signature: Hex, byte: string): Hex => `${signature.slice(0, 130)}${byte}` as Hex;

describe('the message that a payer signs', () => {
  it('has the domain of USDC on Base', () => {
    expect(domainSeparator(terms)).toBe('02fa7265e7c5d81118673727957699e4d68f74cd74b7db77da710fe8a2c7834f');
  });

  it('has the same digest that wallets compute for the same fields', () => {
    const uint = fc.bigInt({ min: 0n, max: 2n ** 256n - 1n });
    const hex = (bytes: number) =>
      fc
        .uint8Array({ minLength: bytes, maxLength: bytes })
        .map((of) => `0x${Buffer.from(of).toString('hex')}` as Hex);
    const any = fc.record({
      from: hex(20),
      to: hex(20),
      value: uint,
      validAfter: uint,
      validBefore: uint,
      nonce: hex(32),
    });
    fc.assert(
      fc.property(any, (fields) => {
        const ours = `0x${Buffer.from(signing.digest(fields)).toString('hex')}`;
        expect(ours).toBe(hashTypedData(typedData(fields)));
      }),
    );
  });
});

describe('a signature made with a private key', () => {
  it.each([
    [27, SIGNED_WITH_27],
    [28, SIGNED_WITH_28],
  ])('with v = %i is accepted unchanged', async (_v, { signature, nonce }) => {
    expect(await signing.ofKey(paymentOf(signature, { nonce }))).toEqual(paymentOf(signature, { nonce }));
  });

  it.each([
    ['to', { to: `0x${'bb'.repeat(20)}` as Hex }],
    ['value', { value: 1_000_000n }],
    ['from', { from: `0x${'cc'.repeat(20)}` as Hex }],
    ['validAfter', { validAfter: 1n }],
    ['validBefore', { validBefore: 1_800_000_001n }],
    ['nonce', { nonce: `0x${'08'.repeat(32)}` as Hex }],
  ])('does not match its payer if %s is changed', async (_field, changes) => {
    expect(await signing.ofKey(paymentOf(await signed(), changes))).toBeNull();
  });

  it.each([
    [0, SIGNED_WITH_27],
    [1, SIGNED_WITH_28],
  ])('with the recovery id %i is rewritten to the v that USDC accepts', async (id, { signature, nonce }) => {
    const raw = withRecoveryByte(signature, `0${id}`);
    expect((await signing.ofKey(paymentOf(raw, { nonce })))?.signature).toBe(signature);
    const other = withRecoveryByte(signature, `0${1 - id}`);
    expect(await signing.ofKey(paymentOf(other, { nonce }))).toBeNull();
  });

  it('is rejected if a byte follows its 65 bytes, even if those are valid', async () => {
    const { signature, nonce } = SIGNED_WITH_27;
    expect(await signing.ofKey(paymentOf(`${signature}1b`, { nonce }))).toBeNull();
  });

  it('is valid only with the lower value of s, as USDC requires', async () => {
    const signature = await signed();
    const s = ORDER - BigInt(`0x${signature.slice(66, 130)}`);
    const id = Number.parseInt(signature.slice(130), 16) - 27;
    const twin =
      `${signature.slice(0, 66)}${s.toString(16).padStart(64, '0')}${(28 - id).toString(16)}` as Hex;
    // The other form of the signature recovers to the same account, so it must not count as a different signature.
    expect(await recoverAddress({ hash: hashTypedData(typedData(authorization)), signature: twin })).toBe(
      account.address,
    );
    expect(await signing.ofKey(paymentOf(twin))).toBeNull();
  });

  it.each([
    ['an r of zero', `0x${'00'.repeat(32)}${'11'.repeat(32)}1b`],
    ['an s of zero', `0x${'11'.repeat(32)}${'00'.repeat(32)}1b`],
    ['an r beyond the order of the curve', `0x${'ff'.repeat(32)}${'11'.repeat(32)}1b`],
    ['a recovery byte of 2', `0x${'11'.repeat(64)}02`],
    ['a recovery byte of 29', `0x${'11'.repeat(64)}1d`],
    ['a recovery byte of 255', `0x${'11'.repeat(64)}ff`],
    ['66 bytes', `0x${'11'.repeat(64)}1b00`],
    ['an r that is not a point on the curve', `0x${'00'.repeat(31)}05${'11'.repeat(32)}1b`],
  ])('is invalid with %s', async (_what, signature) => {
    expect(await signing.ofKey(paymentOf(signature as Hex))).toBeNull();
  });
});
