/** The meaning of each x402 reason code for a buyer, and what to change. */
const reasons: Readonly<Record<string, string>> = {
  payment_required: 'No payment came with this request.',
  invalid_x402_version:
    'X-PAYMENT is a header of x402 version 1; send an x402 version 2 PaymentPayload in PAYMENT-SIGNATURE.',
  unsupported_scheme: 'Only the scheme exact is accepted.',
  invalid_network: 'The payment is for a different network.',
  invalid_payment_requirements: 'The payment names a different asset.',
  invalid_exact_evm_payload_recipient_mismatch: 'The authorization pays someone else; make it out to payTo.',
  invalid_exact_evm_payload_authorization_value_mismatch:
    'The authorization is for a different amount; sign exactly the amount in accepts.',
  invalid_exact_evm_payload_authorization_valid_after:
    'The authorization is not valid yet; set validAfter to 0.',
  invalid_exact_evm_payload_authorization_valid_before:
    'The authorization has expired or is valid for more than a day; set validBefore to maxTimeoutSeconds from now.',
  invalid_exact_evm_payload_signature:
    'The signature does not match the authorization; sign with the EIP-712 domain in extra, on this chain, and with the key of from.',
  insufficient_funds: 'The payer holds less USDC than the amount.',
  wallet_gas_too_dear:
    'The payer is a smart-contract wallet or a delegated account, and checking its signature costs more gas than this sale allows; pay from a plain account.',
  invalid_exact_evm_nonce_already_used:
    'The authorization was used or canceled before; sign a new one with a fresh nonce.',
  payer_or_payee_blacklisted: 'The asset refuses transfers between these addresses; do not retry.',
  payer_or_payee_screened: 'The settlement service rejects this payer or payee; do not retry.',
  invalid_transaction_state: 'The asset refuses this transfer.',
  payment_already_used:
    'This payment was already sent with a different request; sign a new authorization for this one.',
  settlement_pending: 'The result is not known yet; repeat the identical request with the same payment.',
};

/** The meaning of a reason code, in a sentence that says what to change. Unknown codes get a general one. */
export const reasonDetail = (code: string): string =>
  (Object.hasOwn(reasons, code) ? reasons[code] : undefined) ??
  'The payment was refused; sign a new authorization for one of accepts.';

/** Reason codes that a challenge may carry. */
export const reasonCodes: readonly string[] = Object.keys(reasons);

// The messages of Circle's contract when it reverts, and the matching x402 code.
const reverts: readonly (readonly [RegExp, string])[] = [
  [/invalid signature|ECRecover/i, 'invalid_exact_evm_payload_signature'],
  [/exceeds balance/i, 'insufficient_funds'],
  [/used or canceled/i, 'invalid_exact_evm_nonce_already_used'],
  [/not yet valid/i, 'invalid_exact_evm_payload_authorization_valid_after'],
  [/is expired/i, 'invalid_exact_evm_payload_authorization_valid_before'],
  [/blacklisted/i, 'payer_or_payee_blacklisted'],
  [/Pausable: paused/i, 'asset_paused'],
];

/** The x402 code of a USDC revert text; `asset_paused` is not a fault of the payment. */
export const revertReason = (text: string): string =>
  reverts.find(([pattern]) => pattern.test(text))?.[1] ?? 'invalid_transaction_state';
