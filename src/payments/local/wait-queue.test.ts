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
  let leaves: (() => void)[];
  let nonce: number;

  beforeEach(() => {
    vi.useFakeTimers();
    outstanding.clear();
    told = [];
    leaves = [];
    nonce = 0;
    slots = createPendingSlots(4, outstanding);
    line = waitQueue<string>({
      slots,
      along: (first, others) => (first === 'alone' ? [] : others.filter((other) => other !== 'alone')),
      begin([first, ...others], leave) {
        told.push([first, ...others].join('+'));
        leaves.push(leave);
      },
      tooLate: (item) => told.push(`${item} too late`),
    });
    for (const item of ['a', 'b', 'c']) enter(item);
    told = [];
  });
  afterEach(() => vi.useRealTimers());

  const enter = (item: string, wait = {}) => line.enter(item, { forMs: 60_000, gatherMs: 50, ...wait });
  /** What has a slot is on its way now. */
  const sent = () => {
    for (const leave of leaves.splice(0)) {
      outstanding.set(nonce, 'sent');
      nonce += 1;
      leave();
    }
  };
  const mined = () => {
    outstanding.delete(Math.min(...outstanding.keys()));
    slots.look();
  };

  it('lets together in who comes within the time of the first, and no later than that', () => {
    enter('d');
    vi.advanceTimersByTime(30);
    enter('e');
    vi.advanceTimersByTime(19);
    expect(told).toEqual([]);
    vi.advanceTimersByTime(1);
    expect(told).toEqual(['d+e']);
  });

  it('does not begin early when something is sent, or has ended while slots stay scarce', () => {
    enter('d');
    sent();
    outstanding.set(100, 'of another');
    mined();
    expect(told).toEqual([]);
    vi.advanceTimersByTime(50);
    expect(told).toEqual(['d']);
  });

  it('gathers again, one time after the other', () => {
    enter('d');
    vi.advanceTimersByTime(50);
    sent();
    mined();
    enter('e');
    vi.advanceTimersByTime(10);
    enter('f');
    vi.advanceTimersByTime(40);
    expect(told).toEqual(['d', 'e+f']);
  });

  it('lets in at once when slots become plenty meanwhile', () => {
    sent();
    enter('d');
    mined();
    mined();
    expect(told).toEqual(['d']);
  });

  it('lets in at once who has waited as long for a free slot', () => {
    enter('alone', { gatherMs: 0 });
    sent();
    enter('d');
    enter('e');
    vi.advanceTimersByTime(500);
    expect(told).toEqual(['alone']);
    mined();
    expect(told).toEqual(['alone', 'd+e']);
  });

  it('keeps nobody waiting who had a slot in vain, and leaves the others to gather', () => {
    enter('d');
    enter('alone', { isNext: true });
    expect(told).toEqual(['alone']);
    sent();
    mined();
    vi.advanceTimersByTime(50);
    expect(told).toEqual(['alone', 'd']);
  });

  it('lets in at once who has no time to gather, and earlier who has little', () => {
    enter('d', { forMs: 80 });
    vi.advanceTimersByTime(29);
    expect(told).toEqual([]);
    vi.advanceTimersByTime(1);
    expect(told).toEqual(['d']);
    sent();
    mined();
    enter('e', { forMs: 50 });
    expect(told).toEqual(['d', 'e']);
  });
});
