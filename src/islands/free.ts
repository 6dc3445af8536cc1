import { utcDay } from '../domain/calendar.ts';
import { validate } from '../exchange/validate.ts';
import lateFee from '../operations/late-fee.ts';
import quote from '../operations/quote.ts';
import { Blocks } from '../surfaces/pages/blocks.tsx';
import type { Block } from '../surfaces/pages/content.ts';
import { formValues, rawValues, valuesQuery } from '../surfaces/pages/form-values.ts';
import { lateFeeView } from '../surfaces/pages/views/late-fee.ts';
import { quoteView } from '../surfaces/pages/views/quote.ts';
import { asResult } from '../surfaces/pages/views/words.ts';
import { addRow, showFaults, write, writtenIn } from './form.ts';
import { toolbar } from './toolbar.ts';

/*
 * Works out the result of a free calculator while somebody types, with the very code that the API runs. Nothing is
 * sent; a link that shares it holds what was written behind its #, which browsers keep to themselves.
 */

const calculators = {
  late_fee: { operation: lateFee, view: lateFeeView as (body: never) => readonly Block[] },
  quote_totals: { operation: quote, view: quoteView as (body: never) => readonly Block[] },
};

const form = document.querySelector<HTMLFormElement>('#form');
const result = document.querySelector<HTMLElement>('#result');
const calculator = calculators[form?.dataset.operation as keyof typeof calculators];
if (form && result && calculator) start(form, result);

function start(form: HTMLFormElement, result: HTMLElement): void {
  let hasTried = false;

  /** Shows the result or, once somebody has asked for it, what is wrong. */
  const work = (isAsked: boolean): void => {
    const written = writtenIn(form);
    const context = { today: utcDay(Date.now()) };
    const raw = { values: rawValues(written), faults: [] };
    const validated = validate(calculator.operation as never, raw, context);
    const answer = validated.ok ? calculator.operation.run(validated.input as never, context) : null;
    const faults = validated.ok ? (answer?.kind === 'invalid' ? answer.faults : []) : validated.faults;
    hasTried ||= isAsked;
    showFaults(form, hasTried ? faults : [], isAsked);
    if (answer?.kind === 'answer') {
      const blocks = asResult(calculator.view(answer.body as never));
      // Escaped by the renderer that the server uses.
      result.innerHTML = String(Blocks({ blocks }));
      result.append(toolbar(blocks, shareLink(written)));
    } else {
      result.replaceChildren();
      if (isAsked) form.querySelector<HTMLElement>('#faults a')?.focus();
    }
    history.replaceState(
      null,
      '',
      answer?.kind === 'answer' ? `#${valuesQuery(written)}` : location.pathname,
    );
  };

  let waiting: ReturnType<typeof setTimeout> | undefined;
  form.addEventListener('input', () => {
    clearTimeout(waiting);
    waiting = setTimeout(() => work(false), 120);
  });
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    clearTimeout(waiting);
    const add = event.submitter?.closest('[data-add]')
      ? event.submitter.closest<HTMLElement>('[data-list]')
      : null;
    if (add) addRow(add)?.focus();
    else work(true);
  });
  document.querySelector<HTMLAnchorElement>('[data-example]')?.addEventListener('click', (event) => {
    event.preventDefault();
    fill(new URL((event.currentTarget as HTMLAnchorElement).href).search);
  });

  const fill = (query: string): void => {
    write(form, formValues(new URLSearchParams(query)));
    work(true);
  };
  // What was shared, or what was sent to the server before the script came.
  addEventListener('hashchange', () => fill(location.hash.slice(1)));
  if (location.hash.length > 1) fill(location.hash.slice(1));
  else if (location.search.length > 1) work(true);
}

function shareLink(written: ReturnType<typeof writtenIn>): string {
  return `${location.origin}${location.pathname}#${valuesQuery(written)}`;
}
