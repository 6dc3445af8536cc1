import type { Reckoning } from '../catalog/operation.ts';
import type { Day } from '../domain/calendar.ts';
import { dayText, parseDay, utcDay } from '../domain/calendar.ts';
import type { Fault } from '../domain/result.ts';
import { validate } from '../exchange/validate.ts';
import type { Block } from '../surfaces/pages/content.ts';
import { paperIn, paperQuery, withoutPaper } from '../surfaces/pages/documents/letterhead.ts';
import { rateFaults } from '../surfaces/pages/form-reading.ts';
import { type FormValues, formValues, rawValues, valuesQuery } from '../surfaces/pages/form-values.ts';
import { asResult } from '../surfaces/pages/views/words.ts';
import { type Bar, barFor } from './bar.ts';
import { carryAlong } from './carry.ts';
import { type Desk, deskOf, type PaperModule } from './desk.ts';
import { faultsOfWritten, isMeantFor, isUntouched, showFaults, write, writtenIn } from './form.ts';
import { showWritten, startForm } from './form-start.ts';
import { addRow } from './rows.ts';
import { mainFigure, showResult, showStale } from './shown-result.ts';
import { afterPress, pausing } from './timing.ts';

/*
 * Works out the result of a free calculator while somebody types, with the very code that the API runs. Nothing is
 * sent; a link that shares it holds what was written behind its #, which browsers keep to themselves.
 */

/** How an answer is worked out, and how it is shown. */
export type Calculator = {
  readonly reckoning: Reckoning;
  readonly view: (body: never) => readonly Block[];
  /** Its document for a client, where it has one; it comes once there is something to put on it. */
  readonly paper?: () => Promise<PaperModule>;
};

/** What is shown of a result: its figures and what they were made of. */
type Parts = {
  readonly calculator: Calculator;
  readonly form: HTMLFormElement;
  readonly result: HTMLElement;
  readonly status: HTMLElement | null;
};

/** A calculator at work. */
type Page = Parts & {
  readonly desk: Desk;
  readonly bar: Bar;
  /** For those who hear the page: once typing has paused, and the main figure alone. */
  readonly speak: (text: string) => void;
  /** Whatever is written is in the address, so that a reload loses nothing. */
  readonly remember: () => void;
  /** How often somebody asked for the result. */
  asked: number;
  hadResult: boolean;
  /** Where something was said to be wrong: while a field is written, it would be said too soon. */
  told: ReadonlySet<string>;
  written: FormValues;
};

function start(parts: Parts): void {
  const { form, status } = parts;
  const page: Page = {
    ...parts,
    desk: deskOf(parts.calculator, () => page.remember()),
    bar: barFor(parts.result),
    speak: pausing(1_000, (text: string) => {
      if (status && status.textContent !== text) status.textContent = text;
    }),
    // Browsers refuse to change an address at every key.
    remember: pausing(250, () => {
      const query = writtenQuery(page);
      history.replaceState(null, '', query === '' ? location.pathname : `#${query}`);
    }),
    asked: 0,
    hadResult: false,
    told: new Set(),
    written: writtenIn(form),
  };
  // The address comes a moment behind.
  carryAlong(() => writtenQuery(page) || location.hash);
  const isSent = isMeantFor(form, location.search);
  startForm(form, !isSent && !isMeantFor(form, location.hash.slice(1)));
  listen(page);
  if (open(page)) return;
  if (isSent) work(page, 'asked');
}

/** The part of a link that holds what is written; nothing where nothing is. */
const writtenQuery = (page: Page): string => (isUntouched(page.form) ? '' : linkOf(page, page.written));

const addressOf = (query: string): string => `${location.origin}${location.pathname}#${query}`;

/** What a link holds behind its #; with a day it is one to read. */
const linkOf = ({ desk }: Page, values: FormValues, issuedOn: string | null = null): string =>
  [valuesQuery(values), paperQuery({ letterhead: desk.letterhead(), issuedOn })].filter(Boolean).join('&');

