import type { Network } from '../domain/networks.ts';
import type { Fault } from '../domain/result.ts';
import { paymentHeader, purchaseName } from './authorization.ts';
import { showDoubtful, showElsewhere, showEndedElsewhere, showNoWallet, showUnknown } from './endings.ts';
import {
  boughtBefore,
  digestOf,
  type Earlier,
  forgetPending,
  keepPending,
  pendingOrder,
  rememberPurchase,
} from './kept.ts';
import type { Offer } from './offer.ts';
import { button, buttons, code, type Panel, paragraph } from './panel.ts';
import { type Ending, type Order, purchased } from './purchase.ts';
import type { Wish } from './request.ts';
import { type Turns, turnsFor } from './turns.ts';
import { usdcText } from './usdc.ts';
import { type Payer, type Signed, signed, type Wallet } from './wallet.ts';

/** A wish with its price; `nowSeconds` is the clock of the service. */
export type Sale = Wish & {
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
  readonly onBoughtBefore: (sale: Sale) => void;
  /** A payment ended in another tab; false when it brought no answer. */
  readonly onElsewhere: (name: string) => boolean;
  /** The person wants to try again what was refused; null: what is written now. */
  readonly onAgain: (wish: Wish | null) => void;
};

/** Takes a sale to a wallet and on to its answer; one at a time, over all tabs of the browser. */
export type Paying = {
  /** Whether other tabs wait for this one. */
  readonly areTabsShared: boolean;
  /** What it waits for: the person at the wallet, or the end of a payment. */
  underWay(): 'asking' | 'paying' | null;
  /** Whether exactly this is known to have been bought within a day. */
  earlier(wish: Wish): Promise<Pick<Sale, 'digest' | 'earlier'>>;
  pay(sale: Sale): Promise<void>;
  /** Whether there is a payment whose end is not known. */
  isOpen(): boolean;
  /** Goes on with a payment whose end is not known, whichever tab began it; false when there is none. */
  resume(isStale: IsStale): boolean;
};

type Till = PayingParts & {
  readonly turns: Turns;
  /** Asks a wallet; stopped, whatever it still signs is dropped. */
  asking: AbortController | null;
  isPaying: boolean;
  /** Tried again, a purchase keeps its name: should the first try have been paid for after all, it is not paid twice. */
  readonly names: Map<string, string>;
};

// When a page that stays open stops asking by itself; asked again, the service remembers a payment for a day.
const PATIENCE_SECONDS = 300;
const ASK_AGAIN_MS = 60_000;

export function createPaying(parts: PayingParts): Paying {
  const turns = turnsFor(`paying ${parts.operation}`);
  const till: Till = { ...parts, turns, asking: null, isPaying: false, names: new Map() };
  const isOpen = (): boolean => pendingOrder(till.operation) !== null;
  return {
    areTabsShared: turns.areShared,
    underWay: () => (till.isPaying ? 'paying' : till.asking && 'asking'),
    async earlier({ request }) {
      const digest = await digestOf(request);
      return { digest, earlier: boughtBefore(digest) };
    },
    pay: (sale) => chooseWallet(till, sale),
    isOpen,
    resume(isStale) {
      if (!isOpen()) return false;
      const says = 'The answer to your last payment has not come yet. You will not be charged twice.';
      void goOn(till, { isStale, says, name: pendingOrder(till.operation)?.name ?? '' });
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
      buttons(...wallets.map((wallet) => walletButton(wallet, () => payWith(till, wallet, sale)))),
    ]);
}

function walletButton({ name, icon }: Wallet, press: () => unknown): HTMLButtonElement {
  const made = button(name, press);
  if (icon === '') return made;
  const image = document.createElement('img');
  Object.assign(image, { src: icon, alt: '', width: 24, height: 24 });
  made.prepend(image);
  return made;
}

/** Signs and pays, unless another tab is at it, has begun it or has bought the same. */
async function payWith(till: Till, wallet: Wallet, sale: Sale): Promise<void> {
  if (isBusy(till)) return;
  const asking = new AbortController();
  till.asking = asking;
  const release = await till.turns.take();
  try {
    const bought = boughtBefore(sale.digest);
    if (release === null) showElsewhere(till.panel, () => chooseWallet(till, sale));
    else if (pendingOrder(till.operation) !== null)
      await followKept(till, { isStale: sale.isStale, says: STILL_OPEN, name: '' });
    else if (bought !== null && bought.boughtMs !== sale.earlier?.boughtMs) till.onBoughtBefore(sale);
    else await askWallet(till, wallet, sale, asking);
  } finally {
    if (till.asking === asking) till.asking = null;
    release?.();
  }
}

const STILL_OPEN =
  'A payment of before has no answer yet, so your wallet was not asked for another. You will not be charged twice.';

