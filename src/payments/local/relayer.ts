import { privateKeyToAddress } from 'viem/accounts';
import { hexToBytes } from 'viem/utils';
import type { Fees, GasLimit } from '../chain/gas.ts';
import type { Rpc } from '../chain/rpc.ts';
import { receiptOf } from '../chain/rpc-shapes.ts';
import { signedTransaction } from '../chain/signed-transaction.ts';
import type { SettlerFault } from '../settler-watch.ts';
import { loadCurve } from '../x402/curve.ts';
import type { Hex } from '../x402/payment.ts';
import { createGasLedger, type Payer } from './gas-ledger.ts';
import { createGasPrice, type GasPrice } from './gas-price.ts';
import { createNonces } from './nonces.ts';
import { createPlaces, MAX_OUTSTANDING, type Places } from './places.ts';
import { type Call, ended, forgotten, noteForms, type Outstanding, worstOf } from './relayer-book.ts';
import { type CareParts, createCare } from './relayer-resend.ts';
import { KeyNotHeld, type RelayerTerm, sendingWithin } from './relayer-term.ts';
import { type SigningAhead, signingAhead } from './signing-ahead.ts';

export type { Call };

/** A signed transaction, its hash known before it is sent. */
export type SignedTransaction = { readonly raw: Hex; readonly hash: Hex; readonly nonce: number };

/** What keeps the account from settling whatever it is: its transactions do not get onto the chain. */
export type RelayerFault = Extract<SettlerFault, 'relayer_stuck'>;

export type Relayer = {
  readonly address: Hex;
  /**
   * What `sign` would offer now for a call with this gas, calldata and ceiling, so that a simulation can run at that
   * price. Throws GasTooDear, GasBudgetSpent (also when only this kind of payer has lost its share) or RpcFailure.
   */
  fees(limit: GasLimit, payer?: Payer): Promise<Fees>;
  /**
   * Signs ahead what `sign` will sign if it comes next, and at this price. Nothing of it is told, and what is not used
   * is lost work: so only while nothing of this account is on its way.
   */
  signAhead(call: Call, fees: Fees): void;
  /** Whether `sign` would throw GasBudgetSpent now for a call that may cost so much. */
  isSpent(worstWei: bigint, payer: Payer): boolean;
  /** Places for what is to be signed: `sign` itself asks for none. */
  readonly places: Pick<Places, 'take' | 'onFree'>;
  /** The price of gas that it knows of, and what it learns of it. */
  readonly gas: Pick<GasPrice, 'saw' | 'known' | 'dataFeeWei'>;
  /**
   * Signs a call with the next nonce and hands it to `send` while no other transaction takes a nonce, so sends
   * start in order. When `send` resolves to null the nonce is free again. Throws RpcFailure, GasTooDear or
   * GasBudgetSpent.
   */
  sign<Sent>(call: Call, send: (signed: SignedTransaction) => Promise<Sent | null>): Promise<Sent | null>;
  /** The transaction with this nonce is on the chain. Only a receipt of what was signed for it is believed. */
  mined(nonce: number, receipt: unknown): void;
  /** This transaction was certainly not taken by any node. */
  unsent(signed: Sent): void;
  /** This transaction offered too little for gas and was not taken. */
  tooCheap(signed: Sent): void;
  /** The node says that the nonce of this one is not ours to use; it is asked before the next one. */
  taken(signed: Sent): void;
  /** Whether these bytes may be out, whatever came of the first time they were sent. */
  mayBeOut(signed: Sent): boolean;
  /** Whether the transaction with this hash, or the same call at another price, is still being sent. */
  looksAfter(hash: Hex): boolean;
  /** The transactions at whatever price that were signed here for the same call; none when it is none of ours. */
  formsOf(hash: Hex): readonly Hex[];
  /** Whether its key may be used now. `sign` throws KeyNotHeld when it may not, and what is sent does not leave. */
  mayUse(): boolean;
  fault(): RelayerFault | null;
  /** Looks after nothing any more. */
  stop(): void;
};

/** One of our transactions, by what tells it from others. */
type Sent = Pick<SignedTransaction, 'nonce' | 'hash'>;

