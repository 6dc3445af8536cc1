import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { RedisFailure } from '../platform/redis.ts';
import { LIFE_MS, type RelayerEntry, relayerEntry, USED_MS } from './relayer-entry.ts';

type Process = {
  readonly entry: RelayerEntry;
  readonly way: { isCut: boolean; isLost: boolean };
  /** The states that the entry has reported, in order. */
  readonly changes: readonly boolean[];
  mayUse(): boolean;
  reconnect(): void;
};

const NAME = 'eip155:8453:0xA1';
// Maximum time until a key is in use again after Redis is back or another process has ended.
const SOON_MS = 5_000;

/** A model of how a server runs the script. `test/redis/relayer-keys.redis.test.ts` runs it on a real one. */
function serverOf() {
  const entries = new Map<string, string>();
  const server = {
    entries,
    run: 'run-1',
    isAway: false,
    command(key: string, [token = '', replaceable, fresh = '']: readonly string[]): string {
      const held = entries.get(key) ?? '';
      if (held !== replaceable && !held.startsWith(token)) return held;
      entries.set(key, fresh);
      return fresh;
    },
  };
  return server;
}

describe('the Redis entry of a relayer key', () => {
  let server: ReturnType<typeof serverOf>;
  const all: Process[] = [];

  /**
   * A process with its own connection to the server. `isCut`: no replies come back. `isLost`: the command still
   * arrives.
   */
  function processOn(): Process {
    const way = { isCut: false, isLost: false };
    const connected: (() => void)[] = [];
    const entry: RelayerEntry = relayerEntry({
      name: NAME,
      redis: {
        serverRun: () => (server.isAway || way.isCut ? null : server.run),
        onConnected: (told) => void connected.push(told),
        async run(_script, [key = ''], args) {
          if (server.isAway || way.isCut) throw new RedisFailure('LOST');
          const reply = server.command(key, args);
          if (way.isLost) throw new RedisFailure('TIMEOUT');
          return reply;
        },
      },
    });
    const changes: boolean[] = [];
    entry.onChange((isOurs) => changes.push(isOurs));
    const made = {
      entry,
      way,
      changes,
      mayUse: entry.mayUse,
      reconnect() {
        for (const told of connected) told();
      },
    };
    all.push(made);
    return made;
  }

  /** Lets time pass, and checks throughout that the key is never usable by two processes at once. */
  async function pass(ms: number): Promise<void> {
    for (let passed = 0; passed < ms; passed += 100) {
      await vi.advanceTimersByTimeAsync(100);
      expect(all.filter(({ mayUse }) => mayUse()).length).toBeLessThanOrEqual(1);
    }
  }

  beforeEach(() => {
    vi.useFakeTimers();
    server = serverOf();
  });
  afterEach(async () => {
    for (const { entry } of all.splice(0)) await entry.end(false);
    vi.useRealTimers();
  });

  /** The first process, with the key. */
  async function holder() {
    const first = processOn();
    await pass(LIFE_MS + 1_000);
    expect(first.mayUse()).toBe(true);
    return first;
  }

  it('can be taken at a new server only after ten seconds, because the server may have lost an entry', async () => {
    const first = processOn();
    await pass(LIFE_MS - 1_000);
    expect(first.mayUse()).toBe(false);
    await pass(2_000);
    expect([first.mayUse(), first.changes]).toEqual([true, [true]]);
    await pass(60_000);
    expect([first.mayUse(), first.changes]).toEqual([true, [true]]);
  });

  it('keeps a second process waiting until the first returns the key', async () => {
    const first = await holder();
    const second = processOn();
    await pass(60_000);
    expect([second.mayUse(), second.changes]).toEqual([false, []]);
    await first.entry.end(true);
    expect(first.mayUse()).toBe(false);
    await pass(1_500);
    expect(second.mayUse()).toBe(true);
  });

  it('is not released while purchases are pending, so the second process waits until the entry expires', async () => {
    const first = await holder();
    const second = processOn();
    await pass(5_000);
    await first.entry.end(false);
    await pass(LIFE_MS - 3_000);
    expect(second.mayUse()).toBe(false);
    await pass(4_000);
    expect(second.mayUse()).toBe(true);
  });

  it('is not used after a pause before the process knows that it still has the key', async () => {
    const first = await holder();
    const second = processOn();
    first.way.isCut = true;
    await pass(USED_MS);
    expect(first.mayUse()).toBe(false);
    await pass(LIFE_MS);
    expect(second.mayUse()).toBe(true);
    // The process resumes and finds that another process has the key.
    first.way.isCut = false;
    expect(first.mayUse()).toBe(false);
    await pass(3_000);
    expect([first.mayUse(), first.changes]).toEqual([false, [true, false]]);
  });

  it('is not used after the machine has slept, which the monotonic clock does not notice', async () => {
    const first = await holder();
    vi.setSystemTime(Date.now() + 60_000);
    expect(first.mayUse()).toBe(false);
    await pass(3_000);
    expect(first.mayUse()).toBe(true);
  });

  it('is not taken earlier if the clock of the second process is set forward', async () => {
    const first = await holder();
    const second = processOn();
    await pass(3_000);
    first.way.isCut = true;
    await pass(1_000);
    vi.setSystemTime(Date.now() + 3_600_000);
    await pass(LIFE_MS - 4_000);
    expect(second.mayUse()).toBe(false);
  });

  it('is valid at once if it survived an outage and a restart of Redis', async () => {
    const first = await holder();
    server.isAway = true;
    await pass(10 * LIFE_MS);
    expect(first.mayUse()).toBe(false);
    server.isAway = false;
    server.run = 'run-2';
    first.reconnect();
    await pass(SOON_MS);
    expect([first.mayUse(), first.changes]).toEqual([true, [true]]);
  });

  it('is written again by its holder if Redis has lost it, and nobody else takes it before that', async () => {
    const first = await holder();
    const second = processOn();
    await pass(1_000);
    server.entries.clear();
    server.run = 'run-2';
    await pass(60_000);
    expect([first.mayUse(), second.mayUse()]).toEqual([true, false]);
  });

  it('is lost with its holder: another process takes the key as soon as no holder can use it any longer', async () => {
    const first = await holder();
    const second = processOn();
    await pass(1_000);
    first.way.isCut = true;
    server.entries.clear();
    await pass(LIFE_MS - 1_000);
    expect(second.mayUse()).toBe(false);
    await pass(2_000);
    expect(second.mayUse()).toBe(true);
    first.way.isCut = false;
    await pass(60_000);
    expect([first.mayUse(), second.mayUse()]).toEqual([false, true]);
  });

  it('may be out of date if it was released before a restart of Redis, so the next process waits', async () => {
    const first = await holder();
    const second = processOn();
    await pass(1_000);
    second.way.isCut = true;
    await first.entry.end(true);
    server.run = 'run-2';
    second.way.isCut = false;
    await pass(LIFE_MS - 1_000);
    expect(second.mayUse()).toBe(false);
    await pass(2_000);
    expect(second.mayUse()).toBe(true);
  });

  it('counts as renewed only after a reply, and remains ours if replies were lost', async () => {
    const first = await holder();
    first.way.isLost = true;
    await pass(USED_MS);
    expect(first.mayUse()).toBe(false);
    first.way.isLost = false;
    await pass(3_000);
    expect([first.mayUse(), first.changes]).toEqual([true, [true]]);
  });

  it('passes from the first to the second of two processes that start together, and never belongs to both', async () => {
    processOn();
    processOn();
    await pass(LIFE_MS + 2_000);
    expect(all.filter(({ mayUse }) => mayUse())).toHaveLength(1);
    await pass(60_000);
  });
});
