import type { Network } from '../domain/networks.ts';
import type { Fault } from '../domain/result.ts';
import { purchaseName } from './authorization.ts';
import { button, buttons } from './element.ts';
import type { Offer } from './offer.ts';
import type { Panel } from './panel.ts';
import { showDoubtful, showEndedElsewhere, showUnknown } from './payment-notices.ts';
import { type Ending, type Order, purchased } from './purchase.ts';
import type { PurchaseRequest } from './request.ts';
import { type Earlier, forgetPending, pendingOrder, rememberPurchase } from './stored-purchases.ts';
import type { TabLock } from './tab-lock.ts';
import type { Wallet } from './wallet.ts';

/* Follows a signed payment to its end, in whichever tab: sends it, repeats it and shows how it ended. */

/** A request with its price; `nowSeconds` is the clock of the service. */
export type PricedPurchase = PurchaseRequest & {
  readonly offer: Offer;
  readonly nowSeconds: () => number;
  readonly isStale: IsStale;
  /** Of the request. */
  readonly digest: string | null;
  /** The earlier purchase of exactly the same that the page has shown. */
  readonly earlier: Earlier | null;
};

/** Whether the form has changed since. */
export type IsStale = () => boolean;

export type PayingParts = {
  readonly operation: string;
  readonly network: string;
  /** The network as wallets and explorers know it; null with play money. */
  readonly publicNetwork: Network | null;
  readonly panel: Panel;
  readonly wallets: () => Promise<readonly Wallet[]>;
  readonly isPlayMoney: boolean;
  readonly onFaults: (faults: readonly Fault[]) => void;
  readonly onBought: (order: Order, body: unknown, transaction: string | null) => void;
  /** Exactly the same was bought in another tab meanwhile; nothing was signed. */
  readonly onBoughtBefore: (priced: PricedPurchase) => void;
  /** A payment ended in another tab; false when it brought no answer. */
  readonly onElsewhere: (name: string) => boolean;
  /** A refused purchase is to be tried again; null: with what the form holds now. */
  readonly onAgain: (wanted: PurchaseRequest | null) => void;
};

/** What is under way on a page where people pay. */
export type PayingState = PayingParts & {
  readonly lock: TabLock;
  /** The request to a wallet; once it is aborted, a signature that still comes is dropped. */
  asking: AbortController | null;
  isPaying: boolean;
  /** The name of each request: tried again it keeps its name, so that it is not paid twice if the first try was paid. */
  readonly names: Map<string, string>;
};

const ASK_AGAIN_MS = 60_000;

export const isBusy = (state: PayingState): boolean => state.isPaying || state.asking !== null;

/** `says` is shown first; `name` is that of the pending payment, which may be gone by now. */
type Pending = { readonly isStale: IsStale; readonly says: string; readonly name: string };

/** Resumes the pending payment once no other tab follows it. */
export async function resumePending(state: PayingState, pending: Pending): Promise<void> {
  if (isBusy(state)) return;
  state.isPaying = true;
  let release = await state.lock.take();
  if (release === null) {
    state.panel.show('Paying in another tab', [
      'Your payment is under way in another tab of this browser. Its answer comes here, too; should that tab be closed, this one goes on with the same payment.',
    ]);
    release = await state.lock.wait();
  }
  try {
    await followPending(state, pending);
  } finally {
    state.isPaying = false;
    release();
  }
}

/** Follows the pending payment; says so where another tab ended it meanwhile. */
export async function followPending(state: PayingState, { isStale, says, name }: Pending): Promise<void> {
  const order = pendingOrder(state.operation);
  if (order === null) {
    if (state.onElsewhere(name)) state.panel.hide();
    else showEndedElsewhere(state.panel, () => state.onAgain(null));
    return;
  }
  const untilMs = Math.max(order.untilMs, Date.now() + ASK_AGAIN_MS);
  await follow(state, { order: { ...order, untilMs }, isStale, wasSent: true }, says);
}

/** `wasSent`: it may have reached the service before. */
type Followed = { readonly order: Order; readonly isStale: IsStale; readonly wasSent: boolean };

/** Sends an order, which is stored, until its end is known; `says` is shown first. */
export async function follow(state: PayingState, followed: Followed, says: string): Promise<void> {
  const { order, wasSent } = followed;
  state.asking = null;
  state.isPaying = true;
  state.names.set(JSON.stringify(order.request), order.name);
  window.addEventListener('beforeunload', warn);
  state.panel.show('Paying', [says]);
  const ending = await purchased(order, wasSent, () =>
    state.panel.say(
      'The end of the payment is not known yet. We are asking again with the same payment: you will not be charged twice.',
    ),
  );
  window.removeEventListener('beforeunload', warn);
  state.isPaying = false;
  finish(state, followed, ending);
}

const warn = (event: BeforeUnloadEvent): void => event.preventDefault();

function finish(state: PayingState, { order, isStale }: Followed, ending: Ending): void {
  const { panel } = state;
  const { request, about, paper, job } = order;
  const explorer = state.publicNetwork?.explorer ?? null;
  const tryAgain = () => state.onAgain(isStale() ? null : { request, about, paper, job });
  const askAgain = () =>
    resumePending(state, { isStale, says: 'Asking again with the same payment.', name: order.name });
  switch (ending.kind) {
    case 'unknown':
      showUnknown(panel, { order, explorer, again: askAgain });
      return;
    case 'doubtful':
      showDoubtful(panel, {
        order,
        explorer,
        isSpent: ending.isSpent,
        again: askAgain,
        anew() {
          forgetPending(state.operation);
          tryAgain();
        },
      });
      return;
    case 'refused':
      if (ending.isNameSpent) state.names.set(JSON.stringify(request), purchaseName());
      panel.show('Not paid', [ending.says, buttons(button('Try again', tryAgain))]);
      break;
    case 'faults':
      panel.hide();
      state.onFaults(ending.faults);
      break;
    case 'bought':
      panel.hide();
      rememberPurchase(order.digest, { name: order.name, boughtMs: Date.now() });
      state.onBought(order, ending.body, ending.transaction);
  }
  forgetPending(state.operation);
}
