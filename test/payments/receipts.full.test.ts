import { createServer, type Server } from 'node:http';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { DevAccount } from '../../src/devnet/chain-accounts.ts';
import { type ReceiptSigner, receiptSigner } from '../../src/payments/x402/receipt-signer.ts';
import {
  extractReceiptFromResponse,
  extractReceiptPayload,
  type JWSSignedReceipt,
  verifyReceiptSignatureJWS,
} from '../../tools/x402/receipts.ts';
import { legacy, post } from '../mcp/endpoint.ts';
import type { TestApp } from '../support/app.ts';
import { startBuilt } from '../support/built-service.ts';
import { sharedChain } from '../support/chain.ts';
import { chainApp, challengeOf, headerJson, noticePath } from '../support/chain-app.ts';
import { opened, stopped } from '../support/listening.ts';
import { paymentHeader, type SignedPayment, signAuthorization } from '../support/payments.ts';
import { UNSETTLED } from '../support/unsettled.ts';

const SEED = Buffer.alloc(32, 7);

describe('a signed receipt', () => {
  const chain = sharedChain();
  let server: Server;
  let baseUrl: string;
  let app: TestApp;
  let signer: ReceiptSigner;
  let payment: SignedPayment;
  let nowMs: number;

  beforeEach(async () => {
    server = createServer((request, response) => app.listener(request, response));
    baseUrl = await opened(server);
    signer = await receiptSigner({ seed: SEED, retired: [], baseUrl });
    nowMs = Date.now();
    app = chainApp(chain(), { baseUrl, receipts: signer, now: () => nowMs });
    const buyer = chain().buyers[0] as DevAccount;
    payment = await signAuthorization({ buyer, accepted: await challengeOf(app) });
  });
  afterEach(() => stopped(server));

  const buy = (at = app) => at.get(noticePath('Acme'), { 'payment-signature': paymentHeader(payment) });
  const receiptOf = (response: Response) => extractReceiptFromResponse(response) as JWSSignedReceipt;

  it("is verified by the buyer's library with the key that the service publishes, and says what was paid for", async () => {
    const response = await buy();
    expect(response.status).toBe(200);
    const settlement = headerJson<{ transaction: string; payer: string }>(response, 'payment-response');
    // The verification looks up the key at /.well-known/did.json, as the key's name says.
    const verified = await verifyReceiptSignatureJWS(receiptOf(response));
    expect(verified).toEqual({
      version: 1,
      network: 'eip155:8453',
      resourceUrl: `${baseUrl}/v1/late-fee-notice`,
      payer: settlement?.payer,
      issuedAt: Math.floor(nowMs / 1000),
      transaction: settlement?.transaction,
    });
    expect(response.headers.get('payment-response')?.length).toBeLessThan(2_000);
    expect(await (await app.get('/openapi.json')).text()).toContain(
      'If there is a /.well-known/did.json, extensions',
    );
  });

  it('is documented with the line that verifies it if receipts are made, and nowhere otherwise', async () => {
    const unsigned = chainApp(chain(), { baseUrl });
    for (const path of ['/llms.txt', '/developers.md']) {
      const told = await (await app.get(path)).text();
      expect(told).toContain(`${baseUrl}/.well-known/did.json`);
      expect(told).toContain('await verifyReceiptSignatureJWS(extractReceiptFromResponse(response))');
      expect(await (await unsigned.get(path)).text()).not.toContain('did.json');
    }
  });

  it("is distinguished from the receipt of another signer by the key's name, as documented", async () => {
    const forger = createServer((_, response) =>
      response.setHeader('content-type', 'application/json').end(JSON.stringify(other.didDocument)),
    );
    const other = await receiptSigner({
      seed: Buffer.alloc(32, 9),
      retired: [],
      baseUrl: await opened(forger),
    });
    const said = extractReceiptPayload(receiptOf(await buy()));
    const forged = (await other.sign({ ...said, resourceUrl: `${baseUrl}/v1/stack-report` })) as {
      'offer-receipt': { info: { receipt: JWSSignedReceipt } };
    };
    const { receipt } = forged['offer-receipt'].info;
    expect(await verifyReceiptSignatureJWS(receipt)).toMatchObject({
      resourceUrl: `${baseUrl}/v1/stack-report`,
    });
    await stopped(forger);
    const kidOf = ({ signature }: JWSSignedReceipt): string =>
      JSON.parse(Buffer.from(signature.split('.')[0] ?? '', 'base64url').toString()).kid;
    for (const path of ['/llms.txt', '/developers.md']) {
      const told = await (await app.get(path)).text();
      const [, head = 'nothing is told'] = /the receipt's kid begins with (\S+):/.exec(told) ?? [];
      expect(kidOf(receiptOf(await buy()))).toMatch(new RegExp(`^${head}`));
      expect(kidOf(receipt)).not.toMatch(new RegExp(`^${head}`));
    }
  });

  it('has the same bytes whenever the answer is collected, also over MCP', async () => {
    const first = await buy();
    nowMs += 60_000;
    const second = await buy();
    expect(second.headers.get('payment-response')).toBe(first.headers.get('payment-response'));
    const query = new URL(noticePath('Acme'), baseUrl).searchParams;
    const params = {
      name: 'late_fee_notice',
      arguments: Object.fromEntries(query),
      _meta: { 'x402/payment': payment },
    };
    const { body } = await post(app, legacy('tools/call', params), { host: new URL(baseUrl).host });
    expect(body.result?._meta?.['x402/payment-response']).toEqual(headerJson(first, 'payment-response'));
  });

  it('can be verified even after its key was replaced by another', async () => {
    const receipt = receiptOf(await buy());
    const [method] = signer.didDocument.verificationMethod as { publicKeyJwk: { x: string } }[];
    const retired = [method?.publicKeyJwk.x as string];
    const later = await receiptSigner({ seed: Buffer.alloc(32, 8), retired, baseUrl });
    app = chainApp(chain(), { baseUrl, receipts: later });
    expect(later.didDocument.assertionMethod).toHaveLength(2);
    expect(await verifyReceiptSignatureJWS(receipt)).toMatchObject({ version: 1 });
  });

  it('is not made without a key, and then no key is published', async () => {
    app = chainApp(chain(), { baseUrl });
    const response = await buy();
    expect(response.status).toBe(200);
    expect(headerJson(response, 'payment-response')).not.toHaveProperty('extensions');
    expect((await app.get('/.well-known/did.json')).status).toBe(404);
  });

  it("is signed with a generated key for play money, and otherwise with the operator's key", async () => {
    const methodsAt = async (settings: Record<string, string>) => {
      const service = await startBuilt(settings);
      const response = await fetch(`${service.url}/.well-known/did.json`);
      service.stop();
      const { id, verificationMethod } = (await response.json()) as {
        id?: string;
        verificationMethod?: { publicKeyJwk: { x: string } }[];
      };
      expect([404, 200]).toContain(response.status);
      return { id, port: new URL(service.url).port, x: verificationMethod?.[0]?.publicKeyJwk.x };
    };
    const played = await methodsAt({ SETTLERS: 'embedded' });
    expect(played).toMatchObject({ id: `did:web:127.0.0.1%3A${played.port}`, x: expect.any(String) });
    const RECEIPT_KEYS = `0x${SEED.toString('hex')}`;
    const own = await methodsAt({ ...UNSETTLED, RECEIPT_KEYS });
    const [method] = signer.didDocument.verificationMethod as { publicKeyJwk: { x: string } }[];
    expect(own.x).toBe(method?.publicKeyJwk.x);
    expect((await methodsAt(UNSETTLED)).id).toBeUndefined();
  });

  it('is not made for a payment without an answer', async () => {
    await buy();
    const other = await app.get(noticePath('Other'), { 'payment-signature': paymentHeader(payment) });
    expect(other.status).toBe(409);
    expect(extractReceiptFromResponse(other)).toBeUndefined();
  });
});
