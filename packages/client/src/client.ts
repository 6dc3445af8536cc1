import { x402Client } from '@x402/core/client';
import { decodePaymentResponseHeader, encodePaymentSignatureHeader } from '@x402/core/http';
import { ExactEvmScheme } from '@x402/evm/exact/client';
import { checkSigned, type Limits, offerWithin } from './offer.ts';
import { maxTimeoutSeconds, type NetworkId, type Operations, routes } from './operations.ts';
import {
  initOf,
  naming,
  type Order,
  type OrderOf,
  type PaidName,
  type Problem,
  problemOf,
  RefusedError,
  settled,
  type Wish,
} from './purchase.ts';

export type * from './operations.ts';
// biome-ignore lint/performance/noBarrelFile: the one entry of a package of four files
export { type Order, type OrderOf, type Problem, RefusedError, UnknownEndError } from './purchase.ts';

/** The payer: a viem account, or any object with its `address` and `signTypedData`. */
export type Account = ConstructorParameters<typeof ExactEvmScheme>[0];

/** Any object that signs like an x402Client. */
type Payer = Account | Pick<x402Client, 'createPaymentPayload'>;

export type ClientOptions = {
  /** The origin of the service. */
  readonly baseUrl: string;
  /**
   * An account, or an x402 client with its own registrations and limits. Without a payer, only free operations work.
   */
  readonly payer?: Payer;
  /** The network to pay on; Base by default. */
  readonly network?: NetworkId;
  /** The payee. By default, later payments may go only to the payee of the first payment. */
  readonly payTo?: string;
  /** Maximum price of one call, such as '0.05'. The default is the list price of each operation. */
  readonly maxPriceUsd?: string;
  readonly fetch?: typeof globalThis.fetch;
  /** How long to poll for the result of a payment before an `UnknownEndError`; ten minutes by default. */
  readonly patienceMs?: number;
};

export type CallOptions = {
  /**
   * Your name for the purchase, at most 255 characters after `encodeURIComponent`. A repeated call with the same name
   * and input is not charged again while the service remembers the first one. A UUID by default.
   */
  readonly name?: string;
  /** Maximum price of this call; the client's limit by default. */
  readonly maxPriceUsd?: string;
  /** Stops polling; a payment that was already sent becomes an `UnknownEndError`. */
  readonly signal?: AbortSignal;
};

/** A purchased answer. */
export type Bought<Answer, Of extends PaidName = PaidName> = {
  readonly answer: Answer;
  /** The x402 receipt, which names the transaction that paid. */
  readonly receipt: ReturnType<typeof decodePaymentResponseHeader>;
  /** The payment and its request, for `resume`. */
  readonly order: OrderOf<Of>;
};

type Name = keyof Operations;
type BoughtOf<Of extends PaidName> = Bought<Operations[Of]['answer'], Of>;
type Result<Of extends Name> = Of extends PaidName ? BoughtOf<Of> : Operations[Of]['answer'];
type Call<Of extends Name> =
  Record<never, never> extends Operations[Of]['input']
    ? (input?: Operations[Of]['input'], options?: CallOptions) => Promise<Result<Of>>
    : (input: Operations[Of]['input'], options?: CallOptions) => Promise<Result<Of>>;

/**
 * The operations as functions. They reject with a `RefusedError` if nothing was charged, with an `UnknownEndError` if a
 * payment was sent and its result is unknown, and with a `TypeError` for invalid options.
 */
export type Client = { readonly [Of in Name]: Call<Of> } & {
  /** Polls for the result of a payment that was sent earlier, for example by a process that has ended since. */
  resume<Of extends PaidName>(order: OrderOf<Of>, options?: CallOptions): Promise<BoughtOf<Of>>;
};

const PATIENCE_MS = 600_000;

export function createClient(options: ClientOptions): Client {
  const payees: Payees = { payTo: options.payTo ?? null };
  const calls = Object.keys(routes).map((name) => [
    name,
    (input = {}, callOptions: CallOptions = {}) =>
      call(name as Name, input, { ...options, ...callOptions, payees }),
  ]);
  return {
    ...Object.fromEntries(calls),
    resume: async (order: Order, { signal }: CallOptions = {}) => {
      if (typeof order?.payment !== 'string') throw new TypeError('resume needs the order of a purchase.');
      const sending = { ...sendingOf({ ...options, payees, signal }), wasSent: true };
      return boughtOf(await settled(order, sending), order);
    },
  } as Client;
}

/** The payee that this client has agreed to pay. */
type Payees = { payTo: string | null };

type Options = ClientOptions & {
  readonly payees: Payees;
  readonly name?: string;
  readonly signal?: AbortSignal | undefined;
};

const sendingOf = ({ fetch = globalThis.fetch, patienceMs = PATIENCE_MS, signal }: Options) => ({
  fetch,
  patienceMs,
  signal,
  wasSent: false,
});

