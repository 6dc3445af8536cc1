import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createInFlight, createNonces, type InFlight } from './account.ts';

describe("the account's nonces", () => {
  it("begin with the node's transaction count and go up", () => {
    const nonces = createNonces();
    expect(nonces.isStale()).toBe(true);
    nonces.learn(7);
    expect([nonces.isStale(), nonces.take(), nonces.take()]).toEqual([false, 7, 8]);
  });

  it('are used again if they were returned, the last one first', () => {
    const nonces = createNonces();
    nonces.learn(0);
    nonces.take();
    nonces.take();
    nonces.giveBack(0);
    expect(nonces.gaps()).toEqual([0]);
    nonces.giveBack(1);
    expect([nonces.gaps(), nonces.take()]).toEqual([[], 0]);
  });

  it('fill a gap before a new nonce is used', () => {
    const nonces = createNonces();
    nonces.learn(3);
    expect([nonces.take(), nonces.take(), nonces.take()]).toEqual([3, 4, 5]);
    nonces.giveBack(4);
    expect([nonces.gaps(), nonces.take(), nonces.take()]).toEqual([[4], 4, 6]);
  });

  it('skip a nonce that somebody else has used, once the node has been asked again', () => {
    const nonces = createNonces();
    nonces.learn(0);
    nonces.spend(nonces.take());
    nonces.doubt();
    nonces.learn(5);
    expect(nonces.take()).toBe(5);
  });

  it('stay reserved while pending, even when a lagging node is asked', () => {
    const nonces = createNonces();
    nonces.learn(0);
    expect([nonces.take(), nonces.take()]).toEqual([0, 1]);
    nonces.doubt();
    nonces.learn(0);
    expect(nonces.take()).toBe(2);
  });

  it('are never given out twice, and none is skipped', () => {
    fc.assert(
      fc.property(
        fc.array(fc.constantFrom('take', 'take', 'giveBack', 'mine'), { maxLength: 200 }),
        (steps) => {
          const nonces = createNonces();
          nonces.learn(0);
          const out: number[] = [];
          let mined = 0;
          for (const step of steps) {
            if (step === 'take') {
              const nonce = nonces.take();
              expect(out).not.toContain(nonce);
              expect(nonce).toBeGreaterThanOrEqual(mined);
              out.push(nonce);
            } else if (step === 'giveBack' && out.length > 0) {
              nonces.giveBack(out.splice(out.length >> 1, 1)[0] as number);
            } else if (step === 'mine' && out.includes(mined)) {
              out.splice(out.indexOf(mined), 1);
              nonces.spend(mined);
              mined += 1;
            }
          }
          // From the first nonce that is not mined on, each one is in use, free, or not given out yet: there is no
          // gap.
          const known = [...out, ...nonces.gaps()].sort((a, b) => a - b);
          expect(known).toEqual(known.map((_, index) => mined + index));
        },
      ),
    );
  });
});

const SENT = { isParked: false };

