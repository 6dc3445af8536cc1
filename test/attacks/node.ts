import { createServer, type IncomingMessage } from 'node:http';
import { opened, stopped } from '../support/listening.ts';

// biome-ignore lint/suspicious/noExplicitAny: JSON-RPC parameters and results have any shape, which is the point here
type Json = any;

export type RpcCall = { readonly id: unknown; readonly method: string; readonly params: readonly Json[] };
/** Decides the answer to a call; `pass` forwards it to the real node. Undefined passes the call on. */
export type Lie = (call: RpcCall, pass: () => Promise<Json>) => unknown;

export type LyingNode = {
  readonly url: string;
  /** Sets how calls are answered; null answers truthfully. */
  lie(lie: Lie | null): void;
  /** Calls received so far, of one method or of all. */
  calls(method?: string): number;
  stop(): Promise<void>;
};

/** The methods that send a transaction. */
export const SENDS: readonly string[] = ['eth_sendRawTransactionSync', 'eth_sendRawTransaction'];

export const result = (call: RpcCall, value: unknown) => ({ jsonrpc: '2.0', id: call.id, result: value });

/** A node on 127.0.0.1 that counts calls and answers them as scripted, based on the node at `target`. */
export async function startLyingNode(target: string): Promise<LyingNode> {
  let current: Lie | null = null;
  const counts = new Map<string, number>();
  const answerOne = async (call: RpcCall): Promise<unknown> => {
    const pass = async (): Promise<Json> => {
      const headers = { 'content-type': 'application/json' };
      return (await fetch(target, { method: 'POST', headers, body: JSON.stringify(call) })).json();
    };
    return (await current?.(call, pass)) ?? pass();
  };
  const answer = async (request: IncomingMessage): Promise<unknown> => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const parsed = JSON.parse(Buffer.concat(chunks).toString()) as RpcCall | RpcCall[];
    const calls = [parsed].flat();
    for (const { method } of calls) counts.set(method, (counts.get(method) ?? 0) + 1);
    const answers = await Promise.all(calls.map(answerOne));
    if (!Array.isArray(parsed)) return answers[0];
    return answers;
  };
  const server = createServer((request, response) => {
    answer(request).then(
      (value) => response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(value)),
      () => response.socket?.destroy(),
    );
  });
  return {
    url: await opened(server),
    lie: (lie) => {
      current = lie;
    },
    calls: (method) =>
      method === undefined
        ? [...counts.values()].reduce((sum, count) => sum + count, 0)
        : (counts.get(method) ?? 0),
    stop: () => stopped(server),
  };
}
