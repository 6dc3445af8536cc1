import { paymentHeader, purchaseName } from './authorization.ts';
import { button, buttons, code, elementOf, paragraph } from './element.ts';
import {
  follow,
  followPending,
  type IsStale,
  isBusy,
  type PayingParts,
  type PayingState,
  type PricedPurchase,
  resumePending,
} from './follow-payment.ts';
import { showElsewhere, showNoWallet } from './payment-notices.ts';
import type { Order } from './purchase.ts';
import type { PurchaseRequest } from './request.ts';
import { boughtBefore, digestOf, keepPending, pendingOrder } from './stored-purchases.ts';
import { tabLock } from './tab-lock.ts';
import { usdcText } from './usdc.ts';
import { type Payer, type Signed, signed, type Wallet } from './wallet.ts';

export type Paying = ReturnType<typeof createPaying>;

// An open page asks for the end for this long by itself; the service remembers a payment for a day.
const PATIENCE_SECONDS = 300;

/** Takes a purchase to a wallet and on to its answer; one at a time, over all tabs of the browser. */
export function createPaying(parts: PayingParts) {
  const lock = tabLock(`paying ${parts.operation}`);
  const state: PayingState = { ...parts, lock, asking: null, isPaying: false, names: new Map() };
  const isOpen = (): boolean => pendingOrder(state.operation) !== null;
  return {
    /** Whether the tabs of this browser can lock each other out. */
    areTabsLocked: lock.isShared,
    /** What it waits for: the person at the wallet, or the end of a payment. */
    underWay: () => (state.isPaying ? 'paying' : state.asking && 'asking'),
    /** Whether exactly this is known to have been bought within a day. */
    async earlier({ request }: PurchaseRequest): Promise<Pick<PricedPurchase, 'digest' | 'earlier'>> {
      const digest = await digestOf(request);
      return { digest, earlier: boughtBefore(digest) };
    },
    pay: (priced: PricedPurchase) => chooseWallet(state, priced),
    /** Whether there is a payment whose end is not known. */
    isOpen,
    /** Goes on with a payment whose end is not known, whichever tab began it; false when there is none. */
    resume(isStale: IsStale): boolean {
      if (!isOpen()) return false;
      const says = 'The answer to your last payment has not come yet. You will not be charged twice.';
      void resumePending(state, { isStale, says, name: pendingOrder(state.operation)?.name ?? '' });
      return true;
    },
  };
}

async function chooseWallet(state: PayingState, priced: PricedPurchase): Promise<void> {
  if (isBusy(state)) return;
  const wallets = await state.wallets();
  if (priced.isStale()) return;
  const [only] = wallets;
  if (only === undefined) showNoWallet(state.panel, state.isPlayMoney, () => chooseWallet(state, priced));
  else if (wallets.length === 1) await payWith(state, only, priced);
  else
    state.panel.show('Which wallet shall pay?', [
      buttons(...wallets.map((wallet) => walletButton(wallet, () => payWith(state, wallet, priced)))),
    ]);
}

function walletButton({ name, icon }: Wallet, press: () => unknown): HTMLButtonElement {
  const made = button(name, press);
  if (icon === '') return made;
  const image = Object.assign(elementOf('img'), { src: icon, alt: '', width: 24, height: 24 });
  made.prepend(image);
  return made;
}

/** Signs and pays, unless another tab is paying, has a payment pending or has bought the same. */
async function payWith(state: PayingState, wallet: Wallet, priced: PricedPurchase): Promise<void> {
  if (isBusy(state)) return;
  const asking = new AbortController();
  state.asking = asking;
  const release = await state.lock.take();
  try {
    const bought = boughtBefore(priced.digest);
    if (release === null) showElsewhere(state.panel, () => chooseWallet(state, priced));
    else if (pendingOrder(state.operation) !== null)
      await followPending(state, { isStale: priced.isStale, says: STILL_OPEN, name: '' });
    else if (bought !== null && bought.boughtMs !== priced.earlier?.boughtMs) state.onBoughtBefore(priced);
    else await askWallet(state, wallet, priced, asking);
  } finally {
    if (state.asking === asking) state.asking = null;
    release?.();
  }
}

const STILL_OPEN =
  'A payment of before has no answer yet, so your wallet was not asked for another. You will not be charged twice.';

async function askWallet(
  state: PayingState,
  wallet: Wallet,
  priced: PricedPurchase,
  asking: AbortController,
): Promise<void> {
  const { about, offer, nowSeconds, isStale } = priced;
  const again = button('Try again', () => (isStale() ? state.onAgain(null) : chooseWallet(state, priced)));
  const stop = button('Stop waiting', () => {
    asking.abort();
    state.panel.show('Not paid', [
      'We stopped waiting for your wallet. Should it still show the payment, please decline it there: what it signs now is not used. Nothing was charged.',
      buttons(again),
    ]);
  });
  const showAsking = (payer: Payer | null): void =>
    state.panel.show('Your wallet is asking you', [
      'Please look there: it shows the payment before you sign it.',
      ...(about ? [`You are buying: ${about}.`] : []),
      ...(payer === null ? [] : whatItShows(payer, priced, state.network)),
      buttons(stop),
    ]);
  showAsking(null);
  const { signal } = asking;
  const payment = await Promise.race([
    signed(wallet, {
      offer,
      network: state.network,
      unknownNetwork: state.publicNetwork,
      nowSeconds,
      stopped: signal,
      onPayer: showAsking,
    }),
    new Promise<null>((resolve) => signal.addEventListener('abort', () => resolve(null))),
  ]);
  if (payment === null || signal.aborted) return;
  state.asking = null;
  if ('says' in payment) state.panel.show('Not paid', [payment.says, buttons(again)]);
  // Where tabs cannot be locked out, another one may have paid first: the signature made here is dropped.
  else if (pendingOrder(state.operation) !== null)
    await followPending(state, { isStale, says: STILL_OPEN, name: '' });
  else {
    const order = orderOf(state, priced, payment);
    const isKept = keepPending(state.operation, order);
    await follow(state, { order, isStale, wasSent: false }, isKept ? KEPT : NOT_KEPT);
  }
}

/** What a careful person compares with what the wallet shows. */
function whatItShows(
  { address, millionths }: Payer,
  { offer }: PricedPurchase,
  network: string,
): readonly Node[] {
  const { amount, payTo } = offer.terms;
  const holds = millionths === null ? '' : `, which holds ${usdcText(millionths)} USDC on ${network}`;
  return [
    paragraph('It pays from ', code(address), `${holds}.`),
    paragraph(
      'It may write it so: value ',
      code(amount),
      ` (in millionths: ${amount} = ${usdcText(BigInt(amount))} USDC), to `,
      code(payTo),
      '.',
    ),
  ];
}

const KEPT =
  'This takes a few seconds. Please keep this page open. Should it close, open it again within a day: it then goes on with this payment.';
const NOT_KEPT =
  'This takes a few seconds. Please keep this page open: nothing of this payment is kept beyond it.';

function orderOf(
  state: PayingState,
  { request, about, paper, job, offer, digest, earlier }: PricedPurchase,
  payment: Signed,
): Order {
  const untilMs = Date.now() + (offer.terms.maxTimeoutSeconds + PATIENCE_SECONDS) * 1_000;
  const name = state.names.get(JSON.stringify(request)) ?? earlier?.name ?? purchaseName();
  return { request, about, paper, job, payment: paymentHeader(offer, payment, name), name, digest, untilMs };
}
