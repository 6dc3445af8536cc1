import type { Fault } from '../domain/result.ts';
import { formValues, rawValues } from '../surfaces/pages/form-values.ts';
import { type Bought, boughtBelow, goToBought, showBought, showBoughtBelow } from './bought.ts';
import { createCheckout } from './checkout.ts';
import { draft, forgetDraft, keepDraft } from './draft.ts';
import { paragraph } from './element.ts';
import { hasSentValues, isMeantFor, mayReplace, showFaults, write } from './form.ts';
import { startPaidForm } from './form-start.ts';
import { summaryOf, valuesToBuy } from './form-summary.ts';
import { networkNamed } from './networks.ts';
import { rememberOwnDetails } from './own-details.ts';
import { panelIn } from './panel.ts';
import { createPaying } from './paying.ts';
import { requestOf } from './request.ts';
import { addRow } from './rows.ts';
import {
  type Answer,
  deleteAll,
  deleteAnswer,
  keepAnswer,
  keptAnswers,
  onAnswersElsewhere,
  sweep,
} from './stored-purchases.ts';
import { afterFocus } from './timing.ts';
import { watchWallets } from './wallet.ts';

/*
 * Buys the answer of a paid operation in the page: the form is checked and priced without payment, a wallet of the
 * browser signs, and the identical request is sent with the signature until its end is known. No other server is asked.
 */

const FRESH_MS = 600_000;

const form = document.querySelector<HTMLFormElement>('#form');
const section = document.querySelector<HTMLElement>('#pay');
const result = document.querySelector<HTMLElement>('#result');
if (form && section && result) start(form, section, result);

function start(form: HTMLFormElement, section: HTMLElement, result: HTMLElement): void {
  const { operation = '', method = '', route = '', price = '', network = '' } = form.dataset;
  const isPlayMoney = form.dataset.playMoneyKey !== undefined;
  const panel = panelIn(section);
  // The chain of play money has the name of a public one, which no wallet and no explorer may be asked about.
  const publicNetwork = isPlayMoney ? null : networkNamed(network);
  const answers = answersIn(form, result, publicNetwork?.explorer ?? null);
  const onFaults = (faults: readonly Fault[]): void => {
    showFaults(form, faults, true);
    form.querySelector<HTMLElement>('#faults a')?.focus();
  };
  const paying = createPaying({
    operation,
    network,
    publicNetwork,
    panel,
    isPlayMoney,
    wallets: watchWallets(isPlayMoney),
    onFaults,
    onBought: ({ name, about }, body, transaction) =>
      answers.add({ name, about, body, transaction, boughtMs: Date.now() }),
    onBoughtBefore: (priced) => void checkout.offerAgain(priced),
    onElsewhere: answers.bringUp,
    onAgain: (wanted) => void (wanted === null ? ask() : checkout.ask(wanted)),
  });
  const onBusy = (isBusy: boolean): void => form.setAttribute('aria-busy', String(isBusy));
  const checkout = createCheckout({
    price,
    network,
    panel,
    paying,
    onFaults,
    onShow: answers.bringUp,
    onBusy,
  });
  const ask = () => {
    showFaults(form, [], true);
    const request = requestOf(method, route, rawValues(valuesToBuy(form)));
    return checkout.ask({ request, about: summaryOf(form) });
  };

  const { search } = location;
  // The values of a free page come along behind the #.
  const carried = [draft(form), location.hash.slice(1)].find((query) => isMeantFor(form, query));
  const isSent = hasSentValues(form);
  // No answer and no fault: only more lines were asked for.
  const isAsked = isSent && (result.firstChild !== null || form.querySelector('#faults li') !== null);
  startPaidForm(form, !isSent && carried === undefined);
  form.addEventListener('input', () => checkout.changed());
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    const add = event.submitter?.closest('[data-add]')?.closest<HTMLElement>('[data-list]');
    if (add) addRow(add)?.focus();
    else void ask();
  });
  document.querySelector<HTMLAnchorElement>('[data-example]')?.addEventListener('click', (event) => {
    event.preventDefault();
    if (!mayReplace(form)) return;
    write(form, formValues(new URLSearchParams((event.currentTarget as HTMLAnchorElement).search)));
    form.dispatchEvent(new Event('input', { bubbles: true }));
    form.querySelector<HTMLElement>('[name]')?.focus();
  });

  if (carried !== undefined && !isSent) write(form, formValues(new URLSearchParams(carried)));
  rememberOwnDetails(form);
  keepDraft(form);

  // Otherwise names of clients would stay in the browser's history, and a page that was sent could not be loaded again.
  if (search !== '' || isSent)
    history.replaceState(null, '', location.pathname + (isSent ? '' : location.hash));
  answers.showFirst();
  // A form that was sent to the server before the script ran is priced here.
  if (checkout.resume() || !isAsked) return;
  if (answers.isEmpty()) result.replaceChildren();
  void ask();
}

/** What was bought with this browser, in the page and on the device. */
function answersIn({ dataset }: HTMLFormElement, result: HTMLElement, explorer: string | null) {
  const { operation = '', price = '', network = '' } = dataset;
  sweep();
  const all = (): readonly Answer[] => keptAnswers(operation);
  // The answer shown in full: opened or bought here, or bought just before the page was loaded again.
  let front = all().find(({ boughtMs }) => Date.now() - boughtMs < FRESH_MS)?.name ?? null;
  // The answer that the page shows in full, and all that it shows.
  let shown: string | null = null;
  let listed: readonly string[] = [];
  let isWaiting = false;
  const bought = (): Bought => ({
    operation,
    price: `USD ${price} in USDC on ${network}`,
    explorer,
    first: all().find(({ name }) => name === front) ?? null,
    earlier: all().filter(({ name }) => name !== front),
    bringUp: ({ name }) => bringUp(name),
    remove(answer) {
      deleteAnswer(operation, answer);
      if (answer.name === front) front = all()[0]?.name ?? null;
      showAndGo();
    },
    removeAll() {
      deleteAll();
      forgetDraft();
      showAndGo();
    },
  });
  const show = (): void => {
    const made = bought();
    shown = made.first?.name ?? null;
    listed = all().map(({ name }) => name);
    isWaiting = false;
    showBought(result, made);
  };
  const follow = (): void => {
    isWaiting = false;
    const made = bought();
    if (shown === null || made.first?.name !== shown) show();
    else {
      listed = all().map(({ name }) => name);
      showBoughtBelow(result, made);
    }
  };
  const showAndGo = (): void => {
    show();
    if (isEmpty()) sayDeleted(result);
    else goToBought(result);
  };
  function bringUp(name: string): boolean {
    if (!all().some((answer) => answer.name === name)) return false;
    front = name;
    showAndGo();
    return true;
  }
  function add(answer: Answer): void {
    keepAnswer(operation, answer);
    front = answer.name;
    showAndGo();
  }
  const isEmpty = (): boolean => all().length === 0;
  onAnswersElsewhere(operation, () => {
    const left = new Set(all().map(({ name }) => name));
    // What was deleted is shown no longer.
    if (listed.some((name) => !left.has(name))) return follow();
    if (isWaiting) return;
    isWaiting = true;
    afterFocus(boughtBelow(result), () => isWaiting && follow());
  });
  const showFirst = (): void => {
    if (isEmpty()) return;
    show();
    if (front !== null) goToBought(result);
  };
  return { isEmpty, add, bringUp, showFirst };
}

function sayDeleted(result: HTMLElement): void {
  const said = paragraph('Deleted.');
  said.tabIndex = -1;
  result.replaceChildren(said);
  said.focus();
}
