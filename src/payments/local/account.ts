import { privateKeyToAccount } from 'viem/accounts';
import { keccak256 } from 'viem/utils';
import type { Fees, GasLimit } from '../chain/proof.ts';
import type { Rpc } from '../chain/rpc.ts';
import type { RpcReceipt } from '../chain/rpc-node.ts';
import { keepNewest } from '../keep-newest.ts';
import type { Hex } from '../x402/payment.ts';
import {
  bytesIn,
  createGasLedger,
  createGasPrice,
  type GasLedger,
  type GasPrice,
  type GasPriceParts,
  type Payer,
} from './gas.ts';

/** A transaction to send. gas × maxFeePerGas never exceeds `ceilingWei`, replacements included. */
export type Call = GasLimit & {
  readonly to: Hex;
  readonly data: Hex;
  /** The payer whose payment the transaction settles; `plain` by default. */
  readonly payer?: Payer | undefined;
  /**
   * Called when a transaction with this nonce is mined, and again if a reorganization replaces it with another one;
   * null if the transaction is unknown.
   */
  readonly onEnd?: ((receipt: RpcReceipt | null) => void) | undefined;
};

/** Raw bytes and their hash. */
export type SignedVersion = { readonly raw: Hex; readonly hash: Hex };
/** A signed transaction, its hash known before it is sent. */
export type SignedTransaction = SignedVersion & { readonly nonce: number };

/** A transaction of the relayer, from its first signature on. */
export type Transaction = {
  nonce: number;
  call: Call;
  fees: Fees;
  /** Every version that was signed, the newest last: the same call at a higher price has another hash. */
  versions: readonly SignedVersion[];
  /** When the transaction was first sent, in milliseconds since the epoch. */
  at: number;
  /** Whether the transaction may have been sent. Until then, it can be canceled. */
  isSent: boolean;
  /** Whether the bytes were sent again. */
  isResent: boolean;
  /** Whether the node had no room for the transaction. It is sent again as soon as an earlier one is mined. */
  isParked: boolean;
};

/** The state and functions of an account. */
export type Account = {
  /** The address in lower case. */
  readonly address: Hex;
  /** Sends nothing while the key must not be used. */
  readonly rpc: Rpc;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  /** Whether the key may be used now. */
  readonly mayUse: () => boolean;
  readonly gas: GasPrice;
  readonly ledger: GasLedger;
  readonly nonces: Nonces;
  readonly inFlight: InFlight;
  /** The account's pending transactions, by nonce. */
  readonly pending: Map<number, Transaction>;
  /** The latest mined transactions, in case the chain forgets them. */
  readonly past: Map<number, Transaction>;
  /** The hashes of all versions of a call by each of its hashes, also of calls that ended long ago. */
  readonly signed: Map<Hex, readonly Hex[]>;
  /** Signs a version of a call and remembers its hash. Throws KeyNotHeld. */
  signVersion(
    call: Call,
    nonce: number,
    fees: Fees,
    earlier?: readonly SignedVersion[],
  ): Promise<SignedVersion>;
  /** The worst-case cost of a call in wei, as far as the rollup's data fee is known. */
  worstOf(call: GasLimit, fees: Fees): bigint;
  /** A transaction with this nonce is mined; `receipt` is null when no node shows it. */
  mined(transaction: Transaction, receipt: RpcReceipt | null): void;
  /** The transaction cannot be mined. `how` says whether its nonce is free again or was used by a third party. */
  forget(transaction: Transaction, how: 'free' | 'taken'): void;
};

export type AccountParts = GasPriceParts & {
  readonly key: Hex;
  readonly chainId: number;
  /** Whether the key may be used now; always, by default. */
  readonly mayUse?: (() => boolean) | undefined;
  readonly gasBudgetWeiPerHour?: bigint | undefined;
  /** Maximum number of transactions in flight; 64 by default. */
  readonly mostInFlight?: number | undefined;
};

/** Another process may be using the key. */
export class KeyNotHeld extends Error {}

/** How many mined transactions are kept. */
export const MAX_PAST = 512;
// An hour's budget pays for fewer transactions even at a low gas price, so all pending ones are kept.
const MAX_SIGNED = 50_000;
const GAS_BUDGET_WEI_PER_HOUR = 20_000_000_000_000_000n;