/** Shows the result, or what is wrong: all of it once somebody has asked, before that what was written and left. */
function work(page: Page, when: 'typing' | 'left' | 'asked', from?: FormValues): void {
  const { form, calculator } = page;
  // A sign that was written may say the currency.
  showWritten(form);
  page.written = from ?? writtenIn(form);
  const { faults, body } = workedOut(calculator, page.written, utcDay(Date.now()));
  const isAsked = when === 'asked';
  if (isAsked) page.asked += 1;
  const telling = page.asked > 0 ? faults : faultsOfWritten(form, faults);
  if (when !== 'typing') page.told = new Set(telling.map(({ pointer }) => pointer));
  showFaults(
    form,
    telling.filter(({ pointer }) => page.told.has(pointer)),
    isAsked,
  );
  if (body !== null) showBody(page, body);
  else if (page.hadResult) showOld(page, when !== 'typing');
  if (body === null && isAsked) form.querySelector<HTMLElement>('#faults a')?.focus();
  page.remember();
}

function showBody(page: Page, body: unknown): void {
  const { form, result, calculator, desk, written } = page;
  page.hadResult = true;
  const blocks = asResult(calculator.view(body as never));
  const pinned = { ...written, fields: { ...written.fields, ...pinnedDay(form, written) } };
  showResult(form, result, blocks, {
    shared: () => addressOf(linkOf(page, pinned)),
    carried: linkOf(page, written),
    hasPaper: desk.hasPaper,
  });
  page.bar.show(blocks);
  desk.show(body);
  page.speak(mainFigure(blocks));
}

function showOld({ result, bar, speak }: Page, isSaid: boolean): void {
  showStale(result, isSaid);
  bar.dim();
  if (isSaid) speak('No new result yet: something in the form needs a change.');
}

function listen(page: Page): void {
  const { form, desk } = page;
  let frame = 0;
  form.addEventListener('input', () => {
    cancelAnimationFrame(frame);
    frame = requestAnimationFrame(() => work(page, 'typing'));
  });
  // A date that does not exist changes no value, so leaving a field is what counts.
  form.addEventListener('focusout', ({ target }) => {
    if (!(target as Element).matches('input, select, textarea')) return;
    const was = page.asked;
    // What was pressed may have asked for all that is wrong, which then stands.
    afterPress(() => {
      if (page.asked === was) work(page, 'left');
    });
  });
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    cancelAnimationFrame(frame);
    const add = event.submitter?.closest('[data-add]')?.closest<HTMLElement>('[data-list]');
    if (add) addRow(add)?.focus();
    else work(page, 'asked');
  });
  document.querySelector<HTMLAnchorElement>('[data-example]')?.addEventListener('click', (event) => {
    event.preventDefault();
    fill(page, new URL((event.currentTarget as HTMLAnchorElement).href).search);
  });
  addEventListener('hashchange', () => open(page));
  desk.onShare(() => addressOf(linkOf(page, page.written, dayText(utcDay(Date.now())))));
}

function fill(page: Page, query: string): void {
  page.hadResult = false;
  page.result.replaceChildren();
  const values = formValues(withoutPaper(query));
  write(page.form, values);
  page.desk.write(paperIn(query).letterhead);
  // What the form has no room for is still wrong, and not quietly left out.
  work(page, 'asked', values);
}

/** Opens what was shared: a document to read, or what was written; false where nothing was. */
function open(page: Page): boolean {
  const query = location.hash.slice(1);
  if (!isMeantFor(page.form, query)) return false;
  const { letterhead, issuedOn } = paperIn(query);
  const day = issuedOn === null ? null : parseDay(issuedOn);
  const values = formValues(withoutPaper(query));
  const body = day === null ? null : workedOut(page.calculator, values, day).body;
  document.querySelector('main')?.classList.toggle('reading', body !== null);
  if (body !== null) void page.desk.read(body, letterhead, issuedOn ?? '');
  else fill(page, query);
  return true;
}

/** Without a day of its own, a shared fee would grow: it is that of today. */
function pinnedDay(form: HTMLFormElement, { fields }: FormValues): Record<string, string> {
  const isOpen = form.querySelector('[name="paid_date"]') !== null && !fields.paid_date;
  return isOpen ? { paid_date: dayText(utcDay(Date.now())) } : {};
}

/** The very answer of the API; null with what is wrong. */
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
  if (form && result)
    start({ calculator, form, result, status: document.querySelector<HTMLElement>('#status') });
}
