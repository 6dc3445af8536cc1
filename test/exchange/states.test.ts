import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Claim, type Claims, memoryClaims } from '../../src/exchange/claims/claims.ts';
import type { Handover, Settlement } from '../../src/payments/settlement.ts';
import { fakePayment, NOON, testApp } from '../support/app.ts';

type State = Claim['state'] | 'unseen';

const HASH = `0x${'cd'.repeat(32)}` as const;
const SETTLED = {
  state: 'settled',
  transaction: HASH,
  payer: '0x00000000000000000000000000000000000000bb',
} as const;
const REFUSED = { state: 'refused', reason: 'insufficient_funds' } as const;
const DECLINED = { state: 'declined', reason: 'insufficient_funds', transaction: null } as const;
const UNKNOWN = { state: 'unknown', transaction: HASH } as const;
const NOT_SENT = { state: 'not_sent', reason: 'unreached' } as const;

/** Claims that record every change of state for every key. */
function noted(claims: Claims, moves: Set<string>): Claims {
  const states = new Map<string, State>();
  const move = (key: string, next: State) => {
    const state = states.get(key) ?? 'unseen';
    if (next !== state) moves.add(`${state} -> ${next}`);
    states.set(key, next);
  };
  return {
    ...claims,
    open: async (key, fresh) => {
      const opened = await claims.open(key, fresh);
      if (opened.kind === 'opened') move(key, 'open');
      return opened;
    },
    save: async (key, claim) => {
      if (states.get(key) !== 'settled') move(key, claim.state);
      return claims.save(key, claim);
    },
    drop: async (key) => {
      move(key, 'unseen');
      return claims.drop(key);
    },
  };
}

type Ending = typeof SETTLED | typeof REFUSED | typeof DECLINED | typeof UNKNOWN | typeof NOT_SENT;

const NOTHING = { proves: false, sends: false, result: NOT_SENT };
const endings = fc.constantFrom(
  { proves: true, sends: false, result: NOT_SENT },
  { proves: false, sends: false, result: SETTLED },
  { proves: false, sends: false, result: REFUSED },
  { proves: false, sends: false, result: NOT_SENT },
  { proves: true, sends: true, result: SETTLED },
  { proves: true, sends: true, result: REFUSED },
  { proves: true, sends: true, result: DECLINED },
  { proves: true, sends: true, result: UNKNOWN },
  { proves: true, sends: true, result: NOT_SENT },
);

describe('the states of a payment', () => {
  it('change as docs/payments.md says, for every result of a settlement', async () => {
    const moves = new Set<string>();
    let steps: { proves: boolean; sends: boolean; result: Ending }[] = [];
    const step = async (handover: Handover | null) => {
      const { proves, sends, result } = steps.shift() ?? NOTHING;
      if (proves && (await handover?.proven()) && sends) await handover?.sending(HASH);
      return result;
    };
    const settlement: Settlement = {
      settle: (_order, handover) => step(handover),
      reconcile: async (_order, _hash, handover) => {
        const result = await step(handover);
        return result.state === 'not_sent' ? UNKNOWN : result;
      },
      isWalletSigned: async () => true,
    };
    const claims = noted(memoryClaims({ maxClaims: 10_000, now: () => NOON }), moves);
    const app = testApp({ claims, settlement });
    let nonce = 0;
    await fc.assert(
      fc.asyncProperty(fc.array(endings, { minLength: 1, maxLength: 6 }), async (script) => {
        steps = [...script];
        nonce += 1;
        const header = { 'payment-signature': fakePayment({ nonce: nonce.toString(16) }) };
        for (const _try of script) await app.get('/v1/late-fee-notice?amount=1&due_date=2026-01-01', header);
      }),
      // The rarest change comes in three of a hundred scripts, so that new inputs cannot miss it.
      { numRuns: 1_000 },
    );
    const document = readFileSync(new URL('../../docs/payments.md', import.meta.url), 'utf8');
    const [, block = ''] = /<!-- states -->\n```text\n([\s\S]*?)```/.exec(document) ?? [];
    const said = block
      .trim()
      .split('\n')
      .map((line) => line.split(/ {2,}/)[0] as string);
    expect([...moves].sort()).toEqual([...said].sort());
  });
});
