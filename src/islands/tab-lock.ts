/** Gives a turn back. */
export type Release = () => void;

/** One tab after the other, for what must not be done by two at once. */
export type Turns = {
  /** Whether tabs know of each other. */
  readonly areShared: boolean;
  /** null when another tab has the turn. */
  take(): Promise<Release | null>;
  /** When the tab that has it is done, closed or gone. */
  wait(): Promise<Release>;
};

/** Web Locks; a browser without them, or a page over plain http, lets everybody go ahead. */
export function turnsFor(name: string): Turns {
  const { locks } = navigator as { readonly locks?: LockManager };
  if (locks === undefined) {
    const ahead = async (): Promise<Release> => () => {};
    return { areShared: false, take: ahead, wait: ahead };
  }
  const hold = (given: (release: Release) => void): Promise<void> => new Promise((done) => given(done));
  return {
    areShared: true,
    take: () =>
      new Promise((resolve, reject) => {
        const asked = locks.request(name, { ifAvailable: true }, (lock) =>
          lock === null ? resolve(null) : hold(resolve),
        );
        asked.catch(reject);
      }),
    wait: () =>
      new Promise((resolve, reject) => {
        locks.request(name, () => hold(resolve)).catch(reject);
      }),
  };
}
