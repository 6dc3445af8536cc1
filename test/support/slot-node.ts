import { createServer } from 'node:http';
import { json } from 'node:stream/consumers';
import { keccak256, parseTransaction, recoverTransactionAddress } from 'viem';
import { rpc } from '../../src/devnet/chain-rpc.ts';
import type { Hex } from '../../src/payments/x402/payment.ts';
import { opened, stopped } from './listening.ts';

/**
 * A node that keeps a limited number of pending transactions of one sender, as common nodes do. It counts from the
 * first nonce that is not in a block yet. Further transactions are rejected, or accepted and silently dropped.
 */
export type SlotNode = {
  readonly url: string;
  /** The number of broadcasts for which the node had no room. */
  refused(): number;
  /** How often each transaction was sent, by its hash, including the rejected ones. */
  readonly broadcasts: ReadonlyMap<Hex, number>;
  /** The nonces of the transactions that it received. */
  readonly nonces: ReadonlySet<number>;
  /** The calls of a method that it received. */
  calls(method: string): number;
  stop(): Promise<void>;
};

type Call = { id: number; method: string; params: unknown[] };

const FULL = { code: -32003, message: 'txpool is full' };

// This is the reply of a node that waited in vain for a transaction to be mined (EIP-7966).
const NOT_MINED = { code: 4, message: 'the transaction was not processed in time' };

export async function startSlotNode(
  target: string,
  slots: number,
  { dropsSilently = false } = {},
): Promise<SlotNode> {
  const broadcasts = new Map<Hex, number>();
  const nonces = new Set<number>();
  const counts = new Map<string, number>();
  let refused = 0;

  /** Whether there is room for the transaction. */
  async function takes(raw: Hex): Promise<boolean> {
    const { nonce = 0 } = parseTransaction(raw);
    nonces.add(nonce);
    const from = await recoverTransactionAddress({ serializedTransaction: raw as `0x02${string}` });
    const mined = Number(await rpc<Hex>(target, 'eth_getTransactionCount', from, 'latest'));
    return nonce < mined + slots;
  }

  async function answer({ id, method, params }: Call): Promise<string> {
    counts.set(method, (counts.get(method) ?? 0) + 1);
    if (method.startsWith('eth_sendRawTransaction')) {
      const raw = params[0] as Hex;
      const hash = keccak256(raw);
      broadcasts.set(hash, (broadcasts.get(hash) ?? 0) + 1);
      if (!(await takes(raw))) {
        refused += 1;
        if (!dropsSilently) return JSON.stringify({ jsonrpc: '2.0', id, error: FULL });
        const taken = method.endsWith('Sync') ? { error: NOT_MINED } : { result: hash };
        return JSON.stringify({ jsonrpc: '2.0', id, ...taken });
      }
    }
    const reply = await fetch(target, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ jsonrpc: '2.0', id, method, params }),
    });
    return reply.text();
  }

  /** Answers one call, or a batch of them. */
  const reply = async (asked: Call | readonly Call[]): Promise<string> =>
    'method' in asked ? answer(asked) : `[${(await Promise.all(asked.map(answer))).join()}]`;

  const server = createServer((request, response) => {
    json(request)
      .then((asked) => reply(asked as Call | readonly Call[]))
      .then((text) => response.writeHead(200, { 'content-type': 'application/json' }).end(text))
      .catch(() => response.socket?.destroy());
  });
  return {
    url: await opened(server),
    refused: () => refused,
    broadcasts,
    nonces,
    calls: (method) => counts.get(method) ?? 0,
    stop: () => stopped(server),
  };
}
