import type { Network } from '../domain/networks.ts';
import type { Fault } from '../domain/result.ts';
import { purchaseName } from './authorization.ts';
import { showDoubtful, showEndedElsewhere, showUnknown } from './endings.ts';
import { type Earlier, forgetPending, pendingOrder, rememberPurchase } from './kept.ts';
import type { Offer } from './offer.ts';
import { button, buttons, type Panel } from './panel.ts';
import { type Ending, type Order, purchased } from './purchase.ts';
import type { PurchaseRequest } from './request.ts';
import type { Turns } from './turns.ts';
import type { Wallet } from './wallet.ts';

/* A signed payment on its way to its end, in whichever tab: sent, repeated, and shown however it ends. */

/** A request with its price; `nowSeconds` is the clock of the service. */
export type PricedPurchase = PurchaseRequest & {
  readonly offer: Offer;
  readonly nowSeconds: () => number;
  readonly isStale: IsStale;
  /** Of the request. */
  readonly digest: string | null;
  /** The purchase of exactly the same that the person has been told of. */
  readonly earlier: Earlier | null;
};

/** Whether something else has been written since. */
export type IsStale = () => boolean;

export type PayingParts = {
  readonly operation: string;
  readonly network: string;
  /** Where money is real: what may be told to wallets and looked up by people. */
  readonly publicNetwork: Network | null;
  readonly panel: Panel;
  readonly wallets: () => Promise<readonly Wallet[]>;
  readonly isPlayMoney: boolean;
  readonly onFaults: (faults: readonly Fault[]) => void;
  readonly onBought: (order: Order, body: unknown, transaction: string | null) => void;
  /** Exactly the same was bought meanwhile, in another tab; nothing was signed. */
  readonly onBoughtBefore: (priced: PricedPurchase) => void;
  /** A payment ended in another tab; false when it brought no answer. */
  readonly onElsewhere: (name: string) => boolean;
  /** The person wants to try again what was refused; null: what is written now. */
  readonly onAgain: (wanted: PurchaseRequest | null) => void;
};

/** What is under way on a page where people pay. */
export type PayingState = PayingParts & {
  readonly turns: Turns;
  /** Asks a wallet; stopped, whatever it still signs is dropped. */
  asking: AbortController | null;
  isPaying: boolean;
  /** Tried again, a purchase keeps its name: should the first try have been paid for after all, it is not paid twice. */
  readonly names: Map<string, string>;
};

const ASK_AGAIN_MS = 60_000;

export const isBusy = (state: PayingState): boolean => state.isPaying || state.asking !== null;

/** `says` is what the person reads first, `name` that of the payment that is thought to be kept. */
type Kept = { readonly isStale: IsStale; readonly says: string; readonly name: string };

/** Goes on with what is kept, once no other tab is at it. */
export async function goOn(state: PayingState, kept: Kept): Promise<void> {
  if (isBusy(state)) return;
  state.isPaying = true;
  let release = await state.turns.take();
  if (release === null) {
    state.panel.show('Paying in another tab', [
      'Your payment is under way in another tab of this browser. Its answer comes here, too; should that tab be closed, this one goes on with the same payment.',
    ]);
    release = await state.turns.wait();
  }
  try {
    await followKept(state, kept);
  } finally {
    state.isPaying = false;
    release();
  }
}

/** Follows what is kept; where another tab ended it meanwhile, says so. */
export async function followKept(state: PayingState, { isStale, says, name }: Kept): Promise<void> {
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

/** Sends an order, which is kept, until its end is known; `says` is what the person reads first. */
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
  const { request, about } = order;
  const explorer = state.publicNetwork?.explorer ?? null;
  const tryAgain = () => state.onAgain(isStale() ? null : { request, about });
  const askAgain = () =>
    goOn(state, { isStale, says: 'Asking again with the same payment.', name: order.name });
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
