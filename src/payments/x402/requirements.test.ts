import { isPaymentRequirements } from '@x402/core/schemas';
import { describe, expect, it } from 'vitest';
import type { Operation } from '../../catalog/operation.ts';
import lateFee from '../../operations/late-fee.ts';
import lateFeeNotice from '../../operations/late-fee-notice.ts';
import quotePack from '../../operations/quote-pack.ts';
import type { Payment } from './payment.ts';
import { mismatch, outsideWindow, requirementsOf, type Terms } from './requirements.ts';

const terms: Terms = {
  network: 'eip155:8453',
  chainId: 8453,
  asset: '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913',
  assetName: 'USD Coin',
  assetVersion: '2',
  payTo: '0x00000000000000000000000000000000000000Aa',
};
const required = requirementsOf(lateFeeNotice as unknown as Operation, terms);

type Changes = { accepted?: Partial<Payment['accepted']>; authorization?: Partial<Payment['authorization']> };
const payment = ({ accepted, authorization }: Changes = {}): Payment => ({
  authorization: {
    from: '0x00000000000000000000000000000000000000bb',
    to: '0x00000000000000000000000000000000000000aa',
    value: 10_000n,
    validAfter: 0n,
    validBefore: 1_000_120n,
    nonce: `0x${'0'.repeat(64)}`,
    ...authorization,
  },
  signature: '0x11',
  accepted: { scheme: 'exact', network: 'eip155:8453', ...accepted },
  identifier: null,
  extensions: undefined,
});

describe('the requirements of an operation', () => {
  it('are its price in atomic USDC to the one recipient, and never change', () => {
    expect(required).toEqual({
      scheme: 'exact',
      network: 'eip155:8453',
      amount: '10000',
      asset: '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913',
      payTo: '0x00000000000000000000000000000000000000Aa',
      maxTimeoutSeconds: 120,
      extra: { name: 'USD Coin', version: '2' },
    });
    expect(Object.isFrozen(required)).toBe(true);
    expect(isPaymentRequirements(required)).toBe(true);
    expect(requirementsOf(quotePack as unknown as Operation, terms).amount).toBe('50000');
  });

  it('do not exist for a free operation', () => {
    expect(() => requirementsOf(lateFee as unknown as Operation, terms)).toThrow(
      'Operation late_fee is free',
    );
  });
});

describe('a payment and the requirements', () => {
  it('match in any letter case, even if the client repeats only what it must', () => {
    expect(mismatch(payment(), required)).toBeNull();
    const asset = terms.asset.toLowerCase();
    const payTo = terms.payTo.toUpperCase().replace('0X', '0x');
    expect(mismatch(payment({ accepted: { asset, payTo, amount: '10000' } }), required)).toBeNull();
  });

  const elsewhere = '0x00000000000000000000000000000000000000cc';
  const cases: [string, Changes, string][] = [
    ['scheme', { accepted: { scheme: 'upto' } }, 'unsupported_scheme'],
    ['network', { accepted: { network: 'eip155:84532' } }, 'invalid_network'],
    ['old name of the network', { accepted: { network: 'base' } }, 'invalid_network'],
    ['asset', { accepted: { asset: elsewhere } }, 'invalid_payment_requirements'],
    ['payTo', { accepted: { payTo: elsewhere } }, 'invalid_exact_evm_payload_recipient_mismatch'],
    ['recipient', { authorization: { to: elsewhere } }, 'invalid_exact_evm_payload_recipient_mismatch'],
    ['amount', { accepted: { amount: '1' } }, 'invalid_exact_evm_payload_authorization_value_mismatch'],
    [
      'amount in dollars',
      { accepted: { amount: '0.01' } },
      'invalid_exact_evm_payload_authorization_value_mismatch',
    ],
    [
      'less money',
      { authorization: { value: 9_999n } },
      'invalid_exact_evm_payload_authorization_value_mismatch',
    ],
    [
      'more money',
      { authorization: { value: 10_001n } },
      'invalid_exact_evm_payload_authorization_value_mismatch',
    ],
  ];
  it.each(cases)('do not match if this differs: %s', (_what, changes, reason) => {
    expect(mismatch(payment(changes), required)).toBe(reason);
  });
});

describe('the validity window of an authorization', () => {
  const now = 1_000_000;
  const window = (validAfter: bigint, validBefore: bigint) =>
    outsideWindow(payment({ authorization: { validAfter, validBefore } }), now);
  const TOO_EARLY = 'invalid_exact_evm_payload_authorization_valid_after';
  const TOO_LATE = 'invalid_exact_evm_payload_authorization_valid_before';

  it('must have begun', () => {
    expect(window(1_000_000n, 1_000_120n)).toBeNull();
    expect(window(1_000_001n, 1_000_120n)).toBe(TOO_EARLY);
    expect(window(2n ** 256n - 1n, 2n ** 256n - 1n)).toBe(TOO_EARLY);
  });

  it('must end at least six seconds and at most a day from now', () => {
    expect(window(0n, 1_000_006n)).toBeNull();
    expect(window(0n, 1_000_005n)).toBe(TOO_LATE);
    expect(window(0n, 0n)).toBe(TOO_LATE);
    expect(window(0n, 1_086_400n)).toBeNull();
    expect(window(0n, 1_086_401n)).toBe(TOO_LATE);
    expect(window(0n, 2n ** 256n - 1n)).toBe(TOO_LATE);
  });
});
