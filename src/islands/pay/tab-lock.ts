/** Releases the lock. */
export type Release = () => void;

/** A lock that one tab of the browser holds at a time. */
export type TabLock = {
  /** false where the browser cannot lock between tabs. */
  readonly isShared: boolean;
  /** null while another tab holds it. */
  take(): Promise<Release | null>;
  /** Resolves when the tab that holds it has released it, or was closed. */
  wait(): Promise<Release>;
};

/** A lock of the Web Locks API; without it, in an old browser or over plain http, every tab gets the lock. */
export function tabLock(name: string): TabLock {
  const { locks } = navigator as { readonly locks?: LockManager };
  if (locks === undefined) {
    const ahead = async (): Promise<Release> => () => {};
    return { isShared: false, take: ahead, wait: ahead };
  }
  const hold = (given: (release: Release) => void): Promise<void> => new Promise((done) => given(done));
  return {
    isShared: true,
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
