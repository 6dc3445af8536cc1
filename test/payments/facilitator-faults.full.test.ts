import { describe, expect, it } from 'vitest';
import { earned } from '../support/chain-app.ts';
import { type AnyFault, facilitatorFaults } from '../support/facilitator-answers.ts';
import {
  expectMoved,
  expectNoSecret,
  facilitatorBench,
  heard,
  present,
} from '../support/facilitator-bench.ts';

const CENT = 10_000n;

/** The reply to a buyer while a fault lasts; `200` only if the chain has the transfer. */
const withChain: Record<AnyFault, 200 | 409 | 503> = {
  'lie-unsettled': 409,
  'lie-other-transaction': 409,
  'lie-no-transaction': 409,
  'lie-wrong-payer': 409,
  'lie-wrong-network': 409,
  'settle-and-drop': 200,
  'settle-and-pending': 200,
  'settle-and-refuse': 200,
  'settle-and-500': 200,
  'settle-and-503': 200,
  'settle-and-turn-away': 200,
  'settle-and-redirect': 200,
  'settle-and-flood': 200,
  'settle-and-garble': 200,
  'settle-wrong-hash': 200,
  pending: 409,
  drop: 409,
  'too-many': 503,
  unauthorized: 503,
  'page-503': 409,
  redirect: 409,
  secret: 409,
  slow: 200,
};

/**
 * The same, if only the facilitator's reply counts: anything except a well-formed success for this service is not a
 * success.
 */
const withoutChain: Partial<Record<AnyFault, 200 | 409 | 503>> = {
  'lie-no-transaction': 409,
  'lie-wrong-payer': 409,
  'lie-wrong-network': 409,
  'settle-and-drop': 409,
  'settle-and-pending': 409,
  'settle-and-500': 409,
  'settle-and-503': 409,
  'settle-and-redirect': 409,
  'settle-and-flood': 409,
  'settle-and-garble': 409,
  pending: 409,
  drop: 409,
  'too-many': 503,
  unauthorized: 503,
  redirect: 409,
  secret: 409,
  slow: 200,
};

describe('a facilitator that lies or breaks', () => {
  const bench = facilitatorBench();

  for (const [title, hasRpc, table] of [
    ['with an RPC', true, withChain],
    ['without an RPC', false, withoutChain],
  ] as const)
    for (const fault of facilitatorFaults.filter((name) => table[name] !== undefined))
      it(`causes at most one transfer, and the buyer gets an answer only if there was one (${title}, ${fault})`, async () => {
        const { chain, facilitator, lines, seller, sign } = bench();
        const at = await seller({ hasRpc });
        const before = await earned(chain);
        lines.length = 0;
        facilitator.fail(fault);
        const payment = await sign();
        const first = await present(at, payment);
        expect(first.status).toBe(table[fault]);
        const gain = (await earned(chain)) - before;
        if (first.status === 200) expect(gain).toBe(CENT);
        if (first.status === 503) expect(gain).toBe(0n);
        expectNoSecret(await heard(first), bench());
        facilitator.heal();
        const again = await present(at, payment);
        expect(again.status).toBe(200);
        expect((await earned(chain)) - before).toBe(CENT);
        await expectMoved(again, payment.payload.authorization.nonce, bench());
        expectNoSecret(await heard(again), bench());
        expect(lines.join('')).toContain('"settler":"facilitator_1"');
        expectNoSecret(lines.join(''), bench());
      });
});
