import { h, render } from 'preact';
import { PaySheet, type PaySheetProps } from '../../surfaces/pages/pay/pay-sheet.tsx';
import { assistantPrompt, type ServedShop } from '../../surfaces/pages/pay/pay-state.ts';
import { networkNamed } from './networks.ts';
import {
  ask,
  changed,
  close,
  isPending,
  type PayParts,
  pay,
  payAnew,
  payWith,
  resume,
  showBought,
  stopAsking,
  type Till,
  tillOf,
} from './pay.ts';
import { type PurchaseRequest, valuesOf } from './request.ts';
import { canKeep, isKeeping, setKeeping } from './storage.ts';
import { KEPT_DAYS } from './stored-purchases.ts';
import { watchWallets } from './wallet.ts';

export type MountParts = Pick<
  PayParts,
  'onFaults' | 'onMissing' | 'onBought' | 'bringUp' | 'askAnew' | 'goodsOf'
> & {
  /** Called after each change; true while a price is asked for. */
  readonly onBusy?: (isBusy: boolean) => void;
  /** Called once the buyer has chosen that nothing is kept. */
  readonly onKeepNothing?: () => void;
  /** What somebody without a wallet can still take away; `act` returns what the button says afterwards. */
  readonly free?: { readonly says: string; readonly act: () => Promise<string | null> };
};

/** Puts the payment sheet into the dialog that the service wrote (`PayDialog`). */
export function mountPay(dialog: HTMLDialogElement, parts: MountParts) {
  const served = JSON.parse(dialog.dataset.shop ?? '{}') as ServedShop;
  const isPlayMoney = dialog.dataset.playMoneyKey !== undefined;
  // The chain of play money has the name of a public one, whose explorer knows nothing of it.
  const explorer = isPlayMoney ? null : (networkNamed(served.network)?.explorer ?? null);
  const shop = { ...served, explorer, isPlayMoney };
  let isCopied = false;
  const till: Till = tillOf({
    ...parts,
    shop,
    wallets: watchWallets(isPlayMoney),
    onChange: () => draw(),
  });
  const copyPrompt = async (wanted: PurchaseRequest | null): Promise<boolean> => {
    if (wanted === null) return false;
    const text = assistantPrompt(shop, valuesOf(wanted.request));
    return navigator.clipboard.writeText(text).then(
      () => true,
      () => false,
    );
  };
  const acts: PaySheetProps['acts'] = {
    close: () => close(till),
    pay: () => void pay(till),
    choose: (place) => void payWith(till, place),
    stop: () => stopAsking(till),
    again: () => void till.again(),
    payAnew: () => payAnew(till),
    showBought: () => showBought(till),
    keep(keeps) {
      setKeeping(keeps);
      if (!keeps) parts.onKeepNothing?.();
      draw();
    },
    copyPrompt: () =>
      void copyPrompt(till.wanted).then((done) => {
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
    const { state, isOpen } = till;
    if (!isOpen) {
      isCopied = false;
      saysFree = null;
    }
    render(
      h(PaySheet, {
        state,
        shop,
        goods: till.goods,
        terms: till.priced?.offer.terms ?? null,
        areTabsLocked: till.lock.isShared,
        keeping: { canKeep: canKeep(), isKeeping: isKeeping(), days: KEPT_DAYS },
        isCopied,
        free: free === undefined ? null : { says: saysFree ?? free.says, act },
        acts,
      }),
      dialog,
    );
    if (isOpen && !dialog.open) dialog.showModal();
    if (!isOpen && dialog.open) dialog.close();
    // Each step is read out from its title.
    if (isOpen && drawn !== state.kind) dialog.querySelector<HTMLElement>('h2')?.focus();
    drawn = isOpen ? state.kind : '';
    parts.onBusy?.(state.kind === 'checking');
  }
  dialog.addEventListener('cancel', (event) => {
    event.preventDefault();
    close(till);
  });
  // Some browsers close a dialog at the second press of Escape whatever is said.
  dialog.addEventListener('close', () => till.isOpen && close(till));
  return {
    shop,
    ask: (wanted: PurchaseRequest) => ask(till, wanted),
    /** Goes on with a payment whose end is not known; false where there is none. */
    resume: () => resume(till),
    changed: () => changed(till),
    close: () => close(till),
    isPending: () => isPending(till),
    /** Copies what an assistant is told to buy; false where the browser does not allow it. */
    copyPrompt,
    /** Shows the button that copies what an assistant is told to buy: what the page holds then. */
    offerPrompt(wanted: () => PurchaseRequest): void {
      const button = document.querySelector<HTMLButtonElement>('[data-assistant]');
      if (button === null) return;
      button.hidden = false;
      button.addEventListener('click', async () => {
        button.textContent = (await copyPrompt(wanted()))
          ? 'Copied: paste it to your assistant'
          : 'Your browser does not allow copying';
      });
    },
  };
}
