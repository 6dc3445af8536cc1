import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { afterEach, expect, test } from 'vitest';
import { procFiles } from '../support/here.ts';
import { freePort } from '../support/listening.ts';
import { UNSETTLED } from '../support/unsettled.ts';
import { leastOf } from './bench-parts.ts';

const LIMIT_MS = 120_000;
const root = fileURLToPath(new URL('../..', import.meta.url));
const MOST_MB = process.versions.node.startsWith('20.') ? 110 : 130;

const running = new Set<ChildProcess>();
afterEach(() => {
  for (const child of running) child.kill('SIGKILL');
  running.clear();
});

/** Starts a build; milliseconds until it listens. */
async function started(build: string): Promise<{ child: ChildProcess; ms: number }> {
  const startedMs = performance.now();
  const child = spawn(process.execPath, [`${root}${build}/bin/main.js`], {
    env: {
      PATH: process.env.PATH,
      // As the image, the unit and the manifests set it.
      MALLOC_ARENA_MAX: '1',
      NODE_OPTIONS: '--max-semi-space-size=4',
      PORT: String(await freePort()),
      ...UNSETTLED,
    },
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  running.add(child);
  for await (const part of child.stdout) if (String(part).includes('"listening"')) break;
  return { child, ms: performance.now() - startedMs };
}

async function startMs(build: string): Promise<number> {
  const { child, ms } = await started(build);
  child.kill('SIGKILL');
  await once(child, 'close');
  running.delete(child);
  return ms;
}

test(
  'the bundle listens within 0.65 of the time of what it is made of: the best of up to 5 pairs of 3 starts',
  async () => {
    const ratio = async () => {
      const times = { bundle: Number.POSITIVE_INFINITY, plain: Number.POSITIVE_INFINITY };
      for (let pair = 0; pair < 3; pair += 1) {
        times.plain = Math.min(times.plain, await startMs('dist'));
        times.bundle = Math.min(times.bundle, await startMs('dist/bundle/dist'));
      }
      return times.bundle / times.plain;
    };
    expect(await leastOf({ tries: 5, limit: 0.65 }, ratio)).toBeLessThanOrEqual(0.65);
  },
  LIMIT_MS,
);

test.skipIf(procFiles.areMissing)(
  procFiles.named(`at rest the bundle takes at most ${MOST_MB} MB`),
  async () => {
    const { child } = await started('dist/bundle/dist');
    const residentMb = () =>
      Number(/^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${child.pid}/status`, 'utf8'))?.[1]) / 1024;
    // At rest is who has not grown for a second.
    let before = 0;
    await expect
      .poll(
        () => {
          const grownMb = residentMb() - before;
          before += grownMb;
          return grownMb;
        },
        { interval: 1_000, timeout: 30_000 },
      )
      .toBeLessThan(0.5);
    expect(residentMb()).toBeLessThanOrEqual(MOST_MB);
  },
  LIMIT_MS,
);
