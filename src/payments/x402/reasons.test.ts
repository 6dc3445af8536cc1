import { describe, expect, it } from 'vitest';
import { reasonCodes, reasonDetail, revertReason } from './reasons.ts';

describe('a reason for refusing a payment', () => {
  it('is a code that is explained in sentences', () => {
    expect(new Set(reasonCodes).size).toBe(reasonCodes.length);
    for (const code of reasonCodes) {
      expect(code).toMatch(/^[a-z0-9]+(_[a-z0-9]+)*$/);
      expect(reasonDetail(code)).toMatch(/^[A-Z].{10,200}\.$/);
    }
  });

  it('gets a general sentence if it is unknown, even if every object has a property of its name', () => {
    const general = reasonDetail('never_seen');
    expect(general).toMatch(/^[A-Z].{10,200}\.$/);
    expect(reasonCodes.map(reasonDetail)).not.toContain(general);
    for (const code of ['toString', '__proto__', 'constructor', '']) expect(reasonDetail(code)).toBe(general);
  });
});

describe('a revert message of the asset', () => {
  it.each([
    ['FiatTokenV2: invalid signature', 'invalid_exact_evm_payload_signature'],
    ['ECRecover: invalid signature length', 'invalid_exact_evm_payload_signature'],
    ["ECRecover: invalid signature 's' value", 'invalid_exact_evm_payload_signature'],
    ['ERC20: transfer amount exceeds balance', 'insufficient_funds'],
    ['FiatTokenV2: authorization is used or canceled', 'invalid_exact_evm_nonce_already_used'],
    ['FiatTokenV2: authorization is not yet valid', 'invalid_exact_evm_payload_authorization_valid_after'],
    ['FiatTokenV2: authorization is expired', 'invalid_exact_evm_payload_authorization_valid_before'],
    ['Blacklistable: account is blacklisted', 'payer_or_payee_blacklisted'],
    ['Pausable: paused', 'asset_paused'],
    ['something else', 'invalid_transaction_state'],
    ['', 'invalid_transaction_state'],
  ])('is translated: %j means %s', (text, reason) => {
    expect(revertReason(text)).toBe(reason);
  });
});