export type RelayerParts = {
  readonly key: Hex;
  readonly chainId: number;
  readonly rpc: Rpc;
  /** For how long the key may be used; for ever when left out. */
  readonly term?: Pick<RelayerTerm, 'mayUse'> | undefined;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  /** Above this nothing is signed. */
  readonly maxFeePerGasWei: bigint;
  readonly gasBudgetWeiPerHour?: bigint | undefined;
  /** How many transactions it may have without an end. */
  readonly maxOutstanding?: number | undefined;
  /** How often transactions without an end are looked after, and when they are sent again or at a better price. */
  readonly careMs?: number | undefined;
  readonly resendAfterMs?: number | undefined;
  readonly bumpAfterMs?: number | undefined;
};

/** `ahead`: signs what comes next before its turn. */
type AccountParts = CareParts & { readonly ahead: SigningAhead };

const FOR_EVER = { mayUse: () => true };
const GAS_BUDGET_WEI_PER_HOUR = 20_000_000_000_000_000n;

/** The account that pays the gas: one nonce after the other, and none left behind. */
export function createRelayer(parts: RelayerParts): Relayer {
  const book = bookOf(parts);
  const care = createCare(book);
  const { outstanding, gas, ledger, nonces } = book;
  let turn: Promise<unknown> = Promise.resolve();

  /** What is outstanding with its nonce, if that is still it: a nonce may have gone to another one since. */
  const entryOf = ({ nonce, hash }: Sent) => {
    const entry = outstanding.get(nonce);
    return entry?.forms.some((form) => form.hash === hash) ? entry : undefined;
  };

  const forget = (sent: Sent, how: 'free' | 'taken') => {
    if (entryOf(sent) !== undefined) forgotten(book, sent.nonce, how);
    care.begin();
  };

  return {
    address: book.address.toLowerCase() as Hex,
    gas,
    places: book.places,
    async fees(limit, payer = 'plain') {
      const fees = await gas.fees(limit);
      ledger.check(worstOf(book, { call: limit, fees }), payer);
      return fees;
    },
    signAhead(call, fees) {
      if (outstanding.size === 0 && !nonces.isStale()) book.ahead.sign(call, nonces.upcoming(), fees);
    },
    isSpent: ledger.isSpent,
    sign(call, send) {
      const mine = turn.then(() => signNext(book, call, send));
      turn = mine.then(care.begin, care.begin);
      return mine;
    },
    mined(nonce, receipt) {
      const read = receiptOf(receipt);
      const isOurs = outstanding
        .get(nonce)
        ?.forms.some(({ hash }) => hash === read?.transactionHash.toLowerCase());
      if (read !== null && isOurs) ended(book, nonce, read);
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
        ({ call, forms }) => call.data !== '0x' && forms.some((form) => form.hash === hash),
      ),
    formsOf: (hash) => book.signed.get(hash) ?? [],
    mayUse: book.mayUse,
    fault: () => (care.isStuck() ? 'relayer_stuck' : null),
    stop: () => care.stop(),
  };
}

/** Everything that an account knows and does, empty at first. */
function bookOf(parts: RelayerParts): AccountParts {
  const { chainId, now, gasBudgetWeiPerHour = GAS_BUDGET_WEI_PER_HOUR, term = FOR_EVER } = parts;
  const outstanding: AccountParts['outstanding'] = new Map();
  const key = hexToBytes(parts.key);
  void loadCurve();
  const form: CareParts['form'] = async ({ to, data, gas }, nonce, fees) => {
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
    places: createPlaces(parts.maxOutstanding ?? MAX_OUTSTANDING, outstanding),
    past: new Map(),
    signed: new Map(),
    gas: createGasPrice(parts),
    ledger: createGasLedger(gasBudgetWeiPerHour, now),
    form,
    ahead: signingAhead(form),
  };
}

async function signNext<Sent>(
  book: AccountParts,
  call: Call,
  send: (signed: SignedTransaction) => Promise<Sent | null>,
): Promise<Sent | null> {
  const { gas, nonces, ledger, outstanding, rpc, address, now } = book;
  const fees = await gas.fees(call);
  if (nonces.isStale())
    nonces.learn(Number(await rpc.call<Hex>('eth_getTransactionCount', [address, 'pending'])));
  const nonce = nonces.take();
  let sent: Sent | null = null;
  try {
    ledger.reserve(nonce, worstOf(book, { call, fees }), call.payer ?? 'plain');
    const form = await book.ahead.form(call, nonce, fees);
    noteForms(book, [form]);
    const entry: Outstanding = { call, fees, forms: [form], at: now(), isSent: false };
    outstanding.set(nonce, entry);
    sent = await send({ ...form, nonce });
    if (sent !== null) entry.isSent = true;
    return sent;
  } finally {
    if (sent === null) forgotten(book, nonce, 'free');
  }
}
