import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { privateKeyToAccount } from 'viem/accounts';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  type Account,
  createClient,
  RefusedError,
  UnknownEndError,
} from '../../packages/client/src/client.ts';
import { networks } from '../../packages/client/src/operations.ts';
import { type DevAccount, devAccounts } from '../../src/devnet/chain-accounts.ts';
import { opened, stopped } from '../support/listening.ts';
import { requirementsFor, SELLER } from '../support/payments.ts';

const NOTICE = { amount: 1250, due_date: '2026-09-01' };
const OTHER = '0x00000000000000000000000000000000000000bb';
const LISTED = requirementsFor(SELLER.toLowerCase() as typeof SELLER, 10_000n);

type Typed = {
  readonly domain: Record<string, unknown>;
  readonly primaryType: string;
  readonly message: Record<string, unknown>;
};
type Answer = (request: IncomingMessage, response: ServerResponse) => void;

/** A 402 with these offers, in the format of the service. */
const asking =
  (accepts: readonly unknown[], more: object = {}): Answer =>
  (_request, response) => {
    const required = {
      x402Version: 2,
      error: 'payment_required',
      resource: { url: 'http://127.0.0.1/v1/late-fee-notice', description: '', mimeType: 'application/json' },
      accepts,
      extensions: {},
      ...more,
    };
    const header = Buffer.from(JSON.stringify(required)).toString('base64');
    response.writeHead(402, { 'content-type': 'application/json', 'payment-required': header });
    response.end(JSON.stringify({ code: 'payment_required', detail: 'Pay.', charged: false, ...required }));
  };

const changed = (changes: object): Answer => asking([{ ...LISTED, ...changes }]);

describe('a hostile service', () => {
  const account = privateKeyToAccount((devAccounts(1)[0] as DevAccount).privateKey);
  let url: string;
  let answer: Answer;
  /** Everything that was signed. */
  let signed: Typed[];
  /** The payments that arrived anywhere. */
  let presented: string[];
  const payer: Account = {
    address: account.address,
    signTypedData: (typed) => {
      signed.push(typed as Typed);
      return account.signTypedData(typed as Parameters<typeof account.signTypedData>[0]);
    },
  };
  const server = createServer((request, response) => {
    const payment = request.headers['payment-signature'];
    if (typeof payment === 'string') presented.push(payment);
    answer(request, response);
  });

  beforeEach(async () => {
    [signed, presented] = [[], []];
    url = await opened(server);
  });
  afterEach(() => stopped(server));

  const client = (options: Partial<Parameters<typeof createClient>[0]> = {}) =>
    createClient({ baseUrl: url, payer, patienceMs: 300, ...options });
  const bought = (at = client()) =>
    at.lateFeeNotice(NOTICE).then(
      () => null,
      (error: unknown) => error,
    );

  /** Expects that every signature moves at most the list price, in USDC on Base, and expires soon. */
  function expectOnlyListed(): void {
    for (const { domain, primaryType, message } of signed) {
      expect(primaryType).toBe('TransferWithAuthorization');
      expect(domain).toMatchObject({ chainId: 8453, name: 'USD Coin', version: '2' });
      expect(`${domain.verifyingContract}`.toLowerCase()).toBe(networks['eip155:8453'].usdc.toLowerCase());
      expect(message.value).toBe(10_000n);
      expect(Number(message.validBefore)).toBeLessThanOrEqual(Date.now() / 1_000 + 125);
    }
  }

  it.each<[string, Answer, string]>([
    ['a hundred times the price', changed({ amount: '1000000' }), 'price_too_high'],
    ['a millionth of a dollar too much', changed({ amount: '10001' }), 'price_too_high'],
    ['a price in other digits', changed({ amount: '0x2710' }), 'price_too_high'],
    ['a negative price', changed({ amount: '-1' }), 'price_too_high'],
    ['a price as a JSON number', changed({ amount: 1e6 }), 'price_too_high'],
    ['another network', changed({ network: 'eip155:137' }), 'other_network'],
    ['the test network', changed({ network: 'eip155:84532' }), 'other_network'],
    ['another token', changed({ asset: OTHER }), 'other_asset'],
    ['the domain of another token', changed({ extra: { name: 'Tether', version: '2' } }), 'other_asset'],
    ['a payment that is valid for thirty days', changed({ maxTimeoutSeconds: 2_592_000 }), 'valid_too_long'],
    ['a payment that never expires', changed({ maxTimeoutSeconds: null }), 'valid_too_long'],
    ['a payment without a payee', changed({ payTo: '' }), 'other_payee'],
    ['a scheme that it can draw on later', changed({ scheme: 'upto' }), 'other_scheme'],
    [
      'a permit for all tokens',
      changed({ extra: { ...LISTED.extra, assetTransferMethod: 'permit2' } }),
      'other_scheme',
    ],
    ['nothing that can be paid', asking([]), 'unreadable'],
    ['version 1 of the protocol', asking([LISTED], { x402Version: 1 }), 'unreadable'],
    ['an offer that is null', asking([null]), 'other_scheme'],
  ])('does not get a signature if it asks for %s', async (_what, asks, code) => {
    answer = asks;
    const refused = await bought();
    expect(refused).toBeInstanceOf(RefusedError);
    expect(refused).toMatchObject({ problem: { code } });
    expect([signed, presented]).toEqual([[], []]);
  });

  it('gets only the listed offer signed, even if there are other offers', async () => {
    answer = asking([{ ...LISTED, amount: '1000000' }, { ...LISTED, network: 'eip155:1' }, LISTED]);
    await bought();
    expect(signed).toHaveLength(1);
    expectOnlyListed();
  });

  it('does not get a permit through an extension of its challenge', async () => {
    answer = asking([LISTED], { extensions: { eip2612GasSponsoring: { info: { version: '1' } } } });
    await bought();
    expect(signed).toHaveLength(1);
    expectOnlyListed();
    const payment = JSON.parse(Buffer.from(presented[0] ?? '', 'base64').toString());
    expect(payment.extensions ?? {}).toEqual({});
  });

  it('gets only one signature, however often it asks for another payment', async () => {
    answer = asking([LISTED]);
    const ended = await bought();
    expect(ended).toBeInstanceOf(RefusedError);
    answer = (request, response) =>
      request.headers['payment-signature'] === undefined
        ? asking([LISTED])(request, response)
        : response.writeHead(503, { 'retry-after': '0.01' }).end();
    expect(await bought()).toBeInstanceOf(UnknownEndError);
    expect(signed).toHaveLength(2);
    expect(new Set(presented).size).toBe(2);
    expectOnlyListed();
  });

  it('cannot name another payee in a later call', async () => {
    const calculator = client();
    answer = asking([LISTED]);
    await bought(calculator);
    answer = changed({ payTo: OTHER });
    expect(await bought(calculator)).toMatchObject({ problem: { code: 'other_payee' } });
    expect(signed).toHaveLength(1);
    expect(await bought(client({ payTo: SELLER }))).toMatchObject({ problem: { code: 'other_payee' } });
    expect(signed).toHaveLength(1);
  });

  it('cannot send the buyer elsewhere, before or after signing', async () => {
    const elsewhere = createServer((request, response) => {
      const payment = request.headers['payment-signature'];
      if (typeof payment === 'string') presented.push(payment);
      changed({ amount: '1000000' })(request, response);
    });
    const location = await opened(elsewhere);
    answer = (_request, response) => response.writeHead(307, { location }).end();
    expect(await bought()).toMatchObject({ problem: { code: 'unreachable' } });
    expect(signed).toEqual([]);
    const arrived: number[] = [];
    answer = (request, response) => {
      if (request.headers['payment-signature'] === undefined) return asking([LISTED])(request, response);
      arrived.push(1);
      response.writeHead(307, { location }).end();
    };
    expect(await bought()).toBeInstanceOf(UnknownEndError);
    expect(presented).toHaveLength(arrived.length);
    expectOnlyListed();
    await stopped(elsewhere);
  });

  it('gets nothing from a payer that signed an offer that the service did not make', async () => {
    answer = asking([LISTED]);
    const generous = {
      createPaymentPayload: async () => ({
        x402Version: 2,
        accepted: LISTED,
        payload: {
          signature: '0x',
          authorization: { to: SELLER, value: '1000000', validBefore: '9999999999' },
        },
      }),
    };
    const refused = await bought(client({ payer: generous as never }));
    expect(refused).toMatchObject({ name: 'RefusedError', problem: { code: 'payer_failed' } });
    expect(presented).toEqual([]);
  });

  it('gets more than the list price only if the buyer allows it', async () => {
    answer = changed({ amount: '30000' });
    await bought(client({ maxPriceUsd: '0.03' }));
    expect(signed.map(({ message }) => message.value)).toEqual([30_000n]);
    await client()
      .lateFeeNotice(NOTICE, { maxPriceUsd: '0.029999' })
      .catch((error) => expect(error).toMatchObject({ problem: { code: 'price_too_high' } }));
    expect(signed).toHaveLength(1);
    await expect(client({ maxPriceUsd: 'a lot' }).lateFeeNotice(NOTICE)).rejects.toThrow(TypeError);
  });

  it("gets nothing if the buyer's limit is below the list price", async () => {
    answer = asking([LISTED]);
    expect(await bought(client({ maxPriceUsd: '0.005' }))).toMatchObject({
      problem: { code: 'price_too_high' },
    });
  });
});

