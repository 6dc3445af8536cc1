import { h, render } from 'preact';
import { PaySheet, type PaySheetProps } from '../../surfaces/pages/pay/pay-sheet.tsx';
import { assistantPrompt, type ServedShop } from '../../surfaces/pages/pay/pay-state.ts';
import { copiedWords, copyText } from '../page.ts';
import { explorerOf } from './networks.ts';
import {
  ask,
  type Checkout,
  changed,
  checkoutOf,
  close,
  type PayParts,
  pay,
  payAnew,
  payWith,
  resume,
  showBought,
  stopAsking,
} from './pay.ts';
import { type PurchaseRequest, valuesOf } from './request.ts';
import { canKeep, isKeeping, setKeeping } from './storage.ts';
import { KEPT_DAYS } from './stored-purchases.ts';
import { watchWallets } from './wallet.ts';

export type MountParts = Omit<PayParts, 'shop' | 'wallets' | 'onChange'> & {
  /** Called after each change; true while a price is being requested. */
  readonly onBusy?: (isBusy: boolean) => void;
  /** Called once the buyer has chosen to keep nothing. */
  readonly onKeepNothing?: () => void;
  /** What a visitor without a wallet can still get; `act` returns the button's next label. */
  readonly free?: { readonly says: string; readonly act: () => Promise<string | null> };
};

/** Mounts the payment sheet in the dialog that the server rendered (`PayDialog`). */
export function mountPay(dialog: HTMLDialogElement, parts: MountParts) {
  const served = JSON.parse(dialog.dataset.shop ?? '{}') as ServedShop;
  const isPlayMoney = dialog.dataset.playMoneyKey !== undefined;
  const shop = { ...served, explorer: explorerOf({ ...served, isPlayMoney }), isPlayMoney };
  let isCopied = false;
  const checkout: Checkout = checkoutOf({
    ...parts,
    shop,
    wallets: watchWallets(isPlayMoney),
    onChange: () => draw(),
  });
  const copyPrompt = async (wanted: PurchaseRequest | null): Promise<boolean> => {
    if (wanted === null) return false;
    return copyText(assistantPrompt(shop, valuesOf(wanted.request)));
  };
  const acts: PaySheetProps['acts'] = {
    close: () => close(checkout),
    pay: () => void pay(checkout),
    choose: (place) => void payWith(checkout, place),
    stop: () => stopAsking(checkout),
    again: () => void checkout.again(),
    payAnew: () => payAnew(checkout),
    showBought: () => showBought(checkout),
    keep(keeps) {
      setKeeping(keeps);
      if (!keeps) parts.onKeepNothing?.();
      draw();
    },
    copyPrompt: () =>
      void copyPrompt(checkout.wanted).then((done) => {
        isCopied = done;
        draw();
      }),
  };
  let saysFree: string | null = null;
  const { free } = parts;
  const act = (): void =>
    void free?.act().then((says) => {
      saysFree = says;
      draw();
    });
  let drawn = '';
  function draw(): void {
    const { state, isOpen } = checkout;
    if (!isOpen) {
      isCopied = false;
      saysFree = null;
    }
    render(
      h(PaySheet, {
        state,
        shop,
        goods: checkout.goods,
        terms: checkout.priced?.offer.terms ?? null,
        areTabsLocked: checkout.lock.isShared,
        keeping: { canKeep: canKeep(), isKeeping: isKeeping(), days: KEPT_DAYS },
        isCopied,
        free: free === undefined ? null : { says: saysFree ?? free.says, act },
        acts,
      }),
      dialog,
    );
    if (isOpen && !dialog.open) dialog.showModal();
    if (!isOpen && dialog.open) dialog.close();
    // Screen readers read each step from its title.
    if (isOpen && drawn !== state.kind) dialog.querySelector<HTMLElement>('h2')?.focus();
    drawn = isOpen ? state.kind : '';
    parts.onBusy?.(state.kind === 'checking');
  }
  dialog.addEventListener('cancel', (event) => {
    event.preventDefault();
    close(checkout);
  });
  // Some browsers close a dialog at the second press of Escape even if the event is canceled.
  dialog.addEventListener('close', () => checkout.isOpen && close(checkout));
  return {
    shop,
    ask: (wanted: PurchaseRequest) => ask(checkout, wanted),
    /** Resumes a payment without a known result; false if there is none. */
    resume: () => resume(checkout),
    changed: () => changed(checkout),
    close: () => close(checkout),
    /** Copies the instructions for an assistant to buy the answer; false if the browser forbids it. */
    copyPrompt,
    /** Enables the button that copies an assistant's instructions to buy the answer for the current input. */
    offerPrompt(wanted: () => PurchaseRequest): void {
      const button = document.querySelector<HTMLButtonElement>('[data-assistant]');
      if (button === null) return;
      button.disabled = false;
      button.addEventListener('click', async () => {
        button.textContent = (await copyPrompt(wanted()))
          ? 'Copied: paste it to your assistant'
          : copiedWords(false);
      });
    },
  };
}
