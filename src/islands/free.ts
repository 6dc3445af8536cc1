import type { Reckoning } from '../catalog/operation.ts';
import type { Day } from '../domain/calendar.ts';
import { dayText, utcDay } from '../domain/calendar.ts';
import type { Fault } from '../domain/result.ts';
import { validate } from '../exchange/validate.ts';
import type { Block } from '../surfaces/pages/content.ts';
import { rateFaults } from '../surfaces/pages/form-reading.ts';
import { type FormValues, formValues, rawValues, valuesQuery } from '../surfaces/pages/form-values.ts';
import { asResult } from '../surfaces/pages/views/format.ts';
import { type Bar, barFor } from './bar.ts';
import { carryAlong, jobHere, laterJob, placeHere, takeUp, writeAddress } from './carry.ts';
import {
  faultsOfWritten,
  hasSentValues,
  isMeantFor,
  isUntouched,
  showFaults,
  write,
  writtenIn,
} from './form.ts';
import { showWritten, startForm } from './form-start.ts';
import { keepLast, offerLast } from './last-written.ts';
import { mainFigure, showResult, showStale } from './shown-result.ts';
import { afterPress, debounced } from './timing.ts';

/*
 * Works out the result of a free calculator while somebody types, with the same code that the API runs. Nothing is
 * sent; a link that shares it holds the values behind its #, which browsers do not send.
 */

/** How an answer is worked out and shown. */
export type Calculator = {
  readonly reckoning: Reckoning;
  readonly view: (body: never) => readonly Block[];
};

/** A calculator at work. */
type Page = {
  readonly calculator: Calculator;
  readonly form: HTMLFormElement;
  readonly result: HTMLElement;
  readonly bar: Bar;
  /** Announces the main figure to screen readers, once typing has paused. */
  readonly speak: (text: string) => void;
  /** Writes the values into the address, so that a reload loses nothing. */
  readonly remember: () => void;
  /** How often the form was submitted. */
  asked: number;
  hadResult: boolean;
  /** Pointers of the faults that are shown; while a field is typed in, it would be too soon for new ones. */
  shownFaults: ReadonlySet<string>;
  written: FormValues;
};

function start(calculator: Calculator, form: HTMLFormElement, result: HTMLElement): void {
  const status = document.querySelector<HTMLElement>('#status');
  const page: Page = {
    calculator,
    form,
    result,
    bar: barFor(result),
    speak: debounced(1_000, (text: string) => {
      if (status && status.textContent !== text) status.textContent = text;
    }),
    // Browsers refuse to change the address at every key press.
    remember: debounced(250, () => keepWritten(page)),
    asked: 0,
    hadResult: false,
    shownFaults: new Set(),
    written: writtenIn(form),
  };
  // The address is updated a moment later, and one comes back to it.
  const carried = (): string => {
    takeUp(laterJob(jobHere()));
    if (writtenQuery(page) !== '') keepWritten(page);
    return location.hash;
  };
  carryAlong(form, carried);
  const isSent = hasSentValues(form);
  const acts = { ask: () => work(page, 'asked'), fill: (query: string) => fillAnew(page, query) };
  startForm(form, !isSent && !isMeantFor(form, location.hash.slice(1)), acts);
  listen(page);
  sayWhere(form.querySelector<HTMLElement>('.where'));
  if (open(page)) return;
  if (isSent) {
    work(page, 'asked');
    // At once: loaded again, the page is asked for without what was sent.
    keepWritten(page);
  } else offerLast(form, () => open(page));
}

/** From now on nothing that is written is sent. */
function sayWhere(where: HTMLElement | null): void {
  const said = where?.firstElementChild;
  if (!where || !said) return;
  const { other = '' } = where.dataset;
  where.dataset.other = said.textContent ?? '';
  said.textContent = other;
}

/** The values as part of a link; empty where nothing was written. */
const writtenQuery = (page: Page): string => (isUntouched(page.form) ? '' : valuesQuery(page.written));

function keepWritten(page: Page): void {
  const query = writtenQuery(page);
  writeAddress(query === '' ? location.pathname : `#${query}`);
  if (query !== '') keepLast();
}

const addressOf = (query: string): string => `${location.origin}${location.pathname}#${query}`;

