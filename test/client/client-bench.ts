import { privateKeyToAccount } from 'viem/accounts';
import { afterEach, beforeEach } from 'vitest';
import { createClient } from '../../packages/client/src/client.ts';
import type { DevAccount } from '../../src/devnet/chain-accounts.ts';
import { proxiedBench } from '../payments/proxied.ts';
import { type Listening, listening } from '../support/listening.ts';

export type Fetch = typeof globalThis.fetch;

export const NOTICE = {
  amount: 1250,
  due_date: '2026-09-01',
  paid_date: '2026-11-21',
  rate: 1.5,
  client_name: 'Acme Ltd',
};
export const CENT = 10_000n;

/** The PAYMENT-SIGNATURE of a request, or null. */
export const paymentOf = (...[input, init]: Parameters<Fetch>): string | null =>
  (input instanceof Request ? input : new Request(input, init)).headers.get('payment-signature');

/** The typed client with the service on a port, and the payments that it sent; call it in a describe. */
export function clientBench() {
  const { app, chain, gain, proxy } = proxiedBench();
  const account = () => privateKeyToAccount((chain().buyers[0] as DevAccount).privateKey);
  let service: Listening;
  /** The payments that were sent. */
  const payments: string[] = [];

  beforeEach(async () => {
    service = await listening(app());
    payments.length = 0;
  });
  afterEach(() => service.stop());

  const seen: Fetch = async (...asked) => {
    const payment = paymentOf(...asked);
    if (payment !== null) payments.push(payment);
    return fetch(...asked);
  };
  /** Returns a fetch that loses the first `times` paid replies. */
  const losing = (times: number): Fetch => {
    return async (...asked) => {
      const response = await seen(...asked);
      if (paymentOf(...asked) === null || payments.length > times) return response;
      throw new TypeError('fetch failed');
    };
  };
  const clientWith = (options: Partial<Parameters<typeof createClient>[0]> = {}) =>
    createClient({ baseUrl: service.url, payer: account(), fetch: seen, ...options });

  return { chain, gain, proxy, account, url: () => service.url, payments, seen, losing, clientWith };
}
