import type { Day } from '../domain/calendar.ts';
import { dayText, parseDay, utcDay } from '../domain/calendar.ts';
import type { Fault } from '../domain/result.ts';
import { validate } from '../exchange/validate.ts';
import lateFee from '../operations/late-fee.ts';
import quote from '../operations/quote.ts';
import type { Block } from '../surfaces/pages/content.ts';
import {
  BLANK,
  type Letterhead,
  paperIn,
  paperQuery,
  withoutPaper,
} from '../surfaces/pages/documents/letterhead.ts';
import { rateFaults } from '../surfaces/pages/form-reading.ts';
import { type FormValues, formValues, rawValues, valuesQuery } from '../surfaces/pages/form-values.ts';
import { lateFeeView } from '../surfaces/pages/views/late-fee.ts';
import { quoteView } from '../surfaces/pages/views/quote.ts';
import { asResult } from '../surfaces/pages/views/words.ts';
import { barFor } from './bar.ts';
import { addRow, faultsOfWritten, isMeantFor, isUntouched, showFaults, write, writtenIn } from './form.ts';
import { showWritten, startForm } from './form-start.ts';
import type { PaperKind, Paperwork } from './paperwork.ts';
import { mainFigure, showResult, showStale } from './shown-result.ts';

/*
 * Works out the result of a free calculator while somebody types, with the very code that the API runs. Nothing is
 * sent; a link that shares it holds what was written behind its #, which browsers keep to themselves.
 */

type PaperModule = {
  readonly kind: PaperKind<unknown>;
  readonly paperwork: typeof import('./paperwork.ts').paperwork;
};

type Calculator = {
  readonly operation: unknown;
  readonly view: (body: never) => readonly Block[];
  /** Its document for a client, where it has one; it comes once there is something to put on it. */
  readonly paper?: () => Promise<PaperModule>;
};

const calculators: Readonly<Record<string, Calculator>> = {
  late_fee: { operation: lateFee, view: lateFeeView },
  quote_totals: {
    operation: quote,
    view: quoteView,
    paper: async () => {
      const { paperwork, quotePaper } = await import('./quote-paper.ts');
      return { paperwork, kind: quotePaper as PaperKind<unknown> };
    },
  },
};

let isPressed = false;
for (const [event, now] of [
  ['pointerdown', true],
  ['pointerup', false],
  ['pointercancel', false],
] as const)
  addEventListener(
    event,
    () => {
      isPressed = now;
    },
    true,
  );

/** What is shown of a result: its figures and what they were made of. */
type Parts = {
  readonly calculator: Calculator;
  readonly form: HTMLFormElement;
  readonly result: HTMLElement;
  readonly status: HTMLElement | null;
};

function start(parts: Parts): void {
  const { form, result } = parts;
  const say = (text: string) => {
    if (parts.status && parts.status.textContent !== text) parts.status.textContent = text;
  };
  const speak = pausing(1_000, say);
  const bar = barFor(result);
  const desk = deskOf(parts, () => remember());
  let asked = 0;
  let hadResult = false;
  /** Where something was said to be wrong: said while a field is written, it would be said too soon. */
  let told = new Set<string>();
  let written = writtenIn(form);

  const link = (values: FormValues, issuedOn: string | null = null): string =>
    [valuesQuery(values), paperQuery({ letterhead: desk.letterhead(), issuedOn })].filter(Boolean).join('&');
  // Whatever is written is in the address, so that a reload loses nothing. Browsers refuse an address a keystroke.
  const remember = pausing(250, () => {
    const query = isUntouched(form) ? '' : link(written);
    history.replaceState(null, '', query === '' ? location.pathname : `#${query}`);
  });

  /** Shows the result, or what is wrong: all of it once somebody has asked, before that what was written and left. */
  const work = (when: 'typing' | 'left' | 'asked', from?: FormValues): void => {
    const isAsked = when === 'asked';
    // A sign that was written may say the currency.
    showWritten(form);
    written = from ?? writtenIn(form);
    const { faults, body } = workedOut(parts.calculator, written, utcDay(Date.now()));
    if (isAsked) asked += 1;
    const telling = asked > 0 ? faults : faultsOfWritten(form, faults);
    if (when !== 'typing') told = new Set(telling.map(({ pointer }) => pointer));
    showFaults(
      form,
      telling.filter(({ pointer }) => told.has(pointer)),
      isAsked,
    );
    if (body !== null) {
      hadResult = true;
      const blocks = asResult(parts.calculator.view(body as never));
      const pinned = { ...written, fields: { ...written.fields, ...pinnedDay(form, written) } };
      showResult(form, result, blocks, {
        shared: () => `${location.origin}${location.pathname}#${link(pinned)}`,
        carried: link(written),
        hasPaper: desk.hasPaper,
      });
      bar.show(blocks);
      desk.show(body);
      speak(mainFigure(blocks));
    } else if (hadResult) {
      showStale(result, when !== 'typing');
      bar.dim();
      if (when !== 'typing') speak('No new result yet: something in the form needs a change.');
    }
    if (body === null && isAsked) form.querySelector<HTMLElement>('#faults a')?.focus();
    remember();
  };

  let frame = 0;
  form.addEventListener('input', () => {
    cancelAnimationFrame(frame);
    frame = requestAnimationFrame(() => work('typing'));
  });
  // A date that does not exist changes no value, so leaving a field is what counts.
  form.addEventListener('focusout', ({ target }) => {
    if (!(target as Element).matches('input, select, textarea')) return;
    const was = asked;
    // What was pressed may have asked for all that is wrong, which then stands.
    afterPress(() => {
      if (asked === was) work('left');
    });
  });
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    cancelAnimationFrame(frame);
    const add = event.submitter?.closest('[data-add]')?.closest<HTMLElement>('[data-list]');
    if (add) addRow(add)?.focus();
    else work('asked');
  });
  document.querySelector<HTMLAnchorElement>('[data-example]')?.addEventListener('click', (event) => {
    event.preventDefault();
    fill(new URL((event.currentTarget as HTMLAnchorElement).href).search);
  });

  const fill = (query: string): void => {
    hadResult = false;
    result.replaceChildren();
    const values = formValues(withoutPaper(query));
    write(form, values);
    desk.write(paperIn(query).letterhead);
    // What the form has no room for is still wrong, and not quietly left out.
    work('asked', values);
  };
  /** What was shared: a document to read, or what was written. */
  const open = (): boolean => {
    const query = location.hash.slice(1);
    if (!isMeantFor(form, query)) return false;
    const { letterhead, issuedOn } = paperIn(query);
    const day = issuedOn === null ? null : parseDay(issuedOn);
    const body = day === null ? null : workedOut(parts.calculator, formValues(withoutPaper(query)), day).body;
    document.querySelector('main')?.classList.toggle('reading', body !== null);
    if (body !== null) desk.read(body, letterhead, issuedOn ?? '');
    else fill(query);
    return true;
  };
  desk.onEdit(() => {
    const query = location.hash.slice(1);
    const { letterhead } = paperIn(query);
    const copy = [withoutPaper(query), paperQuery({ letterhead, issuedOn: null })]
      .map(String)
      .filter(Boolean);
    history.replaceState(null, '', `#${copy.join('&')}`);
    location.reload();
  });
  desk.onShare(() => `${location.origin}${location.pathname}#${link(written, dayText(utcDay(Date.now())))}`);

  const isSent = isMeantFor(form, location.search);
  startForm(form, !isSent && !isMeantFor(form, location.hash.slice(1)));
  addEventListener('hashchange', open);
  if (open()) return;
  if (isSent) work('asked');
}

