import { setTimeout as pause } from 'node:timers/promises';

/** A line of the benchmark's table; times are medians. */
type Row = { name: string; ours: number; peer: number | null; ratio: number | null; unit: string };

type Parts = {
  purchase: {
    benchPurchase(options: { purchases: number; warmUp: number; counts: boolean }): Promise<Row[]>;
  };
  servers: {
    startOurs(): Promise<Started>;
    startOursBundled(): Promise<Started>;
    startOursEmbedded(): Promise<Started>;
  };
};
export type Started = {
  origin: string;
  bootMs: number;
  /** What the process has used so far. */
  cpuMicroseconds(): Promise<number>;
  /** In V8's old space, in use or not. */
  oldBytes(): Promise<number>;
  stop(): Promise<void>;
};

/** A module of the benchmark, which is plain JavaScript over the build. */
export const benchPart = async <Name extends keyof Parts>(name: Name): Promise<Parts[Name]> =>
  (await import(new URL(`../../bench/${name}.js`, import.meta.url).href)) as Parts[Name];

const PAUSE_MS = 400;

/**
 * The least figure of up to `tries`, taken until one is within `limit`: other work on the machine only ever makes it
 * larger. Tries are some time apart, for a busy spell to pass.
 */
export const leastOf = async (
  { tries, limit }: { tries: number; limit: number },
  once: () => Promise<number>,
): Promise<number> => {
  let least = await once();
  for (let turn = 1; turn < tries && least > limit; turn++) {
    await pause(PAUSE_MS);
    least = Math.min(least, await once());
  }
  return least;
};
