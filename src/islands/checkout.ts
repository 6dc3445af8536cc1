import type { Fault } from '../domain/result.ts';
import { beforePaying } from './before-paying.ts';
import { button, buttons, code, paragraph } from './element.ts';
import type { IsStale, PricedPurchase } from './follow-payment.ts';
import { keepingChoice } from './keeping-choice.ts';
import { type Offer, offerOf } from './offer.ts';
import type { Panel } from './panel.ts';
import type { Paying } from './paying.ts';
import { type Refusal, refusalOf, refusalText } from './refusal.ts';
import { type PurchaseRequest, type Request, send } from './request.ts';
import { spokenTime } from './spoken-time.ts';
import { usdcText } from './usdc.ts';

export type CheckoutParts = {
  /** Dollars and cents, as the page says them. */
  readonly price: string;
  readonly network: string;
  readonly panel: Panel;
  readonly paying: Paying;
  readonly onFaults: (faults: readonly Fault[]) => void;
  /** Brings up an answer that was bought before; false when it is not kept. */
  readonly onShow: (name: string) => boolean;
  /** Called with true when a price is asked for, and with false when that is over. */
  readonly onBusy: (isBusy: boolean) => void;
};

// A price takes milliseconds: after this long, asking again is of more use than waiting.
const PATIENCE_MS = 15_000;

/** Asks what a request costs and offers to pay it. */
export function createCheckout(parts: CheckoutParts) {
  const { panel, paying, onBusy } = parts;
  // Counts requests and changes: a reply to anything but the latest is stale.
  let latest = 0;
  const staleFrom = (mine: number): IsStale => {
    return () => mine !== latest;
  };
  return {
    /** Asks for the price, unless a payment is under way; a payment whose end is not known is resumed instead. */
    async ask(wanted: PurchaseRequest): Promise<void> {
      const underWay = paying.underWay();
      if (underWay !== null) {
        panel.say(BUSY[underWay]);
        return;
      }
      if (paying.resume(() => true)) return;
      latest += 1;
      const isStale = staleFrom(latest);
      panel.show('Checking…', ['We are looking at what you wrote, and asking for the price.']);
      onBusy(true);
      const reply = await inTime(replyTo(wanted.request));
      if (isStale()) return;
      onBusy(false);
      await showReply(parts, wanted, reply, isStale);
    },
    /** Offers a purchase again after exactly the same was bought elsewhere. */
    async offerAgain(priced: PricedPurchase): Promise<void> {
      if (!priced.isStale()) showOffer(parts, { ...priced, ...(await paying.earlier(priced)) });
    },
    /** Resumes an earlier payment; false when there is none. */
    resume: () => paying.resume(staleFrom(latest)),
    /** The form has changed, so that the offer is out of date. */
    changed(): void {
      latest += 1;
      onBusy(false);
      if (paying.underWay() === null && !paying.isOpen()) panel.hide();
    },
  };
}

const BUSY = {
  asking: 'Your wallet is still asking you. Please answer there, or stop waiting.',
  paying: 'Please wait: your payment is still under way.',
} as const;

type Reply =
  | { readonly kind: 'priced'; readonly header: string | null; readonly nowSeconds: () => number }
  | { readonly kind: 'refused'; readonly refusal: Refusal | null }
  | { readonly kind: 'lost'; readonly says: string };

const lost = (why: string): Reply => ({
  kind: 'lost',
  says: `${why} Your wallet was not asked for anything. Please try again.`,
});

async function replyTo(request: Request): Promise<Reply> {
  try {
    const response = await send(request);
    if (response.status !== 402) return { kind: 'refused', refusal: await refusalOf(response) };
    const header = response.headers.get('payment-required');
    return { kind: 'priced', header, nowSeconds: clockOf(response) };
  } catch {
    return lost('We could not be reached.');
  }
}

const inTime = (reply: Promise<Reply>): Promise<Reply> =>
  Promise.race([
    reply,
    new Promise<Reply>((resolve) => setTimeout(resolve, PATIENCE_MS, lost('No answer came in time.'))),
  ]);

async function showReply(
  parts: CheckoutParts,
  wanted: PurchaseRequest,
  reply: Reply,
  isStale: IsStale,
): Promise<void> {
  const { price, network, panel, paying } = parts;
  if (reply.kind === 'lost') panel.show('No connection', [reply.says]);
  else if (reply.kind === 'refused') showRefusal(parts, reply.refusal);
  else {
    const offer = offerOf(reply.header, { price, network });
    if (offer === null)
      panel.show('Not offered', [
        'The price that was asked for is not the one on this page, so your wallet was not asked for anything. Please load the page again.',
      ]);
    else {
      const known = await paying.earlier(wanted);
      if (!isStale()) showOffer(parts, { ...wanted, ...known, offer, nowSeconds: reply.nowSeconds, isStale });
    }
  }
}

function showRefusal({ panel, onFaults }: CheckoutParts, refusal: Refusal | null): void {
  if (refusal === null || refusal.errors.length === 0) {
    panel.show('No answer', [refusalText(refusal)]);
    return;
  }
  panel.hide();
  onFaults(refusal.errors);
}

function showOffer(parts: CheckoutParts, priced: PricedPurchase): void {
  const { price, panel, paying } = parts;
  const { earlier, about } = priced;
  const pay = `${earlier === null ? 'Pay' : 'Buy it again for'} USD ${price} in USDC`;
  panel.show(earlier === null ? 'Your answer is ready' : 'You have bought exactly this before', [
    ...(earlier === null ? [] : boughtBefore(parts, earlier)),
    ...(about ? [`It is for: ${about}.`] : []),
    ...beforePaying(priced),
    costOf(parts, priced.offer),
    keepingChoice(),
    ...(paying.areTabsLocked
      ? []
      : ['Your browser does not let its tabs know of each other: please pay in this one only.']),
    buttons(button(pay, () => paying.pay(priced))),
    // Below the button, which would otherwise be out of view on a phone.
    signingOf(priced.offer),
  ]);
}

const costOf = ({ price, network }: CheckoutParts, { terms }: Offer): HTMLElement =>
  paragraph(`It costs USD ${price}, paid in USDC on ${network} to `, code(terms.payTo), '.');

const signingOf = ({ terms }: Offer): string =>
  `Your wallet shows the payment and asks you to sign it, with the amount in millionths: ${terms.amount} = ${usdcText(BigInt(terms.amount))} USDC. What you sign is good for this one payment and for ${terms.maxTimeoutSeconds} seconds. The fee of the network is ours.`;

function boughtBefore(
  { panel, onShow }: CheckoutParts,
  { name, boughtMs }: NonNullable<PricedPurchase['earlier']>,
): readonly (Node | string)[] {
  const when = spokenTime(boughtMs);
  const show = button('Show what was bought', () => {
    if (onShow(name)) panel.hide();
    else panel.say('It is not kept on this device any more.');
  });
  return [`You paid for exactly this on ${when}. Buying it again may charge you again.`, buttons(show)];
}

/** The clock of the service in Unix seconds: a payment is good for a short time by that clock, not by the reader's. */
function clockOf(reply: Response): () => number {
  const ahead = Date.parse(reply.headers.get('date') ?? '') - Date.now();
  return () => Math.floor((Date.now() + (Number.isNaN(ahead) ? 0 : ahead)) / 1_000);
}
