import type { Day } from '../../domain/calendar.ts';
import type { Hex } from '../../payments/x402/payment.ts';
import { type Redis, RedisFailure, type Script } from '../../platform/redis.ts';
import { type Claim, type Claims, COLLECT_SECONDS, type Saved } from './claims.ts';
import { COMPLETE, DROP, FIND, NAME, NAMED, OPEN, RESTORE, SAVE } from './redis-scripts.ts';

/** A claim as it stands in Redis: the token of the attempt that last wrote it, and how long ago. */
export type StoredClaim = { readonly claim: Claim; readonly owner: string; readonly ageMs: number };
export type Opening = {
  readonly owner: string;
  readonly leaseMs: number;
  /** Open claims whose owner begins with this are taken whatever their age; empty for none. */
  readonly process: string;
};

/** What the scripts do, in our types. null: Redis gave no answer. */
export type ClaimStore = Pick<Claims, 'name' | 'named' | 'completeSince'> & {
  /** A number: taken over, and used for nothing else since then (Unix seconds). */
  open(key: string, opening: Opening, fresh: Claim): Promise<'opened' | number | StoredClaim | 'full' | null>;
  find(key: string): Promise<StoredClaim | 'absent' | null>;
  save(key: string, owner: string, claim: Claim): Promise<Saved | null>;
  restore(key: string, owner: string, claim: Claim): Promise<void>;
  drop(key: string, owner: string): Promise<void>;
};

// The field `expires` is ten minutes past the end of an authorization: so it is in claims of older releases, which ended
// then, and one that took the end of an authorization for earlier than it is could call a payment void that is still good.
const EXPIRES_AFTER_SECONDS = 600;
// Clocks of instances differ by less.
const MARGIN_SECONDS = 600;
// A claim whose end is not known is kept until somebody had every chance to find out.
const SENT_SECONDS = 7 * 86_400;
// The longest between two blocks: a block's date may be ahead of the clock by that.
const AHEAD_SECONDS = 2;
const MAX_NAME_STEPS = 5;

// One tag keeps all keys in one slot, as scripts with several keys need where data is split by slot.
const claimKey = (key: string) => `{paid}:claim:${key}`;
const nameKey = (name: string) => `{paid}:name:${name}`;
const COMPLETE_KEY = '{paid}:complete';

export function redisClaimStore(redis: Redis, now: () => number): ClaimStore {
  const ask = async (script: Script, keys: readonly string[], args: readonly string[]) => {
    try {
      return await redis.run(script, keys, args);
    } catch (error) {
      if (error instanceof RedisFailure) return error;
      throw error;
    }
  };
  const lifetime = (validBefore: number) =>
    Math.max(0, Math.ceil(validBefore - Math.floor(now() / 1000)) + COLLECT_SECONDS) + MARGIN_SECONDS;
  const written = (owner: string, claim: Claim): string[] => {
    const seconds = Math.max(lifetime(claim.validBefore), claim.state === 'sent' ? SENT_SECONDS : 0);
    return [owner, String(seconds), ...record(claim)];
  };
  return {
    async open(key, { owner, leaseMs, process }, fresh) {
      const args = [String(leaseMs), process, redis.serverRun() ?? '', ...written(owner, fresh)];
      const reply = await ask(OPEN, [claimKey(key), COMPLETE_KEY], args);
      if (reply instanceof RedisFailure) return reply.code === 'OOM' ? 'full' : null;
      return reply === 'opened' || typeof reply === 'number' ? reply : storedClaim(reply);
    },
    async find(key) {
      const reply = await ask(FIND, [claimKey(key)], []);
      if (reply instanceof RedisFailure) return null;
      return reply === null ? 'absent' : storedClaim(reply);
    },
    async save(key, owner, claim) {
      const reply = await ask(SAVE, [claimKey(key)], written(owner, claim));
      if (reply instanceof RedisFailure) return null;
      return reply === 1 ? 'saved' : reply === -1 ? 'conflict' : 'unconfirmed';
    },
    async restore(key, owner, claim) {
      await ask(RESTORE, [claimKey(key)], written(owner, claim));
    },
    async drop(key, owner) {
      await ask(DROP, [claimKey(key)], [owner]);
    },
    async name(name, fresh, validBefore) {
      let expected = fresh.claim;
      for (let step = 0; step < MAX_NAME_STEPS; step += 1) {
        const args = [expected, fresh.claim, fresh.request, String(lifetime(validBefore))];
        const reply = await ask(NAME, [nameKey(name), claimKey(expected)], args);
        if (reply instanceof RedisFailure) return { kind: 'down' };
        const [isCertain, claim, request] = reply as [number, string, string];
        if (isCertain === 1) return { claim, request };
        expected = claim;
      }
      return { kind: 'down' };
    },
    async named(name) {
      const reply = await ask(NAMED, [nameKey(name)], []);
      if (reply instanceof RedisFailure) return { kind: 'down' };
      const [claim, request] = reply as [string | null, string | null];
      return claim === null || request === null ? null : { claim: `${claim}`, request: `${request}` };
    },
    async completeSince() {
      const life = redis.serverRun();
      if (life === null) return null;
      const args = [life, String(Math.floor(now() / 1000)), String(AHEAD_SECONDS)];
      const since = await ask(COMPLETE, [COMPLETE_KEY], args);
      return typeof since === 'number' ? since : null;
    },
  };
}

/** In the order in which the scripts read and write the fields. */
function record(claim: Claim): string[] {
  const { state, request, signature, today, transaction, validBefore, claimedAt, operation, readyAt } = claim;
  const expires = String(validBefore + EXPIRES_AFTER_SECONDS);
  // Without its 0x, which would be two bytes more than Redis packs tightly: a claim would take twice the memory.
  const paid = [state, request, signature, String(today), transaction?.slice(2) ?? '', expires];
  return [...paid, String(claimedAt ?? ''), operation ?? '', readyAt === undefined ? '' : String(readyAt)];
}

function storedClaim(reply: unknown): StoredClaim {
  const [state, request, signature, today, transaction, expires, ...others] = reply as (string | null)[];
  const [owner, ageMs, claimedAt, operation, readyAt] = others;
  const claim = {
    state: state as Claim['state'],
    request: `${request}`,
    signature: `${signature}`,
    today: Number(today) as Day,
    transaction: transaction ? (`0x${transaction}` as Hex) : null,
    validBefore: Number(expires) - EXPIRES_AFTER_SECONDS,
    ...(claimedAt && { claimedAt: Number(claimedAt) }),
    ...(operation && { operation }),
    ...(readyAt && { readyAt: Number(readyAt) }),
  };
  return { claim, owner: `${owner}`, ageMs: Number(ageMs) };
}
