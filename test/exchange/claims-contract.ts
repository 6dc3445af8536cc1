import { describe, expect, it } from 'vitest';
import type { Day } from '../../src/domain/calendar.ts';
import type { Claim, Claims } from '../../src/exchange/claims/claims.ts';

const NOW_SECONDS = Date.UTC(2026, 10, 21, 12) / 1000;
const VALID_BEFORE = NOW_SECONDS + 120;
export const TRANSACTION = `0x${'ab'.repeat(32)}` as const;

/** A claim as a first attempt opens it, with an authorization that is valid for two minutes. */
export const freshClaim = (changes: Partial<Claim> = {}): Claim => ({
  state: 'open',
  request: 'a'.repeat(64),
  signature: 'b'.repeat(64),
  today: 20_778 as Day,
  transaction: null,
  validBefore: VALID_BEFORE,
  ...changes,
});

let count = 0;
/** A key that no other test uses. */
export const freshKey = (): string => {
  count += 1;
  return `eip155:8453:0x833589fcd6edb6e08f4c7c32d4f71b54bda02913:0xbb:0x${count}.${process.pid}`;
};
const freshName = (): string => freshKey().slice(-40);

/** The rules for every claim store. `make` returns one whose clock is set to noon. */
export function claimsContract(kind: string, make: () => Claims): void {
  describe(`claims in ${kind}`, () => {
    it('give a key to the first attempt, and tell the second attempt who holds it', async () => {
      const claims = make();
      const key = freshKey();
      expect(await claims.open(key, freshClaim())).toEqual({ kind: 'opened' });
      const other = await claims.open(key, freshClaim({ request: 'c'.repeat(64) }));
      expect(other).toEqual({ kind: 'held', claim: freshClaim() });
    });

    it('give a key to exactly one of many attempts at once', async () => {
      const claims = make();
      const key = freshKey();
      const opened = await Promise.all(Array.from({ length: 20 }, () => claims.open(key, freshClaim())));
      expect(opened.filter(({ kind }) => kind === 'opened')).toHaveLength(1);
    });

    it('are found exactly as they were saved, and under no other key', async () => {
      const claims = make();
      const key = freshKey();
      expect(await claims.find(key)).toEqual({ kind: 'absent' });
      await claims.open(key, freshClaim());
      const sent = freshClaim({ state: 'sent', transaction: TRANSACTION });
      expect(await claims.save(key, sent)).toBe('saved');
      expect(await claims.find(key)).toEqual({ kind: 'held', claim: sent });
      expect(await claims.find(`${key}0`)).toEqual({ kind: 'absent' });
    });

    it('forget a dropped claim, whether it was sent or not, and make its key available again', async () => {
      const claims = make();
      for (const state of ['open', 'sent'] as const) {
        const key = freshKey();
        await claims.open(key, freshClaim());
        if (state === 'sent') await claims.save(key, freshClaim({ state }));
        await claims.drop(key);
        expect(await claims.find(key)).toEqual({ kind: 'absent' });
        expect(await claims.open(key, freshClaim())).toEqual({ kind: 'opened' });
      }
    });

    it('make a key available again to the same request if its claim was left open', async () => {
      const claims = make();
      const key = freshKey();
      await claims.open(key, freshClaim());
      await claims.leave(key);
      expect((await claims.open(key, freshClaim())).kind).toBe('opened');
    });

    it('never change a settled claim, and confirm it again', async () => {
      const claims = make();
      const key = freshKey();
      const settled = freshClaim({ state: 'settled', transaction: TRANSACTION });
      await claims.open(key, freshClaim());
      expect(await claims.save(key, settled)).toBe('saved');
      expect(await claims.save(key, settled)).toBe('saved');
      await claims.save(key, freshClaim({ state: 'void' }));
      await claims.save(key, freshClaim({ state: 'sent' }));
      expect(await claims.find(key)).toEqual({ kind: 'held', claim: settled });
      expect(await claims.open(key, freshClaim())).toEqual({ kind: 'held', claim: settled });
    });

    for (const other of ['request', 'signature'] as const)
      it(`report a conflict and keep the claim if one with another ${other} is saved under its key`, async () => {
        const claims = make();
        const key = freshKey();
        const sent = freshClaim({ state: 'sent', transaction: TRANSACTION });
        await claims.open(key, freshClaim());
        await claims.save(key, sent);
        const settled = freshClaim({ state: 'settled', [other]: 'c'.repeat(64) });
        expect(await claims.save(key, settled)).toBe('conflict');
        expect(await claims.find(key)).toEqual({ kind: 'held', claim: sent });
      });

    it('update a sent or void claim when the chain changes', async () => {
      const claims = make();
      const key = freshKey();
      await claims.open(key, freshClaim());
      for (const state of ['sent', 'void', 'sent', 'settled'] as const) {
        const claim = freshClaim({ state, transaction: TRANSACTION });
        expect(await claims.save(key, claim)).toBe('saved');
        expect(await claims.find(key)).toEqual({ kind: 'held', claim });
      }
    });

    it('bind an idempotency key to the first claim that uses it, as long as that claim is valid', async () => {
      const claims = make();
      const [first, second, name] = [freshKey(), freshKey(), freshName()];
      const request = 'a'.repeat(64);
      await claims.open(first, freshClaim());
      await claims.open(second, freshClaim());
      expect(await claims.name(name, { claim: first, request }, VALID_BEFORE)).toEqual({
        claim: first,
        request,
      });
      const told = await claims.name(name, { claim: second, request: 'c'.repeat(64) }, VALID_BEFORE);
      expect(told).toEqual({ claim: first, request });
      expect(await claims.name(name, { claim: first, request }, VALID_BEFORE)).toEqual({
        claim: first,
        request,
      });
    });

    for (const end of ['void', 'gone'] as const)
      it(`give an idempotency key to another claim if the first is ${end}`, async () => {
        const claims = make();
        const [first, second, name] = [freshKey(), freshKey(), freshName()];
        const request = 'a'.repeat(64);
        await claims.open(first, freshClaim());
        await claims.name(name, { claim: first, request }, VALID_BEFORE);
        if (end === 'void') await claims.save(first, freshClaim({ state: 'void' }));
        else await claims.drop(first);
        await claims.open(second, freshClaim());
        const bound = { claim: second, request };
        expect(await claims.name(name, bound, VALID_BEFORE)).toEqual(bound);
      });

    it('remember what an idempotency key is bound to after its claim has been dropped, and know nothing about other keys', async () => {
      const claims = make();
      const [key, name] = [freshKey(), freshName()];
      const bound = { claim: key, request: 'a'.repeat(64) };
      await claims.open(key, freshClaim());
      await claims.name(name, bound, VALID_BEFORE);
      await claims.drop(key);
      expect(await claims.named(name)).toEqual(bound);
      expect(await claims.named(freshName())).toBeNull();
    });

    it('give an idempotency key to exactly one of many claims that ask at once', async () => {
      const claims = make();
      const name = freshName();
      const keys = Array.from({ length: 10 }, freshKey);
      await Promise.all(keys.map((key) => claims.open(key, freshClaim())));
      const bound = await Promise.all(
        keys.map((claim) => claims.name(name, { claim, request: 'a'.repeat(64) }, VALID_BEFORE)),
      );
      expect(new Set(bound.map((one) => ('claim' in one ? one.claim : one.kind))).size).toBe(1);
    });

    it('report since when they are complete: not before they were created, and the same every time', async () => {
      const claims = make();
      const since = await claims.completeSince();
      expect(since).toBeGreaterThanOrEqual(NOW_SECONDS);
      expect(await claims.completeSince()).toBe(since);
    });

    it('report how many of them this process holds', async () => {
      const claims = make();
      const key = freshKey();
      await claims.open(key, freshClaim());
      expect(claims.size()).toBe(1);
      await claims.drop(key);
      expect(claims.size()).toBe(0);
    });
  });
}

export const contractNow = (): number => NOW_SECONDS * 1000;
