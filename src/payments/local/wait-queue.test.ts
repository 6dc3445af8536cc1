import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createPendingSlots, type PendingSlots } from './pending-slots.ts';
import { type WaitQueue, waitQueue } from './wait-queue.ts';

describe('a line for two slots', () => {
  const outstanding = new Map<number, string>();
  let slots: PendingSlots;
  let line: WaitQueue<string>;
  let told: string[];
  /** Gives back the place of what began. */
  let leaves: Map<string, () => void>;

  beforeEach(() => {
    outstanding.clear();
    told = [];
    leaves = new Map();
    slots = createPendingSlots(2, outstanding);
    line = waitQueue<string>({
      slots,
      along: (first, others) =>
        others.filter((other) => first.startsWith('along') && other.startsWith('along')),
      begin([first, ...others], leave) {
        told.push([first, ...others].join('+'));
        leaves.set(first, leave);
      },
      tooLate: (item) => told.push(`${item} too late`),
    });
  });

  const enterAll = (...items: string[]) => {
    for (const item of items) line.enter(item, { forMs: 60_000 });
  };

  it('lets in as many as there are slots, and the others in their order', () => {
    enterAll('a', 'b', 'c', 'd');
    expect(told).toEqual(['a', 'b']);
    leaves.get('b')?.();
    expect(told).toEqual(['a', 'b', 'c']);
    // Given back twice, it is one place.
    leaves.get('b')?.();
    expect(told).toEqual(['a', 'b', 'c']);
  });

  it('counts what is outstanding until it has ended', () => {
    enterAll('a', 'b');
    outstanding.set(7, 'a');
    leaves.get('a')?.();
    enterAll('c');
    expect(told).toEqual(['a', 'b']);
    expect(slots.isOneComing()).toBe(true);
    outstanding.delete(7);
    slots.look();
    expect(told).toEqual(['a', 'b', 'c']);
  });

  it('lets one who had a place in vain go first', () => {
    enterAll('a', 'b', 'c');
    line.enter('a again', { forMs: 60_000, isNext: true });
    leaves.get('a')?.();
    leaves.get('b')?.();
    expect(told).toEqual(['a', 'b', 'a again', 'c']);
  });

  it('lets others go along in the place of the first, past those who do not', () => {
    enterAll('a', 'b', 'along 1', 'c', 'along 2', 'along 3');
    leaves.get('a')?.();
    leaves.get('b')?.();
    expect(told).toEqual(['a', 'b', 'along 1+along 2+along 3', 'c']);
  });

  it('tells whose time is over, once, and gives the place to the next', () => {
    vi.useFakeTimers();
    try {
      enterAll('a', 'b');
      line.enter('c', { forMs: 1_000 });
      line.enter('d', { forMs: 2_000 });
      vi.advanceTimersByTime(1_500);
      expect(told).toEqual(['a', 'b', 'c too late']);
      leaves.get('a')?.();
      vi.advanceTimersByTime(10_000);
      expect(told).toEqual(['a', 'b', 'c too late', 'd']);
    } finally {
      vi.useRealTimers();
    }
  });
});

describe('a line that gathers while over half of four slots are taken', () => {
  const outstanding = new Map<number, string>();
  let slots: PendingSlots;
  let line: WaitQueue<string>;
  let told: string[];
  let gatherMs: number;

  beforeEach(() => {
    vi.useFakeTimers();
    outstanding.clear();
    told = [];
    gatherMs = 50;
    slots = createPendingSlots(4, outstanding);
    line = waitQueue<string>({
      slots,
      gatherMs: () => gatherMs,
      along: (_, others) => others,
      begin([first, ...others], leave) {
        told.push([first, ...others].join('+'));
        outstanding.set(outstanding.size, first);
        leave();
      },
      tooLate: (item) => told.push(`${item} too late`),
    });
    for (const item of ['a', 'b', 'c']) line.enter(item, { forMs: 60_000 });
  });
  afterEach(() => vi.useRealTimers());

  it('lets each in alone and at once up to there, and then those together who come within the time', () => {
    expect(told).toEqual(['a', 'b', 'c']);
    line.enter('d', { forMs: 60_000 });
    vi.advanceTimersByTime(30);
    line.enter('e', { forMs: 60_000 });
    vi.advanceTimersByTime(19);
    expect(told).toEqual(['a', 'b', 'c']);
    vi.advanceTimersByTime(1);
    expect(told).toEqual(['a', 'b', 'c', 'd+e']);
  });

  it('lets in at once when slots become plenty meanwhile', () => {
    line.enter('d', { forMs: 60_000 });
    outstanding.clear();
    slots.look();
    expect(told).toEqual(['a', 'b', 'c', 'd']);
  });

  it('keeps nobody waiting who has no time, or who had a slot in vain', () => {
    line.enter('d', { forMs: 50 });
    expect(told).toEqual(['a', 'b', 'c', 'd']);
    outstanding.delete(0);
    line.enter('e', { forMs: 60_000, isNext: true });
    expect(told).toEqual(['a', 'b', 'c', 'd', 'e']);
  });

  it('gathers nobody while all go alone', () => {
    gatherMs = 0;
    line.enter('d', { forMs: 60_000 });
    expect(told).toEqual(['a', 'b', 'c', 'd']);
  });
});