/** An account that has signed nothing yet. */
export function accountOf(parts: AccountParts): Account {
  const { chainId, now, gasBudgetWeiPerHour = GAS_BUDGET_WEI_PER_HOUR, mayUse = () => true } = parts;
  const signer = privateKeyToAccount(parts.key);
  const pending: Account['pending'] = new Map();
  const past: Account['past'] = new Map();
  const signed: Account['signed'] = new Map();
  const gas = createGasPrice(parts);
  const ledger = createGasLedger(gasBudgetWeiPerHour, now);
  const nonces = createNonces();
  const inFlight = createInFlight(pending, parts.mostInFlight);
  return {
    address: signer.address.toLowerCase() as Hex,
    rpc: sendingWhile(mayUse, parts.rpc),
    ...{ now, mayUse, gas, ledger, nonces, inFlight, pending, past, signed },
    async signVersion({ to, data, gas }, nonce, fees, earlier = []) {
      // Checked directly before the signature, because this process may have been paused.
      if (!mayUse()) throw new KeyNotHeld();
      const raw = await signer.signTransaction({ type: 'eip1559', to, data, gas, ...fees, nonce, chainId });
      const version = { raw, hash: keccak256(raw) };
      const hashes = [...earlier, version].map(({ hash }) => hash);
      for (const hash of hashes) keepNewest(signed, [hash, hashes], MAX_SIGNED);
      return version;
    },
    worstOf: ({ gas: units, data }, { maxFeePerGas }) => units * maxFeePerGas + gas.dataFeeWei(bytesIn(data)),
    mined(transaction, receipt) {
      const { nonce, call } = transaction;
      if (pending.get(nonce) !== transaction) return;
      pending.delete(nonce);
      nonces.spend(nonce);
      ledger.record(transaction, receipt === null ? undefined : costOf(receipt));
      if (receipt !== null) gas.paidForData(call.data, BigInt(receipt.l1Fee ?? 0));
      keepNewest(past, [nonce, transaction], MAX_PAST);
      call.onEnd?.(receipt);
      inFlight.ended(true);
    },
    forget(transaction, how) {
      const { nonce } = transaction;
      pending.delete(nonce);
      ledger.release(transaction);
      if (how === 'free') nonces.giveBack(nonce);
      else {
        nonces.spend(nonce);
        nonces.doubt();
      }
      inFlight.ended(false);
    },
  };
}

/** The work of a relayer's `sign` when its turn comes. */
export async function signNext<Sent>(
  account: Account,
  call: Call,
  send: (signed: SignedTransaction) => Promise<Sent | null>,
): Promise<Sent | null> {
  const { gas, nonces, ledger, pending, rpc, address, now } = account;
  const fees = await gas.fees(call);
  if (nonces.isStale())
    nonces.learn(Number(await rpc.call<Hex>('eth_getTransactionCount', [address, 'pending'])));
  const nonce = nonces.take();
  const flags = { isSent: false, isResent: false, isParked: false };
  const transaction: Transaction = { nonce, call, fees, versions: [], at: now(), ...flags };
  let sent: Sent | null = null;
  try {
    ledger.reserve(transaction, account.worstOf(call, fees), call.payer ?? 'plain');
    const version = await account.signVersion(call, nonce, fees);
    transaction.versions = [version];
    pending.set(nonce, transaction);
    sent = await send({ ...version, nonce });
    transaction.isSent = sent !== null;
    return sent;
  } finally {
    if (sent === null) account.forget(transaction, 'free');
  }
}

function costOf({ status, gasUsed, effectiveGasPrice, l1Fee, transactionHash }: RpcReceipt) {
  const costWei = BigInt(gasUsed) * BigInt(effectiveGasPrice) + BigInt(l1Fee ?? 0);
  return { transaction: transactionHash.toLowerCase() as Hex, costWei, isReverted: status === '0x0' };
}

/** An Rpc that sends nothing while the key must not be used. */
const sendingWhile = (mayUse: () => boolean, rpc: Rpc): Rpc => ({
  call: (method, params, options) =>
    rpc.call(method, params, options?.sends ? { ...options, mayAsk: mayUse } : options),
  batch: (questions) => rpc.batch(questions),
  onOneNode: (work) => rpc.onOneNode(work),
});

/**
 * Hands out the nonces of one account without gaps: always the lowest one that is neither used nor taken. It keeps
 * count and does not ask the chain.
 */
