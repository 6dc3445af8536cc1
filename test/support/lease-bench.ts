import { type Lease, leaseOneOf, type Term } from '../../src/platform/lease.ts';
import { RedisFailure, type Script } from '../../src/platform/redis.ts';

export const LEASE_MS = 10_000;
export const MARGIN_MS = 4_000;
export const RENEW_MS = 1_000;
const times = { leaseMs: LEASE_MS, marginMs: MARGIN_MS, renewMs: RENEW_MS, pollMs: 500 };

/**
 * What the scripts do, on the clock of the test; `test/redis/relayer-keys.redis.test.ts` runs them on a real server.
 * A message may take its time there and back, or be lost on either way.
 */
export function memory(now: () => number) {
  const leases = new Map<string, { token: string; until: number }>();
  let life = 'a'.repeat(40);
  let since: number | null = null;
  const tokenAt = (key: string) => {
    const lease = leases.get(key);
    return lease !== undefined && lease.until > now() ? lease.token : null;
  };
  const turn = (keys: readonly string[], [token = '', ms = '', of = '', at = '']: readonly string[]) => {
    if (since === null || knownLife !== of) [since, knownLife] = [now(), of];
    const held = Number(at);
    const give = (key: string) => leases.set(key, { token, until: now() + Number(ms) });
    let mine = keys.findIndex((key, index) => (held === 0 || held === index + 1) && tokenAt(key) === token);
    if (mine < 0 && held === 0 && now() - since >= Number(ms))
      mine = keys.findIndex((key) => tokenAt(key) === null);
    if (mine >= 0) give(keys[mine] as string);
    return [mine + 1, keys.filter((key) => tokenAt(key) !== null).length];
  };
  let knownLife = '';
  return {
    leases,
    /** Forgets everything, as a server does that restarts without its data. */
    restart(as: string) {
      leases.clear();
      since = null;
      life = as.repeat(40);
    },
    run({ text }: Script, keys: readonly string[], args: readonly string[]): unknown {
      if (text.includes("'HMGET'")) return turn(keys.slice(1), args);
      for (const key of keys) if (tokenAt(key) === args[0]) leases.delete(key);
      return 1;
    },
    serverRun: () => life,
  };
}

type Way = { thereMs: number; backMs: number; isLost: 'no' | 'there' | 'back' };
const STRAIGHT: Way = { thereMs: 0, backMs: 0, isLost: 'no' };
const pause = (ms: number) =>
  ms === 0 ? Promise.resolve() : new Promise((resolve) => setTimeout(resolve, ms));

/** A process with its own way to that memory; the library gives a command a second. */
export function processOn(store: ReturnType<typeof memory>, names: readonly string[]) {
  const way = { ...STRAIGHT };
  const lease: Lease = leaseOneOf({
    ...times,
    names,
    redis: {
      serverRun: store.serverRun,
      onConnected: () => {},
      async run(script, keys, args) {
        const { thereMs, backMs, isLost } = way;
        await pause(thereMs);
        const reply = isLost === 'there' ? null : store.run(script, keys, args);
        await pause(backMs);
        if (isLost !== 'no' || thereMs + backMs > 1_000) throw new RedisFailure('TIMEOUT');
        return reply;
      },
    },
    stopwatch: () => {
      const from = Date.now();
      return () => Date.now() - from;
    },
  });
  const terms: (number | null)[] = [];
  let term: Term | null = null;
  lease.onTerm((told) => {
    terms.push(told?.place ?? null);
    term = told;
  });
  return {
    lease,
    way,
    terms,
    mayUse: () => term?.mayUse() === true,
    place: () => (term as Term | null)?.place,
  };
}
