import { describe, expect, it } from 'vitest';
import { memoryClaims } from '../../src/exchange/claims/claims.ts';
import { TRANSACTION } from '../http/wire.ts';
import { proves } from '../spec/clauses.ts';
import { type Ending, NOON, scriptedSettlement, testApp } from '../support/app.ts';
import { MARK, markedHeaders, markedPayment, recorded, shows } from './marked.ts';

const PATH = `/v1/late-fee-notice?amount=1250&due_date=2026-11-04&client_name=${MARK}&business_name=${MARK}`;
const PACK = { items: [{ description: MARK, unit_price: 10 }], business_name: MARK };

/** Buys with marks everywhere and with every possible result; returns what claims and settlement received. */
async function buyAll() {
  const { claims, notes } = recorded(memoryClaims({ maxClaims: 1_000, now: () => NOON }));
  const endings: Ending[] = [
    { state: 'settled', transaction: TRANSACTION, payer: '0x00000000000000000000000000000000000000bb' },
    { state: 'unknown', transaction: TRANSACTION },
    { state: 'refused', reason: 'insufficient_funds' },
    { state: 'not_sent', reason: 'unreachable' },
    'throws',
  ];
  const { settlement, orders } = scriptedSettlement(
    ({ payment }) => endings[Number(BigInt(payment.authorization.nonce)) % endings.length] ?? 'throws',
  );
  const app = testApp({ claims, settlement });
  const statuses: number[] = [];
  for (let nonce = 0; nonce < 10; nonce += 1)
    for (const _try of [1, 2]) {
      const changes = { nonce: nonce.toString(16), value: nonce < 5 ? '10000' : '50000' };
      const named = { ...markedHeaders, 'idempotency-key': `${MARK}_${nonce}_0123456789` };
      const headers = { ...named, 'payment-signature': markedPayment(changes) };
      const response =
        nonce < 5 ? await app.get(PATH, headers) : await app.post('/v1/quote-pack', PACK, headers);
      statuses.push(response.status);
    }
  return { notes, orders, statuses };
}

describe('the record of a purchase', () => {
  it(
    proves(
      '1-nothing-stored',
      'has digests and public facts from the chain, but nothing that a caller wrote',
    ),
    async () => {
      const { notes, statuses } = await buyAll();
      expect(new Set(statuses)).toEqual(new Set([200, 402, 409, 500, 503]));
      expect(notes.length).toBeGreaterThan(40);
      expect(notes.filter(shows)).toEqual([]);
      // The records name only the product, to help buyers. Its price is public anyway.
      const text = notes.join('\n').replaceAll(/"operation":"[a-z_]+"/g, '');
      for (const written of '1250 client_name late_fee_notice quote_pack unit_price user-agent'.split(' '))
        expect(text).not.toContain(written);
    },
  );

  it('gives the settler the payment and the constant address, and nothing of the request', async () => {
    const { orders } = await buyAll();
    for (const { payment: _sent, ...ours } of orders) expect(shows(JSON.stringify(ours))).toBe(false);
  });
});
