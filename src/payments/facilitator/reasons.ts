/**
 * What a facilitator's reason for a failure means. `refused`: nothing was sent, because of the payment, in our own
 * code. `used`: it considers the nonce spent. `unsupported`: it cannot settle our requirements from any payer.
 * `pending`: it sent, and does not know the result. `unclear`: it may have sent.
 */
export type Ruling =
  | { readonly kind: 'refused'; readonly reason: string }
  | { readonly kind: 'used' }
  | { readonly kind: 'unsupported' }
  | { readonly kind: 'pending' }
  | { readonly kind: 'unclear' };

// Codes of the x402 v2 specification, of the official facilitator and of hosted ones, by our code.
const refusals: Readonly<Record<string, readonly string[]>> = {
  insufficient_funds: ['insufficient_funds', 'invalid_exact_evm_insufficient_balance'],
  invalid_exact_evm_payload_signature: [
    'invalid_exact_evm_payload_signature',
    'invalid_exact_evm_signature',
    'invalid_exact_evm_failed_to_parse_signature',
    'invalid_exact_evm_payload_signature_address',
    'invalid_exact_evm_payload_authorization_typed_data_message',
  ],
  invalid_exact_evm_payload_recipient_mismatch: [
    'invalid_exact_evm_payload_recipient_mismatch',
    'invalid_exact_evm_recipient_mismatch',
  ],
  invalid_exact_evm_payload_authorization_value_mismatch: [
    'invalid_exact_evm_payload_authorization_value_mismatch',
    'invalid_exact_evm_payload_authorization_value',
    'invalid_exact_evm_authorization_value',
  ],
  invalid_exact_evm_payload_authorization_valid_after: [
    'invalid_exact_evm_payload_authorization_valid_after',
  ],
  invalid_exact_evm_payload_authorization_valid_before: [
    'invalid_exact_evm_payload_authorization_valid_before',
  ],
  payer_or_payee_screened: [
    'invalid_exact_evm_payload_authorization_from_address_kyt',
    'invalid_exact_evm_payload_authorization_to_address_kyt',
  ],
  invalid_transaction_state: [
    'invalid_exact_evm_transaction_simulation_failed',
    'eip6492_factory_not_allowed',
    'smart_wallet_deployment_failed',
  ],
};
const used = ['invalid_exact_evm_nonce_already_used'];
// The requirements are ours, so these are never the buyer's fault.
const unsupported = [
  'unsupported_scheme',
  'invalid_scheme',
  'invalid_exact_evm_scheme',
  'invalid_network',
  'invalid_exact_evm_network_mismatch',
  'invalid_payment_requirements',
  'invalid_payload',
  'unsupported_payload_type',
  'invalid_x402_version',
  'invalid_exact_evm_missing_eip712_domain',
  'invalid_exact_evm_token_name_mismatch',
  'invalid_exact_evm_token_version_mismatch',
  'invalid_exact_evm_eip3009_not_supported',
  'invalid_exact_evm_payload_authorization_value_too_low',
  'asset_not_deployed_contract',
];

const rulings: ReadonlyMap<string, Ruling> = new Map([
  ...Object.entries(refusals).flatMap(([reason, codes]) =>
    codes.map((code): [string, Ruling] => [code, { kind: 'refused', reason }]),
  ),
  ...used.map((code): [string, Ruling] => [code, { kind: 'used' }]),
  ...unsupported.map((code): [string, Ruling] => [code, { kind: 'unsupported' }]),
  ['settlement_pending', { kind: 'pending' }],
]);

/** What a facilitator's `errorReason` means. An unknown reason may describe a transfer that was sent. */
export const rulingOf = (errorReason: string): Ruling => rulings.get(errorReason) ?? { kind: 'unclear' };
