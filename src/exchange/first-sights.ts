/** When payments first came that could not be looked into then: that is when they were first seen. */
export type FirstSights = {
  /** Unix seconds; undefined for what is not remembered. */
  of(twin: string): number | undefined;
  /** Remembers it for a caller; null forgets it. */
  note(twin: string, caller: string, seenAt: number | null): void;
};

const MAX_KEPT = 10_000;
// While no node can be asked, anybody may present without end: who presents much drives out only what is their own.
const MAX_KEPT_PER_CALLER = 100;

export function createFirstSights(): FirstSights {
  const sights = new Map<string, { readonly caller: string; readonly seenAt: number }>();
  const callers = new Map<string, Set<string>>();

  function forget(twin: string): void {
    const caller = sights.get(twin)?.caller;
    sights.delete(twin);
    const theirs = caller === undefined ? undefined : callers.get(caller);
    theirs?.delete(twin);
    if (caller !== undefined && theirs?.size === 0) callers.delete(caller);
  }

  return {
    of: (twin) => sights.get(twin)?.seenAt,
    note(twin, caller, seenAt) {
      forget(twin);
      if (seenAt === null) return;
      sights.set(twin, { caller, seenAt });
      const theirs = callers.get(caller) ?? new Set();
      callers.set(caller, theirs.add(twin));
      const [oldestOfTheirs] = theirs;
      if (theirs.size > MAX_KEPT_PER_CALLER && oldestOfTheirs !== undefined) forget(oldestOfTheirs);
      const [oldest] = sights.keys();
      if (sights.size > MAX_KEPT && oldest !== undefined) forget(oldest);
    },
  };
}
