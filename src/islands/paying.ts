import type { Fault } from '../domain/result.ts';
import { paymentHeader, purchaseName } from './authorization.ts';
import type { Offer } from './offer.ts';
import { button, buttons, type Panel, paragraph } from './panel.ts';
import { forgetPending, keepPending, pendingOrder } from './pending.ts';
import { type Ending, type Order, purchased } from './purchase.ts';
import type { Request } from './request.ts';
import { signed, type Wallet } from './wallet.ts';

/** A request with its price; `nowSeconds` is the clock of the service. */
export type Sale = { readonly request: Request; readonly offer: Offer; readonly nowSeconds: () => number };

export type PayingParts = {
  readonly operation: string;
  readonly network: string;
  readonly panel: Panel;
  readonly wallets: () => Promise<readonly Wallet[]>;
  readonly onFaults: (faults: readonly Fault[]) => void;
  readonly onBought: (body: unknown, transaction: string | null) => void;
  /** The person wants to try a refused request again. */
  readonly onAgain: (request: Request) => void;
};

/** Takes a sale to a wallet and on to its answer; one at a time. */
export type Paying = {
  isUnderWay(): boolean;
  pay(sale: Sale): Promise<void>;
  /** Goes on with a payment whose end this tab does not know, such as after a reload; false when there is none. */
  resume(): boolean;
};

type Till = PayingParts & {
  isUnderWay: boolean;
  /** Tried again, a purchase keeps its name: should the first try have been paid for after all, it is not paid twice. */
  readonly names: Map<string, string>;
};

// The service remembers a payment for ten minutes after it has run out; half of that leaves time to ask once more.
const PATIENCE_SECONDS = 300;
const ASK_AGAIN_MS = 60_000;

export function createPaying(parts: PayingParts): Paying {
  const till: Till = { ...parts, isUnderWay: false, names: new Map() };
  return {
    isUnderWay: () => till.isUnderWay,
    pay: (sale) => chooseWallet(till, sale),
    resume() {
      const order = pendingOrder(till.operation);
      if (order === null) return false;
      void follow(
        till,
        order,
        'The answer to your last payment has not come yet. You will not be charged twice.',
      );
      return true;
    },
  };
}

async function chooseWallet(till: Till, sale: Sale): Promise<void> {
  if (till.isUnderWay) return;
  const wallets = await till.wallets();
  const [only] = wallets;
  if (only === undefined) showNoWallet(till, sale);
  else if (wallets.length === 1) await payWith(till, only, sale);
  else
    till.panel.show('Which wallet shall pay?', [
      buttons(...wallets.map((wallet) => button(wallet.name, () => payWith(till, wallet, sale)))),
    ]);
}

async function payWith(till: Till, wallet: Wallet, sale: Sale): Promise<void> {
  if (till.isUnderWay) return;
  till.isUnderWay = true;
  const { request, offer, nowSeconds } = sale;
  till.panel.show('Your wallet is asking you', [
    'Please look there: it shows the payment before you sign it.',
  ]);
  const payment = await signed(wallet, offer, till.network, nowSeconds);
  if ('says' in payment) {
    till.isUnderWay = false;
    const again = button('Try again', () => chooseWallet(till, sale));
    till.panel.show('Not paid', [payment.says, buttons(again)]);
    return;
  }
  const name = till.names.get(JSON.stringify(request)) ?? purchaseName();
  const seconds = offer.terms.maxTimeoutSeconds + PATIENCE_SECONDS;
  const order = {
    request,
    payment: paymentHeader(offer, payment, name),
    name,
    untilMs: Date.now() + seconds * 1_000,
  };
  await follow(till, order, 'This takes a few seconds. Please keep this page open.');
}

/** Sends an order until its end is known; `says` is what the person reads first. */
async function follow(till: Till, order: Order, says: string): Promise<void> {
  till.isUnderWay = true;
  till.names.set(JSON.stringify(order.request), order.name);
  keepPending(till.operation, order);
  window.addEventListener('beforeunload', warn);
  till.panel.show('Paying', [says]);
  const ending = await purchased(order, () =>
    till.panel.say(
      'The end of the payment is not known yet. We are asking again with the same payment: you will not be charged twice.',
    ),
  );
  window.removeEventListener('beforeunload', warn);
  till.isUnderWay = false;
  finish(till, order, ending);
}

const warn = (event: BeforeUnloadEvent): void => event.preventDefault();

function finish(till: Till, order: Order, ending: Ending): void {
  const { panel } = till;
  if (ending.kind === 'unknown') {
    const later = { ...order, untilMs: Date.now() + ASK_AGAIN_MS };
    const again = () => follow(till, later, 'Asking again with the same payment.');
    panel.show('Not known yet', [
      'We could not find out how the payment ended. Please do not pay anew: asking again with the same payment costs nothing more.',
      buttons(button('Ask again', again)),
    ]);
    return;
  }
  if (ending.kind === 'refused') {
    if (ending.isNameSpent) till.names.delete(JSON.stringify(order.request));
    const again = button('Try again', () => till.onAgain(order.request));
    panel.show('Not paid', [ending.says, buttons(again)]);
  } else {
    panel.hide();
    if (ending.kind === 'faults') till.onFaults(ending.faults);
    else till.onBought(ending.body, ending.transaction);
  }
  forgetPending(till.operation);
}

function showNoWallet(till: Till, sale: Sale): void {
  const docs = document.querySelector<HTMLAnchorElement>('a[href^="/docs#"]');
  const link = document.createElement('a');
  link.href = docs?.getAttribute('href') ?? '/docs';
  link.textContent = 'how they do';
  till.panel.show('No wallet found', [
    'To pay here you need a wallet that holds USDC: an extension of your browser, or an app with a browser of its own. Nothing was charged.',
    paragraph('Programs and agents can buy the same answer: ', link, '.'),
    buttons(button('Look again', () => chooseWallet(till, sale))),
  ]);
}
