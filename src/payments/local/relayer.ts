import type { Fees, GasLimit } from '../chain/proof.ts';
import { RpcFailure } from '../chain/rpc.ts';
import { type Rejection, type RpcReceipt, receiptOf, rejectionOf } from '../chain/rpc-node.ts';
import type { SettlerFault } from '../failover.ts';
import type { Hex } from '../x402/payment.ts';
import {
  type Account,
  type AccountParts,
  accountOf,
  type Call,
  type InFlight,
  MAX_PAST,
  type SignedTransaction,
  type SignedVersion,
  signNext,
  type Transaction,
} from './account.ts';
import { type GasPrice, MAX_FEE_PER_GAS_WEI, type Payer } from './gas.ts';

export type Relayer = Pick<Account, 'address' | 'rpc' | 'mayUse'> & {
  /**
   * The fees that `sign` would offer now for a call with this gas, calldata and ceiling, so that a simulation can use
   * them. Throws GasTooDear, GasBudgetSpent (even if only this kind of payer has used its share) or RpcFailure.
   */
  fees(limit: GasLimit, payer?: Payer): Promise<Fees>;
  /** Whether `sign` would throw GasBudgetSpent now for a call with this worst case. */
  isSpent(worstWei: bigint, payer: Payer): boolean;
  /** The account whose payment failed in this transaction had code: its loss counts against their share. */
  blameCode(transaction: Hex): void;
  /** The gas price as known here. */
  readonly gas: Pick<GasPrice, 'saw' | 'known' | 'dataFeeWei'>;
  /** Slots for transactions to sign; `sign` itself does not take one. */
  readonly inFlight: Pick<InFlight, 'enter' | 'isCrowded'>;
  /**
   * Signs a call with the next nonce and passes it to `send` while no other transaction takes a nonce, so that sends
   * start in order. When `send` resolves to null the nonce is free again. Throws RpcFailure, GasTooDear,
   * GasBudgetSpent or KeyNotHeld.
   */
  sign<Sent>(call: Call, send: (signed: SignedTransaction) => Promise<Sent | null>): Promise<Sent | null>;
  /** Processes a receipt. A pending transaction ends only with the receipt of a transaction that was signed here. */
  saw(receipt: unknown): void;
  /**
   * The node rejected the first send. Returns whether the transaction is certainly not pending. Its nonce is then free.
   */
  rejected(signed: SignedTransaction, why: Rejection): boolean;
  /** Sends the bytes with this hash, or a newer version, again. Returns whether a node may have accepted them. */
  sendAgain(hash: Hex): Promise<boolean>;
  /** The pending or recently mined transaction with this hash, or the same call at another price; null if unknown. */
  find(hash: Hex): Transaction | null;
  /** Whether no node has had room for the transaction with this hash yet. */
  isParked(hash: Hex): boolean;
  /** Whether the call with this hash is still being sent. */
  isPending(hash: Hex): boolean;
  /** The hashes of all versions that were signed here for the same call; empty for an unknown one. */
  versionsOf(hash: Hex): readonly Hex[];
  /**
   * `relayer_stuck`: its transactions are not being mined, or a node has no room for any of them. Null if all is
   * well.
   */
  fault(): SettlerFault | null;
  /** Stops checking pending transactions. */
  stop(): void;
};

export type RelayerParts = AccountParts & ResendTimes;

/** The account that pays for gas. It uses its nonces in order and leaves no gap. */
export function createRelayer(parts: RelayerParts): Relayer {
  const account = accountOf(parts);
  const { pending, past, gas, ledger, inFlight } = account;
  const resender = createResender(account, parts);
  let turn: Promise<unknown> = Promise.resolve();

  const find = (hash: Hex): Transaction | null =>
    [...pending.values(), ...past.values()].find(({ versions }) =>
      versions.some((version) => version.hash === hash),
    ) ?? null;

  const { address, rpc, mayUse } = account;
  const findPending = (hash: Hex): Transaction | null => {
    const ours = find(hash);
    return ours !== null && pending.get(ours.nonce) === ours ? ours : null;
  };

  return {
    ...{ address, rpc, mayUse, gas, inFlight, find },
    async fees(limit, payer = 'plain') {
      const fees = await gas.fees(limit);
      ledger.check(account.worstOf(limit, fees), payer);
      return fees;
    },
    isSpent: ledger.isSpent,
    blameCode: ledger.blameCode,
    sign(call, send) {
      const mine = turn.then(() => signNext(account, call, send));
      turn = mine.then(resender.begin, resender.begin);
      return mine;
    },
    saw(receipt) {
      const read = receiptOf(receipt);
      const ours = read && findPending(read.transactionHash.toLowerCase() as Hex);
      if (!ours) return;
      account.mined(ours, read);
      resender.sendParked();
    },
    rejected({ nonce, hash }, why) {
      const ours = findPending(hash);
      if (ours === null) return false;
      if (why === 'no_room') {
        ours.isParked = true;
        inFlight.noRoom(nonce);
      }
      // The transaction may have been sent again since, and may be pending whatever the first result was.
      if (why === 'no_room' || ours.isResent) return false;
      if (why === 'too_cheap') gas.forget();
      account.forget(ours, why === 'stale_nonce' ? 'taken' : 'free');
      resender.begin();
      return true;
    },
    async sendAgain(hash) {
      const ours = find(hash);
      if (ours === null) return false;
      const end = await sendBytes(account, ours);
      return end === 'new' || end === 'taken' || end === 'unclear';
    },
    isParked: (hash) => findPending(hash)?.isParked === true,
    isPending: (hash) => (findPending(hash)?.call.data ?? '0x') !== '0x',
    versionsOf: (hash) => account.signed.get(hash) ?? [],
    fault: () => (resender.isStuck() ? 'relayer_stuck' : null),
    stop: resender.stop,
  };
}

