import { describe, expect, it } from 'vitest';
import { memoryClaims } from '../../src/exchange/claims/claims.ts';
import { claimsContract, contractNow, freshClaim, freshKey, TRANSACTION } from './claims-contract.ts';

const NOON_SECONDS = Date.UTC(2026, 10, 21, 12) / 1000;

claimsContract('memory', () => memoryClaims({ maxClaims: 1_000, now: contractNow }));

describe('the memory of one process', () => {
  /** Room for three claims, and a clock that a test sets. */
  function room() {
    const clock = { seconds: NOON_SECONDS };
    return { clock, claims: memoryClaims({ maxClaims: 3, now: () => clock.seconds * 1000 }) };
  }
  const held = async ({ claims }: ReturnType<typeof room>, state: 'open' | 'sent' | 'settled' | 'void') => {
    const key = freshKey();
    await claims.open(key, freshClaim());
    if (state !== 'open') await claims.save(key, freshClaim({ state, transaction: TRANSACTION }));
    return key;
  };

  it.each([
    [0, 2],
    [0.001, 3],
    [0.999, 3],
  ])(
    'that was created %d s after a full second is complete from %d s on, because blocks are dated in whole seconds and ahead of time',
    async (past, margin) => {
      const claims = memoryClaims({ maxClaims: 3, now: () => (NOON_SECONDS + past) * 1000 });
      expect(await claims.completeSince()).toBe(NOON_SECONDS + margin);
    },
  );

  it('forgets only claims that can no longer move money if it is full', async () => {
    const full = room();
    const before = await full.claims.completeSince();
    full.clock.seconds += 60;
    const [dead, paid, waiting] = [
      await held(full, 'void'),
      await held(full, 'settled'),
      await held(full, 'sent'),
    ];
    expect((await full.claims.open(freshKey(), freshClaim())).kind).toBe('opened');
    expect((await full.claims.find(dead)).kind).toBe('absent');
    for (const key of [paid, waiting]) expect((await full.claims.find(key)).kind).toBe('held');
    expect(await full.claims.completeSince()).toBe(before);
  });

  it('forgets the oldest expired claim if it is full, and then rejects payments that were used before', async () => {
    const full = room();
    const [paid, waiting, open] = [
      await held(full, 'settled'),
      await held(full, 'sent'),
      await held(full, 'open'),
    ];
    full.clock.seconds += 720;
    expect((await full.claims.open(freshKey(), freshClaim())).kind).toBe('full');
    full.clock.seconds += 1;
    expect((await full.claims.open(freshKey(), freshClaim())).kind).toBe('opened');
    expect((await full.claims.find(paid)).kind).toBe('absent');
    for (const key of [waiting, open]) expect((await full.claims.find(key)).kind).toBe('held');
    expect(await full.claims.completeSince()).toBe(NOON_SECONDS + 721 + 2);
  });

  it('keeps every sent claim if it is full, even the oldest, and takes no new claim instead', async () => {
    const full = room();
    const [waiting, paid] = [await held(full, 'sent'), await held(full, 'settled')];
    await held(full, 'sent');
    full.clock.seconds += 721;
    expect((await full.claims.open(freshKey(), freshClaim())).kind).toBe('opened');
    expect((await full.claims.find(paid)).kind).toBe('absent');
    expect((await full.claims.find(waiting)).kind).toBe('held');
    const sentOnly = room();
    for (let count = 0; count < 3; count += 1) await held(sentOnly, 'sent');
    sentOnly.clock.seconds += 721;
    expect((await sentOnly.claims.open(freshKey(), freshClaim())).kind).toBe('full');
  });

  it('forgets the idempotency keys of a claim together with the claim', async () => {
    const full = room();
    const [dead, paid] = [await held(full, 'void'), await held(full, 'settled')];
    await full.claims.name('of the void one', { claim: dead, request: 'a' }, freshClaim().validBefore);
    await full.claims.name('of the paid one', { claim: paid, request: 'a' }, freshClaim().validBefore);
    await held(full, 'sent');
    await full.claims.open(freshKey(), freshClaim());
    expect(await full.claims.named('of the void one')).toBeNull();
    expect(await full.claims.named('of the paid one')).toMatchObject({ claim: paid });
  });

  it('forgets the idempotency keys of claims that are gone if it has as many keys as claims', async () => {
    const { claims } = room();
    const nameGone = (name: string) =>
      claims.name(name, { claim: freshKey(), request: 'a' }, freshClaim().validBefore);
    for (const name of ['first', 'second', 'third']) await nameGone(name);
    expect(await claims.named('first')).not.toBeNull();
    await nameGone('fourth');
    expect(await claims.named('first')).toBeNull();
    expect(await claims.named('fourth')).not.toBeNull();
  });

  it('forgets everything that can no longer be collected if it is full', async () => {
    const full = room();
    const keys = [await held(full, 'settled'), await held(full, 'sent'), await held(full, 'open')];
    full.clock.seconds += 120 + 86_400 + 1;
    expect((await full.claims.open(freshKey(), freshClaim())).kind).toBe('opened');
    for (const key of keys) expect((await full.claims.find(key)).kind).toBe('absent');
  });
});
