import { z } from 'zod';
import { decimal } from '../../src/catalog/fields.ts';
import { type Answer, operation, usd } from '../../src/catalog/operation.ts';
import { memoryClaims } from '../../src/exchange/claims/claims.ts';
import { createExchange } from '../../src/exchange/exchange.ts';
import { type RefusalLimit, unprovenPayments } from '../../src/exchange/limits.ts';
import type { OnBug } from '../../src/exchange/purchase.ts';
import { createPurchases } from '../../src/exchange/purchases.ts';
import type { Settlement } from '../../src/payments/settlement.ts';
import { challengeOf } from '../../src/payments/x402/challenge.ts';
import { decodePayment } from '../../src/payments/x402/payment.ts';
import { requirementsOf } from '../../src/payments/x402/requirements.ts';
import { type Signing, signingOf } from '../../src/payments/x402/signature.ts';
import { refusalLimit } from '../../src/surfaces/calls/limits.ts';
import { NOON, terms } from '../support/app.ts';

/** The parts of an exchange that differ from the usual ones. */
export type Parts = {
  readonly settlement: Settlement;
  /** The result of the operation; by default an answer. */
  readonly run?: () => Answer<{ double: number }>;
  readonly signing?: Signing;
  /** Maximum number of rejections per caller; by default more than any test causes. */
  readonly limit?: RefusalLimit;
  readonly onBug: OnBug;
  readonly now?: () => number;
};

const paidOperation = (run: () => Answer<{ double: number }>) =>
  operation({
    name: 'paid',
    operationId: 'paid',
    title: 'Paid',
    summary: 'Paid',
    description: 'Paid',
    route: { method: 'GET', path: '/v1/paid' },
    price: usd('0.01'),
    input: { n: decimal({ describe: 'N', min: '0', max: '9' }) },
    output: z.object({ double: z.number() }),
    example: { n: 1 },
    run,
  });

/** An exchange that sells one operation and keeps claims in memory. */
export function exchangeWith({ settlement, onBug, now = () => NOON, ...parts }: Parts) {
  const paid = paidOperation(parts.run ?? (() => ({ kind: 'answer', body: { double: 2 } })));
  const resource = {
    url: 'https://x.example/v1/paid',
    description: 'x',
    mimeType: 'application/json',
    serviceName: 'x',
    tags: [],
    iconUrl: '',
  };
  const challenge = challengeOf(paid, requirementsOf(paid, terms), resource, {});
  const claims = memoryClaims({ maxClaims: 1_000, now });
  const unproven = unprovenPayments({ limit: parts.limit ?? refusalLimit(1_000_000), now });
  const signing = parts.signing ?? signingOf(terms);
  const purchases = createPurchases({ claims, settlement, signing, unproven, now, onBug });
  const exchange = createExchange({ challenge: () => challenge, purchases, now, onBug });
  const call = async (
    n: string,
    payment: string | null,
    requestId: string | null = null,
    name: string | null = null,
  ) =>
    exchange.call({
      operation: paid,
      raw: { values: { n }, faults: [] },
      payment: payment === null ? null : decodePayment(payment),
      caller: '127.0.0.1',
      requestId,
      idempotencyKey: name,
      mayProbe: false,
    });
  return { call, claims, purchases };
}
