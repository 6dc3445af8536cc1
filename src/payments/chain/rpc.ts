import {
  type BatchReply,
  isReadVerdict,
  isRequestFault,
  isShaped,
  isTurnedAway,
  lacksMethod,
  mostBytesOf,
  type NodeReply,
  type Post,
  type RpcError,
  type RpcMethod,
  rejectionOf,
  rpcNode,
} from './rpc-node.ts';

/**
 * Why a JSON-RPC call gave no result. `unreached`: no node can have acted on the call. `unclear`: a node may have
 * acted on it, or gave no usable answer. `answered`: the chain refused, as it would through any other node. A node's
 * own message does not leave this folder.
 */
export class RpcFailure extends Error {
  readonly kind: 'unreached' | 'unclear' | 'answered';
  readonly code: number | null;
  /** The node's message, for classification only. */
  readonly said: string;
  /** Revert data, when the node gave any. */
  readonly data: string | null;
  /** The reply was longer than `mostBytes`. */
  readonly isTooLong: boolean;
  constructor(
    kind: RpcFailure['kind'],
    {
      code = null,
      said = '',
      data = null,
      isTooLong = false,
    }: Partial<Omit<RpcError, 'status'> & { readonly isTooLong: boolean }> = {},
  ) {
    super(`JSON-RPC call ${kind}`);
    this.kind = kind;
    this.code = code;
    this.said = said;
    this.data = data;
    this.isTooLong = isTooLong;
  }
}

export type RpcOptions = {
  readonly deadlineMs?: number;
  /** Whether the call changes the chain. If one node may have accepted it, another node's answer cannot undo that. */
  readonly sends?: boolean;
  /** Called before each node, and when a connection is there. Once it returns false, nothing more is sent. */
  readonly mayAsk?: () => boolean;
  /** Exact length of an eth_call's answer. */
  readonly bytes?: number;
  /**
   * Maximum length of a reply whose content a third party controls, such as the code of a stranger's contract. A longer
   * reply counts as answered. Neither a longer reply nor an error is a fault of the node.
   */
  readonly mostBytes?: number;
};
export type Question = {
  readonly method: RpcMethod;
  readonly params: readonly unknown[];
  readonly options?: RpcOptions;
};
export type Rpc = {
  /**
   * The first valid answer: a result of the right shape, or a verdict of the chain. If a node fails, limits or lags,
   * the next one is called. Throws the most informative RpcFailure if no node is left.
   */
  call<Result>(method: RpcMethod, params: readonly unknown[], options?: RpcOptions): Promise<Result>;
  /**
   * Makes several reads in one HTTP request, so that one node answers all of them at about the same block. Resolves to
   * their results in order. Throws as `call` does, for the first read that fails.
   */
  batch(questions: readonly Question[]): Promise<readonly unknown[]>;
  /**
   * Runs related reads on one node, since nodes may be blocks apart. If that node fails, they are repeated on the next
   * one. Throws what `work` throws.
   */
  onOneNode<Result>(work: (rpc: Rpc) => Promise<Result>): Promise<Result>;
};

/** The nodes behind an Rpc. */
export type RpcPool = Rpc & {
  /** Each node by itself, in order of preference. The pool does not use an excluded node. */
  readonly nodes: readonly { readonly rpc: Rpc; setAside(isAside: boolean): void; isAside(): boolean }[];
};

/** Maximum time for a node's answer, unless a call sets another. */
export const RPC_DEADLINE_MS = 5_000;
// Number of failures in a row after which a node is tried last, and for how long.
const TRIES = 3;
const REST_MS = 10_000;
const NO_BATCH_MS = 600_000;

type Node = {
  readonly place: number;
  readonly post: Post;
  failures: number;
  restsUntil: number;
  isAside: boolean;
  /** The node rejected a batch. Until this time, each call is a separate request. */
  noBatchUntil: number;
};

/** The outcome of one call to one node, identified by its position; for metrics. */
export type RpcReport = {
  readonly node: number;
  readonly end: NodeReply['kind'];
  readonly sends: boolean;
  readonly durationMs: number;
};