/** How often pending transactions are checked, and when they are sent again or at a higher price. */
export type ResendTimes = {
  readonly checkMs?: number | undefined;
  readonly resendAfterMs?: number | undefined;
  readonly bumpAfterMs?: number | undefined;
};

type Resender = {
  /** Checks pending transactions for as long as there are any. Signing never waits for it. */
  begin(): void;
  /** Sends parked transactions again after an earlier one was mined. */
  sendParked(): void;
  /** Whether sent transactions are not being mined. */
  isStuck(): boolean;
  stop(): void;
};

const CHECK_MS = 2_000;
const RESEND_AFTER_MS = 4_000;
const BUMP_AFTER_MS = 15_000;
const MAX_VERSIONS = 12;
const TRANSFER_GAS = 21_000n;
// Maximum transactions that a round sends, and receipts that it requests.
const MOST_A_ROUND = 16;
// Rounds in a row in which the chain expects a nonce that counts as used: a node may lag for some seconds.
const ROUNDS_BEHIND = 3;
const STUCK_MS = 60_000;
// Transactions count as stuck sooner if the node has no room for any of them, because then none is waiting at the
// node.
const NO_ROOM_MS = 8_000;
// Maximum number of missing nonces that are filled. Beyond, waiting calls are signed again from the chain's count.
const MOST_FILLED = 64;

/**
 * Gets pending transactions mined. It sends the same bytes again, and later the same call at a higher price. It fills a
 * nonce gap with an empty transaction, and sends transactions again that the chain has lost.
 */
