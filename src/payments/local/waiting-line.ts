import type { Places } from './places.ts';

/** Those who wait for a place, in the order in which they came. */
export type WaitingLine<Item> = {
  /** Waits for so long at most. `isNext`: one who had a place in vain goes before all others. */
  enter(item: Item, wait: { readonly forMs: number; readonly isNext?: boolean }): void;
};

export type WaitingLineParts<Item> = {
  readonly places: Pick<Places, 'take' | 'onFree'>;
  /** Who of those behind the first one goes along in its place; nobody when left out. */
  readonly along?: (first: Item, others: readonly Item[]) => readonly Item[];
  /** Called for those who get a place. `leave` gives it back, and is to be called whatever comes. */
  readonly begin: (items: readonly [Item, ...Item[]], leave: () => void) => void;
  /** Called once for each whose time is over before. */
  readonly tooLate: (item: Item) => void;
};

export function waitingLine<Item>(parts: WaitingLineParts<Item>): WaitingLine<Item> {
  const { places, along = () => [], begin, tooLate } = parts;
  const waiting: { readonly item: Item; readonly timer: NodeJS.Timeout }[] = [];

  function remove(at: number): void {
    for (const { timer } of waiting.splice(at, 1)) clearTimeout(timer);
  }

  function look(): void {
    while (waiting.length > 0) {
      const leave = places.take();
      if (leave === null) return;
      const [first, ...others] = waiting.map(({ item }) => item) as [Item, ...Item[]];
      const going = [first, ...along(first, others)] as const;
      for (const one of going) remove(waiting.findIndex(({ item }) => item === one));
      begin([...going], leave);
    }
  }

  places.onFree(look);
  return {
    enter(item, { forMs, isNext = false }) {
      const timer = setTimeout(() => {
        remove(waiting.indexOf(entry));
        tooLate(item);
      }, forMs).unref();
      const entry = { item, timer };
      if (isNext) waiting.unshift(entry);
      else waiting.push(entry);
      look();
    },
  };
}
