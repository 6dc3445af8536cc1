import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { json } from 'node:stream/consumers';
import { TRANSFER_TOPIC } from '../../src/payments/chain/usdc.ts';
import { opened, stopped } from './listening.ts';

/** Text that appears only in a node's error: it must never reach our logs, errors or responses. */
export const nodeSecret = 'https://rpc.example/v2/SECRET-node-key-4711';

/**
 * The possible faults between us and a node: `drop-reply`: the call reaches the node, but the answer is lost. `dead`:
 * the call does not reach the node. `error`: the node rejects the call, quoting its own address and key. `unsupported`:
 * -32601, method not found. `no-receipt`: the node has no receipts, and its logs are empty; a synchronous send runs
 * out of time. `wrong-receipt`: the receipt of another transaction. `cut-logs`: found logs without transfers. `slow`:
 * the answer is late. `non-json`: a gateway's HTML page. `too-many`: status 429. `lie`: the `result` of its options.
 * `declines`: the error in `reply`.
 */
type RpcFault =
  | 'drop-reply'
  | 'dead'
  | 'error'
  | 'unsupported'
  | 'no-receipt'
  | 'wrong-receipt'
  | 'cut-logs'
  | 'slow'
  | 'non-json'
  | 'too-many'
  | 'lie'
  | 'declines';

type FaultOptions = {
  /** Maximum number of affected calls; all of them by default. */
  times?: number;
  /** Probability that a call is affected, 0 to 1, drawn from the proxy's seed; 1 by default. */
  chance?: number;
  /** For `slow`; 200 by default. */
  delayMs?: number;
  /** For `slow`: the reply waits for this promise instead of a time. */
  until?: Promise<unknown>;
  /** For `lie`. */
  result?: unknown;
  /** For `declines`: the HTTP status, and the JSON-RPC error of the body. */
  reply?: { status: number; code: number; message: string };
};

export type RpcProxy = {
  url: string;
  /** Applies `fault` to later calls of `method` (`*` for every method); replaces an earlier fault. */
  fail(method: string, fault: RpcFault, options?: FaultOptions): void;
  /** Removes the fault of one method, or all faults. */
  heal(method?: string): void;
  /** Calls received since the proxy started or since the last `resetCalls`: of one method, or all of them. */
  calls(method?: string): number;
  /** Calls that sent a transaction. */
  sends(): number;
  /** Calls of a method that were answered since then; with `about`, only calls whose parameters contain this text. */
  answered(method: string, about?: string): number;
  /** HTTP requests received since then: one may be a batch of calls. */
  requests(): number;
  resetCalls(): void;
  /** No call reaches the node afterward. */
  stop(): Promise<void>;
};

type Call = { id: number | string | null; method: string; params: unknown[] };
type Reply = { jsonrpc: '2.0'; id: Call['id']; result?: unknown; error?: { code: number; message: string } };
/** Instead of JSON-RPC: a broken connection, or an HTTP answer that is not JSON-RPC. */
type Breakage = { status: number; body: string; headers: Record<string, string> } | 'broken';
type Strike = {
  fault: RpcFault;
  delayMs: number;
  until: Promise<unknown> | undefined;
  result: unknown;
  reply: Required<FaultOptions>['reply'];
};

/** Mulberry32: numbers in [0, 1) that are the same for the same seed. */
const seededRandom = (seed: number) => {
  let state = seed;
  return (): number => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
};

const faultTable = (seed: number) => {
  const random = seededRandom(seed);
  const faults = new Map<string, Strike & { left: number; chance: number }>();
  return {
    set: (method: string, fault: RpcFault, { times, chance, delayMs, until, result, reply }: FaultOptions) =>
      faults.set(method, {
        fault,
        left: times ?? Number.POSITIVE_INFINITY,
        chance: chance ?? 1,
        delayMs: delayMs ?? 200,
        until,
        result,
        reply: reply ?? { status: 503, code: -32000, message: 'no backend is healthy' },
      }),
    clear: (method?: string) => (method ? faults.delete(method) : faults.clear()),
    strike: (method: string): Strike | undefined => {
      const entry = faults.get(method) ?? faults.get('*');
      if (!entry || entry.left <= 0 || random() >= entry.chance) return undefined;
      entry.left--;
      return entry;
    },
  };
};

const send = async (target: string, call: Call): Promise<Reply> => {
  const response = await fetch(target, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(call),
  });
  return (await response.json()) as Reply;
};

const failure = (call: Call, code: number, message: string): Reply => ({
  jsonrpc: '2.0',
  id: call.id,
  error: { code, message },
});

const withoutReceipt = (call: Call, reply: Reply): Reply => {
  if (call.method === 'eth_sendRawTransactionSync')
    return failure(call, 4, 'The transaction was added to the mempool but was not processed in time');
  return { jsonrpc: '2.0', id: call.id, result: Array.isArray(reply.result) ? [] : null };
};

/** Passes a call on to the node. */
type Pass = (call: Call) => Promise<Reply>;

