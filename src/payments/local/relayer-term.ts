import type { Rpc } from '../chain/rpc.ts';

/** The time in which a key is this process' alone: outside of it nothing is signed with it and nothing of it is sent. */
export type RelayerTerm = {
  /** Which of the keys it is. */
  readonly place: number;
  /** Whether what is begun now ends within it. */
  mayUse(): boolean;
};

/** Several processes that have each a key of a list for a time. */
export type RelayerLease = {
  /** Told of the present term, and of each change; null while this process has no key. */
  onTerm(told: (term: RelayerTerm | null) => void): void;
};

/** The key may have gone to another process. */
export class KeyNotHeld extends Error {}

/** Nodes that are given nothing to send outside of a term. What is sent by a key goes through here, whoever sends it. */
export const sendingWithin = ({ mayUse }: Pick<RelayerTerm, 'mayUse'>, rpc: Rpc): Rpc => ({
  call: (method, params, options) =>
    rpc.call(method, params, options?.sends ? { ...options, mayAsk: mayUse } : options),
  onOneNode: (work) => rpc.onOneNode(work),
});
