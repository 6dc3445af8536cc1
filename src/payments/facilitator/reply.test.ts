import { describe, expect, it } from 'vitest';
import { orderOf, PAYER } from '../../../test/support/order.ts';
import type { Hex } from '../x402/payment.ts';
import { reasonCodes } from '../x402/reasons.ts';
import type { Reply } from './http.ts';
import { readVerdict, rulingOf } from './messages.ts';

const TRANSACTION: Hex = `0x${'12'.repeat(32)}`;

const order = orderOf();

const success = { success: true, transaction: TRANSACTION, network: 'eip155:8453', payer: PAYER };
const failure = (errorReason: string, transaction = '') => ({ success: false, errorReason, transaction });
const answered = (status: number, body: unknown): Reply => ({
  kind: 'answered',
  status,
  body,
});
const claim = (status: number, body: unknown) => readVerdict(answered(status, body), order);

const open = { kind: 'unclear', transaction: null };
const away = (reason: string) => ({ kind: 'not_taken', reason, heard: true });

describe('the reply of a facilitator', () => {
  it('counts as a payment only with status 2xx, our network, the payer, the amount and a transaction hash', () => {
    const paid = { kind: 'paid', transaction: TRANSACTION };
    expect(claim(200, success)).toEqual(paid);
    expect(claim(200, { ...success, amount: '10000', payer: `0x${'B'.repeat(40)}` })).toEqual(paid);
    expect(claim(200, { ...success, errorReason: null, extra: { any: 1 } })).toEqual(paid);
    for (const wrong of [
      { network: 'base' },
      { payer: `0x${'d'.repeat(40)}` },
      { payer: undefined },
      { amount: '9999' },
      { transaction: '' },
      { transaction: '0x12' },
      { success: 'true' },
    ])
      expect(claim(200, { ...success, ...wrong })).toEqual(open);
    expect(claim(500, success)).toEqual(open);
    expect(claim(302, success)).toEqual(open);
  });

  it('is unclear after a lost reply, a server error, a redirect or an answer that is not a settlement', () => {
    expect(readVerdict({ kind: 'unclear' }, order)).toEqual(open);
    for (const [status, body] of [
      [500, { error: 'crash' }],
      [502, undefined],
      [503, undefined],
      [504, undefined],
      [307, undefined],
      [408, undefined],
      [409, { error: 'conflict' }],
      [200, undefined],
      [200, null],
      [200, []],
      [200, {}],
      [500, failure('insufficient_funds')],
    ] as const)
      expect(claim(status, body)).toEqual(open);
  });

  it('means pending if it has settlement_pending, or status 500 and a transaction', () => {
    const pending = { kind: 'pending', transaction: TRANSACTION };
    expect(claim(200, failure('settlement_pending', TRANSACTION))).toEqual(pending);
    expect(claim(500, failure('settlement_pending', TRANSACTION))).toEqual(pending);
    expect(claim(500, failure('anything', TRANSACTION))).toEqual(pending);
    expect(claim(200, failure('settlement_pending'))).toEqual({ kind: 'pending', transaction: null });
  });

  it("becomes a refusal with one of our codes if the payment is at fault, never with the facilitator's words", () => {
    const refused = (reason: string) => ({ kind: 'refused', reason });
    expect(claim(200, failure('insufficient_funds'))).toEqual(refused('insufficient_funds'));
    expect(claim(400, failure('invalid_exact_evm_insufficient_balance'))).toEqual(
      refused('insufficient_funds'),
    );
    expect(claim(200, failure('invalid_exact_evm_signature'))).toEqual(
      refused('invalid_exact_evm_payload_signature'),
    );
    expect(claim(200, failure('invalid_exact_evm_payload_authorization_from_address_kyt'))).toEqual(
      refused('payer_or_payee_screened'),
    );
    expect(claim(200, failure('invalid_exact_evm_nonce_already_used'))).toEqual({ kind: 'used' });
  });

  it('is unclear if a failure names a transaction, follows a broadcast or has unknown words', () => {
    expect(claim(200, failure('insufficient_funds', TRANSACTION))).toEqual({
      kind: 'unclear',
      transaction: TRANSACTION,
    });
    for (const reason of [
      'invalid_exact_evm_transaction_failed',
      'invalid_exact_evm_transfer_event_mismatch',
      'settle_exact_node_failure',
      'settle_exact_evm_transaction_confirmation_timed_out',
      'unexpected_settle_error',
      'https://rpc.example/SECRET',
      '',
      'constructor',
      '__proto__',
    ])
      expect(claim(200, failure(reason))).toEqual(open);
  });

  it('means "not taken" if the call did not arrive, was rejected, or asks for something that we do not sell', () => {
    expect(readVerdict({ kind: 'unreached' }, order)).toEqual({
      kind: 'not_taken',
      reason: 'unreached',
      heard: false,
    });
    expect(claim(401, {})).toEqual(away('unauthorized'));
    expect(claim(403, undefined)).toEqual(away('unauthorized'));
    expect(claim(404, undefined)).toEqual(away('not_found'));
    expect(claim(429, undefined)).toEqual(away('rate_limited'));
    expect(claim(400, { errorType: 'invalid_request' })).toEqual(away('not_understood'));
    expect(claim(402, undefined)).toEqual(away('not_understood'));
    expect(claim(200, failure('invalid_network'))).toEqual(away('unsupported'));
    expect(claim(400, failure('invalid_payload'))).toEqual(away('unsupported'));
  });

  it('counts as a reply of the gateway if it is a 503 page, but only if that facilitator is known to send such pages', () => {
    expect(readVerdict(answered(503, undefined), order, true)).toEqual(away('busy'));
    expect(readVerdict(answered(503, { error: 'x' }), order, true)).toEqual(open);
    expect(readVerdict(answered(502, undefined), order, true)).toEqual(open);
  });
});

describe('the reasons that facilitators give', () => {
  it('all reach buyers as codes that are explained in a sentence', () => {
    for (const code of [
      'insufficient_funds',
      'invalid_exact_evm_recipient_mismatch',
      'invalid_exact_evm_authorization_value',
      'invalid_exact_evm_payload_authorization_valid_after',
      'invalid_exact_evm_payload_authorization_valid_before',
      'invalid_exact_evm_transaction_simulation_failed',
      'smart_wallet_deployment_failed',
    ]) {
      const ruling = rulingOf(code);
      expect(ruling.kind === 'refused' && reasonCodes.includes(ruling.reason)).toBe(true);
    }
  });
});