/** A real receipt, but of the unrelated first transaction of block 1. */
const foreignReceipt = async (pass: Pass, call: Call): Promise<Reply> => {
  const ask = (method: string, params: unknown[]) => pass({ jsonrpc: '2.0', id: 1, method, params } as Call);
  const block = (await ask('eth_getBlockByNumber', ['0x1', false])).result as { transactions: string[] };
  const receipt = await ask('eth_getTransactionReceipt', [block.transactions[0]]);
  return { jsonrpc: '2.0', id: call.id, result: receipt.result };
};

const cut = (reply: Reply): Reply => ({
  ...reply,
  result: (reply.result as { topics: string[] }[]).filter(({ topics }) => topics[0] !== TRANSFER_TOPIC),
});

const pause = (durationMs: number) => new Promise((resolve) => setTimeout(resolve, durationMs));

const answer = async (
  pass: Pass,
  call: Call,
  { strike, isBatch }: { strike: Strike | undefined; isBatch: boolean },
): Promise<Reply | { breakage: Breakage }> => {
  switch (strike?.fault) {
    case 'drop-reply':
      await pass(call);
      return { breakage: 'broken' };
    case 'dead':
      return { breakage: 'broken' };
    case 'error':
      return failure(call, -32000, `internal failure at ${nodeSecret}`);
    case 'unsupported':
      return failure(call, -32601, `the method ${call.method} does not exist/is not available`);
    case 'no-receipt':
      return withoutReceipt(call, await pass(call));
    case 'wrong-receipt':
      await pass(call);
      return foreignReceipt(pass, call);
    case 'cut-logs':
      return cut(await pass(call));
    case 'slow':
      await (strike.until ?? pause(strike.delayMs));
      return pass(call);
    case 'non-json':
      return {
        breakage: {
          status: 200,
          body: `<html>bad gateway ${nodeSecret}</html>`,
          headers: { 'content-type': 'text/html' },
        },
      };
    case 'too-many':
      return {
        breakage: { status: 429, body: `over the limit of ${nodeSecret}`, headers: { 'retry-after': '1' } },
      };
    case 'lie':
      return { jsonrpc: '2.0', id: call.id, result: strike.result };
    case 'declines': {
      const { status, code, message } = strike.reply;
      const body = JSON.stringify(isBatch ? [failure(call, code, message)] : failure(call, code, message));
      return { breakage: { status, body, headers: { 'content-type': 'application/json' } } };
    }
    case undefined:
      return pass(call);
  }
};

const write = (response: ServerResponse, answers: (Reply | { breakage: Breakage })[], isBatch: boolean) => {
  const broken = answers.find((one) => 'breakage' in one);
  if (!broken) {
    response.writeHead(200, { 'content-type': 'application/json' });
    response.end(JSON.stringify(isBatch ? answers : answers[0]));
  } else if (broken.breakage === 'broken') {
    response.socket?.destroy();
  } else {
    response.writeHead(broken.breakage.status, broken.breakage.headers).end(broken.breakage.body);
  }
};

/**
 * A JSON-RPC server on 127.0.0.1 that passes calls to the node at `target`, counts them, and makes them fail by method
 * as scripted. Chances are drawn from `seed`, so that a run can be repeated.
 */
export const startRpcProxy = async (target: string, seed = 1): Promise<RpcProxy> => {
  const faults = faultTable(seed);
  const counts = new Map<string, number>();
  const answered: string[] = [];
  let requests = 0;
  const passedOn = new Set<Promise<unknown>>();
  let isStopped = false;
  const pass: Pass = (call) => {
    if (isStopped) return Promise.reject(new Error('The proxy has stopped'));
    const reply = send(target, call);
    const ended: Promise<unknown> = reply.catch(() => undefined).finally(() => passedOn.delete(ended));
    passedOn.add(ended);
    return reply;
  };
  const receive = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const body = (await json(request)) as Call | Call[];
    const calls = [body].flat();
    requests += 1;
    for (const { method } of calls) counts.set(method, (counts.get(method) ?? 0) + 1);
    const isBatch = Array.isArray(body);
    const answers = await Promise.all(
      calls.map((call) => answer(pass, call, { strike: faults.strike(call.method), isBatch })),
    );
    write(response, answers, isBatch);
    for (const { method, params } of calls) answered.push(`${method} ${JSON.stringify(params)}`);
  };
  const server = createServer((request, response) => {
    // The node is gone, or its answer is not JSON, so the caller gets a broken connection.
    receive(request, response).catch(() => response.socket?.destroy());
  });
  return {
    url: await opened(server),
    fail: (method, fault, options = {}) => void faults.set(method, fault, options),
    heal: (method) => void faults.clear(method),
    calls: (method) =>
      method ? (counts.get(method) ?? 0) : [...counts.values()].reduce((sum, count) => sum + count, 0),
    sends: () =>
      (counts.get('eth_sendRawTransactionSync') ?? 0) + (counts.get('eth_sendRawTransaction') ?? 0),
    answered: (method, about = '') =>
      answered.filter((call) => call.startsWith(`${method} `) && call.includes(about)).length,
    requests: () => requests,
    resetCalls: () => {
      counts.clear();
      answered.length = 0;
      requests = 0;
    },
    async stop() {
      isStopped = true;
      await stopped(server);
      await Promise.all(passedOn);
    },
  };
};