function createResender(account: Account, times: ResendTimes): Resender {
  const { checkMs = CHECK_MS, resendAfterMs = RESEND_AFTER_MS, bumpAfterMs = BUMP_AFTER_MS } = times;
  const { rpc, address, now, mayUse, pending, nonces, inFlight } = account;
  let behind = 0;
  // The lowest pending transaction at the last time when the chain expected a lower nonce; null once the chain has
  // caught up.
  let stopped: Transaction | null = null;
  let isStopped = false;
  let timer: NodeJS.Timeout | null = null;
  let parkedWork: Promise<void> | null = null;
  let isMore = false;
  // When a node last took a transaction that was sent again, or our account's last transaction was mined.
  let roomAt = 0;

  async function round(): Promise<void> {
    const count = Number(await rpc.call<Hex>('eth_getTransactionCount', [address, 'latest']));
    await endBelow(account, count);
    const [first] = sentOf(account);
    const lowest = first?.nonce ?? count;
    behind = isMissing(account, count, lowest) ? behind + 1 : 0;
    if (behind >= ROUNDS_BEHIND) {
      await recover(account, { count, lowest, at: now() - resendAfterMs - 1 });
      // All pending transactions may have been signed again with other nonces.
      stopped = pending.get(lowest) ?? null;
    } else if (count >= (stopped?.nonce ?? 0)) stopped = null;
    const waiting = sentOf(account).filter(({ isParked }) => !isParked);
    // If there is little room, the lowest nonce comes first: the others wait for it at the node.
    if (inFlight.isLimited())
      for (const transaction of waiting.slice(0, MOST_A_ROUND)) await push(transaction);
    else await Promise.all(waiting.slice(0, MOST_A_ROUND).map(push));
    await sendParked();
    for (const gap of nonces.gaps().slice(0, MOST_A_ROUND)) await fill(account, gap);
  }

  /** Sends a transaction again once it is old enough, at a higher price if it waits for a long time. */
  async function push(transaction: Transaction): Promise<void> {
    const { nonce, versions, at } = transaction;
    const age = now() - at;
    const mayReplace = age > bumpAfterMs * versions.length && versions.length < MAX_VERSIONS;
    const better = mayReplace ? await replacement(account, transaction) : null;
    // The transaction may have ended in the meantime.
    if (pending.get(nonce) !== transaction) return;
    if (better === null) {
      if (age > resendAfterMs) await resend(transaction);
      return;
    }
    const fresh = await account.signVersion(better.call, nonce, better.fees, versions);
    if (pending.get(nonce) !== transaction) return;
    account.ledger.reserve(transaction, account.worstOf(better.call, better.fees), transaction.call.payer);
    Object.assign(transaction, better, { versions: [...versions, fresh] });
    await resend(transaction, true);
  }

  /** Sends the newest bytes; `isNew` when they were not sent before. */
  async function resend(transaction: Transaction, isNew = false): Promise<void> {
    const { isParked, nonce } = transaction;
    transaction.isResent = true;
    const end = await sendBytes(account, transaction);
    if (end !== 'unclear') transaction.isParked = end === 'no_room';
    if (end === 'new' || end === 'taken') roomAt = now();
    // A node that accepts old bytes as new has dropped them, and probably the later ones too.
    const isDropped = end === 'new' && !isParked && !isNew;
    if (isDropped)
      for (const later of sentOf(account)) if (later.nonce > nonce && !later.isResent) later.isParked = true;
    if (end === 'no_room' || isDropped) inFlight.noRoom(nonce);
  }

  /**
   * Sends parked transactions one after another, lowest nonce first, until the node has no room again. A transaction
   * that overtook a lower nonce would take a place and wait for that nonce.
   */
  function sendParked(): Promise<void> {
    isMore = true;
    parkedWork ??= (async () => {
      while (isMore && !isStopped && mayUse()) {
        isMore = false;
        for (const transaction of sentOf(account).filter(({ isParked }) => isParked)) {
          await resend(transaction);
          if (transaction.isParked) break;
        }
      }
    })()
      .catch(() => undefined)
      .finally(() => {
        parkedWork = null;
        inFlight.look();
      });
    return parkedWork;
  }

  const isDone = () => pending.size === 0 && nonces.gaps().length === 0;
  // A transaction that was just sent is probably on its way.
  const isDue = () =>
    nonces.gaps().length > 0 || [...pending.values()].some(({ at }) => now() - at >= checkMs);

  function begin(): void {
    if (isStopped || timer !== null || isDone()) return;
    const turn = async () => {
      // A failed round is repeated.
      if (isDue() && mayUse()) await round().catch(() => undefined);
      timer = null;
      begin();
    };
    timer = setTimeout(() => void turn(), checkMs).unref();
  }

  return {
    begin,
    sendParked() {
      roomAt = now();
      void sendParked();
    },
    isStuck() {
      const [first] = sentOf(account);
      return (
        (stopped !== null && pending.get(stopped.nonce) === stopped) ||
        (first?.isParked === true && now() - Math.max(first.at, roomAt) > NO_ROOM_MS) ||
        [...pending.values()].some(({ at, isSent }) => isSent && now() - at > STUCK_MS)
      );
    },
    stop() {
      isStopped = true;
      if (timer !== null) clearTimeout(timer);
    },
  };
}

/** Sent transactions without a result, lowest nonce first. */
const sentOf = ({ pending }: Account): readonly Transaction[] =>
  [...pending.values()].filter(({ isSent }) => isSent).sort((a, b) => a.nonce - b.nonce);

/** Ends all transactions below the chain's count, and looks up the cost of some of them. */
async function endBelow(account: Account, count: number): Promise<void> {
  const over = sentOf(account).filter(({ nonce }) => nonce < count);
  const ask = async ({ versions }: Transaction) => {
    for (const { hash } of versions.toReversed().slice(0, 2)) {
      const receipt = await account.rpc.call<RpcReceipt | null>('eth_getTransactionReceipt', [hash]);
      if (receipt !== null) return receipt;
    }
    return null;
  };
  const some = over.slice(0, MOST_A_ROUND).map((transaction) => ask(transaction).catch(() => null));
  const receipts = await Promise.all(some);
  for (const [index, transaction] of over.entries()) account.mined(transaction, receipts[index] ?? null);
  account.nonces.spendBelow(count);
}

/**
 * A replacement for a transaction: the same call at a higher price or, above its ceiling, an empty call for less gas.
 * Null if neither is possible, or if the current price is enough.
 */
