import { createPrivateKey, createPublicKey, type KeyObject } from 'node:crypto';
import { calculateJwkThumbprint } from 'jose/jwk/thumbprint';
import { CompactSign } from 'jose/jws/compact/sign';

/** The content of a signed receipt: a payload of the x402 extension offer-receipt, version 1. */
export type SignedReceipt = {
  readonly network: string;
  readonly payer: string;
  readonly resourceUrl: string;
  readonly transaction: string;
  /** Unix seconds. */
  readonly issuedAt: number;
};

export type ReceiptSigner = {
  /** The `extensions` of a receipt; the same bytes for the same receipt. */
  sign(receipt: SignedReceipt): Promise<Readonly<Record<string, unknown>>>;
  /** The DID document of the signing key, for /.well-known/did.json. */
  readonly didDocument: Readonly<Record<string, unknown>>;
};

export type ReceiptKeys = {
  /** 32 bytes that the Ed25519 key is derived from. */
  readonly seed: Uint8Array;
  /** Public halves of keys that signed before, as `x` of a JWK. */
  readonly retired: readonly string[];
  /** The origin that the keys sign for. */
  readonly baseUrl: string;
};

/** PKCS #8 (RFC 8410) up to the seed of an Ed25519 key. */
const PKCS8_HEAD = Buffer.from('302e020100300506032b657004220420', 'hex');
// Enough to distinguish the few keys of one service, in a header that is a third shorter.
const KEY_NAME_CHARACTERS = 16;

const SCHEMA = {
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  type: 'object',
  properties: {
    receipt: {
      type: 'object',
      properties: { format: { type: 'string', const: 'jws' }, signature: { type: 'string' } },
      required: ['format', 'signature'],
    },
  },
  required: ['receipt'],
};

/** Signs receipts with a key that signs nothing else, in the name of did:web of the service's own origin. */
export async function receiptSigner({ seed, retired, baseUrl }: ReceiptKeys): Promise<ReceiptSigner> {
  const key = privateKeyOf(seed);
  const did = `did:web:${encodeURIComponent(new URL(baseUrl).host)}`;
  const own = createPublicKey(key).export({ format: 'jwk' }).x as string;
  const methods = await Promise.all([...new Set([own, ...retired])].map((x) => verificationMethod(did, x)));
  const kid = methods[0]?.id as string;
  return {
    didDocument: {
      '@context': ['https://www.w3.org/ns/did/v1', 'https://w3id.org/security/suites/jws-2020/v1'],
      id: did,
      verificationMethod: methods,
      assertionMethod: methods.map(({ id }) => id),
    },
    async sign({ issuedAt, network, payer, resourceUrl, transaction }) {
      // In the order of JCS (RFC 8785), as the extension requires.
      const payload = JSON.stringify({ issuedAt, network, payer, resourceUrl, transaction, version: 1 });
      const signature = await new CompactSign(Buffer.from(payload))
        .setProtectedHeader({ alg: 'EdDSA', kid })
        .sign(key);
      return { 'offer-receipt': { info: { receipt: { format: 'jws', signature } }, schema: SCHEMA } };
    },
  };
}

const privateKeyOf = (seed: Uint8Array): KeyObject =>
  createPrivateKey({ key: Buffer.concat([PKCS8_HEAD, seed]), format: 'der', type: 'pkcs8' });

async function verificationMethod(did: string, x: string) {
  const publicKeyJwk = { kty: 'OKP', crv: 'Ed25519', x };
  const name = (await calculateJwkThumbprint(publicKeyJwk)).slice(0, KEY_NAME_CHARACTERS);
  return { id: `${did}#${name}`, type: 'JsonWebKey2020', controller: did, publicKeyJwk };
}
