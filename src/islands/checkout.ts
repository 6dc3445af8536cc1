import type { Fault } from '../domain/result.ts';
import { offerOf } from './offer.ts';
import { button, buttons, code, type Panel, paragraph } from './panel.ts';
import type { Paying, Sale } from './paying.ts';
import { type ProblemBody, problemOf, type Request, refusalText, send } from './request.ts';

export type CheckoutParts = {
  /** Dollars and cents, as the page says them. */
  readonly price: string;
  readonly network: string;
  readonly panel: Panel;
  readonly paying: Paying;
  readonly onFaults: (faults: readonly Fault[]) => void;
};

/** Asks what a request costs and offers to pay it. */
export type Checkout = {
  /** Not while a payment is under way. */
  ask(request: Request): Promise<void>;
  /** The form changed: what was offered is no longer what is written. */
  changed(): void;
};

export function createCheckout(parts: CheckoutParts): Checkout {
  const { panel, paying } = parts;
  // Only the reply to the latest question is shown.
  let asked = 0;
  return {
    async ask(request) {
      if (paying.isUnderWay()) {
        panel.say('Please wait: your payment is still under way.');
        return;
      }
      // A payment whose end is not known comes first.
      if (paying.resume()) return;
      asked += 1;
      const mine = asked;
      const reply = await send(request).catch(() => null);
      if (mine === asked && !paying.isUnderWay()) await showReply(parts, request, reply);
    },
    changed() {
      asked += 1;
      if (!paying.isUnderWay()) panel.hide();
    },
  };
}

async function showReply(parts: CheckoutParts, request: Request, reply: Response | null): Promise<void> {
  const { price, network, panel } = parts;
  if (reply === null) {
    panel.show('No connection', ['We could not be reached. Nothing was charged. Please try again.']);
    return;
  }
  if (reply.status !== 402) {
    showRefusal(parts, reply.status, await problemOf(reply).catch(() => ({})));
    return;
  }
  const offer = offerOf(reply.headers.get('payment-required'), { price, network });
  if (offer !== null) showOffer(parts, { request, offer, nowSeconds: clockOf(reply) });
  else
    panel.show('Not offered', [
      'The price that was asked for is not the one on this page, so your wallet was not asked for anything. Please load the page again.',
    ]);
}

function showRefusal({ panel, onFaults }: CheckoutParts, status: number, problem: ProblemBody): void {
  const { errors = [] } = problem;
  if (errors.length === 0) {
    panel.show('No answer', [refusalText(status, problem)]);
    return;
  }
  panel.hide();
  onFaults(errors);
}

function showOffer({ price, network, panel, paying }: CheckoutParts, sale: Sale): void {
  const { payTo, maxTimeoutSeconds } = sale.offer.terms;
  panel.show('Your answer is ready', [
    paragraph(`It costs USD ${price}, paid in USDC on ${network} to `, code(payTo), '.'),
    `Your wallet shows the payment and asks you to sign it. What you sign is good for this one payment and for ${maxTimeoutSeconds} seconds. The fee of the network is ours.`,
    buttons(button(`Pay USD ${price} in USDC`, () => paying.pay(sale))),
  ]);
}

/** The clock of the service in Unix seconds: a payment is good for a short time by that clock, not by the reader's. */
function clockOf(reply: Response): () => number {
  const ahead = Date.parse(reply.headers.get('date') ?? '') - Date.now();
  return () => Math.floor((Date.now() + (Number.isNaN(ahead) ? 0 : ahead)) / 1_000);
}
