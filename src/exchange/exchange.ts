import type { Answer, Operation } from '../catalog/operation.ts';
import { type Day, utcDay } from '../domain/calendar.ts';
import type { Fault } from '../domain/result.ts';
import type { Challenge } from '../payments/x402/challenge.ts';
import type { DecodedPayment } from '../payments/x402/payment.ts';
import type { ReceiptSigner } from '../payments/x402/receipt-signer.ts';
import { mismatch } from '../payments/x402/requirements.ts';
import { type Outcome, withoutAnswer } from './purchase.ts';
import type { PurchaseParts } from './purchase-states.ts';
import type { Purchases } from './purchases.ts';
import { type RawInput, validate } from './validate.ts';

/** One call of one operation, decoded by a surface. `payment` is what the client sent to pay, if anything. */
export type Call = {
  readonly operation: Operation;
  readonly raw: RawInput;
  readonly payment: DecodedPayment | null;
  /** The client's own name for this purchase (Idempotency-Key), if any. The payment's identifier takes precedence. */
  readonly idempotencyKey: string | null;
  /** The caller that the limit on refused payments counts. */
  readonly caller: string;
  /** The service's id of the request, for logs. */
  readonly requestId: string | null;
  /** true: a call without any input is answered with the price, because some catalogs probe like that. */
  readonly mayProbe: boolean;
};

export type Exchange = {
  /** Returns the outcome of a call: synchronously, or as a promise if the call pays. Never throws. */
  call(call: Call): Outcome | Promise<Outcome>;
};

export type ExchangeParts = Pick<PurchaseParts, 'now' | 'onBug'> & {
  /** The challenge of a paid operation, which is the same for every caller. */
  readonly challenge: (operation: Operation) => Challenge;
  readonly purchases: Purchases;
  /** Signs receipts; without it, they are not signed. */
  readonly receipts?: ReceiptSigner | undefined;
};

/**
 * With a payment: validate the input, match the payment to our terms, verify its signature, run the operation, prove,
 * claim, settle. Without a payment: validate, run, state the price.
 */
export function createExchange(parts: ExchangeParts): Exchange {
  const { now, onBug } = parts;
  return {
    call(call) {
      const failed = (error: unknown): Outcome => {
        onBug(call.operation.name, error, call.requestId);
        return { state: 'failed' };
      };
      try {
        const outcome = processCall(call, parts, utcDay(now()));
        return outcome instanceof Promise ? outcome.catch(failed) : outcome;
      } catch (error) {
        return failed(error);
      }
    },
  };
}

function processCall(call: Call, parts: ExchangeParts, today: Day): Outcome | Promise<Outcome> {
  const { operation, raw, payment } = call;
  const validated = validate(operation, raw, { today });
  if (!validated.ok) {
    if (call.mayProbe && operation.price !== null && payment === null && isCold(raw))
      return probed(validated.faults);
    const faults = payment?.ok === false ? [...validated.faults, ...payment.faults] : validated.faults;
    return { state: 'rejected', code: 'invalid_input', faults };
  }
  const { input } = validated;
  if (operation.price === null) return freeOutcome(operation.run(input, { today }));
  // A price is stated only for input that certainly has an answer.
  const needsNoPreview = payment?.ok || operation.surelyAnswers(input, { today });
  const preview = needsNoPreview ? null : withoutAnswer(operation.run(input, { today }));
  if (preview) return preview;
  if (payment === null) return priced(operation, input, today);
  if (!payment.ok) return { state: 'rejected', code: 'invalid_payment', faults: payment.faults };
  const { requirements, resource, extensions } = parts.challenge(operation);
  const reason = mismatch(payment.payment, requirements);
  if (reason !== null) return withoutAnswer(operation.run(input, { today })) ?? challenged(reason);
  const name = payment.payment.identifier ?? call.idempotencyKey;
  const outcome = parts.purchases.buy({
    operation,
    input,
    today,
    payment: payment.payment,
    name,
    requirements,
    resource,
    extensions,
    caller: call.caller,
    requestId: call.requestId,
    askedAtMs: performance.now(),
  });
  const { receipts, onBug } = parts;
  if (receipts === undefined) return outcome;
  const onUnsigned = (error: unknown) => onBug(operation.name, error);
  return outcome.then((end) => withSignedReceipt(end, resource.url, receipts, onUnsigned));
}

const isCold = ({ values, faults }: RawInput): boolean =>
  Object.keys(values).length === 0 && faults.length === 0;

/** The price for a request without any input, which some catalogs require (decision 0001). */
function probed(faults: readonly Fault[]): Outcome {
  const names = faults.map(({ pointer }) => pointer.slice(1)).join(' and ');
  const missing = `This request has no input. Send ${names}, then pay. Without that input, a request with a payment gets 400 and is never charged.`;
  return { ...challenged('payment_required'), beforePaying: { input_missing: missing } };
}

/** The price of a valid input, with what its buyer should know before paying. */
function priced(operation: Operation, input: unknown, today: Day): Outcome {
  const outcome = challenged('payment_required');
  const beforePaying = operation.beforePaying(input, { today });
  return beforePaying === null ? outcome : { ...outcome, beforePaying };
}

const challenged = (reason: string): Outcome & { state: 'challenged' } => ({
  state: 'challenged',
  reason,
  receipt: null,
});

/** The outcome of a free call. */
function freeOutcome(answer: Answer<unknown>): Outcome {
  return answer.kind === 'answer' ? { state: 'served', body: answer.body } : withoutAnswer(answer);
}

type Values = Readonly<Record<string, unknown>>;

/** The faults of an input, for documents that show an example of them. */
export function shownFaults(operation: Operation, values: Values, today: Day): readonly Fault[] {
  const validated = validate(operation, { values, faults: [] }, { today });
  return validated.ok ? [] : validated.faults;
}

/** The answer of a free operation, for pages that show it. A page never runs a paid operation. */
export function shownAnswer(operation: Operation, values: Values, today: Day): unknown {
  if (operation.price !== null) throw new Error(`Operation ${operation.name} is paid for`);
  const validated = validate(operation, { values, faults: [] }, { today });
  const answer = validated.ok ? operation.run(validated.input, { today }) : null;
  return answer?.kind === 'answer' ? answer.body : null;
}

/**
 * The outcome of a purchase with its receipt signed for the URL in the challenge, which has nothing that a caller sent.
 * If signing fails, the receipt stays unsigned, and `onBug` gets the error.
 */
export async function withSignedReceipt(
  outcome: Outcome,
  resourceUrl: string,
  signer: Pick<ReceiptSigner, 'sign'>,
  onBug: (error: unknown) => void,
): Promise<Outcome> {
  if (outcome.state !== 'settled' || outcome.claimedAt === undefined) return outcome;
  const { receipt, claimedAt } = outcome;
  const { network, payer, transaction } = receipt;
  try {
    const extensions = await signer.sign({ network, payer, transaction, resourceUrl, issuedAt: claimedAt });
    return { ...outcome, receipt: { ...receipt, extensions } };
  } catch (error) {
    onBug(error);
    return outcome;
  }
}
