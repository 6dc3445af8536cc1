import type { Fault } from '../../domain/result.ts';
import type { Goods, PaymentFacts, PayState, Shop } from '../../surfaces/pages/pay/pay-state.ts';
import { usdcText } from '../../surfaces/pages/pay/pay-state.ts';
import { orNull } from '../or-null.ts';
import { paymentHeader, purchaseName } from './authorization.ts';
import { fromBase64Json } from './base64.ts';
import { networkNamed } from './networks.ts';
import { type Offer, offerOf } from './offer.ts';
import { type Ending, type Order, purchased } from './purchase.ts';
import { refusalOf, refusalText } from './refusal.ts';
import { type PurchaseRequest, send } from './request.ts';
import {
  boughtBefore,
  digestOf,
  type Earlier,
  forgetPending,
  keepPending,
  pendingOrder,
  rememberPurchase,
} from './stored-purchases.ts';
import { type Signed, signed, type Wallet } from './wallet.ts';

/*
 * Handles one purchase after another: requests the price, opens the wallet, and follows the signed payment until its
 * result is known. The sheet shows the state, which every step replaces. Until the result of a payment is known, no
 * tab signs again, unless the buyer insists.
 */

/** A request with its price. */
export type Priced = PurchaseRequest & {
  readonly offer: Offer;
  /** The server's clock. */
  readonly nowSeconds: () => number;
  /** Digest of the request; null if the browser cannot calculate one. */
  readonly digest: string | null;
  /** The identical earlier purchase that the sheet shows. */
  readonly earlier: Earlier | null;
};

export type PayParts = {
  readonly shop: Shop;
  readonly wallets: () => Promise<readonly Wallet[]>;
  /** Called after each change of the checkout. */
  readonly onChange: () => void;
  readonly onFaults: (faults: readonly Fault[]) => void;
  /** Called instead of the offer if the answer would be incomplete, with sentences on what is missing. */
  readonly onMissing?: ((missing: readonly string[]) => void) | undefined;
  readonly onBought: (order: Order, body: unknown, transaction: string | null) => void;
  /** Shows an answer that was bought before; false if this device does not have it. */
  readonly bringUp: (name: string) => boolean;
  /** Requests a price for the current input if it has changed. */
  readonly askAnew: () => void;
  readonly goodsOf: (wanted: PurchaseRequest) => Goods;
};

/** The state of the purchases of a page. */
export type Checkout = PayParts & {
  readonly lock: TabLock;
  state: PayState;
  isOpen: boolean;
  goods: Goods | null;
  priced: Priced | null;
  wanted: PurchaseRequest | null;
  offered: readonly Wallet[];
  /** The request to a wallet. After an abort, a late signature is dropped. */
  asking: AbortController | null;
  isPaying: boolean;
  /** Whether the input has changed since the price was requested. */
  isChanged: boolean;
  /** The action of "again" in the current state. */
  again: () => unknown;
  /** Counts price requests, so that replies to earlier ones are dropped. */
  latest: number;
  /**
   * The name of each request. A retry uses the same name, so that it is not paid twice if the first attempt was paid.
   */
  readonly names: Map<string, string>;
};

export const checkoutOf = (parts: PayParts): Checkout => ({
  ...parts,
  lock: tabLock(`paying ${parts.shop.operation}`),
  state: { kind: 'idle' },
  isOpen: false,
  goods: null,
  priced: null,
  wanted: null,
  offered: [],
  asking: null,
  isPaying: false,
  isChanged: false,
  again: () => {},
  latest: 0,
  names: new Map(),
});

function show(checkout: Checkout, state: PayState, again: () => unknown = () => {}): void {
  checkout.state = state;
  checkout.isOpen = state.kind !== 'idle';
  checkout.again = again;
  checkout.onChange();
}

const isBusy = (checkout: Checkout): boolean => checkout.isPaying || checkout.asking !== null;

/** Whether there is a payment without a known result. */
const isPending = ({ shop }: Checkout): boolean => pendingOrder(shop.operation) !== null;

/** Hides the sheet. A payment in progress continues; an open wallet request is canceled. */
export function close(checkout: Checkout): void {
  if (checkout.asking !== null && !checkout.isPaying) {
    stopAsking(checkout);
    return;
  }
  checkout.isOpen = false;
  if (!isBusy(checkout) && !isPending(checkout)) {
    checkout.latest += 1;
    checkout.state = { kind: 'idle' };
  }
  checkout.onChange();
}

/** Records that the input has changed, which makes an offer outdated. */
export function changed(checkout: Checkout): void {
  checkout.isChanged = true;
  if (checkout.isOpen && !isBusy(checkout) && !isPending(checkout)) close(checkout);
}

// A price takes milliseconds: after this long, a retry is more useful than waiting.
const PATIENCE_MS = 15_000;