export function createNonces() {
  /** Every nonce below this one is used, or was taken before this process started. */
  let floor = 0;
  let isStale = true;
  const taken = new Set<number>();
  /** The used nonces that are not below the floor. */
  const used = new Set<number>();
  const isFree = (nonce: number) => nonce >= floor && !taken.has(nonce) && !used.has(nonce);

  return {
    /** Whether the next nonce must be requested from the node. */
    isStale: () => isStale,
    /** The node's count: lower nonces are used, this and higher ones are not. Nonces that we took stay reserved. */
    learn(count: number): void {
      floor = count;
      used.clear();
      isStale = false;
    },
    take(): number {
      let nonce = floor;
      while (!isFree(nonce)) nonce += 1;
      taken.add(nonce);
      return nonce;
    },
    /** A nonce that was taken but not used after all. */
    giveBack: (nonce: number): void => void taken.delete(nonce),
    /** A nonce whose transaction is on the chain, or that a third party used. */
    spend(nonce: number): void {
      taken.delete(nonce);
      if (nonce >= floor) used.add(nonce);
      while (used.delete(floor)) floor += 1;
    },
    /** Every nonce below `count` is on the chain. */
    spendBelow(count: number): void {
      floor = Math.max(floor, count);
      for (const nonce of taken) if (nonce < count) taken.delete(nonce);
      for (const nonce of used) if (nonce < count) used.delete(nonce);
      while (used.delete(floor)) floor += 1;
    },
    /** The node disagrees; ask it before the next nonce. */
    doubt(): void {
      isStale = true;
    },
    /** Free nonces that block a later one that is taken. */
    gaps(): readonly number[] {
      const gaps = [];
      const last = Math.max(-1, ...taken);
      for (let nonce = floor; nonce < last; nonce += 1) if (isFree(nonce)) gaps.push(nonce);
      return gaps;
    },
    /** Whether this nonce counts as used. */
    isSpent: (nonce: number): boolean => !taken.has(nonce) && !isFree(nonce),
    /** Marks a nonce that was wrongly considered used as taken again. */
    retake: (nonce: number): void => void taken.add(nonce),
  };
}

type Nonces = ReturnType<typeof createNonces>;

/**
 * How many of our transactions may be in flight at once, and the order in which payments wait for a slot. Nodes keep
 * only a certain number of pending transactions from one sender (often 16) and refuse or drop the others, so this limit
 * is learned. It starts at 64 and is halved when a node has no room. While as many are in flight as it allows, it grows
 * by one for each mined transaction.
 */
export type InFlight = {
  /**
   * Waits in order for a slot, for at most `forMs`. Call the returned function once the transaction is pending or
   * cannot become pending; null if the time is up. `isNext`: a node had no room for its transaction, so it goes to the
   * front.
   */
  enter(wait: { readonly forMs: number; readonly isNext?: boolean }): Promise<(() => void) | null>;
  /** Whether a node may have no room for another transaction. The next send must then wait for its answer. */
  isCrowded(): boolean;
  /** Whether a transaction with a slot is about to be signed. */
  isOneComing(): boolean;
  /**
   * A node refused or dropped the transaction with this nonce. Of transactions sent together, only the first counts.
   */
  noRoom(nonce: number): void;
  /** A pending transaction has ended: its slot is free. */
  ended(isMined: boolean): void;
  /** Gives out free slots. */
  look(): void;
  /** How many may be in flight now. */
  limit(): number;
  /** Whether the limit is below its initial value, because a node recently had no room. */
  isLimited(): boolean;
};

const START = 64;
// Every node keeps this many pending transactions from one sender.
const CROWD = 8;

type Waiting = { readonly timer: NodeJS.Timeout; readonly admit: () => void };

/** `pending` holds the transactions in flight by nonce. `isParked`: the node had no room for a transaction. */
export function createInFlight(
  pending: ReadonlyMap<number, { readonly isParked: boolean }>,
  start = START,
): InFlight {
  const waiting: Waiting[] = [];
  let limit = start;
  let coming = 0;
  // Transactions up to this nonce were sent before the limit was last halved.
  let halvedAt = -1;

  /**
   * A later nonce must not take the node's last place before a parked one, because it would wait there for the lower
   * nonce. With many pending, transactions therefore go one after another.
   */
  const hasRoom = () =>
    pending.size + coming < limit &&
    (coming === 0 || pending.size + coming < CROWD) &&
    ![...pending.values()].some(({ isParked }) => isParked);

  function admit(): void {
    while (hasRoom()) {
      const next = waiting.shift();
      if (next === undefined) return;
      clearTimeout(next.timer);
      coming += 1;
      next.admit();
    }
  }

  function leaver(): () => void {
    let hasLeft = false;
    return () => {
      if (hasLeft) return;
      hasLeft = true;
      coming -= 1;
      admit();
    };
  }

  return {
    enter: ({ forMs, isNext = false }) =>
      new Promise((resolve) => {
        const timer = setTimeout(() => {
          waiting.splice(waiting.indexOf(entry), 1);
          resolve(null);
        }, forMs).unref();
        const entry: Waiting = { timer, admit: () => resolve(leaver()) };
        if (isNext) waiting.unshift(entry);
        else waiting.push(entry);
        admit();
      }),
    isCrowded: () => pending.size > CROWD,
    isOneComing: () => coming > 0,
    noRoom(nonce) {
      if (nonce <= halvedAt) return;
      limit = Math.max(1, Math.floor(limit / 2));
      halvedAt = Math.max(nonce, ...pending.keys());
    },
    ended(isMined) {
      // `pending` no longer contains this transaction, hence + 1.
      if (isMined && pending.size + 1 + coming >= limit) limit = Math.min(start, limit + 1);
      admit();
    },
    look: admit,
    limit: () => limit,
    isLimited: () => limit < start,
  };
}