/** A JSON-RPC client over one or more nodes of the same chain, in order of preference. */
export function rpcOver(
  urls: readonly string[],
  now: () => number = Date.now,
  onReply: (report: RpcReport) => void = () => {},
): RpcPool {
  const nodes = urls.map(
    (url, place): Node => ({
      place,
      post: rpcNode(url),
      failures: 0,
      restsUntil: 0,
      isAside: false,
      noBatchUntil: 0,
    }),
  );

  /** In order of preference, with failing nodes last. */
  const usable = (): Node[] => {
    const inUse = nodes.filter(({ isAside }) => !isAside);
    const isAwake = ({ restsUntil }: Node) => restsUntil <= now();
    return [...inUse.filter(isAwake), ...inUse.filter((node) => !isAwake(node))];
  };

  async function ask<Result>(node: Node, question: Question): Promise<Result> {
    const { options = {} } = question;
    if (options.mayAsk?.() === false) throw new RpcFailure('unreached');
    const startedMs = performance.now();
    const reply = await node.post(JSON.stringify(wireCall(question, 1)), {
      deadlineMs: options.deadlineMs ?? RPC_DEADLINE_MS,
      mayAsk: options.mayAsk,
      mayRepeat: !options.sends,
      mostBytes: longestReply(question),
    });
    const [result] = resultsIn(node, startedMs, [
      { question, reply: reply.kind === 'batch' ? BROKEN : reply },
    ]);
    return result as Result;
  }

  async function askBatch(node: Node, questions: readonly Question[]): Promise<readonly unknown[]> {
    const askEach = () => Promise.all(questions.map((question) => ask(node, question)));
    if (node.noBatchUntil > now()) return askEach();
    const startedMs = performance.now();
    const reply = await node.post(JSON.stringify(questions.map(wireCall)), {
      deadlineMs: RPC_DEADLINE_MS,
      mayRepeat: true,
      mostBytes: questions.reduce((sum, question) => sum + longestReply(question), 0),
    });
    if (isBatchRefused(reply)) {
      const results = await askEach();
      // The node answers the single calls, so it rejected the batch.
      node.noBatchUntil = now() + NO_BATCH_MS;
      return results;
    }
    const replyTo = (id: number): NodeReply => {
      if (reply.kind === 'batch') return reply.byId.get(id) ?? BROKEN;
      return reply.kind === 'result' ? BROKEN : reply;
    };
    return resultsIn(
      node,
      startedMs,
      questions.map((question, id) => ({ question, reply: replyTo(id) })),
    );
  }

  /** The results of one request; throws for the first call that has none. */
  function resultsIn(
    node: Node,
    startedMs: number,
    replies: readonly { readonly question: Question; readonly reply: NodeReply }[],
  ): readonly unknown[] {
    const ends = replies.map(({ question, reply }) => soundReply(question, reply));
    const failedAt = ends.findIndex(({ kind }) => kind !== 'result');
    const end = ends[Math.max(failedAt, 0)] ?? BROKEN;
    const options = replies[Math.max(failedAt, 0)]?.question.options ?? {};
    onReply({
      node: node.place,
      end: end.kind,
      sends: options.sends ?? false,
      durationMs: performance.now() - startedMs,
    });
    if (failedAt < 0) {
      node.failures = 0;
      return ends.map((sound) => (sound.kind === 'result' ? sound.result : null));
    }
    const failure = failureOf(end, options);
    if (failure.kind === 'answered') node.failures = 0;
    else if (isItsFault(end, options)) node.failures += 1;
    if (node.failures >= TRIES) node.restsUntil = now() + REST_MS;
    throw failure;
  }

  /** Tries the nodes in turn until one gives a valid answer. */
  async function first<Result>(tries: (node: Node) => Promise<Result>, sends: boolean): Promise<Result> {
    let telling: RpcFailure | null = null;
    for (const node of usable()) {
      try {
        return await tries(node);
      } catch (error) {
        if (!(error instanceof RpcFailure)) throw error;
        if (error.kind === 'answered' && !(sends && telling?.kind === 'unclear')) throw error;
        if (telling === null || weight(error) > weight(telling)) telling = error;
      }
    }
    throw telling ?? new RpcFailure('unreached');
  }

  const only = (node: Node): Rpc => {
    const rpc: Rpc = {
      call: (method, params, options = {}) => ask(node, { method, params, options }),
      batch: (questions) => askBatch(node, questions),
      onOneNode: (work) => work(rpc),
    };
    return rpc;
  };

  return {
    call: (method, params, options = {}) =>
      first((node) => ask(node, { method, params, options }), options.sends ?? false),
    batch: (questions) => first((node) => askBatch(node, questions), false),
    onOneNode: (work) => first((node) => work(only(node)), false),
    nodes: nodes.map((node) => ({
      rpc: only(node),
      setAside(isAside) {
        node.isAside = isAside;
      },
      isAside: () => node.isAside,
    })),
  };
}

const BROKEN: NodeReply = { kind: 'broken' };
// A node that is too busy for a batch is too busy for its calls.
const BUSY_STATUS = new Set([429, 503]);

const isBatchRefused = (reply: NodeReply | BatchReply): boolean =>
  reply.kind === 'error' && !BUSY_STATUS.has(reply.error.status);

const wireCall = ({ method, params }: Question, id: number) => ({ jsonrpc: '2.0', id, method, params });

const longestReply = ({ method, options }: Question): number => options?.mostBytes ?? mostBytesOf(method);

/** The reply; `broken` if its result does not have the shape that its method promises. */
const soundReply = ({ method, params, options }: Question, reply: NodeReply): NodeReply =>
  reply.kind !== 'result' || isShaped(method, params, reply.result, options?.bytes) ? reply : BROKEN;

/**
 * Ranks failures by how informative they are: a send with an uncertain result first, then a node's message, then no
 * reply.
 */
function weight(failure: RpcFailure): number {
  const kind = { unclear: 4, answered: 2, unreached: 0 }[failure.kind];
  return kind + (failure.code === null ? 0 : 0.5) + (lacksMethod(failure) ? 0.5 : 0);
}

/** Whether a failed call suggests that the node will fail others too. */
const isItsFault = (reply: NodeReply, { mostBytes }: RpcOptions): boolean =>
  reply.kind !== 'error' ||
  !(isRequestFault(reply.error) || (mostBytes !== undefined && !isTurnedAway(reply.error)));

function failureOf(reply: NodeReply, { sends, mostBytes }: RpcOptions): RpcFailure {
  if (reply.kind === 'unreached') return new RpcFailure('unreached');
  if (reply.kind === 'too_large' && mostBytes !== undefined)
    return new RpcFailure('answered', { isTooLong: true });
  // A result of the wrong shape does not prove that the node did nothing.
  if (reply.kind !== 'error') return new RpcFailure('unclear');
  const { error } = reply;
  if (!sends) return new RpcFailure(isReadVerdict(error) ? 'answered' : 'unclear', error);
  const rejection = rejectionOf(error);
  // Another node may have room, and the same bytes are sent again.
  if (rejection === 'no_room') return new RpcFailure('unclear', error);
  if (isTurnedAway(error)) return new RpcFailure('unreached', error);
  return new RpcFailure(rejection === null ? 'unclear' : 'answered', error);
}
