import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { LEASE_MS, MARGIN_MS, memory, processOn, RENEW_MS } from '../../test/support/lease-bench.ts';
import type { Lease } from './lease.ts';

describe('one of several that processes lease from each other', () => {
  let store: ReturnType<typeof memory>;
  const running: Lease[] = [];
  const start = (names: readonly string[]) => {
    const made = processOn(store, names);
    running.push(made.lease);
    return made;
  };
  beforeEach(() => {
    vi.useFakeTimers();
    store = memory(Date.now);
  });
  afterEach(async () => {
    const ended = Promise.all(running.splice(0).map((lease) => lease.end(false)));
    await vi.advanceTimersByTimeAsync(60_000);
    await ended;
    vi.useRealTimers();
  });
  /** A store that has been there for longer than a lease. */
  const settled = () => vi.advanceTimersByTimeAsync(LEASE_MS + 1_000);

  it('goes to one each, and to nobody who comes when none is free', async () => {
    const [a, b, c] = [start(['x', 'y']), start(['x', 'y']), start(['x', 'y'])];
    await settled();
    expect([a.place(), b.place(), c.place()]).toEqual([0, 1, undefined]);
    expect([a.mayUse(), b.mayUse(), c.mayUse()]).toEqual([true, true, false]);
    expect([c.lease.leased(), c.lease.place(), a.lease.place()]).toEqual([2, null, 0]);
    const ended = a.lease.end(true);
    expect(a.mayUse()).toBe(false);
    await vi.advanceTimersByTimeAsync(500);
    await ended;
    expect([c.place(), c.mayUse()]).toEqual([0, true]);
  });

  it('is held for hours, without a gap', async () => {
    const a = start(['x']);
    await settled();
    for (let minutes = 0; minutes < 60 * 8; minutes += 1) {
      await vi.advanceTimersByTimeAsync(60_000);
      expect(a.mayUse()).toBe(true);
    }
    expect(a.terms).toEqual([null, 0]);
  });

  it('may be used no more before it runs out, and again once it is renewed: nobody had it meanwhile', async () => {
    const a = start(['x']);
    await settled();
    a.way.isLost = 'there';
    await vi.advanceTimersByTimeAsync(LEASE_MS - MARGIN_MS - RENEW_MS - 1_000);
    expect(a.mayUse()).toBe(true);
    await vi.advanceTimersByTimeAsync(2 * RENEW_MS);
    expect(a.mayUse()).toBe(false);
    expect(store.leases.get('{paid}:lease:x')?.until).toBeGreaterThan(Date.now());
    a.way.isLost = 'no';
    await vi.advanceTimersByTimeAsync(RENEW_MS);
    expect(a.mayUse()).toBe(true);
    expect(a.terms).toEqual([null, 0]);
  });

  it('counts from when it was asked for, however late the answer comes', async () => {
    const a = start(['x']);
    await settled();
    a.way.backMs = 900;
    await vi.advanceTimersByTimeAsync(5_000);
    a.way.isLost = 'there';
    let used = 0;
    for (let ms = 0; ms < LEASE_MS && a.mayUse(); ms += 50) {
      await vi.advanceTimersByTimeAsync(50);
      used += 50;
    }
    const left = (store.leases.get('{paid}:lease:x')?.until ?? 0) - Date.now();
    expect(used).toBeLessThan(LEASE_MS - MARGIN_MS);
    expect(left).toBeGreaterThanOrEqual(MARGIN_MS);
  });

  it('is another term once somebody else had it, or may have had it', async () => {
    const a = start(['x']);
    await settled();
    a.way.isLost = 'there';
    const b = start(['x']);
    await vi.advanceTimersByTimeAsync(LEASE_MS + 1_000);
    expect([a.mayUse(), b.mayUse()]).toEqual([false, true]);
    a.way.isLost = 'no';
    await vi.advanceTimersByTimeAsync(RENEW_MS);
    expect(a.terms).toEqual([null, 0, null]);
    const ended = b.lease.end(true);
    await vi.advanceTimersByTimeAsync(1_000);
    await ended;
    expect(a.terms).toEqual([null, 0, null, 0]);
    expect(a.mayUse()).toBe(true);
  });

  it('is not given back by who has lost it', async () => {
    const a = start(['x']);
    await settled();
    a.way.isLost = 'there';
    const b = start(['x']);
    await vi.advanceTimersByTimeAsync(LEASE_MS + 1_000);
    expect(b.mayUse()).toBe(true);
    a.way.isLost = 'no';
    await a.lease.end(true);
    await vi.advanceTimersByTimeAsync(LEASE_MS);
    expect(b.terms).toEqual([null, 0]);
    expect(b.mayUse()).toBe(true);
  });

  it('stays leased when its holder ends with something under way', async () => {
    const a = start(['x']);
    await settled();
    await a.lease.end(false);
    const b = start(['x']);
    await vi.advanceTimersByTimeAsync(LEASE_MS - 2 * RENEW_MS);
    expect(b.mayUse()).toBe(false);
    await vi.advanceTimersByTimeAsync(2 * RENEW_MS + 500);
    expect(b.mayUse()).toBe(true);
  });

  it('is found again when the answer to its taking was lost', async () => {
    const a = start(['x', 'y']);
    await vi.advanceTimersByTimeAsync(LEASE_MS - 400);
    a.way.isLost = 'back';
    await vi.advanceTimersByTimeAsync(1_000);
    expect([a.mayUse(), store.leases.size]).toEqual([false, 1]);
    a.way.isLost = 'no';
    await vi.advanceTimersByTimeAsync(500);
    expect([a.place(), a.mayUse(), store.leases.size]).toEqual([0, true, 1]);
  });

  it('is given to nobody by a server that may have forgotten it, until it must have run out', async () => {
    const a = start(['x']);
    await settled();
    a.way.isLost = 'there';
    store.restart('b');
    const b = start(['x']);
    const from = Date.now();
    while (!b.mayUse() && Date.now() - from < 60_000) {
      await vi.advanceTimersByTimeAsync(100);
      expect([a.mayUse(), b.mayUse()].filter(Boolean).length).toBeLessThan(2);
    }
    expect(b.mayUse()).toBe(true);
    expect(Date.now() - from).toBeGreaterThanOrEqual(LEASE_MS);
  });

  it('never belongs to two, whatever is late, lost, forgotten or paused', { timeout: 120_000 }, async () => {
    const step = fc.record({
      who: fc.nat(2),
      what: fc.constantFrom('there', 'back', 'no', 'no', 'end', 'forget'),
      thereMs: fc.constantFrom(0, 0, 400, 900, 1_500),
      backMs: fc.constantFrom(0, 0, 400, 900, 1_500),
      forMs: fc.integer({ min: 100, max: 12_000 }),
    });
    let held = 0;
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 3, maxLength: 12 }), async (steps) => {
        store = memory(Date.now);
        const names = ['x', 'y'];
        const all = [start(names), start(names), start(names)];
        // When each place was last begun to be used, by whom: what is begun may take the margin.
        const uses = new Map<number, { by: number; at: number }>();
        const look = () => {
          for (const [by, one] of all.entries()) {
            const place = one.place();
            if (place === undefined || !one.mayUse()) continue;
            const last = uses.get(place);
            if (last !== undefined && last.by !== by && last.at + MARGIN_MS > Date.now())
              throw new Error(`${place} belongs to ${last.by} and ${by}`);
            uses.set(place, { by, at: Date.now() });
            held += 1;
          }
        };
        let lives = 0;
        for (const { who, what, forMs, thereMs, backMs } of steps) {
          const one = all[who] as (typeof all)[number];
          if (what === 'forget') store.restart('abcdef0123456789'[++lives % 16] as string);
          else if (what === 'end') {
            // Drained: nothing that it began is under way.
            for (const [place, { by }] of uses) if (by === who) uses.delete(place);
            void one.lease.end(true);
            all[who] = start(names);
          } else Object.assign(one.way, { isLost: what, thereMs, backMs });
          for (let ms = 0; ms < forMs; ms += 100) {
            await vi.advanceTimersByTimeAsync(100);
            look();
          }
        }
        const ended = Promise.all(running.splice(0).map((lease) => lease.end(false)));
        await vi.advanceTimersByTimeAsync(10_000);
        await ended;
      }),
      { numRuns: 300 },
    );
    expect(held).toBeGreaterThan(1_000);
  });
});
