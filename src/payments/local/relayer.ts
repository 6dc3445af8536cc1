import { privateKeyToAddress } from 'viem/accounts';
import { hexToBytes } from 'viem/utils';
import type { Fees, GasLimit } from '../chain/gas.ts';
import { receiptOf } from '../chain/rpc-shapes.ts';
import { signedTransaction } from '../chain/signed-transaction.ts';
import type { SettlerFault } from '../settler-watch.ts';
import { loadCurve } from '../x402/curve.ts';
import type { Hex } from '../x402/payment.ts';
import { createGasLedger, type Payer } from './gas-ledger.ts';
import { createGasPrice, type GasPrice, type GasPriceParts } from './gas-price.ts';
import { createNonces } from './nonces.ts';
import { createPendingSlots, MAX_OUTSTANDING, type PendingSlots } from './pending-slots.ts';
import { type Call, ended, forgotten, noteVersions, type Outstanding, worstOf } from './relayer-account.ts';
import { createResender, type ResenderParts } from './relayer-resend.ts';
import { KeyNotHeld, type RelayerTerm, sendingWithin } from './relayer-term.ts';
import { type SigningAhead, signingAhead } from './signing-ahead.ts';

export type { Call };

/** A signed transaction, its hash known before it is sent. */
export type SignedTransaction = { readonly raw: Hex; readonly hash: Hex; readonly nonce: number };

export type Relayer = {
  readonly address: Hex;
  /**
   * The fees that `sign` would offer now for a call with this gas, calldata and ceiling, so that a simulation can use
   * them. Throws GasTooDear, GasBudgetSpent (also when only this kind of payer has used its share) or RpcFailure.
   */
  fees(limit: GasLimit, payer?: Payer): Promise<Fees>;
  /**
   * Signs in advance what `sign` will sign if it comes next at this price. Unused work is lost, so it is done only
   * while nothing of this account is pending.
   */
  signAhead(call: Call, fees: Fees): void;
  /** Whether `sign` would throw GasBudgetSpent now for a call that may cost so much. */
  isSpent(worstWei: bigint, payer: Payer): boolean;
  /** The account whose payment failed in this transaction had code: its loss is one of accounts with code. */
  blameCode(transaction: Hex): void;
  /** Slots for what is to be signed: `sign` itself asks for none. */
  readonly slots: Pick<PendingSlots, 'take' | 'onFree' | 'isScarce'>;
  /** The gas price as it is known here. */
  readonly gas: Pick<GasPrice, 'saw' | 'known' | 'dataFeeWei'>;
  /**
   * Signs a call with the next nonce and passes it to `send` while no other transaction takes a nonce, so that sends
   * start in order. When `send` resolves to null the nonce is free again. Throws RpcFailure, GasTooDear or
   * GasBudgetSpent.
   */
  sign<Sent>(call: Call, send: (signed: SignedTransaction) => Promise<Sent | null>): Promise<Sent | null>;
  /** The transaction with this nonce is mined. Only a receipt of what was signed for it is believed. */
  mined(nonce: number, receipt: unknown): void;
  /** This transaction was certainly not taken by any node. */
  unsent(signed: Sent): void;
  /** This transaction offered too little for gas and was not taken. */
  tooCheap(signed: Sent): void;
  /** The node says that its nonce is used; the node's count is requested before the next one. */
  taken(signed: Sent): void;
  /** Whether these bytes may have been sent, whatever happened the first time. */
  mayBeOut(signed: Sent): boolean;
  /** Whether the transaction with this hash, or the same call at another price, is still being sent. */
  looksAfter(hash: Hex): boolean;
  /** The hashes of all versions that were signed here for the same call; none for an unknown one. */
  versionsOf(hash: Hex): readonly Hex[];
  /** Whether its key may be used now. `sign` throws KeyNotHeld when it may not, and what is sent does not leave. */
  mayUse(): boolean;
  /** `relayer_stuck`: its transactions are not being mined. */
  fault(): SettlerFault | null;
  /** Stops checking pending transactions. */
  stop(): void;
};

/** What identifies one of our transactions. */
type Sent = Pick<SignedTransaction, 'nonce' | 'hash'>;

export type RelayerParts = GasPriceParts & {
  readonly key: Hex;
  readonly chainId: number;
  /** When the key may be used; always when left out. */
  readonly term?: Pick<RelayerTerm, 'mayUse'> | undefined;
  readonly gasBudgetWeiPerHour?: bigint | undefined;
  /** How many transactions it may have without an end. */
  readonly maxOutstanding?: number | undefined;
} & Pick<ResenderParts, 'checkMs' | 'resendAfterMs' | 'bumpAfterMs'>;

/** `ahead` signs the expected next call in advance. */
type AccountParts = ResenderParts & { readonly ahead: SigningAhead };

