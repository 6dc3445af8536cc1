import type { Fault } from '../domain/result.ts';
import { formValues, rawValues } from '../surfaces/pages/form-values.ts';
import { showBought } from './bought.ts';
import { createCheckout } from './checkout.ts';
import { isMeantFor, showFaults, write } from './form.ts';
import { startPaidForm } from './form-start.ts';
import { rememberOwnDetails } from './own-details.ts';
import { panelIn } from './panel.ts';
import { createPaying } from './paying.ts';
import { type Answer, keepAnswers, keptAnswers, MAX_ANSWERS } from './pending.ts';
import { requestOf } from './request.ts';
import { addRow } from './rows.ts';
import { watchWallets } from './wallet.ts';
import { askedFor, inALine } from './written.ts';

/*
 * Buys the answer of a paid operation in the page: what is written is checked and priced without payment, a wallet of
 * the browser signs, and the identical request is sent with the signature until its end is known. Nothing is asked of
 * anybody else.
 */

const form = document.querySelector<HTMLFormElement>('#form');
const section = document.querySelector<HTMLElement>('#pay');
const result = document.querySelector<HTMLElement>('#result');
if (form && section && result) start(form, section, result);

function start(form: HTMLFormElement, section: HTMLElement, result: HTMLElement): void {
  const { operation = '', method = '', route = '', price = '', network = '' } = form.dataset;
  const isPlayMoney = form.dataset.playMoneyKey !== undefined;
  const panel = panelIn(section);
  const answers = answersIn(form, result);
  const onFaults = (faults: readonly Fault[]): void => {
    showFaults(form, faults, true);
    form.querySelector<HTMLElement>('#faults a')?.focus();
  };
  const paying = createPaying({
    operation,
    network,
    panel,
    isPlayMoney,
    wallets: watchWallets(isPlayMoney),
    onFaults,
    onBought: ({ name, about }, body, transaction) =>
      answers.add({ name, about, body, transaction, boughtMs: Date.now() }),
    onAgain: (wish) => void (wish === null ? ask() : checkout.ask(wish)),
  });
  const onBusy = (isBusy: boolean): void => form.setAttribute('aria-busy', String(isBusy));
  const checkout = createCheckout({ price, network, panel, paying, onFaults, onBusy });
  const ask = () => {
    showFaults(form, [], true);
    const request = requestOf(method, route, rawValues(askedFor(form)));
    return checkout.ask({ request, about: inALine(form) });
  };

  startPaidForm(form, !isMeantFor(form, location.search) && !isMeantFor(form, location.hash.slice(1)));
  form.addEventListener('input', () => checkout.changed());
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    const add = event.submitter?.closest('[data-add]')?.closest<HTMLElement>('[data-list]');
    if (add) addRow(add)?.focus();
    else void ask();
  });
  document.querySelector<HTMLAnchorElement>('[data-example]')?.addEventListener('click', (event) => {
    event.preventDefault();
    write(form, formValues(new URLSearchParams((event.currentTarget as HTMLAnchorElement).search)));
    form.dispatchEvent(new Event('input', { bubbles: true }));
    form.querySelector<HTMLElement>('[name]')?.focus();
  });

  // What was written on a free page comes along behind the #.
  const carried = location.hash.slice(1);
  if (isMeantFor(form, carried)) write(form, formValues(new URLSearchParams(carried)));
  rememberOwnDetails(form);

  const { search } = location;
  // Names of clients would stay in the browser's history.
  if (search !== '') history.replaceState(null, '', location.pathname + location.hash);
  answers.show();
  // What was sent to the server before the script came is priced here; a wish for more lines is no such thing.
  if (checkout.resume() || new URLSearchParams(search).has('rows') || !isMeantFor(form, search)) return;
  if (answers.isEmpty()) result.replaceChildren();
  void ask();
}

/** What was bought in this tab, in the page and in the browser's memory. */
function answersIn({ dataset }: HTMLFormElement, result: HTMLElement) {
  const { operation = '', price = '', network = '' } = dataset;
  let answers = keptAnswers(operation);
  const without = ({ name }: Answer) => answers.filter((answer) => answer.name !== name);
  const show = (): void =>
    showBought(result, {
      operation,
      price: `USD ${price} in USDC on ${network}`,
      answers,
      bringUp: add,
      forget: (answer) => become(without(answer)),
    });
  function become(now: readonly Answer[]): void {
    answers = now;
    keepAnswers(operation, answers);
    show();
  }
  function add(answer: Answer): void {
    become([answer, ...without(answer)].slice(0, MAX_ANSWERS));
  }
  const isEmpty = (): boolean => answers.length === 0;
  return { isEmpty, add, show: () => isEmpty() || show() };
}
