export type Polling<Seen> = {
  /** Whether polling can stop. */
  readonly isEnd: (seen: Seen) => boolean;
  readonly forMs: number;
  readonly pollMs: number;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
};

/** Calls `look` until it finds a result or the time is up (`isLate`), but at least once; returns the last result. */
export async function poll<Seen>(
  look: (round: number, isLate: boolean) => Promise<Seen>,
  { isEnd, forMs, pollMs, now }: Polling<Seen>,
): Promise<Seen> {
  const until = now() + forMs;
  for (let round = 0; ; round += 1) {
    const seen = await look(round, now() >= until);
    const leftMs = until - now();
    if (isEnd(seen) || leftMs <= 0) return seen;
    await new Promise((resolve) => setTimeout(resolve, Math.min(pollMs, leftMs)));
  }
}

/** Waits, without keeping the process alive. */
export const pause = (forMs: number) =>
  new Promise<void>((resolve) => setTimeout(resolve, Math.max(0, forMs)).unref());