/** Without a day of its own, a shared fee would grow: it is that of today. */
function pinnedDay(form: HTMLFormElement, { fields }: FormValues): Record<string, string> {
  const isOpen = form.querySelector('[name="paid_date"]') !== null && !fields.paid_date;
  return isOpen ? { paid_date: dayText(utcDay(Date.now())) } : {};
}

/** Acts once nothing more has come for a while. */
function pausing<Args extends readonly unknown[]>(ms: number, act: (...args: Args) => void) {
  let waiting: ReturnType<typeof setTimeout> | undefined;
  return (...args: Args): void => {
    clearTimeout(waiting);
    waiting = setTimeout(() => act(...args), ms);
  };
}

/** Waits until nothing is being pressed: words that come in between would move a button away from under the finger. */
function afterPress(act: () => void): void {
  if (isPressed) addEventListener('pointerup', () => setTimeout(act), { once: true });
  else act();
}

/** The very answer of the API; null with what is wrong. */
function workedOut(
  { operation }: Calculator,
  written: FormValues,
  today: Day,
): { faults: readonly Fault[]; body: unknown } {
  const own = rateFaults(written);
  const raw = { values: rawValues(written), faults: own };
  const validated = validate(operation as never, raw, { today });
  if (!validated.ok) return { faults: validated.faults, body: null };
  const answer = (operation as typeof quote).run(validated.input as never, { today });
  if (answer.kind === 'answer') return { faults: [], body: answer.body };
  return { faults: answer.kind === 'invalid' ? answer.faults : [], body: null };
}

/** The document below the calculator: written on while its result changes, or read alone. */
function deskOf({ calculator }: Parts, onChange: () => void) {
  const place = document.querySelector<HTMLElement>('#document');
  let paper: Paperwork<unknown> | null = null;
  let loading: Promise<Paperwork<unknown>> | null = null;
  let letterhead: Letterhead = BLANK;
  let share = () => '';
  let edit = () => {};
  const loaded = (load: () => Promise<PaperModule>): Promise<Paperwork<unknown>> => {
    loading ??= load().then(({ paperwork, kind }) => {
      const made = paperwork(kind, {
        onChange: () => {
          letterhead = made.letterhead();
          onChange();
        },
        share: () => share(),
        edit: () => edit(),
      });
      paper = made;
      place?.replaceChildren(made.element);
      return made;
    });
    return loading;
  };
  const put = async (body: unknown, day: string): Promise<void> => {
    if (calculator.paper === undefined) return;
    const isNew = paper === null;
    const made = await loaded(calculator.paper);
    made.show(body, day);
    if (isNew) made.write(letterhead);
  };
  return {
    hasPaper: calculator.paper !== undefined,
    letterhead: () => letterhead,
    show: pausing(150, (body: unknown) => void put(body, dayText(utcDay(Date.now())))),
    write(written: Letterhead) {
      letterhead = written;
      paper?.write(written);
    },
    async read(body: unknown, written: Letterhead, day: string) {
      letterhead = written;
      await put(body, day);
      paper?.write(written);
      paper?.read();
    },
    onShare(made: () => string) {
      share = made;
    },
    onEdit(act: () => void) {
      edit = act;
    },
  };
}

const form = document.querySelector<HTMLFormElement>('#form');
const result = document.querySelector<HTMLElement>('#result');
const calculator = calculators[form?.dataset.operation ?? ''];
if (form && result && calculator)
  start({ calculator, form, result, status: document.querySelector<HTMLElement>('#status') });
