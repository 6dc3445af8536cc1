import type { PendingSlots } from './pending-slots.ts';

/** How an item waits. */
export type Wait = {
  /** The longest time. */
  readonly forMs: number;
  /** It had a slot in vain and goes to the front. */
  readonly isNext?: boolean;
  /** While slots are scarce, it takes none by itself for so long: others may come who go along. */
  readonly gatherMs?: number;
};

/** A queue for slots, in order of arrival. */
export type WaitQueue<Item> = {
  enter(item: Item, wait: Wait): void;
};

export type WaitQueueParts<Item> = {
  readonly slots: Pick<PendingSlots, 'take' | 'onFree' | 'isScarce'>;
  /** Which of the others share the first one's slot. */
  readonly along: (first: Item, others: readonly Item[]) => readonly Item[];
  /** Called for the items that get a slot. `leave` gives it back and must always be called. */
  readonly begin: (items: readonly [Item, ...Item[]], leave: () => void) => void;
  /** Called once for each item whose time is over. */
  readonly tooLate: (item: Item) => void;
};

type Entry<Item> = Required<Pick<Wait, 'isNext'>> & {
  readonly item: Item;
  readonly timer: NodeJS.Timeout;
  /** When its time is over, by `performance.now()`. */
  readonly until: number;
  /** From when on it takes a slot by itself. */
  readonly dueAt: number;
};

/** It gathers for so long, and no longer than leaves it as much time to find a slot. */
const dueAfter = (gatherMs: number, until: number): number =>
  Math.min(performance.now() + gatherMs, until - gatherMs);

export function waitQueue<Item>({ slots, along, begin, tooLate }: WaitQueueParts<Item>): WaitQueue<Item> {
  const waiting: Entry<Item>[] = [];
  let waking: NodeJS.Timeout | undefined;

  function remove(entry: Entry<Item>): void {
    clearTimeout(entry.timer);
    waiting.splice(waiting.indexOf(entry), 1);
  }

  function look(): void {
    for (let first = next(); first !== undefined; first = next()) {
      const leave = slots.take();
      // Looked for again when one becomes free.
      if (leave === null) break;
      remove(first);
      const others = along(
        first.item,
        waiting.map(({ item }) => item),
      );
      for (const entry of waiting.filter(({ item }) => others.includes(item))) remove(entry);
      begin([first.item, ...others], leave);
    }
    wakeInTime();
  }

  const next = (): Entry<Item> | undefined =>
    slots.isScarce() ? waiting.find(({ dueAt }) => dueAt <= performance.now()) : waiting[0];

  /** Looks again as soon as the next one has gathered. */
  function wakeInTime(): void {
    clearTimeout(waking);
    const now = performance.now();
    const dueAt = Math.min(...waiting.map((entry) => entry.dueAt).filter((at) => at > now));
    if (dueAt < Number.POSITIVE_INFINITY) waking = setTimeout(look, Math.ceil(dueAt - now)).unref();
  }

  slots.onFree(look);
  return {
    enter(item, { forMs, isNext = false, gatherMs = 0 }) {
      const timer = setTimeout(() => {
        remove(entry);
        tooLate(item);
      }, forMs).unref();
      const until = performance.now() + forMs;
      const entry = { item, timer, isNext, until, dueAt: dueAfter(isNext ? 0 : gatherMs, until) };
      if (isNext) waiting.unshift(entry);
      else waiting.push(entry);
      look();
    },
  };
}
