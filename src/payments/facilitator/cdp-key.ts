import { createPrivateKey, createPublicKey, type KeyObject } from 'node:crypto';

/** A key of the Coinbase Developer Platform and the JWS algorithm it signs with. */
export type CdpKey = { readonly key: KeyObject; readonly algorithm: 'EdDSA' | 'ES256' };

const SEED_BYTES = 32;

/**
 * Reads a key secret: base64 of an Ed25519 seed and its public key (64 bytes), or an EC key on P-256 as PEM, whose
 * line breaks may be written as `\n`. Null when it is neither.
 */
export function cdpKeyOf(secret: string): CdpKey | null {
  try {
    return secret.includes('-----BEGIN') ? ellipticKey(secret) : edwardsKey(secret);
  } catch {
    return null;
  }
}

/** What is wrong with a key secret, for a message at start; null if it can sign. Never repeats the secret. */
export const cdpSecretFault = (secret: string): string | null =>
  cdpKeyOf(secret) === null
    ? 'must be a key secret in the platform’s format: base64 of 64 bytes (Ed25519), or an EC key as PEM (ES256) with \\n for line breaks'
    : null;

function edwardsKey(secret: string): CdpKey | null {
  const bytes = Buffer.from(secret, 'base64');
  if (!/^[A-Za-z0-9+/]{86}==$/.test(secret) || bytes.length !== 2 * SEED_BYTES) return null;
  const d = bytes.subarray(0, SEED_BYTES).toString('base64url');
  const x = bytes.subarray(SEED_BYTES).toString('base64url');
  const key = createPrivateKey({ key: { kty: 'OKP', crv: 'Ed25519', d, x }, format: 'jwk' });
  // Without this comparison, a damaged secret would show only when the first payment is rejected.
  return createPublicKey(key).export({ format: 'jwk' }).x === x ? { key, algorithm: 'EdDSA' } : null;
}

function ellipticKey(secret: string): CdpKey | null {
  const key = createPrivateKey(secret.replaceAll('\\n', '\n'));
  const isP256 = key.asymmetricKeyType === 'ec' && key.asymmetricKeyDetails?.namedCurve === 'prime256v1';
  return isP256 ? { key, algorithm: 'ES256' } : null;
}
