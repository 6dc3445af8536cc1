import { createPrivateKey, createPublicKey, type KeyObject, randomBytes } from 'node:crypto';
import { SignJWT } from 'jose/jwt/sign';
import type { CallHeaders } from './http.ts';

/** A hosted entry of SETTLERS. */
export type FacilitatorChoice =
  | { readonly kind: 'cdp' }
  | { readonly kind: 'payai' }
  | { readonly kind: 'facilitator'; readonly url: string };

/** One entry of SETTLERS. */
export type SettlerChoice = { readonly kind: 'embedded' } | { readonly kind: 'local' } | FacilitatorChoice;

/** The name of an entry in health, metrics and logs: its kind, and for a URL its position from 1. */
export const settlerName = ({ kind }: SettlerChoice, index: number): string =>
  kind === 'facilitator' ? `${kind}_${index + 1}` : kind;

/**
 * Whether one of these settlers lists the services that it settles for. Its catalog requests a price without any input,
 * and keeps only services that answer 402.
 */
export const isCatalogAmong = (settlers: readonly { readonly kind: string }[]): boolean =>
  settlers.some(({ kind }) => kind === 'cdp' || kind === 'payai');

/** Address and headers of a facilitator. The URL may contain a key. */
export type Facilitator = {
  /** Without a trailing slash. */
  readonly url: string;
  readonly headers?: CallHeaders;
  /** Whether a 503 that is not JSON comes from the facilitator's gateway, which did not forward the request. */
  readonly isEdge503?: boolean;
};

/** The parts of a key, which only `reveal()` returns. */
type CdpApiKey = { readonly id: { reveal(): string }; readonly secret: { reveal(): string } };

export type FacilitatorSettings = {
  /** The API key for `cdp`. */
  readonly cdpApiKey: CdpApiKey | null;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
};

const CDP_HOST = 'api.cdp.coinbase.com';
const CDP_URL = `https://${CDP_HOST}/platform/v2/x402`;
const PAYAI_URL = 'https://facilitator.payai.network';

/** The address and headers of a hosted settler. Throws if its key is missing or cannot sign. */
export function facilitatorOf(
  choice: FacilitatorChoice,
  { cdpApiKey, now }: FacilitatorSettings,
): Facilitator {
  if (choice.kind === 'facilitator') return { url: choice.url };
  if (choice.kind === 'payai') return { url: PAYAI_URL, isEdge503: true };
  if (cdpApiKey === null) throw new Error('A settler lacks its key');
  const { id, secret } = cdpApiKey;
  return { url: CDP_URL, headers: cdpHeaders({ id, secret, host: CDP_HOST, now }) };
}

/** A key of the Coinbase Developer Platform and the JWS algorithm it signs with. */
type CdpKey = { readonly key: KeyObject; readonly algorithm: 'EdDSA' | 'ES256' };

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

/** Says at startup why a key secret cannot sign, without repeating the secret. Null if it can sign. */
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

const LIFETIME_SECONDS = 120;
// Well before a token expires, so that a call that waits for a connection still has a valid one.
const KEPT_MS = 90_000;

/**
 * Authorization headers for the Coinbase Developer Platform at `host`: a token for each method and path, signed with the key and
 * used for 90 seconds. Throws if the secret is not a key; `cdpSecretFault` reports that beforehand.
 */
export function cdpHeaders({
  id,
  secret,
  host,
  now,
}: CdpApiKey & { readonly host: string; readonly now: () => number }): CallHeaders {
  const signing = cdpKeyOf(secret.reveal());
  if (signing === null) throw new Error('CDP_API_KEY_SECRET is not a key secret');
  const { key, algorithm } = signing;
  const kept = new Map<string, { token: Promise<string>; until: number }>();

  const sign = (uri: string): Promise<string> => {
    const seconds = Math.floor(now() / 1000);
    const keyId = id.reveal();
    const nonce = randomBytes(16).toString('hex');
    return new SignJWT({ sub: keyId, iss: 'cdp', uris: [uri] })
      .setProtectedHeader({ alg: algorithm, kid: keyId, typ: 'JWT', nonce })
      .setIssuedAt(seconds)
      .setNotBefore(seconds)
      .setExpirationTime(seconds + LIFETIME_SECONDS)
      .sign(key);
  };

  return async (method, path) => {
    const uri = `${method} ${host}${path}`;
    const found = kept.get(uri);
    const current =
      found !== undefined && now() < found.until ? found : { token: sign(uri), until: now() + KEPT_MS };
    kept.set(uri, current);
    return { authorization: `Bearer ${await current.token}` };
  };
}