/** Requests the price, unless a payment is in progress, which is shown or resumed instead. */
export async function ask(checkout: Checkout, wanted: PurchaseRequest): Promise<void> {
  if (isBusy(checkout)) {
    checkout.isOpen = true;
    checkout.onChange();
    return;
  }
  if (resume(checkout)) return;
  checkout.isChanged = false;
  checkout.wanted = wanted;
  checkout.goods = checkout.goodsOf(wanted);
  checkout.priced = null;
  checkout.latest += 1;
  const mine = checkout.latest;
  show(checkout, { kind: 'checking' });
  const reply = await Promise.race([
    replyTo(checkout, wanted),
    new Promise<Reply>((resolve) => setTimeout(resolve, PATIENCE_MS, lost('We got no reply in time.'))),
  ]);
  if (mine !== checkout.latest) return;
  if (!('priced' in reply)) {
    if ('title' in reply) {
      show(checkout, { kind: 'stopped', ...reply });
      return;
    }
    close(checkout);
    if ('faults' in reply) checkout.onFaults(reply.faults);
    else checkout.onMissing?.(reply.missing);
    return;
  }
  const digest = await digestOf(wanted.request);
  if (mine === checkout.latest) offer(checkout, { ...reply.priced, digest, earlier: boughtBefore(digest) });
}

type Reply =
  | { readonly priced: Omit<Priced, 'digest' | 'earlier'> }
  | { readonly faults: readonly Fault[] }
  | { readonly missing: readonly string[] }
  | { readonly title: string; readonly says: string };

const lost = (why: string): Reply => ({
  title: 'No connection',
  says: `${why} Your wallet was not asked for anything. Please try again.`,
});

async function replyTo({ shop, onMissing }: Checkout, wanted: PurchaseRequest): Promise<Reply> {
  try {
    const response = await send(wanted.request);
    if (response.status !== 402) {
      const refusal = await refusalOf(response);
      const faults = refusal?.errors ?? [];
      return faults.length > 0 ? { faults } : { title: 'No answer', says: refusalText(refusal) };
    }
    const missing = onMissing === undefined ? [] : await missingIn(response);
    if (missing.length > 0) return { missing };
    const { usd: price, network } = shop;
    const found = offerOf(response.headers.get('payment-required'), { price, network });
    if (found !== null) return { priced: { ...wanted, offer: found, nowSeconds: clockOf(response) } };
    return {
      title: 'Not offered',
      says: 'The price that we received is not the one on this page, so your wallet was not asked for anything. Please reload the page.',
    };
  } catch {
    return lost('We could not be reached.');
  }
}

/** What the answer would lack, according to the price response; empty for most operations. */
async function missingIn(response: Response): Promise<readonly string[]> {
  const { missing } = (await response.json()) as { readonly missing?: unknown };
  return Array.isArray(missing) ? missing.map(String) : [];
}

/** The server's clock in Unix seconds: a payment is valid for a short time by that clock, not by the buyer's. */
function clockOf(reply: Response): () => number {
  const ahead = Date.parse(reply.headers.get('date') ?? '') - Date.now();
  return () => Math.floor((Date.now() + (Number.isNaN(ahead) ? 0 : ahead)) / 1_000);
}

function offer(checkout: Checkout, priced: Priced): void {
  checkout.priced = priced;
  show(checkout, { kind: 'offer', boughtMs: priced.earlier?.boughtMs ?? null, isGone: false });
}

/** Shows the earlier answer to the identical request. */
export function showBought(checkout: Checkout): void {
  const { state, priced } = checkout;
  if (state.kind !== 'offer' || !priced?.earlier) return;
  if (checkout.bringUp(priced.earlier.name)) close(checkout);
  else show(checkout, { ...state, isGone: true });
}

/** Opens the wallet for the priced purchase. */
export async function pay(checkout: Checkout): Promise<void> {
  const { priced } = checkout;
  if (priced === null || isBusy(checkout)) return;
  const wallets = await checkout.wallets();
  if (priced !== checkout.priced || !checkout.isOpen) return;
  checkout.offered = wallets;
  if (wallets.length === 0) show(checkout, { kind: 'no wallet' }, () => pay(checkout));
  else if (wallets.length === 1) await payWith(checkout, 0);
  else show(checkout, { kind: 'wallets', wallets });
}

const STILL_OPEN =
  'An earlier payment is not complete yet, so your wallet was not asked for another. You will not be charged twice.';

