import type { Fault } from '../../domain/result.ts';
import type { RpcFault } from './rpc.ts';

/** The names that JSON gave twice in a message, as faults. */
export type Repeated = { readonly inArguments: readonly Fault[]; readonly inPayment: readonly Fault[] };

/** One POST on its way through the protocol. */
export type Post = {
  /** A request header by its name. */
  readonly header: (name: string) => string | undefined;
  /** The parsed JSON. */
  readonly body: unknown;
  /** The names that are given twice in its arguments and its payment. */
  readonly repeated: Repeated;
  /** Whom the limits count. */
  readonly caller: string;
  /** The service's id of the request. */
  readonly requestId: string | null;
};

/** The state of one POST while it is handled. */
export type Visit = {
  readonly post: Post;
  /** true once the request has passed the checks of the protocol: any other error from then on is internal. */
  hasBegun: boolean;
  /** The error that a handler chose to answer with. */
  fault: RpcFault | null;
  /** HTTP headers that belong to the result. */
  headers: Readonly<Record<string, string>>;
};
