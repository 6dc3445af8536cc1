import { request } from 'node:http';
import type { Hex } from 'viem';
import type { EmbeddedChain } from '../../src/devnet/chain.ts';
import type { DevAccount } from '../../src/devnet/chain-accounts.ts';
import { rpc, rpcBatch } from '../../src/devnet/chain-rpc.ts';
import {
  paymentHeader,
  requirementsFor,
  type SignedPayment,
  signAuthorization,
} from '../support/payments.ts';
import { type Presented, type Transfer, transfersTo, unbalanced } from './books.ts';
import type { LyingNode } from './node.ts';
import type { Seller } from './seller.ts';

// biome-ignore lint/suspicious/noExplicitAny: what a server says has any shape
type Json = any;

type Sent = {
  readonly method?: string;
  readonly headers?: Record<string, string>;
  readonly body?: string | Buffer;
  readonly timeoutMs?: number;
};

/** The reply; status 0 if there was none. */
type Heard = {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | undefined>>;
  readonly text: string;
  /** The body as JSON; null if it is not JSON. */
  readonly json: Json;
};

const TIMEOUT_MS = 60_000;

/** One HTTP request on a separate connection. Never throws. */
function ask(url: string, sent: Sent = {}): Promise<Heard> {
  const { method = 'GET', headers = {}, body, timeoutMs = TIMEOUT_MS } = sent;
  return new Promise((resolve) => {
    const done = (status: number, incoming: Record<string, unknown>, text: string) =>
      resolve({
        status,
        headers: incoming as Heard['headers'],
        text,
        json: parsed(text),
      });
    const outgoing = request(url, { method, headers, agent: false }, (incoming) => {
      const parts: Buffer[] = [];
      incoming.on('data', (part: Buffer) => parts.push(part));
      incoming.on('end', () =>
        done(incoming.statusCode ?? 0, incoming.headers, Buffer.concat(parts).toString()),
      );
      incoming.on('error', () => done(0, {}, ''));
    });
    outgoing.setTimeout(timeoutMs, () => outgoing.destroy());
    outgoing.on('error', () => done(0, {}, ''));
    outgoing.end(body);
  });
}

