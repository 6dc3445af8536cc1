import { describe, expect, it } from 'vitest';
import { freshClaim } from '../../../test/exchange/claims-contract.ts';
import { ownClaims } from './redis-claims.ts';

const NOON_MS = Date.UTC(2026, 10, 21, 12);
const QUARTER_HOUR_MS = 900_000;

/** Creates the claims that a process knows, with a clock that a test sets. */
function knowing() {
  const clock = { ms: NOON_MS };
  return { clock, own: ownClaims(() => clock.ms) };
}

describe('the claim tokens of one process', () => {
  it('differ from one another, and have a prefix that no other process uses', () => {
    const [one, other] = [knowing().own, knowing().own];
    const tokens = [one.token(), one.token()];
    expect(new Set(tokens).size).toBe(2);
    for (const token of tokens) expect(token.startsWith(one.process)).toBe(true);
    expect(one.process.startsWith(other.process)).toBe(false);
  });

  it('are held for a quarter of an hour, however many claims are opened in that time', () => {
    const { clock, own } = knowing();
    own.hold('first', 'token of the first');
    clock.ms += QUARTER_HOUR_MS - 1;
    own.hold('second', 'token of the second');
    expect(own.held('first')).toBe('token of the first');
    expect(own.size()).toBe(2);
    clock.ms += 1;
    own.hold('third', 'token of the third');
    expect(own.held('first')).toBeUndefined();
    expect(own.held('second')).toBe('token of the second');
    own.release('second');
    expect(own.held('second')).toBeUndefined();
    expect(own.size()).toBe(1);
  });
});

describe('the claims that a process knows to have been sent', () => {
  it('stay known until their answer can no longer be collected', () => {
    const { clock, own } = knowing();
    const claim = freshClaim({ state: 'sent' });
    own.remember('key', claim);
    clock.ms = (claim.validBefore + 86_400) * 1000;
    expect(own.known('key')).toEqual(claim);
    expect([...own.all()]).toEqual([['key', claim]]);
    clock.ms += 1;
    expect(own.known('key')).toBeUndefined();
    expect([...own.all()]).toEqual([]);
  });

  it('are at most 20,000, and the oldest is forgotten first', () => {
    const { own } = knowing();
    for (let count = 0; count < 20_000; count += 1) own.remember(`key ${count}`, freshClaim());
    own.remember('key 0', freshClaim({ state: 'settled' }));
    own.remember('one more', freshClaim());
    expect(own.known('key 1')).toBeUndefined();
    for (const key of ['key 0', 'key 2', 'one more']) expect(own.known(key)).toBeDefined();
    own.forget('key 0');
    expect(own.known('key 0')).toBeUndefined();
  });
});
