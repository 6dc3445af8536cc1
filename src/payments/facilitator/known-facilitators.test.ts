import { createPublicKey, generateKeyPairSync } from 'node:crypto';
import { inspect } from 'node:util';
import { decodeProtectedHeader, jwtVerify } from 'jose';
import { describe, expect, it } from 'vitest';
import { Secret } from '../../config/reading.ts';
import { cdpHeaders, cdpKeyOf, cdpSecretFault } from './known-facilitators.ts';

const KEY_ID = 'organizations/4711/apiKeys/42';
const HOST = 'api.cdp.example';
const NOON = Date.UTC(2026, 10, 21, 12);

function edwardsSecret(): string {
  const { d = '', x = '' } = generateKeyPairSync('ed25519').privateKey.export({ format: 'jwk' });
  return Buffer.concat([Buffer.from(d, 'base64url'), Buffer.from(x, 'base64url')]).toString('base64');
}
const ellipticSecret = (type: 'sec1' | 'pkcs8', namedCurve = 'P-256') =>
  String(generateKeyPairSync('ec', { namedCurve }).privateKey.export({ format: 'pem', type }));

function headersAt(secret: string, now: () => number) {
  return cdpHeaders({ id: new Secret(KEY_ID), secret: new Secret(secret), host: HOST, now });
}

const secrets = {
  EdDSA: edwardsSecret(),
  ES256: ellipticSecret('sec1'),
  'ES256 with written line breaks': ellipticSecret('pkcs8').replaceAll('\n', '\\n'),
};

describe('tokens for the Coinbase platform', () => {
  for (const [title, secret] of Object.entries(secrets))
    it(`are for one call, last two minutes and verify with the public key: ${title}`, async () => {
      const { authorization = '' } = await headersAt(secret, () => NOON)('POST', '/platform/v2/x402/settle');
      expect(authorization).toMatch(/^Bearer [\w-]+\.[\w-]+\.[\w-]+$/);
      const token = authorization.slice('Bearer '.length);
      const read = cdpKeyOf(secret);
      if (read === null) throw new Error('The secret is a key');
      const { payload } = await jwtVerify(token, createPublicKey(read.key), { currentDate: new Date(NOON) });
      expect(payload).toEqual({
        sub: KEY_ID,
        iss: 'cdp',
        uris: [`POST ${HOST}/platform/v2/x402/settle`],
        iat: NOON / 1000,
        nbf: NOON / 1000,
        exp: NOON / 1000 + 120,
      });
      expect(decodeProtectedHeader(token)).toEqual({
        alg: title.slice(0, 5),
        kid: KEY_ID,
        typ: 'JWT',
        nonce: expect.stringMatching(/^[0-9a-f]{32}$/),
      });
    });

  it('are reused for 90 seconds, each for its own method and path', async () => {
    let nowMs = NOON;
    const headers = headersAt(secrets.EdDSA, () => nowMs);
    const first = await headers('POST', '/settle');
    nowMs += 89_999;
    expect(await headers('POST', '/settle')).toEqual(first);
    expect(await headers('GET', '/settle')).not.toEqual(first);
    expect(await headers('POST', '/verify')).not.toEqual(first);
    nowMs += 1;
    expect(await headers('POST', '/settle')).not.toEqual(first);
  });
});

describe('an invalid key secret', () => {
  it('is refused, and never quoted, if it is truncated, garbled, of the wrong type or not a key', () => {
    const seed = Buffer.from(edwardsSecret(), 'base64').subarray(0, 32);
    const stranger = Buffer.from(edwardsSecret(), 'base64').subarray(32);
    for (const wrong of [
      '',
      'your-key-secret',
      secrets.EdDSA.slice(0, -4),
      `${secrets.EdDSA.slice(0, -2)}AA`,
      Buffer.concat([seed, stranger]).toString('base64'),
      ellipticSecret('pkcs8', 'P-384'),
      ellipticSecret('pkcs8').slice(0, 100),
      String(generateKeyPairSync('ed25519').privateKey.export({ format: 'pem', type: 'pkcs8' })).slice(9),
    ]) {
      const fault = cdpSecretFault(wrong);
      expect(fault).toContain('must be a key secret');
      if (wrong !== '') expect(fault).not.toContain(wrong);
    }
    for (const right of Object.values(secrets)) expect(cdpSecretFault(right)).toBeNull();
  });

  it('is not shown when the parsed key is printed', () => {
    const read = cdpKeyOf(secrets.EdDSA);
    const seed = Buffer.from(secrets.EdDSA, 'base64').subarray(0, 32);
    const printed = inspect(read, { depth: 9, showHidden: true }) + JSON.stringify(read);
    for (const form of [seed.toString('hex'), seed.toString('base64url'), secrets.EdDSA])
      expect(printed).not.toContain(form);
  });
});
