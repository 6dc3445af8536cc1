import { describe, expect, it } from 'vitest';
import type { Reply } from './http.ts';
import { supportedFault } from './messages.ts';

const answered = (status: number, body: unknown): Reply => ({
  kind: 'answered',
  status,
  body,
});
const kind = (changes: object = {}) => ({
  x402Version: 2,
  scheme: 'exact',
  network: 'eip155:8453',
  ...changes,
});
const listing = (...kinds: unknown[]): Reply => answered(200, { kinds, extensions: [], signers: {} });
const fault = (reply: Reply) => supportedFault(reply, 'eip155:8453');

describe('what a facilitator supports', () => {
  it('is accepted if it includes "exact" on our network, whatever else it lists', () => {
    expect(
      fault(listing(null, 'x', kind({ network: 'solana:x' }), kind(), kind({ scheme: 'upto' }))),
    ).toBeNull();
  });

  it.each<[Reply, string]>([
    [listing(), 'not_listed'],
    [listing(kind({ network: 'eip155:84532' })), 'not_listed'],
    [listing(kind({ x402Version: 1 })), 'not_listed'],
    [listing(kind({ scheme: 'upto' })), 'not_listed'],
    [answered(200, { kinds: 'https://evil.example' }), 'unclear'],
    [answered(200, undefined), 'unclear'],
    [answered(502, undefined), 'unclear'],
    [answered(401, {}), 'unauthorized'],
    [{ kind: 'unreached' }, 'unreached'],
    [{ kind: 'unclear' }, 'unclear'],
  ])('is not accepted, with the reason in one fixed word: %j', (reply, reason) => {
    expect(fault(reply)).toBe(reason);
  });
});
