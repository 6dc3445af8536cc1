import { SEE_PRICE } from '../surfaces/pages/form-texts.ts';
import { fromBase64Json } from './base64.ts';
import { button, buttons, code, externalLink, paragraph, quietButton } from './element.ts';
import { orNull } from './or-null.ts';
import type { Panel } from './panel.ts';
import type { Order } from './purchase.ts';
import { usdcText } from './usdc.ts';

export type Unknown = {
  readonly order: Order;
  /** Shows accounts and transfers of the network; null where none does. */
  readonly explorer: string | null;
  readonly again: () => unknown;
};

/** Says that a payment may still be made, and asks again with the same one. */
export function showUnknown(panel: Panel, { order, explorer, again }: Unknown): void {
  panel.show('Not known yet', [
    'We could not find out how the payment ended. Please do not pay anew: asking again with the same payment costs nothing more.',
    ...factsOf(order, explorer),
    buttons(button('Ask again', again)),
  ]);
}

export type Doubtful = Unknown & {
  readonly isSpent: boolean;
  readonly anew: () => unknown;
};

/** Says that a payment may have been made and how to look for it; paying anew is at the person's own risk. */
export function showDoubtful(panel: Panel, { order, explorer, isSpent, again, anew }: Doubtful): void {
  panel.show('Please look in your wallet', [
    isSpent
      ? 'This payment was used before: the money has most likely moved, but the answer did not reach this page.'
      : 'We can no longer find out whether this payment was made. It may have been paid.',
    ...factsOf(order, explorer),
    'Your wallet shows whether this amount has left your account. Asking again with the same payment costs nothing more. If you pay anew, you may pay twice.',
    buttons(button('Ask again', again), quietButton('Pay anew, although it may have been paid', anew)),
  ]);
}

type Header = {
  readonly payload?: { readonly authorization?: Readonly<Record<string, unknown>> };
};

/** What identifies a payment in a wallet or on the chain; nothing when the order cannot be read. */
function factsOf({ payment, about }: Order, explorer: string | null): readonly HTMLElement[] {
  const signed = orNull(() => (fromBase64Json(payment) as Header).payload?.authorization);
  const { from, value, nonce } = signed ?? {};
  const amount = orNull(() => usdcText(BigInt(String(value))));
  if (amount === null) return [];
  const transfers = `${explorer}/address/${from}#tokentxns`;
  return [
    paragraph(
      `Amount: ${amount} USDC. From: `,
      code(String(from)),
      '. Its number (nonce): ',
      code(String(nonce)),
      '.',
    ),
    ...(about ? [paragraph(`It is for: ${about}.`)] : []),
    ...(explorer === null ? [] : [paragraph(externalLink(transfers, 'The transfers of this account'))]),
  ];
}

/** Says that another tab is asking the wallet or paying. */
export function showElsewhere(panel: Panel, again: () => unknown): void {
  panel.show('Another tab is paying', [
    'In another tab of this browser you are at the wallet for the same page, or a payment is under way there. Please finish or stop it there: your wallet was not asked from here.',
    buttons(button('Try again here', again)),
  ]);
}

/** Says that a payment that another tab was making brought no answer. */
export function showEndedElsewhere(panel: Panel, again: () => unknown): void {
  panel.show('Ended in another tab', [
    'The payment that another tab was making has ended there. Please look there for how it ended, and for its answer if this device keeps none.',
    buttons(button(`${SEE_PRICE} again`, again)),
  ]);
}

/** Says what to do without a wallet; play money is only paid by the wallet that the page brings. */
export function showNoWallet(panel: Panel, isPlayMoney: boolean, lookAgain: () => unknown): void {
  const again = buttons(button('Look again', lookAgain));
  if (isPlayMoney) {
    panel.show('No wallet can be used here', [
      'This service takes play money only, and its own wallet for that did not load. No other wallet is asked, for it could sign real money away. Please load the page again. Nothing was charged.',
      again,
    ]);
    return;
  }
  const ways = document.querySelector('#wallets');
  panel.show('No wallet found', [
    'To pay here you need a wallet that holds USDC: an extension of your browser, or an app with a browser of its own. Nothing was charged, and what you wrote is still here.',
    ...[...(ways?.cloneNode(true).childNodes ?? [])],
    again,
  ]);
}
