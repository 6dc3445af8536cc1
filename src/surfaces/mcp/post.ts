import type { Fault } from '../../domain/result.ts';
import type { RpcFault } from './rpc.ts';

/** What is given twice in a message, as pointers from where each is told. */
export type Repeated = { readonly inArguments: readonly Fault[]; readonly inPayment: readonly Fault[] };

/** One POST on its way through the protocol. */
export type Post = {
  /** A request header by its name. */
  readonly header: (name: string) => string | undefined;
  /** The parsed JSON. */
  readonly body: unknown;
  /** What JSON gave twice in its arguments and its payment. */
  readonly repeated: Repeated;
  /** Whom the limits count. */
  readonly caller: string;
  /** Our own name for the request. */
  readonly requestId: string | null;
};

/** What is learned while one POST is worked on. */
export type Visit = {
  readonly post: Post;
  /** true once the request has passed the checks of the protocol: from then on a fault that we did not mean is ours. */
  hasBegun: boolean;
  /** The error that a handler means to answer with. */
  fault: RpcFault | null;
  /** HTTP headers that belong to the result. */
  headers: Readonly<Record<string, string>>;
};
