import { describe, expect, it } from 'vitest';
import { orderOf } from '../../test/support/order.ts';
import { refusalLimit } from '../surfaces/calls/limits.ts';
import { createFirstSeen, createRechecks, createSlots, unprovenPayments } from './limits.ts';
import type { Outcome } from './purchase.ts';

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
    const refused: number[] = [];
    for (let nth = 1; nth <= 32 + 257; nth += 1)
      void unproven.enter('a').then((leave) => leave === null && refused.push(nth));
    expect(await unproven.enter('a')).toBeNull();
    expect(refused).toEqual([32 + 257]);
    expect(await unproven.enter('b')).not.toBeNull();
  });

  it('have a queue of at most 4,096 payments of all callers together, with room again once one has left it', async () => {
    const { unproven } = parts();
    const first = await unproven.enter('caller 1');
    const refused: string[] = [];
    for (let nth = 2; nth <= 16 * (32 + 256); nth += 1) {
      const caller = `caller ${Math.ceil(nth / (32 + 256))}`;
      void unproven.enter(caller).then((leave) => leave === null && refused.push(caller));
    }
    const places = await Promise.all(Array.from({ length: 32 }, () => unproven.enter('a')));
    expect(places).not.toContain(null);
    expect(await unproven.enter('a')).toBeNull();
    expect(refused).toEqual([]);
    first?.();
    await new Promise((resolve) => setImmediate(resolve));
    const waiting = unproven.enter('a');
    expect(await unproven.enter('a')).toBeNull();
    places[0]?.();
    expect(await waiting).not.toBeNull();
  });

  it('are free again for a caller whose payments have all left them', async () => {
    const { unproven } = parts();
    for (const _time of [1, 2]) {
      const places = await Promise.all(Array.from({ length: 32 }, () => unproven.enter('a')));
      const next = unproven.enter('a');
      for (const leave of places) leave?.();
      (await next)?.();
    }
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

  it('are at most ten thousand, and the oldest is forgotten first', async () => {
    const { unproven } = parts(1_000_000);
    const signed = (index: number) => ({ ...payment, signature: `0x${index}` as const });
    for (let index = 0; index <= 10_000; index += 1) await unproven.refused('a', signed(index), 'x');
    expect([0, 1, 10_000].map((index) => unproven.knownRefusal(signed(index)))).toEqual([null, 'x', 'x']);
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

describe('the record of when a payment was first seen', () => {
  it('is displaced only by later records of the same caller, oldest first', () => {
    const sights = createFirstSeen();
    sights.note('honest', 'a', 1);
    for (let index = 0; index < 10_001; index += 1) sights.note(`theirs ${index}`, 'b', 2);
    expect(sights.of('honest')).toBe(1);
    expect(sights.of('theirs 9900')).toBeUndefined();
    expect(sights.of('theirs 9901')).toBe(2);
  });

  it('is one of at most ten thousand records', () => {
    const sights = createFirstSeen();
    for (let index = 0; index <= 10_000; index += 1) sights.note(`${index}`, `caller ${index}`, index);
    expect([sights.of('0'), sights.of('1')]).toEqual([undefined, 1]);
  });

  it('keeps the first time, and is deleted on request', () => {
    const sights = createFirstSeen();
    sights.note('one', 'a', 1);
    sights.note('one', 'b', 1);
    expect(sights.of('one')).toBe(1);
    sights.note('one', 'b', null);
    expect(sights.of('one')).toBeUndefined();
  });
});

it('a payer may use 128 of the 512 slots, and a released slot is free again', () => {
  const slots = createSlots();
  const taken = (payer: string, times: number) =>
    Array.from({ length: times }, () => slots.of(payer)).filter((slot) => slot.take());
  const [first] = taken('a', 128);
  expect(taken('a', 1)).toEqual([]);
  first?.release();
  first?.release();
  expect(taken('a', 2)).toHaveLength(1);
  // A slot that is taken twice is one slot, and releasing it before it is taken does nothing.
  const again = slots.of('z');
  again.release();
  expect([again.take(), again.take()]).toEqual([true, true]);
  again.release();
  const others = ['b', 'c', 'd'].flatMap((payer) => taken(payer, 129));
  expect(others).toHaveLength(3 * 128);
  expect(taken('e', 1)).toEqual([]);
  others[0]?.release();
  expect(taken('e', 2)).toHaveLength(1);
});

const WAITING: Outcome = {
  state: 'conflict',
  code: 'waiting',
  detail: 'not known yet',
  receipt: null,
  retryAfterSeconds: 2,
};
const A = { key: 'a', answer: 'json' };

describe("lookups of a purchase's result", () => {
  it('become rarer, down to one every ten seconds, however often the buyer asks', async () => {
    let nowMs = 0;
    const looks = createRechecks(() => nowMs);
    const at: number[] = [];
    const look = async () => {
      at.push(nowMs);
      return WAITING;
    };
    for (; nowMs < 60_000; nowMs += 10) await looks.run(A, look);
    expect(at).toEqual([0, 250, 750, 1_750, 3_750, 7_750, 15_750, 25_750, 35_750, 45_750, 55_750]);
    const other: Outcome = { state: 'failed' };
    expect(await looks.run({ ...A, key: 'b' }, async () => other)).toBe(other);
  });

  it('report when the next lookup is due', async () => {
    let nowMs = 0;
    const looks = createRechecks(() => nowMs);
    for (; nowMs < 8_000; nowMs += 10) await looks.run(A, async () => WAITING);
    expect(await looks.run(A, async () => WAITING)).toEqual({ ...WAITING, retryAfterSeconds: 8 });
  });

  it('become rarer still for a payment that can no longer move money, down to one every five minutes', async () => {
    let nowMs = 0;
    const looks = createRechecks(() => nowMs);
    const over: Outcome = { ...WAITING, code: 'rejected_or_not_received', retryAfterSeconds: null };
    const at: number[] = [];
    const look = async () => {
      at.push(nowMs);
      return over;
    };
    for (; nowMs < 1_000_000; nowMs += 250) expect(await looks.run(A, look)).toBe(over);
    expect(at.slice(-4)).toEqual([127_750, 255_750, 511_750, 811_750]);
  });

  it('are remembered for at most ten thousand payments, and the oldest is forgotten first', async () => {
    const looks = createRechecks(() => 0);
    let looked = 0;
    const look = async () => {
      looked += 1;
      return WAITING;
    };
    for (let index = 0; index <= 10_000; index += 1) await looks.run({ ...A, key: `${index}` }, look);
    for (const key of ['1', '10000', '0']) await looks.run({ ...A, key }, look);
    expect(looked).toBe(10_002);
  });

  it('go back to the shortest pause once a result has been found', async () => {
    let nowMs = 0;
    const looks = createRechecks(() => nowMs);
    await looks.run(A, async () => WAITING);
    nowMs = 250;
    await looks.run(A, async () => ({ state: 'failed' }));
    expect(await looks.run(A, async () => WAITING)).toBe(WAITING);
    expect(await looks.run(A, async () => ({ state: 'failed' }))).toMatchObject(WAITING);
    nowMs = 500;
    expect(await looks.run(A, async () => ({ state: 'failed' }))).toEqual({ state: 'failed' });
  });

  it('are shared by all callers who ask for the same answer in the meantime', async () => {
    const looks = createRechecks(() => 0);
    let begun = 0;
    const settled: Outcome = { state: 'failed' };
    const look = async () => {
      begun += 1;
      await new Promise((resolve) => setImmediate(resolve));
      return settled;
    };
    const ends = [looks.run(A, look), looks.run(A, look), looks.run({ ...A, answer: 'markdown' }, look)];
    expect(await Promise.all(ends)).toEqual([settled, settled, settled]);
    expect(begun).toBe(2);
    await looks.run(A, look);
    expect(begun).toBe(3);
  });
});
