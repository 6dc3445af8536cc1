import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { freshClaim, TRANSACTION } from '../../../test/exchange/claims-contract.ts';
import { type Redis, RedisFailure, type Script } from '../../platform/redis.ts';
import type { Claim } from './claims.ts';
import { redisClaims } from './redis-claims.ts';

const NOON_MS = Date.UTC(2026, 10, 21, 12);
const NOON_SECONDS = NOON_MS / 1000;
const DOWN = new RedisFailure('LOST');
const sent = freshClaim({ state: 'sent', transaction: TRANSACTION });
const settled = freshClaim({ state: 'settled', transaction: TRANSACTION });
const other = 'c'.repeat(64);

type Command = 'open' | 'find' | 'save' | 'restore' | 'drop' | 'complete';
type Asked = { readonly command: Command; readonly key: string; readonly args: readonly string[] };

function commandOf({ text }: Script, keys: readonly string[], args: readonly string[]): Command {
  if (keys.length === 2) return 'open';
  if (keys[0] === '{paid}:complete') return 'complete';
  if (args.length === 0) return 'find';
  if (args.length === 1) return 'drop';
  return text.includes('return -1') ? 'save' : 'restore';
}

/** A claim as the server returns it. */
const stored = (
  { state, request, signature, today, transaction, validBefore }: Claim,
  owner = 'x',
  age = 0,
) => [
  ...[state, request, signature, String(today), transaction?.slice(2) ?? '', String(validBefore + 600)],
  ...[owner, String(age), '', '', ''],
];

/** The claims of a process, the commands that its server received, and the replies that a test sets. */
function instance() {
  const asked: Asked[] = [];
  const replies: Record<Command, unknown> = {
    ...{ open: 'opened', find: null, save: 1, restore: 1, drop: 1, complete: 0 },
  };
  let connected = (): void => undefined;
  const redis: Partial<Redis> = {
    async run(script, keys, args) {
      const command = commandOf(script, keys, args);
      asked.push({ command, key: `${keys[0]}`.replace('{paid}:claim:', ''), args });
      const reply = replies[command];
      if (reply instanceof Error) throw reply;
      return typeof reply === 'function' ? reply(args) : reply;
    },
    serverRun: () => 'life',
    onConnected(listener) {
      connected = listener;
    },
  };
  const claims = redisClaims({ redis: redis as Redis, now: () => NOON_MS });
  const isDown = (isAway: boolean) =>
    Object.assign(replies, isAway ? { find: DOWN, save: DOWN } : { find: null, save: 1 });
  return { asked, replies, claims, isDown, connect: () => connected() };
}

/** What the process knows about a key if its server gives no answer. */
async function known({ claims, isDown }: ReturnType<typeof instance>): Promise<string> {
  isDown(true);
  const found = await claims.find('key');
  return found.kind === 'held' ? found.claim.state : found.kind;
}

describe('a claim that a process opens on a Redis server', () => {
  beforeEach(() => void vi.useFakeTimers({ now: 0 }));
  afterEach(() => void vi.useRealTimers());

  it('stays with the process for a minute, under a token that the process saves and drops it with', async () => {
    const { claims, asked } = instance();
    expect(await claims.open('key', freshClaim())).toEqual({ kind: 'opened' });
    const [lease, prefix, , token] = asked[0]?.args ?? [];
    expect([lease, token?.startsWith(`${prefix}`), prefix === '']).toEqual(['60000', true, false]);
    await claims.save('key', sent);
    await claims.drop('key');
    await claims.drop('key');
    expect(asked.slice(1).map(({ command, args }) => [command, args[0]])).toEqual([
      ['save', token],
      ['drop', token],
    ]);
  });

  it('keeps the token of the attempt that holds it when another attempt of the process fails', async () => {
    const { claims, asked, replies } = instance();
    await claims.open('key', freshClaim());
    const token = asked[0]?.args[3];
    replies.open = stored(freshClaim(), token);
    expect((await claims.open('key', freshClaim())).kind).toBe('held');
    expect([asked[1]?.args[1], claims.size()]).toEqual(['', 1]);
    await claims.save('key', sent);
    expect(asked[2]?.args[0]).toBe(token);
  });

  it.each([
    [
      'passes to this process with the time since which it was held',
      1_795_262_400,
      { kind: 'opened', usedSince: 1_795_262_400 },
      1,
    ],
    ['is refused if the server is full', new RedisFailure('OOM'), { kind: 'full' }, 0],
    ['is refused if the server gives no answer', DOWN, { kind: 'down' }, 0],
    ['is refused if another process has it', stored(settled), { kind: 'held', claim: settled }, 0],
  ])('%s', async (_how, reply, opened, held) => {
    const { claims, replies } = instance();
    replies.open = reply;
    expect(await claims.open('key', freshClaim())).toEqual(opened);
    expect(claims.size()).toBe(held);
  });

  const FOR_THREE_SECONDS = Array.from({ length: 31 }, (_, index) => index * 100);
  it.each([
    ['in progress', freshClaim(), 59_999, FOR_THREE_SECONDS],
    ['left open for a minute', freshClaim(), 60_000, [0]],
    ['just sent', sent, 24_999, FOR_THREE_SECONDS],
    ['sent 25 s ago', sent, 25_000, [0]],
    ['settled', settled, 0, [0]],
    ['in progress for another request', freshClaim({ request: other }), 0, [0]],
    ['in progress with another signature', freshClaim({ signature: other }), 0, [0]],
  ])(
    'is awaited for at most 3 s, and only if another process may end it soon: a claim that is %s',
    async (_what, claim, age, times) => {
      const { claims, replies } = instance();
      const at: number[] = [];
      replies.open = () => {
        at.push(Date.now());
        return stored(claim, 'another process', age);
      };
      const opened = claims.open('key', freshClaim());
      await vi.advanceTimersByTimeAsync(10_000);
      expect([await opened, at]).toEqual([{ kind: 'held', claim }, times]);
    },
  );

  it('is not awaited if another attempt of the same process has it', async () => {
    const { claims, asked, replies } = instance();
    replies.open = (args: string[]) => stored(freshClaim(), `${args[1]}1`);
    expect((await claims.open('key', freshClaim())).kind).toBe('held');
    expect(asked).toHaveLength(1);
  });
});