async function askWallet(till: Till, wallet: Wallet, sale: Sale, asking: AbortController): Promise<void> {
  const { about, offer, nowSeconds, isStale } = sale;
  const again = button('Try again', () => (isStale() ? till.onAgain(null) : chooseWallet(till, sale)));
  const stop = button('Stop waiting', () => {
    asking.abort();
    till.panel.show('Not paid', [
      'We stopped waiting for your wallet. Should it still show the payment, please decline it there: what it signs now is not used. Nothing was charged.',
      buttons(again),
    ]);
  });
  const showAsking = (payer: Payer | null): void =>
    till.panel.show('Your wallet is asking you', [
      'Please look there: it shows the payment before you sign it.',
      ...(about ? [`You are buying: ${about}.`] : []),
      ...(payer === null ? [] : whatItShows(payer, sale, till.network)),
      buttons(stop),
    ]);
  showAsking(null);
  const { signal } = asking;
  const payment = await Promise.race([
    signed(wallet, {
      offer,
      network: till.network,
      unknownNetwork: till.publicNetwork,
      nowSeconds,
      stopped: signal,
      onPayer: showAsking,
    }),
    new Promise<null>((resolve) => signal.addEventListener('abort', () => resolve(null))),
  ]);
  if (payment === null || signal.aborted) return;
  till.asking = null;
  if ('says' in payment) till.panel.show('Not paid', [payment.says, buttons(again)]);
  // A browser whose tabs know nothing of each other may have let another tab go first: what was signed here is dropped.
  else if (pendingOrder(till.operation) !== null)
    await followKept(till, { isStale, says: STILL_OPEN, name: '' });
  else {
    const order = orderOf(till, sale, payment);
    const isKept = keepPending(till.operation, order);
    await follow(till, { order, isStale, wasSent: false }, isKept ? KEPT : NOT_KEPT);
  }
}

/** What a careful person compares with the words of the wallet. */
function whatItShows({ address, millionths }: Payer, { offer }: Sale, network: string): readonly Node[] {
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

function orderOf(till: Till, { request, about, offer, digest, earlier }: Sale, payment: Signed): Order {
  const untilMs = Date.now() + (offer.terms.maxTimeoutSeconds + PATIENCE_SECONDS) * 1_000;
  const name = till.names.get(JSON.stringify(request)) ?? earlier?.name ?? purchaseName();
  return { request, about, payment: paymentHeader(offer, payment, name), name, digest, untilMs };
}

/** `says` is what the person reads first, `name` that of the payment that is thought to be kept. */
type Kept = { readonly isStale: IsStale; readonly says: string; readonly name: string };

/** Goes on with what is kept, once no other tab is at it. */
async function goOn(till: Till, kept: Kept): Promise<void> {
  if (isBusy(till)) return;
  till.isPaying = true;
  let release = await till.turns.take();
  if (release === null) {
    till.panel.show('Paying in another tab', [
      'Your payment is under way in another tab of this browser. Its answer comes here, too; should that tab be closed, this one goes on with the same payment.',
    ]);
    release = await till.turns.wait();
  }
  try {
    await followKept(till, kept);
  } finally {
    till.isPaying = false;
    release();
  }
}

async function followKept(till: Till, { isStale, says, name }: Kept): Promise<void> {
  const order = pendingOrder(till.operation);
  if (order === null) {
    if (till.onElsewhere(name)) till.panel.hide();
    else showEndedElsewhere(till.panel, () => till.onAgain(null));
    return;
  }
  const untilMs = Math.max(order.untilMs, Date.now() + ASK_AGAIN_MS);
  await follow(till, { order: { ...order, untilMs }, isStale, wasSent: true }, says);
}

/** `wasSent`: it may have reached the service before. */
type Followed = { readonly order: Order; readonly isStale: IsStale; readonly wasSent: boolean };

/** Sends an order, which is kept, until its end is known; `says` is what the person reads first. */
async function follow(till: Till, followed: Followed, says: string): Promise<void> {
  const { order, wasSent } = followed;
  till.asking = null;
  till.isPaying = true;
  till.names.set(JSON.stringify(order.request), order.name);
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
  const explorer = till.publicNetwork?.explorer ?? null;
  const tryAgain = () => till.onAgain(isStale() ? null : { request, about });
  const askAgain = () =>
    goOn(till, { isStale, says: 'Asking again with the same payment.', name: order.name });
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
          forgetPending(till.operation);
          tryAgain();
        },
      });
      return;
    case 'refused':
      if (ending.isNameSpent) till.names.set(JSON.stringify(request), purchaseName());
      panel.show('Not paid', [ending.says, buttons(button('Try again', tryAgain))]);
      break;
    case 'faults':
      panel.hide();
      till.onFaults(ending.faults);
      break;
    case 'bought':
      panel.hide();
      rememberPurchase(order.digest, { name: order.name, boughtMs: Date.now() });
      till.onBought(order, ending.body, ending.transaction);
  }
  forgetPending(till.operation);
}
