import { ExactEvmScheme } from '@x402/evm/exact/client';
import { decodePaymentResponseHeader, wrapFetchWithPayment, x402Client } from '@x402/fetch';
import { type Operations, routes } from './operations.ts';
import {
  initOf,
  naming,
  type Order,
  type Problem,
  problemOf,
  RefusedError,
  settled,
  type Wish,
} from './purchase.ts';

export type * from './operations.ts';
// biome-ignore lint/performance/noBarrelFile: the one entry of a package of three files
export { type Order, type Problem, RefusedError, UnknownEndError } from './purchase.ts';

/** What pays: an account of viem, or anything else with its `address` and `signTypedData`. */
export type Account = ConstructorParameters<typeof ExactEvmScheme>[0];

export type ClientOptions = {
  /** The origin of the service. */
  readonly baseUrl: string;
  /** An account, or an x402 client with what is registered and limited in it. Without one only free operations answer. */
  readonly payer?: Account | x402Client;
  readonly fetch?: typeof globalThis.fetch;
  /** How long a payment's end is asked for before an `UnknownEndError`; ten minutes when left out. */
  readonly patienceMs?: number;
};

export type CallOptions = {
  /**
   * A name for the purchase, of your own and at most 255 characters as `encodeURIComponent` writes it: called again
   * with it and the same input, the service charges nothing more while it remembers the first. A UUID when left out.
   */
  readonly name?: string;
  /** Stops asking; a payment that was sent is then an `UnknownEndError`. */
  readonly signal?: AbortSignal;
};

/** What was bought. */
export type Bought<Answer> = {
  readonly answer: Answer;
  /** The x402 receipt: which transaction paid. */
  readonly receipt: ReturnType<typeof decodePaymentResponseHeader>;
  /** The payment and what it was for, such as for `resume`. */
  readonly order: Order | null;
};

type Name = keyof Operations;
type Result<Of extends Name> = Operations[Of]['paid'] extends true
  ? Bought<Operations[Of]['answer']>
  : Operations[Of]['answer'];
type Call<Of extends Name> =
  Record<never, never> extends Operations[Of]['input']
    ? (input?: Operations[Of]['input'], options?: CallOptions) => Promise<Result<Of>>
    : (input: Operations[Of]['input'], options?: CallOptions) => Promise<Result<Of>>;

/** The operations as functions. They reject with a `RefusedError`, or an `UnknownEndError` once a payment was sent. */
export type Client = { readonly [Of in Name]: Call<Of> } & {
  /** Asks for the end of a payment that was sent before, such as by a process that has ended since. */
  resume<Of extends Name>(order: Order, options?: CallOptions): Promise<Bought<Operations[Of]['answer']>>;
};

const PATIENCE_MS = 600_000;

export function createClient(options: ClientOptions): Client {
  const calls = Object.keys(routes).map((name) => [
    name,
    (input = {}, callOptions: CallOptions = {}) => call(name as Name, input, { ...options, ...callOptions }),
  ]);
  return {
    ...Object.fromEntries(calls),
    resume: async (order: Order, { signal }: CallOptions = {}) =>
      boughtOf(await settled(order, { ...sendingOf({ ...options, signal }), wasSent: true }), order),
  } as Client;
}

type Options = ClientOptions & {
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
  const { fetch = globalThis.fetch, name = crypto.randomUUID(), signal } = options;
  const { paid } = routes[operation];
  const wish = wishOf(operation, input, options.baseUrl);
  let order: Order | null = null;
  /** What pays asks once without a payment and once with one; only the latter is worth repeating. */
  const patient: typeof globalThis.fetch = async (asked, init) => {
    const request = asked instanceof Request ? asked : new Request(asked, init);
    const payment = request.headers.get('payment-signature');
    if (payment === null) return fetch(request);
    order = { ...wish, operation, name, payment };
    return settled(order, sendingOf(options));
  };
  const payer = paid ? payerOf(options.payer) : null;
  const pay = payer === null ? fetch : wrapFetchWithPayment(patient, payer);
  const init = initOf(wish, paid ? naming(name) : {});
  const response = await pay(wish.url, { ...init, signal: signal ?? null });
  return paid ? boughtOf(response, order) : answerOf(response);
}

function payerOf(payer: ClientOptions['payer']): x402Client | null {
  if (payer === undefined) return null;
  return 'createPaymentPayload' in payer
    ? payer
    : new x402Client().register('eip155:*', new ExactEvmScheme(payer));
}

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

async function boughtOf(response: Response, order: Order | null): Promise<Bought<unknown>> {
  const answer = await answerOf(response);
  const receipt = response.headers.get('payment-response');
  if (receipt === null) throw new RefusedError(response.status, notOurs(response));
  return { answer, receipt: decodePaymentResponseHeader(receipt), order };
}

async function answerOf(response: Response): Promise<unknown> {
  if (!response.ok) throw new RefusedError(response.status, (await problemOf(response)) ?? notOurs(response));
  try {
    return await response.json();
  } catch {
    throw new RefusedError(response.status, notOurs(response));
  }
}

const notOurs = ({ status }: Response): Problem => ({
  code: 'unreadable',
  detail: `The reply was ${status}, and not of the service.`,
});