async function replacement(
  { gas, address }: Account,
  { call, fees }: Transaction,
): Promise<Pick<Transaction, 'call' | 'fees'> | null> {
  const better = await gas.bumped(fees, call);
  if (better !== null) return { call, fees: better };
  if (call.gas <= TRANSFER_GAS || (await gas.isEnough(fees).catch(() => true))) return null;
  // A transaction that is too cheap to be mined blocks all later ones.
  const nothing = { ...emptyCall(address), onEnd: call.onEnd };
  const raised = await gas.bumped(fees, nothing);
  return raised === null ? null : { call: nothing, fees: raised };
}

/** A call to our own address that does nothing: it uses up a nonce and pays nobody. */
const emptyCall = (address: Hex): Call => ({
  to: address,
  data: '0x',
  gas: TRANSFER_GAS,
  ceilingWei: TRANSFER_GAS * MAX_FEE_PER_GAS_WEI,
});

/** Sends an empty transaction with a free nonce that blocks later ones. */
async function fill(account: Account, gap: number): Promise<void> {
  const { nonces, inFlight, gas, ledger, pending, now } = account;
  // The next signature takes the lowest nonce.
  if (inFlight.isOneComing()) return;
  const call = emptyCall(account.address);
  const fees = await gas.fees(call);
  // The gap may have been closed since, or a lower one may have appeared.
  if (nonces.gaps()[0] !== gap) return;
  const nonce = nonces.take();
  const flags = { isSent: true, isResent: true, isParked: false };
  const transaction: Transaction = { nonce, call, fees, versions: [], at: now(), ...flags };
  ledger.reserve(transaction, account.worstOf(call, fees), undefined);
  try {
    transaction.versions = [await account.signVersion(call, nonce, fees)];
  } catch (error) {
    account.forget(transaction, 'free');
    throw error;
  }
  pending.set(nonce, transaction);
  await sendBytes(account, transaction);
}

/** A node's reply to the newest bytes. The next round finds out their result in any case. */
async function sendBytes(
  { rpc }: Account,
  { versions }: Transaction,
): Promise<'new' | 'taken' | Rejection | 'unclear'> {
  try {
    await rpc.call('eth_sendRawTransaction', [versions.at(-1)?.raw], { sends: true });
    return 'new';
  } catch (error) {
    if (!(error instanceof RpcFailure)) throw error;
    return rejectionOf(error) ?? 'unclear';
  }
}

/** Whether the chain expects a nonce below the sent ones that counts as used here. */
function isMissing({ nonces }: Account, count: number, lowest: number): boolean {
  for (let nonce = count; nonce < Math.min(lowest, count + MAX_PAST); nonce += 1)
    if (nonces.isSpent(nonce)) return true;
  return lowest > count + MAX_PAST;
}

/**
 * Recovers after a reorganization, or after a node's wrong count. A transaction that could still be mined keeps its
 * nonce, so that the chain accepts it at most once.
 */
async function recover(
  account: Account,
  { count, lowest, at }: { count: number; lowest: number; at: number },
): Promise<void> {
  const { nonces, past, pending, ledger } = account;
  const lost = [...past.values()].filter(({ nonce }) => nonce >= count && nonce < lowest);
  if (lowest - count - lost.length > MOST_FILLED) return renumber(account, count, at);
  nonces.learn(count);
  for (const transaction of lost) {
    past.delete(transaction.nonce);
    // The same bytes are sent again: they have the nonce that the chain expects and the payment that it lost.
    transaction.at = at;
    pending.set(transaction.nonce, transaction);
    nonces.retake(transaction.nonce);
    ledger.reserve(transaction, account.worstOf(transaction.call, transaction.fees), undefined);
  }
}

/**
 * Signs waiting calls again, from the chain's count on: nodes do not keep transactions that are so far ahead. All
 * nonces are taken before anything is signed, so a failure in between is retried like any other.
 */
async function renumber(account: Account, count: number, at: number): Promise<void> {
  const { nonces, pending } = account;
  const waiting = sentOf(account);
  for (const { nonce } of waiting) {
    pending.delete(nonce);
    nonces.giveBack(nonce);
  }
  nonces.learn(count);
  for (const transaction of waiting) {
    Object.assign(transaction, { nonce: nonces.take(), at });
    pending.set(transaction.nonce, transaction);
  }
  for (const transaction of waiting) {
    const { nonce, call, fees, versions } = transaction;
    const fresh: SignedVersion = await account.signVersion(call, nonce, fees, versions);
    if (pending.get(nonce) === transaction) transaction.versions = [fresh];
  }
}
