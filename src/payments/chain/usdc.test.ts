import { encodeErrorResult, parseAbi } from 'viem/utils';
import { describe, expect, it } from 'vitest';
import { terms } from '../../../test/support/app.ts';
import type { Authorization, Hex } from '../x402/payment.ts';
import type { RpcLog } from './rpc-shapes.ts';
import { asTopic, movesMoney, revertText, TRANSFER_TOPIC, USED_TOPIC } from './usdc.ts';

const PAYER: Hex = `0x${'bb'.repeat(20)}`;
const PAYEE: Hex = `0x${'aa'.repeat(20)}`;
const NONCE: Hex = `0x${'07'.repeat(32)}`;
const authorization: Authorization = {
  from: PAYER,
  to: PAYEE,
  value: 10_000n,
  validAfter: 0n,
  validBefore: 1_800_000_000n,
  nonce: NONCE,
};

const log = (index: number, topics: Hex[], data: Hex = '0x'): RpcLog => ({
  address: terms.asset,
  topics,
  data,
  transactionHash: `0x${'cd'.repeat(32)}`,
  blockNumber: '0x10',
  logIndex: `0x${index.toString(16)}`,
});
const used = (index: number, nonce = NONCE) => log(index, [USED_TOPIC, asTopic(PAYER), nonce]);
const transfer = (index: number, { to = PAYEE, value = 10_000n } = {}) =>
  log(index, [TRANSFER_TOPIC, asTopic(PAYER), asTopic(to)], `0x${value.toString(16).padStart(64, '0')}`);
const moves = (...logs: RpcLog[]) => movesMoney(logs, terms.asset, authorization);

describe('the use of an authorization', () => {
  it('moved the money if the Transfer directly after it has the right amount and payee', () => {
    expect(moves(used(4), transfer(5))).toBe(true);
    expect(moves(used(4), transfer(5, { value: 9_999n }))).toBe(false);
    expect(moves(used(4), transfer(5, { to: PAYER }))).toBe(false);
    expect(moves({ ...used(4), address: PAYEE }, transfer(5))).toBeNull();
  });

  it('is recognized in any letter case of its hex digits', () => {
    const inCapitals = (log: RpcLog): RpcLog => ({
      ...log,
      address: log.address.toUpperCase().replace('0X', '0x') as Hex,
      topics: log.topics.map((topic) => topic.toUpperCase().replace('0X', '0x') as Hex),
    });
    expect(moves(inCapitals(used(4)), inCapitals(transfer(5)))).toBe(true);
  });

  it('does not count the Transfer of another authorization, however similar', () => {
    expect(moves(used(4), transfer(5, { to: PAYER }), used(6, PAYEE), transfer(7))).toBe(false);
  });

  it.each([
    ['none', [used(4)]],
    ['one before it', [transfer(3), used(4)]],
    ['one of another asset', [used(4), { ...transfer(5), address: PAYEE }]],
    ['one that is not the next log', [used(4), transfer(6)]],
  ])('is unclear if the node shows %s as the Transfer', (_which, logs) => {
    expect(moves(...logs)).toBeNull();
  });

  it('is not found if only another nonce was used', () => {
    expect(moves(used(4, `0x${'08'.repeat(32)}`), transfer(5))).toBeNull();
  });
});

describe('the text of a revert', () => {
  const SAID = 'execution reverted';
  const text = 'Blacklistable: account is blacklisted';

  it('is the text of the revert data, regardless of what the node says', () => {
    const data = encodeErrorResult({ abi: parseAbi(['error Error(string)']), args: [text] });
    expect(revertText(data, SAID)).toBe(text);
  });

  it.each([null, '0x', '0x08c379a0', `0x4e487b71${'0'.repeat(64)}`])(
    "is the node's text if the revert data is %s",
    (data) => {
      expect(revertText(data, SAID)).toBe(SAID);
    },
  );
});
