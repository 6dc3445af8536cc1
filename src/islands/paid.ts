import type { Fault } from '../domain/result.ts';
import { formValues, rawValues } from '../surfaces/pages/form-values.ts';
import { showBought } from './bought.ts';
import { createCheckout } from './checkout.ts';
import { addRow, showFaults, write, writtenIn } from './form.ts';
import { panelIn } from './panel.ts';
import { createPaying } from './paying.ts';
import { type Answer, forgetAnswer, keepAnswer, keptAnswer } from './pending.ts';
import { requestOf } from './request.ts';
import { watchWallets } from './wallet.ts';

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
  const { operation = '', method = '', route = '', price = '', network = '', view = '' } = form.dataset;
  const panel = panelIn(section);
  const onFaults = (faults: readonly Fault[]): void => {
    showFaults(form, faults, true);
    form.querySelector<HTMLElement>('#faults a')?.focus();
  };
  const show = (answer: Answer): void =>
    showBought(result, view, {
      ...answer,
      price: `USD ${price} in USDC on ${network}`,
      forget: () => forgetAnswer(operation),
    });
  const paying = createPaying({
    operation,
    network,
    panel,
    wallets: watchWallets(),
    onFaults,
    onBought: (body, transaction) => {
      keepAnswer(operation, { body, transaction });
      show({ body, transaction });
    },
    onAgain: (request) => void checkout.ask(request),
  });
  const checkout = createCheckout({ price, network, panel, paying, onFaults });
  const ask = () => {
    showFaults(form, [], true);
    return checkout.ask(requestOf(method, route, rawValues(writtenIn(form))));
  };

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
    checkout.changed();
    form.querySelector<HTMLElement>('[name]')?.focus();
  });

  const query = new URLSearchParams(location.search);
  // What was sent to the server before the script came is priced here; a wish for more lines is no such thing.
  if (paying.resume() || query.has('rows')) return;
  if (query.size === 0) {
    const bought = keptAnswer(operation);
    if (bought !== null) show(bought);
    return;
  }
  result.replaceChildren();
  void ask();
}
