import { randomBytes } from 'node:crypto';
import { SignJWT } from 'jose/jwt/sign';
import { cdpKeyOf } from './cdp-key.ts';
import type { CallHeaders } from './http.ts';

/** A credential that only `reveal()` returns. */
export type SecretValue = { reveal(): string };

export type CdpTokenParts = {
  readonly id: SecretValue;
  readonly secret: SecretValue;
  /** Host name of the platform, as the token names it. */
  readonly host: string;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
};

const LIFETIME_SECONDS = 120;
// Well before a token expires, so that a call that waits for a connection still has a valid one.
const KEPT_MS = 90_000;

/**
 * Authorization headers for the Coinbase Developer Platform: a token for each method and path, signed with the key and
 * used for 90 seconds. Throws if the secret is not a key; `cdpSecretFault` reports that beforehand.
 */
export function cdpHeaders({ id, secret, host, now }: CdpTokenParts): CallHeaders {
  const signing = cdpKeyOf(secret.reveal());
  if (signing === null) throw new Error('The CDP key secret is not a key');
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