/** Shows the result or the faults: all of them once the form was submitted, before that those of fields that were left. */
function work(page: Page, when: 'typing' | 'left' | 'asked', from?: FormValues): void {
  const { form, calculator } = page;
  // A currency sign that was typed may choose the currency.
  showWritten(form);
  page.written = from ?? writtenIn(form);
  const { faults, body } = workedOut(calculator, page.written, utcDay(Date.now()));
  const isAsked = when === 'asked';
  if (isAsked) page.asked += 1;
  const shown = page.asked > 0 ? faults : faultsOfWritten(form, faults);
  if (when !== 'typing') page.shownFaults = new Set(shown.map(({ pointer }) => pointer));
  showFaults(
    form,
    shown.filter(({ pointer }) => page.shownFaults.has(pointer)),
    isAsked,
  );
  if (body !== null) showBody(page, body);
  else if (page.hadResult) showOld(page, when !== 'typing');
  if (body === null && isAsked) form.querySelector<HTMLElement>('#faults a')?.focus();
  page.remember();
}

function showBody(page: Page, body: unknown): void {
  const { form, result, calculator, written } = page;
  page.hadResult = true;
  const blocks = asResult(calculator.view(body as never));
  const pinned = { ...written, fields: { ...written.fields, ...pinnedDay(form, written) } };
  showResult(form, result, blocks, {
    shared: () => addressOf(valuesQuery(pinned)),
    carried: valuesQuery(written),
  });
  page.bar.show(blocks);
  page.speak(mainFigure(blocks));
}

function showOld({ result, bar, speak }: Page, isSaid: boolean): void {
  showStale(result, isSaid);
  bar.dim();
  if (isSaid) speak('No new result yet: something in the form needs a change.');
}

function listen(page: Page): void {
  const { form } = page;
  let frame = 0;
  form.addEventListener('input', () => {
    cancelAnimationFrame(frame);
    frame = requestAnimationFrame(() => work(page, 'typing'));
  });
  // A date that does not exist fires no input event, so a field is also checked when it is left.
  form.addEventListener('focusout', ({ target }) => {
    if (!(target as Element).matches('input, select, textarea')) return;
    const was = page.asked;
    // The press may have submitted the form, which shows all faults.
    afterPress(() => {
      if (page.asked === was) work(page, 'left');
    });
  });
  form.addEventListener('submit', () => cancelAnimationFrame(frame));
  addEventListener('hashchange', ({ newURL }) => {
    // Before this event, a timer may have put what was written before into the address.
    if (location.href !== newURL) writeAddress(newURL);
    open(page);
  });
}

/** An example is a job of its own. */
function fillAnew(page: Page, query: string): void {
  takeUp();
  fill(page, query);
}

function fill(page: Page, query: string): void {
  page.hadResult = false;
  page.result.replaceChildren();
  const values = formValues(new URLSearchParams(query));
  write(page.form, values);
  // Values that the form has no field for are reported as faults and not left out silently.
  work(page, 'asked', values);
}

/** Opens the values that a link shares; false where it shares nothing. */
function open(page: Page): boolean {
  takeUp(jobHere() ?? placeHere()?.job);
  const query = location.hash.slice(1);
  if (!isMeantFor(page.form, query)) return false;
  fill(page, query);
  return true;
}

/** A shared fee without a day would grow, so it is pinned to today. */
function pinnedDay(form: HTMLFormElement, { fields }: FormValues): Record<string, string> {
  const isOpen = form.querySelector('[name="paid_date"]') !== null && !fields.paid_date;
  return isOpen ? { paid_date: dayText(utcDay(Date.now())) } : {};
}

/** The same answer as the API's; null with its faults. */
function workedOut(
  { reckoning }: Calculator,
  written: FormValues,
  today: Day,
): { faults: readonly Fault[]; body: unknown } {
  const own = rateFaults(written);
  const raw = { values: rawValues(written), faults: own };
  const validated = validate(reckoning, raw, { today });
  if (!validated.ok) return { faults: validated.faults, body: null };
  const answer = reckoning.run(validated.input, { today });
  if (answer.kind === 'answer') return { faults: [], body: answer.body };
  return { faults: answer.kind === 'invalid' ? answer.faults : [], body: null };
}

/** Makes the form of the page a calculator. */
export function startCalculator(calculator: Calculator): void {
  const form = document.querySelector<HTMLFormElement>('#form');
  const result = document.querySelector<HTMLElement>('#result');
  if (form && result) start(calculator, form, result);
}