async function call(operation: Name, input: object, options: Options): Promise<unknown> {
  const wish = wishOf(operation, input, options.baseUrl);
  if (!isPaid(operation)) return answerOf(await asked(wish, {}, options));
  const { name = crypto.randomUUID(), payees } = options;
  const limits = limitsOf(operation, options);
  const response = await asked(wish, naming(name), options);
  if (response.status !== 402) {
    // Without a payment, the service can only reject this request.
    await answerOf(response);
    throw new RefusedError(response.status, notOurs(response));
  }
  const payment = await signed(response, limits, options);
  payees.payTo ??= payment.payTo;
  const order = { ...wish, operation, name, payment: payment.header } as Order;
  if (options.signal?.aborted) throw stopped(options.signal.reason);
  return boughtOf(await settled(order, sendingOf(options)), order);
}

const isPaid = (operation: Name): operation is PaidName => routes[operation].priceUsd !== null;

/** The reply to a request without a payment. */
async function asked(
  wish: Wish,
  headers: Readonly<Record<string, string>>,
  { fetch = globalThis.fetch, signal }: Options,
): Promise<Response> {
  try {
    const response = await fetch(wish.url, { ...initOf(wish, headers), signal: signal ?? null });
    const { status, headers: replied } = response;
    return new Response(await response.text(), { status, headers: replied });
  } catch (cause) {
    if (signal?.aborted) throw stopped(cause);
    const detail = 'The service cannot be reached, or its reply was cut off. No payment was signed.';
    throw new RefusedError(null, { code: 'unreachable', detail }, { cause });
  }
}

const stopped = (cause: unknown): RefusedError =>
  new RefusedError(
    null,
    { code: 'stopped', detail: 'The call was stopped before a payment was sent.' },
    { cause },
  );

function limitsOf(operation: PaidName, { maxPriceUsd, network = 'eip155:8453', payees }: Options): Limits {
  const { priceUsd } = routes[operation];
  return { maxPriceUsd: maxPriceUsd ?? priceUsd, network, maxTimeoutSeconds, payTo: payees.payTo };
}

/** A payment for an offer within the limits. */
async function signed(
  response: Response,
  limits: Limits,
  { payer }: Options,
): Promise<{ readonly header: string; readonly payTo: string }> {
  const { required, accepted } = offerWithin(response, limits);
  if (payer === undefined) {
    const detail = `Pass a payer to createClient: this call costs ${Number(accepted.amount) / 1e6} USD.`;
    throw new RefusedError(response.status, { code: 'no_payer', detail });
  }
  const client = 'createPaymentPayload' in payer ? payer : paying(payer);
  const payload = await client.createPaymentPayload(required).catch((cause: unknown) => {
    const why = cause instanceof Error ? cause.message : String(cause);
    const detail = `The payer signed nothing: ${why}`;
    throw new RefusedError(response.status, { code: 'payer_failed', detail }, { cause });
  });
  checkSigned(payload, accepted, Date.now() / 1_000);
  return { header: encodePaymentSignatureHeader(payload), payTo: accepted.payTo };
}

/** An account as an x402 client. The limits are checked earlier, so the client's own limits do not apply. */
const paying = (account: Account): x402Client =>
  new x402Client().register('eip155:*', new ExactEvmScheme(account)).setSpendControls(false);

function wishOf(operation: Name, input: object, baseUrl: string): Wish {
  const { method, path } = routes[operation];
  const values = new Map(Object.entries(input).filter(([, value]) => value !== undefined));
  const filled = path.replace(/\{(\w+)\}/, (_, name: string) => {
    const value = encodeURIComponent(String(values.get(name)));
    values.delete(name);
    return value;
  });
  const url = new URL(filled, baseUrl);
  if (method === 'POST') return { method, url: url.href, body: JSON.stringify(Object.fromEntries(values)) };
  for (const [name, value] of values) url.searchParams.set(name, String(value));
  return { method, url: url.href, body: null };
}

/**
 * A rejection after a payment charged nothing; `settled` has already checked that the answer and its receipt are
 * readable.
 */
async function boughtOf(response: Response, order: Order): Promise<Bought<unknown>> {
  const answer = await answerOf(response);
  return {
    answer,
    receipt: decodePaymentResponseHeader(response.headers.get('payment-response') ?? ''),
    order,
  };
}

async function answerOf(response: Response): Promise<unknown> {
  if (!response.ok) throw new RefusedError(response.status, (await problemOf(response)) ?? notOurs(response));
  try {
    return await response.json();
  } catch (cause) {
    throw new RefusedError(response.status, notOurs(response), { cause });
  }
}

const notOurs = ({ status }: Response): Problem => ({
  code: 'unreadable',
  detail: `The reply was ${status}, and not from the service.`,
});
