import { expect } from 'vitest';
import { z } from 'zod';
import type { AppParts } from '../../src/app.ts';
import type { Order } from '../../src/payments/settlement.ts';
import { problemTypes } from '../../src/surfaces/problem.ts';
import { BASE_URL, fakePayment, scriptedSettlement, type TestApp, testApp } from '../support/app.ts';

const fault = z.strictObject({
  pointer: z.string().regex(/^(\/|$)/),
  code: z.string().regex(/^[a-z0-9_]+$/),
  detail: z.string().min(5).max(300),
  hint: z.string().min(5).max(300).optional(),
});

/** Every problem that the service may return. Further members belong to a challenge, a limit or a state. */
const problemShape = z.looseObject({
  type: z.string(),
  title: z.string(),
  status: z.int(),
  code: z.enum(problemTypes.map(({ code }) => code) as [string, ...string[]]),
  detail: z.string().min(5).max(1_200),
  charged: z.literal(false),
  errors: z.array(fault).min(1).max(121).optional(),
});
export type Problem = z.infer<typeof problemShape>;

/** The problem in a response whose status, headers and members match the table of problems. */
export async function problemOf(response: Response): Promise<Problem> {
  expect(response.headers.get('content-type')).toBe('application/problem+json');
  expect(response.headers.get('cache-control')).toBe('no-store');
  expect(response.headers.get('x-content-type-options')).toBe('nosniff');
  expect(response.headers.get('access-control-allow-origin')).toBe('*');
  const body = problemShape.parse(await response.json());
  const type = problemTypes.find(({ code }) => code === body.code);
  expect(body).toMatchObject({ status: type?.status, title: type?.title });
  expect(response.status).toBe(body.status);
  expect(body.type).toBe(`${BASE_URL}/problems/${body.code.replaceAll('_', '-')}`);
  return body;
}

/** The faults of an invalid input as "pointer code", in order. */
export async function faultsOf(response: Response): Promise<string[]> {
  const { code, errors = [] } = await problemOf(response);
  expect(code).toBe('invalid_input');
  return errors.map((error) => `${error.pointer} ${error.code}`);
}

// biome-ignore lint/suspicious/noExplicitAny: answers are compared with literal values, which needs no types
export type Json = any;

/** The answer in a successful response. */
export async function answerOf(response: Response): Promise<Json> {
  const text = await response.text();
  expect([response.status, response.status === 200 ? '' : text]).toEqual([200, '']);
  expect(response.headers.get('content-type')).toBe('application/json');
  return JSON.parse(text);
}

/** The content of a PAYMENT-REQUIRED or PAYMENT-RESPONSE header. */
export const headerJson = (response: Response, name: string): Json => {
  const text = response.headers.get(name);
  return text === null ? null : JSON.parse(Buffer.from(text, 'base64').toString());
};

export const TRANSACTION = `0x${'ab'.repeat(32)}` as const;
export const settles = (order: Order) =>
  ({ state: 'settled', transaction: TRANSACTION, payer: order.payment.authorization.from }) as const;

export type PayingApp = TestApp & {
  /** The calls to the settlement, in order. */
  readonly orders: readonly Order[];
  /** Buys with a new payment of the right amount. */
  buyNotice(query: string): Promise<Response>;
  buyPack(body: unknown): Promise<Response>;
};

/** The app in memory with a settlement that always succeeds, and a buyer who always pays. */
export function payingApp(parts: Partial<AppParts> = {}): PayingApp {
  const { settlement, orders } = scriptedSettlement(settles);
  const app = testApp({ settlement, ...parts });
  const seconds = Math.floor((parts.now?.() ?? Date.UTC(2026, 10, 21, 12)) / 1000);
  let payments = 0;
  const paid = (value: string) => {
    payments += 1;
    const payment = fakePayment({ value, nonce: payments.toString(16), validBefore: seconds + 100 });
    return { 'payment-signature': payment };
  };
  return {
    ...app,
    orders,
    buyNotice: (query) => app.get(`/v1/late-fee-notice?${query}`, paid('10000')),
    buyPack: (body) => app.post('/v1/quote-pack', body, paid('50000')),
  };
}
