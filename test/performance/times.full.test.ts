import { spawnSync } from 'node:child_process';
import { expect, test } from 'vitest';
import { fetchTool } from '../../scripts/tool.js';
import { benchPart, leastOf } from './bench-parts.ts';

// The official middleware, which the last of these is measured against.
fetchTool('x402');

// One file, so that these never measure each other.
const LIMIT_MS = 120_000;

// Bare Node.js starts in this time on a machine that has nothing else to do; from 24 on in less.
const BARE_START_MS = process.versions.node.startsWith('20.') ? 50 : 24;

/** How many times slower than such a machine this one is at the moment; never less than 1. */
function slowness(): number {
  const started = performance.now();
  spawnSync(process.execPath, ['-e', '0']);
  return Math.max(1, (performance.now() - started) / BARE_START_MS);
}

/** Start of the service in milliseconds of a machine with nothing else to do. */
const startMs = async (start: 'startOurs' | 'startOursBundled' | 'startOursEmbedded'): Promise<number> => {
  const servers = await benchPart('servers');
  const before = slowness();
  const service = await servers[start]();
  await service.stop();
  return service.bootMs / Math.max(1, (before + slowness()) / 2);
};

const paidRatio = async (): Promise<number> => {
  const { benchPurchase } = await benchPart('purchase');
  const [paid] = await benchPurchase({ purchases: 20, warmUp: 10, counts: false });
  return paid?.ratio ?? Number.POSITIVE_INFINITY;
};

test.each([
  ['as the image holds it', 'startOursBundled', 500],
  ['as it is built', 'startOurs', 750],
] as const)(
  'without a chain, the service listens in time after its start, %s: the best of up to 12 starts',
  async (_name, start, limit) => {
    const least = await leastOf({ tries: 12, limit }, () => startMs(start));
    expect(least).toBeLessThanOrEqual(limit);
  },
  LIMIT_MS,
);

test(
  'with its embedded chain, it listens within 1.5 s: the best of up to 8 starts',
  async () => {
    const least = await leastOf({ tries: 8, limit: 1_500 }, () => startMs('startOursEmbedded'));
    expect(least).toBeLessThanOrEqual(1_500);
  },
  LIMIT_MS,
);

test(
  'a paid request takes at most half the time of the official middleware: the best of up to 3 runs, medians of 20',
  async () => {
    expect(await leastOf({ tries: 3, limit: 0.5 }, paidRatio)).toBeLessThanOrEqual(0.5);
  },
  LIMIT_MS,
);
