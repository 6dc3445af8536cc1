import type { PendingSlots } from './pending-slots.ts';

/** A queue for slots, in order of arrival. */
export type WaitQueue<Item> = {
  /** Waits at most `forMs`. `isNext`: an item that had a slot in vain goes to the front. */
  enter(item: Item, wait: { readonly forMs: number; readonly isNext?: boolean }): void;
};

export type WaitQueueParts<Item> = {
  readonly slots: Pick<PendingSlots, 'take' | 'onFree' | 'isScarce'>;
  /** Which of the others share the first one's slot. */
  readonly along: (first: Item, others: readonly Item[]) => readonly Item[];
  /** While slots are scarce, those who come within so many milliseconds look for them together. */
  readonly gatherMs?: () => number;
  /** Called for the items that get a slot. `leave` gives it back and must always be called. */
  readonly begin: (items: readonly [Item, ...Item[]], leave: () => void) => void;
  /** Called once for each item whose time is over. */
  readonly tooLate: (item: Item) => void;
};

export function waitQueue<Item>(parts: WaitQueueParts<Item>): WaitQueue<Item> {
  const { slots, along, gatherMs = () => 0, begin, tooLate } = parts;
  const waiting: { readonly item: Item; readonly timer: NodeJS.Timeout }[] = [];
  let gathering: NodeJS.Timeout | null = null;

  function remove(at: number): void {
    for (const { timer } of waiting.splice(at, 1)) clearTimeout(timer);
  }

  function look(): void {
    while (waiting.length > 0) {
      const leave = slots.take();
      if (leave === null) return;
      const [first, ...others] = waiting.map(({ item }) => item) as [Item, ...Item[]];
      const going = [first, ...along(first, others)] as const;
      for (const one of going) remove(waiting.findIndex(({ item }) => item === one));
      begin([...going], leave);
    }
  }

  /** Looks for slots now, or a moment later where they are scarce and none who waits has to hurry. */
  function lookOrGather(hurries: boolean): void {
    const waitMs = hurries || !slots.isScarce() ? 0 : gatherMs();
    if (waitMs === 0) look();
    else if (waiting.length > 0)
      gathering ??= setTimeout(() => {
        gathering = null;
        look();
      }, waitMs).unref();
  }

  slots.onFree(() => lookOrGather(false));
  return {
    enter(item, { forMs, isNext = false }) {
      const timer = setTimeout(() => {
        remove(waiting.indexOf(entry));
        tooLate(item);
      }, forMs).unref();
      const entry = { item, timer };
      if (isNext) waiting.unshift(entry);
      else waiting.push(entry);
      lookOrGather(isNext || forMs <= gatherMs());
    },
  };
}