/** Signs and pays, unless another tab is paying, has a pending payment or has bought the same. */
export async function payWith(checkout: Checkout, place: number): Promise<void> {
  const { priced, offered } = checkout;
  const wallet = offered[place];
  if (priced === null || wallet === undefined || isBusy(checkout)) return;
  const asking = new AbortController();
  checkout.asking = asking;
  const release = await checkout.lock.take();
  try {
    const bought = boughtBefore(priced.digest);
    if (release === null) show(checkout, { kind: 'elsewhere' }, () => pay(checkout));
    else if (isPending(checkout)) await followPending(checkout, STILL_OPEN, '');
    else if (bought !== null && bought.boughtMs !== priced.earlier?.boughtMs)
      offer(checkout, { ...priced, earlier: bought });
    else await askWallet(checkout, wallet, priced, asking);
  } finally {
    if (checkout.asking === asking) checkout.asking = null;
    release?.();
  }
}

/** Requests a price for the current input if it has changed; otherwise continues with `act`. */
const againOr = (checkout: Checkout, act: () => unknown) => () =>
  checkout.isChanged ? checkout.askAnew() : act();

/** Stops waiting for the wallet; a later signature is dropped. */
export function stopAsking(checkout: Checkout): void {
  checkout.asking?.abort();
  checkout.asking = null;
  show(
    checkout,
    {
      kind: 'not paid',
      says: 'We stopped waiting for your wallet. If it still shows the payment, decline it there: we will not use a signature that comes now. Nothing was charged.',
    },
    againOr(checkout, () => pay(checkout)),
  );
}

const KEPT =
  'This takes a few seconds. Please keep this page open. If it closes, open it again within a day, and it will continue with this payment.';
const NOT_KEPT =
  'This takes a few seconds. Please keep this page open: nothing about this payment is kept after it closes.';

async function askWallet(
  checkout: Checkout,
  wallet: Wallet,
  priced: Priced,
  asking: AbortController,
): Promise<void> {
  const { shop } = checkout;
  const { signal } = asking;
  show(checkout, { kind: 'asking', payer: null });
  const payment = await Promise.race([
    signed(wallet, {
      offer: priced.offer,
      network: shop.network,
      // The play-money chain has the name of a public chain, so no wallet may be asked about it.
      unknownNetwork: shop.isPlayMoney ? null : networkNamed(shop.network),
      nowSeconds: priced.nowSeconds,
      stopped: signal,
      onPayer: (payer) => show(checkout, { kind: 'asking', payer }),
    }),
    new Promise<null>((resolve) => signal.addEventListener('abort', () => resolve(null))),
  ]);
  if (payment === null || signal.aborted) return;
  checkout.asking = null;
  if ('says' in payment)
    show(
      checkout,
      { kind: 'not paid', says: payment.says },
      againOr(checkout, () => pay(checkout)),
    );
  // If tabs cannot be locked out, another tab may have paid first. The signature made here is then dropped.
  else if (isPending(checkout)) await followPending(checkout, STILL_OPEN, '');
  else {
    const order = orderOf(checkout, priced, payment);
    const isKept = keepPending(shop.operation, order);
    await follow(checkout, order, { wasSent: false, says: isKept ? KEPT : NOT_KEPT });
  }
}

// How long an open page polls for the result. The server remembers a payment for a day.
const PATIENCE_SECONDS = 300;

function orderOf(checkout: Checkout, priced: Priced, payment: Signed): Order {
  const { request, about, paper, offer, digest, earlier } = priced;
  const untilMs = Date.now() + (offer.terms.maxTimeoutSeconds + PATIENCE_SECONDS) * 1_000;
  const name = checkout.names.get(JSON.stringify(request)) ?? earlier?.name ?? purchaseName();
  return { request, about, paper, payment: paymentHeader(offer, payment, name), name, digest, untilMs };
}

/** Resumes a payment without a known result, whichever tab began it; false if there is none. */
export function resume(checkout: Checkout): boolean {
  const order = pendingOrder(checkout.shop.operation);
  if (order === null) return false;
  const says = 'Your last payment is not complete yet. You will not be charged twice.';
  void resumePending(checkout, says, order.name);
  return true;
}

/** Resumes the pending payment once no other tab follows it. `name` identifies the answer of the payment. */
async function resumePending(checkout: Checkout, says: string, name: string): Promise<void> {
  if (isBusy(checkout)) return;
  checkout.isPaying = true;
  let release = await checkout.lock.take();
  if (release === null) {
    show(checkout, { kind: 'followed elsewhere' });
    release = await checkout.lock.wait();
  }
  try {
    await followPending(checkout, says, name);
  } finally {
    checkout.isPaying = false;
    release();
  }
}

const ASK_AGAIN_MS = 60_000;

