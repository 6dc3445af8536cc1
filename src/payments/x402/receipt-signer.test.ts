import { compactVerify, importJWK } from 'jose';
import { describe, expect, it } from 'vitest';
import { type ReceiptSigner, receiptSigner } from './receipt-signer.ts';

const SEED = Buffer.alloc(32, 7);
// The key of RFC 8037. Appendix A.3 has its thumbprint.
const RETIRED = '11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo';
const signer = () =>
  receiptSigner({ seed: SEED, retired: [RETIRED], baseUrl: 'https://calc.example:8443/x' });

const PAID = {
  issuedAt: 1_795_262_400,
  network: 'eip155:8453',
  payer: `0x${'bb'.repeat(20)}`,
  resourceUrl: 'https://calc.example:8443/v1/late-fee-notice',
  transaction: `0x${'ab'.repeat(32)}`,
} as const;

type Key = { readonly id: string; readonly publicKeyJwk: { kty: string; crv: string; x: string } };
const keysOf = ({ didDocument }: ReceiptSigner) => didDocument.verificationMethod as readonly Key[];

type Extension = { info: { receipt: { format: string; signature: string } }; schema: unknown };
const extensionOf = async ({ sign }: ReceiptSigner) => (await sign(PAID))['offer-receipt'] as Extension;

describe('the document of the keys that sign receipts', () => {
  it('lists the current key first and then the retired ones, each under the name of the origin', async () => {
    const { didDocument } = await signer();
    expect(didDocument).toMatchInlineSnapshot(`
      {
        "@context": [
          "https://www.w3.org/ns/did/v1",
          "https://w3id.org/security/suites/jws-2020/v1",
        ],
        "assertionMethod": [
          "did:web:calc.example%3A8443#--6IM5l0OosLj9yW",
          "did:web:calc.example%3A8443#kPrK_qmxVWaYVA9w",
        ],
        "id": "did:web:calc.example%3A8443",
        "verificationMethod": [
          {
            "controller": "did:web:calc.example%3A8443",
            "id": "did:web:calc.example%3A8443#--6IM5l0OosLj9yW",
            "publicKeyJwk": {
              "crv": "Ed25519",
              "kty": "OKP",
              "x": "6kpsY-KcUgq-9VB7Ey7F-ZVHdq6-vnuSQh7qaRRG0iw",
            },
            "type": "JsonWebKey2020",
          },
          {
            "controller": "did:web:calc.example%3A8443",
            "id": "did:web:calc.example%3A8443#kPrK_qmxVWaYVA9w",
            "publicKeyJwk": {
              "crv": "Ed25519",
              "kty": "OKP",
              "x": "11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo",
            },
            "type": "JsonWebKey2020",
          },
        ],
      }
    `);
  });

  it('names a key once if it is also listed as retired', async () => {
    const [own] = keysOf(await signer());
    const x = own?.publicKeyJwk.x as string;
    const again = await receiptSigner({ seed: SEED, retired: [x], baseUrl: 'https://calc.example' });
    expect(keysOf(again).map(({ publicKeyJwk }) => publicKeyJwk.x)).toEqual([x]);
  });
});

describe('a signed receipt', () => {
  it('says what was paid for, and is verified with the key that it names', async () => {
    const own = await signer();
    const [key] = keysOf(own);
    const { info } = await extensionOf(own);
    const { payload, protectedHeader } = await compactVerify(
      info.receipt.signature,
      await importJWK(key?.publicKeyJwk as Key['publicKeyJwk'], 'EdDSA'),
    );
    expect(protectedHeader).toEqual({ alg: 'EdDSA', kid: key?.id });
    expect(new TextDecoder().decode(payload)).toBe(JSON.stringify({ ...PAID, version: 1 }));
    expect(info.receipt.format).toBe('jws');
  });

  it('contains the schema of its extension', async () => {
    expect((await extensionOf(await signer())).schema).toMatchInlineSnapshot(`
      {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "properties": {
          "receipt": {
            "properties": {
              "format": {
                "const": "jws",
                "type": "string",
              },
              "signature": {
                "type": "string",
              },
            },
            "required": [
              "format",
              "signature",
            ],
            "type": "object",
          },
        },
        "required": [
          "receipt",
        ],
        "type": "object",
      }
    `);
  });
});