function parsed(text: string): Json {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

/** The JSON of an x402 header; null if it is absent. */
const headerJson = ({ headers }: Heard, name: string): Json =>
  headers[name] === undefined ? null : parsed(Buffer.from(headers[name], 'base64').toString());

/** One request for a paid product; the same path and body are the same request. */
export type Asked = { readonly path: string; readonly body?: unknown; readonly price: bigint };

export const CENT = 10_000n;

let names = 0;
const newName = () => {
  names += 1;
  return `Client ${names}`;
};
export const notice = (name = newName()): Asked => ({
  path: `/v1/late-fee-notice?amount=1250&due_date=2026-01-15&client_name=${encodeURIComponent(name)}`,
  price: CENT,
});
/** A free request that always has an answer. */
export const FREE = '/v1/late-fee?amount=100&due_date=2026-01-15';

// Two seconds after the next full second, and one more because a block may have the time of the previous block.
const REMEMBERS_MS = 4_500;

export type SignOptions = Partial<Parameters<typeof signAuthorization>[0]>;
export type PresentOptions = Sent & {
  /** False if the payer did not sign the payment, or signed it for another request. */
  readonly isHonest?: boolean;
  /** The header to send, if it is not the usual one. */
  readonly header?: string;
};

/** Options for a payment that may be charged without an answer: the audit does not report that. */
export const quietly = { isHonest: false } as const;

export type Shop = ShopParts & {
  sign(buyer: DevAccount, asked?: Asked, options?: SignOptions): Promise<SignedPayment>;
  present(payment: SignedPayment, asked: Asked, options?: PresentOptions): Promise<Heard>;
  /** Signs and presents a payment as an honest buyer does, and repeats the request as the documentation says. */
  buy(buyer: DevAccount, asked?: Asked, forMs?: number): Promise<Heard>;
  /** Repeats the same payment for a while if it gets 409 waiting or 503. */
  insist(payment: SignedPayment, asked: Asked, forMs?: number, options?: PresentOptions): Promise<Heard>;
  get(path: string, sent?: Sent): Promise<Heard>;
  /** Resolves once the service has run long enough to honor a payment that was used after the service started. */
  remembers(): Promise<void>;
  transfers(): Promise<Transfer[]>;
  /** Transactions of the relayer that are on the chain. */
  sent(): Promise<{ hash: Hex; input: Hex; isReverted: boolean; gasUsed: bigint; costWei: bigint }[]>;
  readyz(): Promise<{ status: number; text: string }>;
  /** Returns everything that does not balance, and anything that crashed or failed in the meantime. */
  audit(): Promise<string[]>;
};

type ShopParts = {
  readonly chain: EmbeddedChain;
  readonly payee: Hex;
  readonly relayer: DevAccount;
  readonly node: LyingNode;
  readonly seller: Seller;
  readonly presented: Presented[];
};

export const wait = (durationMs: number) => new Promise<void>((resolve) => setTimeout(resolve, durationMs));

/** Waits until a condition holds; false if it does not in time. */
export async function within(forMs: number, isSo: () => Promise<boolean> | boolean): Promise<boolean> {
  const end = Date.now() + forMs;
  for (;;) {
    if (await isSo()) return true;
    if (Date.now() > end) return false;
    await wait(50);
  }
}

/** In a shop that several kinds use at once, each sees the results of its own payments. */
export function shopOf(parts: ShopParts, isShared = false): Shop {
  const { chain, payee, relayer, seller, presented } = parts;
  const beganAt = seller.lines.length;

  const sign: Shop['sign'] = (buyer, asked = notice(), options = {}) =>
    signAuthorization({ buyer, accepted: requirementsFor(payee, asked.price), ...options });

  const note = (payment: SignedPayment, asked: Asked, isHonest: boolean, heard: Heard) => {
    const { from, nonce } = payment.payload.authorization;
    presented.push({
      asked: `${asked.path} ${JSON.stringify(asked.body ?? null)}`,
      nonce: nonce.toLowerCase() as Hex,
      from: from.toLowerCase() as Hex,
      price: asked.price,
      status: heard.status,
      code: heard.json?.code ?? '',
      detail: `${heard.json?.error ?? ''} ${heard.json?.detail ?? ''}`.trim(),
      transaction: headerJson(heard, 'payment-response')?.transaction || null,
      body: heard.text,
      isHonest,
    });
  };

  const present: Shop['present'] = async (payment, asked, options = {}) => {
    const { isHonest = true, header = paymentHeader(payment), headers, ...sent } = options;
    const heard = await ask(`${seller.url}${asked.path}`, {
      ...sent,
      method: asked.body === undefined ? 'GET' : 'POST',
      headers: {
        'payment-signature': header,
        ...(asked.body !== undefined && { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(asked.body !== undefined && { body: JSON.stringify(asked.body) }),
    });
    note(payment, asked, isHonest, heard);
    return heard;
  };

  const insist: Shop['insist'] = async (payment, asked, forMs = 20_000, options = {}) => {
    const end = Date.now() + forMs;
    for (;;) {
      const heard = await present(payment, asked, options);
      const isOpen = heard.status === 503 || heard.status === 0 || heard.json?.code === 'waiting';
      if (!isOpen || Date.now() > end) return heard;
      await wait(150);
    }
  };

  return {
    ...parts,
    sign,
    present,
    insist,
    buy: async (buyer, asked = notice(), forMs) => insist(await sign(buyer, asked), asked, forMs),
    get: (path, sent) => ask(`${seller.url}${path}`, sent),
    async remembers() {
      await wait(seller.startedMs() + REMEMBERS_MS - performance.now());
    },
    async transfers() {
      const mine = new Set(presented.map(({ nonce }) => nonce));
      return (await transfersTo(chain, payee)).filter(({ nonce }) => !isShared || mine.has(nonce));
    },
    sent: async () => {
      // A text that is not a nonce of 32 bytes is in no transaction.
      const mine = presented.map(({ nonce }) => nonce.slice(2)).filter(({ length }) => length === 64);
      const all = await sentBy(chain, relayer.address);
      return isShared ? all.filter(({ input }) => mine.some((nonce) => input.includes(nonce))) : all;
    },
    async readyz() {
      const { status, text } = await ask(`${seller.url}/readyz`);
      return { status, text };
    },
    async audit() {
      const found = unbalanced(presented, await transfersTo(chain, payee));
      const died = seller.died();
      if (died !== null) found.push(died);
      for (const line of seller.lines.slice(beganAt))
        if (line.includes('"event":"fault"')) found.push(`a fault: ${line.slice(0, 200)}`);
      return found;
    },
  };
}

type Transaction = { hash: Hex; from: Hex; input: Hex };
type Receipt = { status: Hex; gasUsed: Hex; effectiveGasPrice: Hex };

/** Number of blocks requested at once. */
const CHUNK = 100;

/** Every transaction of an account on the chain, with its result. */
async function sentBy({ rpcUrl }: EmbeddedChain, address: Hex) {
  const head = Number(await rpc<Hex>(rpcUrl, 'eth_blockNumber'));
  const found: Transaction[] = [];
  for (let start = 0; start <= head; start += CHUNK) {
    const numbers = Array.from({ length: Math.min(CHUNK, head - start + 1) }, (_, index) => start + index);
    const blocks = (await rpcBatch(
      rpcUrl,
      numbers.map((number) => ['eth_getBlockByNumber', `0x${number.toString(16)}`, true] as const),
    )) as { transactions: Transaction[] }[];
    for (const { transactions } of blocks)
      for (const one of transactions) if (one.from.toLowerCase() === address.toLowerCase()) found.push(one);
  }
  if (found.length === 0) return [];
  const receipts = (await rpcBatch(
    rpcUrl,
    found.map(({ hash }) => ['eth_getTransactionReceipt', hash] as const),
  )) as Receipt[];
  return receipts.map(({ status, gasUsed, effectiveGasPrice }, index) => ({
    hash: (found[index] as Transaction).hash,
    input: (found[index] as Transaction).input,
    isReverted: status === '0x0',
    gasUsed: BigInt(gasUsed),
    costWei: BigInt(gasUsed) * BigInt(effectiveGasPrice),
  }));
}
