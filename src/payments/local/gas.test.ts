import { beforeEach, describe, expect, it } from 'vitest';
import { createGasLedger, GasBudgetSpent, type GasLedger } from './gas.ts';

const MINUTE_MS = 60_000;
const MINED = { transaction: `0x${'01'.repeat(32)}` } as const;

describe('the hourly gas budget of 1,000 wei', () => {
  let nowMs: number;
  let ledger: GasLedger;
  beforeEach(() => {
    nowMs = 0;
    ledger = createGasLedger(1_000n, () => nowMs);
  });

  const spend = (nonce: number, costWei: bigint, isReverted = false, payer: 'code' | 'plain' = 'plain') => {
    ledger.reserve(nonce, costWei, payer);
    ledger.record(nonce, { ...MINED, costWei, isReverted });
  };

  it('counts the maximum cost of a transaction until its actual cost is known', () => {
    for (const [nonce, payer] of ['code', 'plain'].entries()) ledger.reserve(nonce, 250n, payer as 'code');
    expect(() => ledger.check(1n, 'plain')).toThrow(GasBudgetSpent);
    ledger.record(1, { ...MINED, costWei: 10n, isReverted: false });
    expect(() => ledger.check(250n, 'plain')).not.toThrow();
    expect(() => ledger.check(251n, 'plain')).toThrow(GasBudgetSpent);
  });

  it('can be spent to the last wei, and is available again after an hour', () => {
    for (let nonce = 0; nonce < 4; nonce += 1) spend(nonce, 250n);
    expect([ledger.isSpent(0n, 'plain'), ledger.isSpent(1n, 'plain')]).toEqual([false, true]);
    expect(() => ledger.reserve(9, 1n, 'plain')).toThrow(GasBudgetSpent);
    nowMs = 59 * MINUTE_MS;
    expect(ledger.isSpent(1n, 'plain')).toBe(true);
    nowMs = 60 * MINUTE_MS;
    expect(ledger.isSpent(250n, 'plain')).toBe(false);
  });

  it('is refused only to the kind of payer whose reverts have cost a quarter', () => {
    spend(0, 250n, true, 'code');
    expect(() => ledger.check(1n, 'code')).toThrow(GasBudgetSpent);
    expect(() => ledger.check(250n, 'plain')).not.toThrow();
    // A successful payment does not count as a loss.
    for (let nonce = 1; nonce < 3; nonce += 1) spend(nonce, 250n);
    expect(() => ledger.check(250n, 'plain')).not.toThrow();
    spend(3, 250n, true, 'plain');
    expect(() => ledger.check(1n, 'plain')).toThrow(GasBudgetSpent);
  });

  it('charges the loss of a plain payer to accounts with code once the payer turns out to have code', () => {
    ledger.reserve(0, 250n, 'plain');
    ledger.record(0, { ...MINED, costWei: 250n, isReverted: true });
    nowMs = 59 * MINUTE_MS;
    for (let time = 0; time < 2; time += 1) {
      ledger.blameCode(MINED.transaction);
      expect([ledger.isSpent(250n, 'plain'), ledger.isSpent(251n, 'plain')]).toEqual([false, true]);
      expect([ledger.isSpent(0n, 'code'), ledger.isSpent(1n, 'code')]).toEqual([false, true]);
    }
    nowMs = 60 * MINUTE_MS;
    expect(ledger.isSpent(250n, 'code')).toBe(false);
  });

  it('reports whether only accounts with code are refused', () => {
    spend(0, 250n, true, 'code');
    expect(() => ledger.check(1n, 'code')).toThrow(expect.objectContaining({ isOfCode: true }));
    spend(1, 250n, true, 'plain');
    for (const payer of ['code', 'plain'] as const)
      expect(() => ledger.check(1n, payer)).toThrow(expect.objectContaining({ isOfCode: false }));
  });

  it('never has more pending for one kind of payer than that kind may lose', () => {
    ledger.reserve(0, 250n, 'code');
    expect(() => ledger.reserve(1, 1n, 'code')).toThrow(GasBudgetSpent);
    ledger.release(0);
    expect(() => ledger.reserve(1, 250n, 'code')).not.toThrow();
  });

  it('is available to payers with code up to a half, whether or not they pay, and to plain payers for the rest', () => {
    for (let nonce = 0; nonce < 2; nonce += 1) spend(nonce, 250n, false, 'code');
    expect(() => ledger.check(1n, 'code')).toThrow(expect.objectContaining({ isOfCode: true }));
    expect(() => ledger.check(250n, 'plain')).not.toThrow();
    nowMs = 60 * MINUTE_MS;
    expect(ledger.isSpent(250n, 'code')).toBe(false);
  });

  it('counts a raised price of the same transaction without refusing it', () => {
    ledger.reserve(8, 200n, 'plain');
    ledger.reserve(8, 300n, 'plain');
    expect([ledger.isSpent(1n, 'plain'), ledger.isSpent(250n, 'code')]).toEqual([true, false]);
    ledger.release(8);
    expect(ledger.isSpent(250n, 'plain')).toBe(false);
  });

  it('counts transactions that serve our own account, and never refuses them', () => {
    for (let nonce = 0; nonce < 4; nonce += 1) spend(nonce, 250n);
    ledger.reserve(9, 100n, undefined);
    ledger.record(9);
    nowMs = 60 * MINUTE_MS;
    expect(ledger.isSpent(0n, 'plain')).toBe(false);
  });

  it('counts a transaction once, however often its result is reported', () => {
    ledger.reserve(0, 200n, 'plain');
    ledger.record(0);
    ledger.record(0, { ...MINED, costWei: 1_000n, isReverted: true });
    expect([ledger.isSpent(250n, 'plain'), ledger.isSpent(800n, 'plain')]).toEqual([false, true]);
  });
});
