import type { RequestListener } from 'node:http';
import { type AppParts, createApp } from '../../src/app.ts';
import { type Claims, memoryClaims } from '../../src/exchange/claims/claims.ts';
import { createCatalog } from '../../src/operations/catalog.ts';
import type { End, Handover, Order, Settlement } from '../../src/payments/settlement.ts';
import type { Terms } from '../../src/payments/x402/requirements.ts';
import { listenerOf } from '../../src/surfaces/http/listener.ts';
import { directory } from './directory.ts';
import { type InMemory, inMemory } from './in-memory.ts';

/** The served catalog with the directory as its editor approved it, read once per test file. */
export const catalog = createCatalog(directory);

const tools = catalog.filter(({ tool }) => tool);
/** The names of the tools as they are listed. The price list is a tool that is not in the catalog. */
export const paidTools = tools.flatMap(({ name, price }) => (price === null ? [] : [name])).toSorted();
export const freeTools = [...tools.map(({ name }) => name), 'pricing']
  .filter((name) => !paidTools.includes(name))
  .toSorted();

export const BASE_URL = 'https://calc.example';
export const PAYEE = '0x00000000000000000000000000000000000000Aa';
/** 2026-11-21, noon UTC. */
export const NOON = Date.UTC(2026, 10, 21, 12);

export const terms: Terms = {
  network: 'eip155:8453',
  chainId: 8453,
  asset: '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913',
  assetName: 'USD Coin',
  assetVersion: '2',
  payTo: PAYEE,
};

export type Ending = End | 'throws';

/**
 * A settlement with a scripted result that records its calls. It is the only part of the service that tests replace.
 */
export function scriptedSettlement(end: (order: Order) => Ending | Promise<Ending>) {
  const orders: Order[] = [];
  const settle = async (order: Order, { proven, sending }: Handover): Promise<End> => {
    orders.push(order);
    const ending = await end(order);
    if (ending === 'throws') throw new Error('a broken settler');
    if ('transaction' in ending && !((await proven()) && (await sending(ending.transaction))))
      return { state: 'not_sent', reason: 'stopped' };
    return ending;
  };
  const settlement: Settlement = {
    settle,
    reconcile: async (order, _transaction, handover) => {
      const ending = await settle(
        order,
        handover ?? { proven: async () => false, sending: async () => false },
      );
      return ending.state === 'not_sent' ? { state: 'unknown', transaction: null } : ending;
    },
    // In these tests, every payer is an account with code that accepts any signature.
    isWalletSigned: async () => true,
  };
  return { settlement, orders };
}

export type TestApp = {
  readonly http: InMemory;
  /** The same app for a server of Node.js. */
  readonly listener: RequestListener;
  readonly claims: Claims;
  readonly bugs: unknown[];
  warm(): Promise<void>;
  get(path: string, headers?: Record<string, string>): Promise<Response>;
  post(path: string, body: unknown, headers?: Record<string, string>): Promise<Response>;
};

let between = (app: InMemory): InMemory => app;

/** Wraps every app that the tests of a file create from then on. */
export function putBetween(wrap: (app: InMemory) => InMemory): void {
  between = wrap;
}

/** The whole app in memory with a fixed clock; `end` returns the results of settlements. */
export function testApp(parts: Partial<AppParts> & { end?: (order: Order) => Ending } = {}): TestApp {
  const bugs: unknown[] = [];
  const now = parts.now ?? (() => NOON);
  const claims = parts.claims ?? memoryClaims({ maxClaims: 1_000, now });
  const end = parts.end ?? (() => ({ state: 'not_sent', reason: 'test' }) as const);
  const { http: own, warm } = createApp({
    operations: catalog,
    terms,
    settlement: scriptedSettlement(end).settlement,
    baseUrl: BASE_URL,
    freeRequestsPerMinute: 1_000_000,
    refusedPaymentsPerMinute: 1_000_000,
    trustedProxies: [],
    coldProbe: 400,
    health: () => ({ status: 'ok', payments: 'ok', reasons: [] }),
    onBug: (_operation, error) => bugs.push(error),
    onCall: () => undefined,
    ...parts,
    now,
    claims,
  });
  const http = between(inMemory(own));
  return {
    http,
    listener: listenerOf(own),
    warm,
    claims,
    bugs,
    get: async (path, headers = {}) => http.request(path, { headers }),
    post: async (path, body, headers = {}) =>
      http.request(path, {
        method: 'POST',
        headers: { 'content-type': 'application/json', ...headers },
        body: typeof body === 'string' ? body : JSON.stringify(body),
      }),
  };
}

/** A well-formed PAYMENT-SIGNATURE for the scripted settlement; nothing checks its signature. */
export function fakePayment(
  changes: { value?: string; nonce?: string; signature?: string; validBefore?: number } = {},
): string {
  const { value = '10000', nonce = '1', signature = '11', validBefore = NOON / 1000 + 100 } = changes;
  return Buffer.from(
    JSON.stringify({
      x402Version: 2,
      accepted: { scheme: 'exact', network: terms.network },
      payload: {
        signature: `0x${signature.padStart(130, '0')}`,
        authorization: {
          from: '0x00000000000000000000000000000000000000bb',
          to: PAYEE,
          value,
          validAfter: '0',
          validBefore: String(validBefore),
          nonce: `0x${nonce.padStart(64, '0')}`,
        },
      },
    }),
  ).toString('base64');
}
