import type { Reckoning } from '../catalog/operation.ts';
import { utcDay } from '../domain/calendar.ts';
import type { Fault } from '../domain/result.ts';
import { validate } from '../exchange/validate.ts';
import { Blocks } from '../surfaces/pages/blocks.tsx';
import type { Block } from '../surfaces/pages/content.ts';
import { type FormValues, formValues, rawValues, valuesQuery } from '../surfaces/pages/form-values.ts';
import { asResult } from '../surfaces/pages/views/words.ts';
import { carryAlong } from './carry.ts';
import { addRow, faultsOfWritten, isMeantFor, showFaults, write, writtenIn } from './form.ts';
import { toolbar } from './toolbar.ts';

/*
 * Works out the result of a free calculator while somebody types, with the very code that the API runs. Nothing is
 * sent; a link that shares it holds what was written behind its #, which browsers keep to themselves.
 */

/** How an answer is worked out, and how it is shown. */
export type Calculator = {
  readonly reckoning: Reckoning;
  readonly view: (body: never) => readonly Block[];
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

/** Makes the form of the page a calculator. */
export function startCalculator(calculator: Calculator): void {
  const form = document.querySelector<HTMLFormElement>('#form');
  const result = document.querySelector<HTMLElement>('#result');
  if (form && result) start(calculator, form, result);
  carryAlong();
}

function start(calculator: Calculator, form: HTMLFormElement, result: HTMLElement): void {
  const status = document.querySelector<HTMLElement>('#status');
  let asked = 0;
  let hadResult = false;
  let speaking: ReturnType<typeof setTimeout> | undefined;

  /** For those who hear the page: once typing has paused, and the main figure alone. */
  const speak = (text: string): void => {
    clearTimeout(speaking);
    speaking = setTimeout(() => {
      if (status && status.textContent !== text) status.textContent = text;
    }, 1_000);
  };

  /** Shows the result, or what is wrong: all of it once somebody has asked, before that only what was written. */
  const work = (when: 'typing' | 'left' | 'asked', written = writtenIn(form)): void => {
    const isAsked = when === 'asked';
    const { faults, blocks } = workedOut(calculator, written);
    if (isAsked) asked += 1;
    const telling = asked > 0 ? faults : when === 'left' || hadResult ? faultsOfWritten(form, faults) : [];
    showFaults(form, telling, isAsked);
    if (blocks !== null) {
      hadResult = true;
      // Escaped by the renderer that the server uses.
      result.innerHTML = String(Blocks({ blocks }));
      result.append(toolbar(blocks, shareLink(written)));
      speak(mainFigure(blocks));
    } else {
      result.replaceChildren(...(hadResult ? [unfinished()] : []));
      if (hadResult) speak('No result yet: something in the form needs a change.');
      if (isAsked) form.querySelector<HTMLElement>('#faults a')?.focus();
    }
    // Whatever is written is in the address, so that a reload loses nothing.
    const query = valuesQuery(written);
    history.replaceState(null, '', query === '' ? location.pathname : `#${query}`);
  };

  let waiting: ReturnType<typeof setTimeout> | undefined;
  form.addEventListener('input', () => {
    clearTimeout(waiting);
    waiting = setTimeout(() => work('typing'), 120);
  });
  // A date that does not exist changes no value, so leaving a field is what counts.
  form.addEventListener('focusout', ({ target }) => {
    if (!(target as Element).matches('input, select')) return;
    clearTimeout(waiting);
    const was = asked;
    // What was pressed may have asked for all that is wrong, which then stands.
    afterPress(() => {
      if (asked === was) work('left');
    });
  });
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    clearTimeout(waiting);
    const add = event.submitter?.closest('[data-add]')?.closest<HTMLElement>('[data-list]');
    if (add) addRow(add)?.focus();
    else work('asked');
  });
  document.querySelector<HTMLAnchorElement>('[data-example]')?.addEventListener('click', (event) => {
    event.preventDefault();
    fill(new URL((event.currentTarget as HTMLAnchorElement).href).search);
  });

  const fill = (query: string): void => {
    const values = formValues(new URLSearchParams(query));
    write(form, values);
    // What the form has no room for is still wrong, and not quietly left out.
    work('asked', values);
  };
  // What was shared, or what was sent to the server before the script came.
  const shared = () => location.hash.slice(1);
  addEventListener('hashchange', () => {
    if (isMeantFor(form, shared())) fill(shared());
  });
  if (isMeantFor(form, shared())) fill(shared());
  else if (isMeantFor(form, location.search)) work('asked');
}

/** Waits until nothing is being pressed: words that come in between would move a button away from under the finger. */
function afterPress(act: () => void): void {
  if (isPressed) addEventListener('pointerup', () => setTimeout(act), { once: true });
  else act();
}

/** The very answer of the API, as blocks; null with what is wrong. */
function workedOut(
  { reckoning, view }: Calculator,
  written: FormValues,
): { faults: readonly Fault[]; blocks: readonly Block[] | null } {
  const context = { today: utcDay(Date.now()) };
  const raw = { values: rawValues(written), faults: [] };
  const validated = validate(reckoning, raw, context);
  if (!validated.ok) return { faults: validated.faults, blocks: null };
  const answer = reckoning.run(validated.input, context);
  if (answer.kind === 'answer') return { faults: [], blocks: asResult(view(answer.body as never)) };
  return { faults: answer.kind === 'invalid' ? answer.faults : [], blocks: null };
}

/** "Total due 1,260.63" */
function mainFigure(blocks: readonly Block[]): string {
  for (const block of blocks) {
    const main = 'figures' in block ? block.figures.find(({ strong }) => strong) : undefined;
    if (main) return `${main.label} ${main.value}`;
  }
  return '';
}

function unfinished(): HTMLElement {
  const note = document.createElement('p');
  note.className = 'note';
  note.textContent = 'Something in the form needs a change before there is a result.';
  return note;
}

function shareLink(written: FormValues): string {
  return `${location.origin}${location.pathname}#${valuesQuery(written)}`;
}