describe('slots among the transactions in flight', () => {
  const pending = new Map<number, { isParked: boolean }>();
  let inFlight: InFlight;
  let log: string[];
  let leaves: Map<string, () => void>;

  beforeEach(() => {
    vi.useFakeTimers();
    pending.clear();
    log = [];
    leaves = new Map();
    inFlight = createInFlight(pending, 2);
  });
  afterEach(() => vi.useRealTimers());

  const enter = async (name: string, wait: { forMs?: number; isNext?: boolean } = {}) => {
    void inFlight.enter({ forMs: 60_000, ...wait }).then((leave) => {
      log.push(leave === null ? `${name} too late` : name);
      if (leave !== null) leaves.set(name, leave);
    });
    await vi.advanceTimersByTimeAsync(0);
  };
  const leave = async (name: string) => {
    leaves.get(name)?.();
    await vi.advanceTimersByTimeAsync(0);
  };

  it('are assigned in order of arrival, each once', async () => {
    for (const name of ['a', 'b', 'c', 'd']) await enter(name);
    expect(log).toEqual(['a', 'b']);
    await leave('b');
    expect(log).toEqual(['a', 'b', 'c']);
    await leave('b');
    expect(log).toEqual(['a', 'b', 'c']);
  });

  it('are taken by pending transactions until those end', async () => {
    await enter('a');
    await enter('b');
    pending.set(7, SENT);
    await leave('a');
    await enter('c');
    expect([log, inFlight.isOneComing()]).toEqual([['a', 'b'], true]);
    pending.delete(7);
    inFlight.ended(true);
    await vi.advanceTimersByTimeAsync(0);
    expect(log).toEqual(['a', 'b', 'c']);
  });

  it('are not assigned while the node has no room for an earlier transaction', async () => {
    const parked = { isParked: true };
    pending.set(7, parked);
    await enter('a');
    expect(log).toEqual([]);
    parked.isParked = false;
    inFlight.look();
    await vi.advanceTimersByTimeAsync(0);
    expect(log).toEqual(['a']);
  });

  it('go first to a transaction for which a node had no room', async () => {
    for (const name of ['a', 'b', 'c']) await enter(name);
    await enter('a again', { isNext: true });
    await leave('a');
    await leave('b');
    expect(log).toEqual(['a', 'b', 'a again', 'c']);
  });

  it('are not waited for once the time is up', async () => {
    for (const name of ['a', 'b']) await enter(name);
    await enter('c', { forMs: 1_000 });
    await enter('d', { forMs: 2_000 });
    await vi.advanceTimersByTimeAsync(1_500);
    await leave('a');
    await vi.advanceTimersByTimeAsync(10_000);
    expect(log).toEqual(['a', 'b', 'c too late', 'd']);
  });
});

describe('many pending transactions', () => {
  it('are sent one after another from the eighth on, so that none overtakes a refused one', async () => {
    const pending = new Map<number, { isParked: boolean }>();
    const inFlight = createInFlight(pending);
    const entered: (() => void)[] = [];
    for (let count = 0; count < 12; count += 1)
      void inFlight.enter({ forMs: 60_000 }).then((leave) => leave !== null && entered.push(leave));
    await new Promise(setImmediate);
    expect(entered).toHaveLength(8);
    for (let nonce = 0; nonce < 8; nonce += 1) {
      pending.set(nonce, SENT);
      entered[nonce]?.();
    }
    await new Promise(setImmediate);
    expect(entered).toHaveLength(9);
    // The node has no room for the ninth transaction, so no later one is sent.
    pending.set(8, { isParked: true });
    entered[8]?.();
    await new Promise(setImmediate);
    expect([entered.length, inFlight.isCrowded()]).toEqual([9, true]);
  });
});

describe('the limit of transactions in flight', () => {
  const pending = new Map<number, { isParked: boolean }>();
  let inFlight: InFlight;
  const send = (from: number, to: number) => {
    for (let nonce = from; nonce < to; nonce += 1) pending.set(nonce, SENT);
  };
  const mine = (nonce: number) => {
    pending.delete(nonce);
    inFlight.ended(true);
  };
  beforeEach(() => {
    pending.clear();
    inFlight = createInFlight(pending);
  });

  it('is halved once for all that were sent together and refused', () => {
    send(0, 50);
    for (let nonce = 16; nonce < 50; nonce += 1) inFlight.noRoom(nonce);
    expect(inFlight.limit()).toBe(32);
    send(50, 60);
    for (let nonce = 50; nonce < 60; nonce += 1) inFlight.noRoom(nonce);
    expect(inFlight.limit()).toBe(16);
  });

  it('is never less than one', () => {
    for (let nonce = 0; nonce < 20; nonce += 1) {
      pending.set(nonce, SENT);
      inFlight.noRoom(nonce);
    }
    expect(inFlight.limit()).toBe(1);
  });

  it('grows by one for each transaction that is mined while the limit is reached, up to its initial value', () => {
    send(0, 32);
    inFlight.noRoom(31);
    expect(inFlight.limit()).toBe(32);
    mine(0);
    expect(inFlight.limit()).toBe(33);
    // Fewer transactions are in flight than the limit allows.
    mine(1);
    expect(inFlight.limit()).toBe(33);
    for (let nonce = 100; nonce < 400; nonce += 1) {
      send(nonce, nonce + 70);
      mine(nonce);
    }
    expect(inFlight.limit()).toBe(64);
  });

  it('does not grow for a transaction that ended without being mined', () => {
    send(0, 64);
    inFlight.noRoom(63);
    pending.delete(0);
    inFlight.ended(false);
    expect(inFlight.limit()).toBe(32);
  });
});
