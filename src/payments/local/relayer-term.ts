import type { Rpc } from '../chain/rpc.ts';

/** The period in which a key belongs to this process: outside of it nothing is signed with it or sent by it. */
export type RelayerTerm = {
  /** The place of the key in the list. */
  readonly place: number;
  /** Whether work that starts now ends within the period. */
  mayUse(): boolean;
};

/** A lease by which several processes share a list of keys. */
export type RelayerLease = {
  /** Calls the listener with the present term and on each change; null while this process has no key. */
  onTerm(told: (term: RelayerTerm | null) => void): void;
};

/** The key may have gone to another process. */
export class KeyNotHeld extends Error {}

/** An Rpc that sends nothing outside of a term. Everything that a key sends goes through it. */
export const sendingWithin = ({ mayUse }: Pick<RelayerTerm, 'mayUse'>, rpc: Rpc): Rpc => ({
  call: (method, params, options) =>
    rpc.call(method, params, options?.sends ? { ...options, mayAsk: mayUse } : options),
  batch: (questions) => rpc.batch(questions),
  onOneNode: (work) => rpc.onOneNode(work),
});