it.each([
  ['has it', stored(sent), { kind: 'held', claim: sent }],
  ['has no claim', null, { kind: 'absent' }],
  ['gives no answer', DOWN, { kind: 'down' }],
])('a claim of another process is read from the server: it %s', async (_what, reply, found) => {
  const { claims, replies } = instance();
  replies.find = reply;
  expect(await claims.find('key')).toEqual(found);
});

describe('a claim that a process knows', () => {
  it('is not requested from the server once it is settled', async () => {
    const { claims, asked } = instance();
    await claims.save('key', settled);
    for (const found of [await claims.find('key'), await claims.open('key', freshClaim())])
      expect(found).toEqual({ kind: 'held', claim: settled });
    expect(asked.map(({ command }) => command)).toEqual(['save']);
  });

  it.each([
    ['gives no answer', DOWN, sent, 0],
    ['has lost it', 'opened', sent, 1],
    ['has only an old open claim instead', stored(freshClaim(), 'another process', 60_000), sent, 1],
    ['has its result', stored(settled), settled, 0],
  ])(
    'is answered if it was sent, and is saved again only if the server lost it: the server %s',
    async (_what, reply, claim, saves) => {
      const { claims, asked, replies } = instance();
      await claims.save('key', sent);
      replies.open = reply;
      const before = asked.length;
      expect(await claims.open('key', freshClaim())).toEqual({ kind: 'held', claim });
      expect(asked.slice(before).filter(({ command }) => command === 'save')).toHaveLength(saves);
    },
  );

  it.each([
    ['sent', 1, ['saved', 'sent', 1]],
    ['settled', 1, ['saved', 'settled', 0]],
    ['void', 1, ['saved', 'down', 0]],
    ['sent', 0, ['unconfirmed', 'down', 1]],
    ['sent', -1, ['conflict', 'down', 1]],
    ['sent', DOWN, ['unconfirmed', 'down', 1]],
    // Another process may have taken over a claim for which nothing was sent, so its result is looked up again.
    ['settled', DOWN, ['unconfirmed', 'sent', 0]],
    ['settled', 0, ['unconfirmed', 'down', 0]],
  ] as const)(
    'was opened here and is saved as %s, with the reply %s, is known accordingly',
    async (state, reply, result) => {
      const one = instance();
      await one.claims.open('key', freshClaim());
      one.replies.save = reply;
      const saved = await one.claims.save('key', { ...settled, state });
      expect([saved, await known(one), one.claims.size()]).toEqual(result);
    },
  );

  it.each([
    ['settled', DOWN, 'settled'],
    ['settled', 0, 'sent'],
    ['void', 1, 'down'],
    ['settled', -1, 'down'],
  ] as const)(
    'was sent and is saved as %s, with the reply %s, is known as "%s"',
    async (state, reply, result) => {
      const one = instance();
      await one.claims.save('key', sent);
      one.replies.save = reply;
      await one.claims.save('key', { ...settled, state });
      expect(await known(one)).toBe(result);
    },
  );

  it('is not one that another process sent, if the server did not save its result', async () => {
    const one = instance();
    one.isDown(true);
    expect(await one.claims.save('key', settled)).toBe('unconfirmed');
    expect(await known(one)).toBe('down');
  });

  it('is forgotten when it is dropped, but not when only its lease is given back', async () => {
    const one = instance();
    await one.claims.open('key', freshClaim());
    await one.claims.save('key', sent);
    await one.claims.leave('key');
    expect([await known(one), one.claims.size()]).toEqual(['sent', 0]);
    await one.claims.drop('key');
    expect(await known(one)).toBe('down');
  });
});

it('after every connection, claims that can still move money are restored first, and the others one at a time', async () => {
  const { claims, asked, replies, connect } = instance();
  const over = NOON_SECONDS - 601;
  for (const [key, claim] of [
    ['old', { ...settled, validBefore: over }],
    ['older', { ...settled, validBefore: over - 1 }],
    ['just over', { ...settled, validBefore: NOON_SECONDS - 600 }],
    ['sent', { ...sent, validBefore: over }],
  ] as const) {
    await claims.open(key, freshClaim());
    await claims.save(key, claim);
  }
  const token = asked.find(({ command, key }) => command === 'save' && key === 'sent')?.args[0];
  const pending: (() => void)[] = [];
  replies.restore = () => new Promise<void>((resolve) => pending.push(resolve));
  asked.length = 0;
  connect();
  const keys = () => asked.filter(({ command }) => command === 'restore').map(({ key }) => key);
  await expect.poll(keys).toEqual(['just over', 'sent', 'old']);
  expect(asked[0]?.command).toBe('complete');
  expect(asked.find(({ key }) => key === 'sent')?.args[0]).toBe(token);
  pending[2]?.();
  await expect.poll(keys).toEqual(['just over', 'sent', 'old', 'older']);
});
