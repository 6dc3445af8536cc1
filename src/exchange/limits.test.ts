import { describe, expect, it } from 'vitest';
import { orderOf } from '../../test/support/order.ts';
import { refusalLimit } from '../surfaces/calls/limits.ts';
import { unprovenPayments } from './limits.ts';

const SECOND = 1_000;

function parts(limit = 1_000) {
  const clock = { nowMs: 0 };
  return { clock, unproven: unprovenPayments({ limit: refusalLimit(limit), now: () => clock.nowMs }) };
}

describe('slots for unproven payments', () => {
  it('are limited to 32 for each caller, and callers do not share them', async () => {
    const { unproven } = parts();
    const places = await Promise.all(Array.from({ length: 32 }, () => unproven.enter('a')));
    const entered: string[] = [];
    const enter = (name: string) => void unproven.enter('a').then(() => entered.push(name));
    const settled = () => new Promise((resolve) => setImmediate(resolve));
    enter('first');
    expect(await unproven.enter('b')).not.toBeNull();
    await settled();
    expect(entered).toEqual([]);
    places[0]?.();
    // Releasing a slot twice frees only one.
    places[0]?.();
    enter('second');
    await settled();
    expect(entered).toEqual(['first']);
    places[1]?.();
    await settled();
    expect(entered).toEqual(['first', 'second']);
  });

  it('have a queue of at most 256 payments for each caller', async () => {
    const { unproven } = parts();
    for (let taken = 0; taken < 32 + 256; taken += 1) void unproven.enter('a');
    expect(await unproven.enter('a')).toBeNull();
    expect(await unproven.enter('b')).not.toBeNull();
  });

  it('have a queue of at most 4,096 payments of all callers together', async () => {
    const { unproven } = parts();
    for (let caller = 0; caller < 16; caller += 1)
      for (let taken = 0; taken < 32 + 256; taken += 1) void unproven.enter(`caller ${caller}`);
    for (let taken = 0; taken < 32; taken += 1) expect(await unproven.enter('a')).not.toBeNull();
    expect(await unproven.enter('a')).toBeNull();
  });
});

describe('refused payments', () => {
  const { payment } = orderOf();

  it('are remembered for ten minutes if they are already used on the chain', async () => {
    const { clock, unproven } = parts();
    await unproven.refused('a', payment, 'invalid_exact_evm_nonce_already_used');
    clock.nowMs = 600 * SECOND;
    expect(unproven.knownRefusal(payment)).toBe('invalid_exact_evm_nonce_already_used');
    clock.nowMs += 1;
    expect(unproven.knownRefusal(payment)).toBeNull();
  });

  it('are remembered for five seconds, by every field and the signature', async () => {
    const { clock, unproven } = parts();
    await unproven.refused('a', payment, 'insufficient_funds');
    expect(unproven.knownRefusal(payment)).toBe('insufficient_funds');
    expect(unproven.knownRefusal({ ...payment, signature: '0x33' })).toBeNull();
    const later = { ...payment.authorization, validBefore: payment.authorization.validBefore + 1n };
    expect(unproven.knownRefusal({ ...payment, authorization: later })).toBeNull();
    clock.nowMs = 5 * SECOND;
    expect(unproven.knownRefusal(payment)).toBe('insufficient_funds');
    clock.nowMs = 5 * SECOND + 1;
    expect(unproven.knownRefusal(payment)).toBeNull();
  });

  it('are counted for each caller, who must wait for the next minute once over the limit', async () => {
    const { unproven } = parts(2);
    await unproven.refused('a', payment, 'x');
    expect(await unproven.restSeconds('a')).toBeNull();
    await unproven.refused('a', payment, 'x');
    await unproven.refused('a', payment, 'x');
    expect(await unproven.restSeconds('a')).toBe(60);
    expect(await unproven.restSeconds('b')).toBeNull();
  });
});
