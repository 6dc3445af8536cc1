import type { Fault } from '../domain/result.ts';
import { paymentHeader, purchaseName } from './authorization.ts';
import { showDoubtful, showNoWallet, showUnknown } from './endings.ts';
import type { Offer } from './offer.ts';
import { button, buttons, type Panel } from './panel.ts';
import { forgetPending, keepPending, pendingOrder } from './pending.ts';
import { type Ending, type Order, purchased } from './purchase.ts';
import type { Wish } from './request.ts';
import { type Signed, signed, type Wallet } from './wallet.ts';

/** A wish with its price; `nowSeconds` is the clock of the service. */
export type Sale = Wish & {
  readonly offer: Offer;
  readonly nowSeconds: () => number;
  readonly isStale: IsStale;
};

/** Whether something else has been written since. */
export type IsStale = () => boolean;

export type PayingParts = {
  readonly operation: string;
  readonly network: string;
  readonly panel: Panel;
  readonly wallets: () => Promise<readonly Wallet[]>;
  readonly isPlayMoney: boolean;
  readonly onFaults: (faults: readonly Fault[]) => void;
  readonly onBought: (order: Order, body: unknown, transaction: string | null) => void;
  /** The person wants to try again what was refused; null: what is written now. */
  readonly onAgain: (wish: Wish | null) => void;
};

/** Takes a sale to a wallet and on to its answer; one at a time. */
export type Paying = {
  /** What it waits for: the person at the wallet, or the end of a payment. */
  underWay(): 'asking' | 'paying' | null;
  pay(sale: Sale): Promise<void>;
  /** Whether there is a payment whose end is not known. */
  isOpen(): boolean;
  /** Goes on with a payment whose end this tab does not know, such as after a reload; false when there is none. */
  resume(isStale: IsStale): boolean;
};

type Till = PayingParts & {
  /** Asks a wallet; stopped, whatever it still signs is dropped. */
  asking: AbortController | null;
  isPaying: boolean;
  /** Sent, and its end is not known. */
  open: Order | null;
  /** Tried again, a purchase keeps its name: should the first try have been paid for after all, it is not paid twice. */
  readonly names: Map<string, string>;
};

// The service remembers a payment for ten minutes after it has run out; half of that leaves time to ask once more.
const PATIENCE_SECONDS = 300;
const ASK_AGAIN_MS = 60_000;

export function createPaying(parts: PayingParts): Paying {
  const till: Till = {
    ...parts,
    asking: null,
    isPaying: false,
    open: pendingOrder(parts.operation),
    names: new Map(),
  };
  return {
    underWay: () => (till.isPaying ? 'paying' : till.asking && 'asking'),
    pay: (sale) => chooseWallet(till, sale),
    isOpen: () => till.open !== null,
    resume(isStale) {
      const order = till.open;
      if (order === null) return false;
      const says = 'The answer to your last payment has not come yet. You will not be charged twice.';
      void follow(till, { order, isStale, wasSent: true }, says);
      return true;
    },
  };
}

const isBusy = (till: Till): boolean => till.isPaying || till.asking !== null;

async function chooseWallet(till: Till, sale: Sale): Promise<void> {
  if (isBusy(till)) return;
  const wallets = await till.wallets();
  if (sale.isStale()) return;
  const [only] = wallets;
  if (only === undefined) showNoWallet(till.panel, till.isPlayMoney, () => chooseWallet(till, sale));
  else if (wallets.length === 1) await payWith(till, only, sale);
  else
    till.panel.show('Which wallet shall pay?', [
      buttons(...wallets.map((wallet) => button(wallet.name, () => payWith(till, wallet, sale)))),
    ]);
}

async function payWith(till: Till, wallet: Wallet, sale: Sale): Promise<void> {
  if (isBusy(till)) return;
  const asking = new AbortController();
  till.asking = asking;
  const { about, offer, nowSeconds, isStale } = sale;
  const again = button('Try again', () => (isStale() ? till.onAgain(null) : chooseWallet(till, sale)));
  const stop = button('Stop waiting', () => {
    asking.abort();
    till.asking = null;
    till.panel.show('Not paid', [
      'We stopped waiting for your wallet. Should it still show the payment, please decline it there: what it signs now is not used. Nothing was charged.',
      buttons(again),
    ]);
  });
  till.panel.show('Your wallet is asking you', [
    'Please look there: it shows the payment before you sign it.',
    ...(about ? [`You are buying: ${about}.`] : []),
    buttons(stop),
  ]);
  const payment = await signed(wallet, { offer, network: till.network, nowSeconds, stopped: asking.signal });
  if (asking.signal.aborted) return;
  till.asking = null;
  if ('says' in payment) till.panel.show('Not paid', [payment.says, buttons(again)]);
  else {
    const order = orderOf(sale, payment, till.names.get(JSON.stringify(sale.request)));
    const says = 'This takes a few seconds. Please keep this page open.';
    await follow(till, { order, isStale, wasSent: false }, says);
  }
}

function orderOf({ request, about, offer }: Sale, payment: Signed, name = purchaseName()): Order {
  const untilMs = Date.now() + (offer.terms.maxTimeoutSeconds + PATIENCE_SECONDS) * 1_000;
  return { request, about, payment: paymentHeader(offer, payment, name), name, untilMs };
}

/** `wasSent`: it may have reached the service before. */
type Followed = { readonly order: Order; readonly isStale: IsStale; readonly wasSent: boolean };

/** Sends an order until its end is known; `says` is what the person reads first. */
async function follow(till: Till, followed: Followed, says: string): Promise<void> {
  const { order, wasSent } = followed;
  if (isBusy(till)) return;
  till.isPaying = true;
  till.names.set(JSON.stringify(order.request), order.name);
  till.open = order;
  keepPending(till.operation, order);
  window.addEventListener('beforeunload', warn);
  till.panel.show('Paying', [says]);
  const ending = await purchased(order, wasSent, () =>
    till.panel.say(
      'The end of the payment is not known yet. We are asking again with the same payment: you will not be charged twice.',
    ),
  );
  window.removeEventListener('beforeunload', warn);
  till.isPaying = false;
  finish(till, followed, ending);
}

const warn = (event: BeforeUnloadEvent): void => event.preventDefault();

function finish(till: Till, { order, isStale }: Followed, ending: Ending): void {
  const { panel } = till;
  const { request, about } = order;
  const tryAgain = () => till.onAgain(isStale() ? null : { request, about });
  const askAgain = () => {
    const later = { ...order, untilMs: Date.now() + ASK_AGAIN_MS };
    return follow(till, { order: later, isStale, wasSent: true }, 'Asking again with the same payment.');
  };
  switch (ending.kind) {
    case 'unknown':
      showUnknown(panel, order, askAgain);
      return;
    case 'doubtful':
      showDoubtful(panel, {
        order,
        isSpent: ending.isSpent,
        again: askAgain,
        anew() {
          forget(till);
          tryAgain();
        },
      });
      return;
    case 'refused':
      if (ending.isNameSpent) till.names.delete(JSON.stringify(request));
      panel.show('Not paid', [ending.says, buttons(button('Try again', tryAgain))]);
      break;
    case 'faults':
      panel.hide();
      till.onFaults(ending.faults);
      break;
    case 'bought':
      panel.hide();
      till.onBought(order, ending.body, ending.transaction);
  }
  forget(till);
}

function forget(till: Till): void {
  till.open = null;
  forgetPending(till.operation);
}
