import { describe, expect, it } from 'vitest';
import { freshClaim, TRANSACTION } from '../../../test/exchange/claims-contract.ts';
import { type Redis, RedisFailure } from '../../platform/redis.ts';
import { redisClaimStore } from './redis-claims.ts';

const NOW_MS = Date.UTC(2026, 10, 21, 12) + 999;
const DAY = 86_400;
const opening = { owner: 'owner', leaseMs: 15_000, process: 'process' };

/** A store on a server that gives one reply, and the commands it received. */
function storeWith(reply: unknown, life: string | null = 'life') {
  const asked: { keys: readonly string[]; args: readonly string[] }[] = [];
  const redis = {
    async run(_script: unknown, keys: readonly string[], args: readonly string[]) {
      asked.push({ keys, args });
      if (reply instanceof Error) throw reply;
      return reply;
    },
    serverRun: () => life,
  } as unknown as Redis;
  return { store: redisClaimStore(redis, () => NOW_MS), asked };
}
const down = new RedisFailure('LOST');

describe('a claim record on a Redis server', () => {
  it.each([
    ['open', 120 + DAY + 600],
    ['settled', 120 + DAY + 600],
    ['sent', 7 * DAY],
  ] as const)('whose claim is %s is kept for %i seconds', async (state, seconds) => {
    const { store, asked } = storeWith(1);
    await store.save('key', 'owner', freshClaim({ state }));
    expect(asked[0]?.args.slice(0, 3)).toEqual(['owner', String(seconds), state]);
  });

  it('is kept for at least ten minutes if the authorization expired long ago', async () => {
    const { store, asked } = storeWith(1);
    await store.save('key', 'owner', freshClaim({ validBefore: 1_000 }));
    expect(asked[0]?.args[1]).toBe('600');
  });

  it('has the fields of the claim in the order of the scripts, and empty text for an absent field', async () => {
    const { store, asked } = storeWith('opened');
    const claim = freshClaim({ transaction: TRANSACTION, claimedAt: 5, operation: 'paid', readyAt: 0 });
    await store.open('key', opening, claim);
    await store.restore('key', 'owner', freshClaim());
    const { request, signature, today, validBefore } = claim;
    const [expires, seconds] = [String(validBefore + 600), String(120 + DAY + 600)];
    const fields = [request, signature, String(today)];
    expect(asked).toEqual([
      {
        keys: ['{paid}:claim:key', '{paid}:complete'],
        args: [
          ...['15000', 'process', 'life', 'owner', seconds, 'open', ...fields],
          ...['ab'.repeat(32), expires, '5', 'paid', '0'],
        ],
      },
      {
        keys: ['{paid}:claim:key'],
        args: ['owner', seconds, 'open', ...fields, '', expires, '', '', ''],
      },
    ]);
  });
});

describe('the reply of the Redis server', () => {
  const { request, signature, today, validBefore } = freshClaim();
  const read = (more: (string | null)[]) => [
    ...['sent', request, signature, String(today), 'ab'.repeat(32), String(validBefore + 600)],
    ...['owner', '25', ...more],
  ];

  it('is read as the claim that was saved', async () => {
    const sent = freshClaim({ state: 'sent', transaction: TRANSACTION });
    const bare = { claim: sent, owner: 'owner', ageMs: 25 };
    expect(await storeWith(read(['', '', ''])).store.find('key')).toEqual(bare);
    expect(await storeWith(read([null, null, null])).store.open('key', opening, sent)).toEqual(bare);
    expect(await storeWith(read(['5', 'paid', '7'])).store.find('key')).toEqual({
      ...bare,
      claim: { ...sent, claimedAt: 5, operation: 'paid', readyAt: 7 },
    });
    expect(await storeWith(null).store.find('key')).toBe('absent');
  });

  it.each([
    [1, 'saved'],
    [-1, 'conflict'],
    [0, 'unconfirmed'],
    [down, null],
  ])('to the saving of a claim: %s means %s', async (reply, meant) => {
    expect(await storeWith(reply).store.save('key', 'owner', freshClaim())).toBe(meant);
  });

  it.each([
    ['opened', 'opened'],
    [1_795_262_400, 1_795_262_400],
    [new RedisFailure('OOM'), 'full'],
    [down, null],
  ])('to the opening of a claim: %s means %s', async (reply, meant) => {
    expect(await storeWith(reply).store.open('key', opening, freshClaim())).toBe(meant);
  });

  it('is reported as missing if the server is down, but a bug in the service is not', async () => {
    const { store } = storeWith(down);
    expect(await store.find('key')).toBeNull();
    expect(await store.named('name')).toEqual({ kind: 'down' });
    expect(await store.name('name', { claim: 'key', request: 'a' }, 0)).toEqual({ kind: 'down' });
    expect(await store.completeSince()).toBeNull();
    const bug = new TypeError('a bug');
    await expect(storeWith(bug).store.find('key')).rejects.toBe(bug);
  });
});

describe('a purchase name', () => {
  it('is followed from claim to claim until the server is certain, at most five times', async () => {
    const { store, asked } = storeWith([0, 'another', 'b']);
    expect(await store.name('name', { claim: 'key', request: 'a' }, 0)).toEqual({ kind: 'down' });
    expect(asked.map(({ keys }) => keys[1])).toEqual(
      ['key', 'another', 'another', 'another', 'another'].map((claim) => `{paid}:claim:${claim}`),
    );
    expect(asked[1]?.args.slice(0, 3)).toEqual(['another', 'key', 'a']);
    expect(await storeWith([1, 'held', 'b']).store.name('n', { claim: 'key', request: 'a' }, 0)).toEqual({
      claim: 'held',
      request: 'b',
    });
  });

  it('is bound to nothing unless the server names a claim and a request', async () => {
    expect(await storeWith([null, null]).store.named('name')).toBeNull();
    expect(await storeWith(['key', 'a']).store.named('name')).toEqual({ claim: 'key', request: 'a' });
  });
});

describe('the time since which claims are complete', () => {
  it("is requested with the ID of the server's run, our clock and a margin of two seconds, and is unknown without that ID", async () => {
    const { store, asked } = storeWith(1_795_262_402);
    expect(await store.completeSince()).toBe(1_795_262_402);
    expect(asked[0]?.args).toEqual(['life', String(Math.floor(NOW_MS / 1000)), '2']);
    expect(await storeWith(1, null).store.completeSince()).toBeNull();
  });
});