describe('every error of the typed client', () => {
  const NOWHERE = 'http://127.0.0.1:9';

  it('names an unreachable service, with the error behind it', async () => {
    const refused = await createClient({ baseUrl: NOWHERE })
      .quoteTotals({ items: [{ unit_price: 1 }] })
      .catch((error: unknown) => error);
    expect(refused).toMatchObject({ name: 'RefusedError', status: null, problem: { code: 'unreachable' } });
    expect((refused as RefusedError).cause).toBeInstanceOf(Error);
  });

  it('names a canceled call, with the reason', async () => {
    const signal = AbortSignal.abort(new Error('closed'));
    const refused = await createClient({ baseUrl: NOWHERE })
      .lateFeeNotice(NOTICE, { signal })
      .catch((error: unknown) => error);
    expect(refused).toMatchObject({ name: 'RefusedError', problem: { code: 'stopped' } });
    expect((refused as RefusedError).cause).toMatchObject({ message: 'closed' });
  });

  it('says that a payer is missing, or passes on why a payer did not sign', async () => {
    const fetch = async () => {
      const required = { x402Version: 2, error: 'x', resource: { url: NOWHERE }, accepts: [LISTED] };
      const header = Buffer.from(JSON.stringify(required)).toString('base64');
      return new Response('{}', { status: 402, headers: { 'payment-required': header } });
    };
    const unpaid = createClient({ baseUrl: NOWHERE, fetch }).lateFeeNotice(NOTICE);
    await expect(unpaid).rejects.toMatchObject({ status: 402, problem: { code: 'no_payer' } });
    const failing = { createPaymentPayload: () => Promise.reject(new Error('locked')) };
    const refused = createClient({ baseUrl: NOWHERE, fetch, payer: failing }).lateFeeNotice(NOTICE);
    await expect(refused).rejects.toMatchObject({
      name: 'RefusedError',
      problem: { code: 'payer_failed', detail: expect.stringContaining('locked') },
      cause: { message: 'locked' },
    });
  });
});