const FOR_EVER = { mayUse: () => true };
const GAS_BUDGET_WEI_PER_HOUR = 20_000_000_000_000_000n;

/** The account that pays for gas. It uses its nonces in order and leaves no gap. */
export function createRelayer(parts: RelayerParts): Relayer {
  const account = accountOf(parts);
  const resender = createResender(account);
  const { outstanding, gas, ledger, nonces } = account;
  let turn: Promise<unknown> = Promise.resolve();

  /** The outstanding entry with its nonce, if it is still the same transaction: a nonce may have been reused. */
  const entryOf = ({ nonce, hash }: Sent) => {
    const entry = outstanding.get(nonce);
    return entry?.versions.some((version) => version.hash === hash) ? entry : undefined;
  };

  const forget = (sent: Sent, how: 'free' | 'taken') => {
    if (entryOf(sent) !== undefined) forgotten(account, sent.nonce, how);
    resender.begin();
  };

  return {
    address: account.address.toLowerCase() as Hex,
    gas,
    slots: account.slots,
    async fees(limit, payer = 'plain') {
      const fees = await gas.fees(limit);
      ledger.check(worstOf(account, { call: limit, fees }), payer);
      return fees;
    },
    signAhead(call, fees) {
      if (outstanding.size === 0 && !nonces.isStale()) account.ahead.sign(call, nonces.upcoming(), fees);
    },
    isSpent: ledger.isSpent,
    blameCode: ledger.blameCode,
    sign(call, send) {
      const mine = turn.then(() => signNext(account, call, send));
      turn = mine.then(resender.begin, resender.begin);
      return mine;
    },
    mined(nonce, receipt) {
      const read = receiptOf(receipt);
      const isOurs = outstanding
        .get(nonce)
        ?.versions.some(({ hash }) => hash === read?.transactionHash.toLowerCase());
      if (read !== null && isOurs) ended(account, nonce, read);
    },
    unsent: (sent) => forget(sent, 'free'),
    tooCheap(sent) {
      gas.forget();
      forget(sent, 'free');
    },
    taken: (sent) => forget(sent, 'taken'),
    mayBeOut(sent) {
      const entry = entryOf(sent);
      return entry === undefined || entry.isResent === true;
    },
    looksAfter: (hash) =>
      [...outstanding.values()].some(
        ({ call, versions }) => call.data !== '0x' && versions.some((version) => version.hash === hash),
      ),
    versionsOf: (hash) => account.signed.get(hash) ?? [],
    mayUse: account.mayUse,
    fault: () => (resender.isStuck() ? 'relayer_stuck' : null),
    stop: () => resender.stop(),
  };
}

/** Everything that an account knows and does, empty at first. */
function accountOf(parts: RelayerParts): AccountParts {
  const { chainId, now, gasBudgetWeiPerHour = GAS_BUDGET_WEI_PER_HOUR, term = FOR_EVER } = parts;
  const outstanding: AccountParts['outstanding'] = new Map();
  const key = hexToBytes(parts.key);
  void loadCurve();
  const signCall: ResenderParts['signCall'] = async ({ to, data, gas }, nonce, fees) => {
    if (!term.mayUse()) throw new KeyNotHeld();
    return signedTransaction(key, { to, data, gas, ...fees, nonce, chainId });
  };
  return {
    ...parts,
    rpc: sendingWithin(term, parts.rpc),
    mayUse: () => term.mayUse(),
    address: privateKeyToAddress(parts.key),
    nonces: createNonces(),
    outstanding,
    slots: createPendingSlots(parts.maxOutstanding ?? MAX_OUTSTANDING, outstanding),
    past: new Map(),
    signed: new Map(),
    gas: createGasPrice(parts),
    ledger: createGasLedger(gasBudgetWeiPerHour, now),
    signCall,
    ahead: signingAhead(signCall),
  };
}

async function signNext<Sent>(
  account: AccountParts,
  call: Call,
  send: (signed: SignedTransaction) => Promise<Sent | null>,
): Promise<Sent | null> {
  const { gas, nonces, ledger, outstanding, rpc, address, now } = account;
  const fees = await gas.fees(call);
  if (nonces.isStale())
    nonces.learn(Number(await rpc.call<Hex>('eth_getTransactionCount', [address, 'pending'])));
  const nonce = nonces.take();
  let sent: Sent | null = null;
  try {
    ledger.reserve(nonce, worstOf(account, { call, fees }), call.payer ?? 'plain');
    const version = await account.ahead.take(call, nonce, fees);
    noteVersions(account, [version]);
    const entry: Outstanding = { call, fees, versions: [version], at: now(), isSent: false };
    outstanding.set(nonce, entry);
    sent = await send({ ...version, nonce });
    if (sent !== null) entry.isSent = true;
    return sent;
  } finally {
    if (sent === null) forgotten(account, nonce, 'free');
  }
}