/** Follows the pending payment; reports if another tab has completed it in the meantime. */
async function followPending(checkout: Checkout, says: string, name: string): Promise<void> {
  const order = pendingOrder(checkout.shop.operation);
  if (order === null) {
    checkout.isPaying = false;
    checkout.asking = null;
    if (checkout.bringUp(name)) close(checkout);
    else show(checkout, { kind: 'ended elsewhere' }, checkout.askAnew);
    return;
  }
  const untilMs = Math.max(order.untilMs, Date.now() + ASK_AGAIN_MS);
  await follow(checkout, { ...order, untilMs }, { wasSent: true, says });
}

/** Sends a stored order until its result is known. `wasSent`: it may already have reached the server. */
async function follow(
  checkout: Checkout,
  order: Order,
  { wasSent, says }: { readonly wasSent: boolean; readonly says: string },
): Promise<void> {
  checkout.asking = null;
  checkout.isPaying = true;
  checkout.names.set(JSON.stringify(order.request), order.name);
  window.addEventListener('beforeunload', warn);
  show(checkout, { kind: 'paying', says, isRepeated: false });
  const ending = await purchased(order, wasSent, () => {
    // A sheet that was closed in the meantime stays closed.
    checkout.state = { kind: 'paying', says, isRepeated: true };
    checkout.onChange();
  });
  window.removeEventListener('beforeunload', warn);
  checkout.isPaying = false;
  finish(checkout, order, ending);
}

const warn = (event: BeforeUnloadEvent): void => event.preventDefault();

function finish(checkout: Checkout, order: Order, ending: Ending): void {
  const { request, about, paper, name, digest } = order;
  const operation = checkout.shop.operation;
  const tryAgain = againOr(checkout, () => ask(checkout, { request, about, paper }));
  const askAgain = () => resumePending(checkout, 'Asking again with the same payment.', name);
  switch (ending.kind) {
    case 'unknown':
      show(checkout, { kind: 'unknown', facts: factsOf(order), about }, askAgain);
      return;
    case 'doubtful':
      checkout.priced = null;
      checkout.wanted = order;
      show(checkout, { kind: 'doubtful', facts: factsOf(order), about, isSpent: ending.isSpent }, askAgain);
      return;
    case 'refused':
      if (ending.isNameSpent) checkout.names.set(JSON.stringify(request), purchaseName());
      forgetPending(operation);
      show(checkout, { kind: 'not paid', says: ending.says }, tryAgain);
      return;
    case 'faults':
      forgetPending(operation);
      close(checkout);
      checkout.onFaults(ending.faults);
      return;
    case 'bought':
      rememberPurchase(digest, { name, boughtMs: Date.now() });
      checkout.isOpen = false;
      checkout.state = { kind: 'idle' };
      checkout.onChange();
      checkout.onBought(order, ending.body, ending.transaction);
      forgetPending(operation);
  }
}

/** Makes a new payment although the previous one may have moved money. */
export function payAnew(checkout: Checkout): void {
  const { wanted } = checkout;
  if (checkout.state.kind !== 'doubtful' || wanted === null) return;
  forgetPending(checkout.shop.operation);
  const { request, about, paper } = wanted;
  againOr(checkout, () => ask(checkout, { request, about, paper }))();
}

type Header = {
  readonly payload?: { readonly authorization?: Readonly<Record<string, unknown>> };
};

/** What identifies the payment of an order; null if it cannot be read. */
function factsOf({ payment }: Order): PaymentFacts | null {
  const { from, value, nonce } =
    orNull(() => (fromBase64Json(payment) as Header).payload?.authorization) ?? {};
  const amount = orNull(() => usdcText(BigInt(String(value))));
  return amount === null ? null : { amount, from: String(from), nonce: String(nonce) };
}

/** Releases the lock. */
type Release = () => void;

/** A lock that only one tab of the browser can hold. */
type TabLock = {
  /** false if the browser cannot lock between tabs. */
  readonly isShared: boolean;
  /** Takes the lock and resolves to its release; null while another tab holds the lock. */
  take(): Promise<Release | null>;
  /** Resolves once the other tab releases the lock or is closed. */
  wait(): Promise<Release>;
};

/** A lock of the Web Locks API. Without the API, in an old browser or over plain http, every tab gets the lock. */
function tabLock(name: string): TabLock {
  const { locks } = navigator as { readonly locks?: LockManager };
  if (locks === undefined) {
    const ahead = async (): Promise<Release> => () => {};
    return { isShared: false, take: ahead, wait: ahead };
  }
  const hold = (given: (release: Release) => void): Promise<void> => new Promise((done) => given(done));
  return {
    isShared: true,
    take: () =>
      new Promise((resolve, reject) => {
        const asked = locks.request(name, { ifAvailable: true }, (lock) =>
          lock === null ? resolve(null) : hold(resolve),
        );
        asked.catch(reject);
      }),
    wait: () =>
      new Promise((resolve, reject) => {
        locks.request(name, () => hold(resolve)).catch(reject);
      }),
  };
}
