import { h, hydrate } from 'preact';
import { holdRates, readOperatorRates } from '../domain/statutory-rates.ts';
import { BLANK } from '../surfaces/pages/documents/letterhead.ts';
import {
  type AppProps,
  LateApp,
  type LateData,
  NO_LETTERS,
  sentProps,
} from '../surfaces/pages/late-invoice/late-app.tsx';
import { isBlank, letterheadOf } from '../surfaces/pages/late-invoice/late-state.ts';
import { isMeantFor, paperName } from '../surfaces/pages/quote/quote-state.ts';
import { type Draft, isOfAnother, keptDraft, LateDesk, writtenIn } from './late-desk.ts';
import { buy, lettersOf, payOf, sayChanged, startLetters, wantedOf } from './late-letters.ts';
import { mayRemember } from './own-memory.ts';
import { goTo, isSharing, printAs, writeAddress } from './page.ts';
import { sweep } from './pay/stored-purchases.ts';
import { typedEarly } from './typed-early.ts';

/*
 * The late-invoice page: the server's component with the state of this device. No input is sent before the user
 * requests a letter.
 */

function start(root: HTMLElement, data: LateData): void {
  const fromService = sentProps(data);
  const writeEarly = typedEarly(root);
  hydrate(h(LateApp, fromService), root);
  // Runs before anything stored is shown, so that an expired letter does not appear again.
  sweep();
  const isSent = !isBlank(fromService.written);
  const kept = keptDraft();
  // The values of a page, like the values of a link, can come from anybody.
  const draft: Draft = {
    written: fromService.written,
    isForeign: isSent && isOfAnother(fromService.written),
    front: null,
  };
  const desk = new LateDesk(root, data, propsOf);
  desk.begin(kept ?? draft);
  if (!open(desk)) {
    if (isSent) desk.replace(draft, kept && 'This invoice has replaced yours.');
    else desk.set({});
    // Removes the values from the address, so that client names do not stay in the browser history.
    if (location.search !== '') writeAddress(location.pathname + location.hash);
    if (isSent) {
      // On a reload, the browser requests the page without the submitted values.
      writeAddress(location.pathname);
      if (desk.now.faults.length > 0) desk.ask();
    }
  }
  listen(desk);
  startLetters(desk);
  writeEarly();
}

/** Opens the values of a link in place of the current input; false if it holds none for this form. */
function open(desk: LateDesk): boolean {
  const query = location.hash.slice(1);
  const { form } = desk;
  if (!isMeantFor(form, query)) return false;
  const written = writtenIn(form, query);
  const says = 'This invoice came with the link and replaced yours.';
  desk.replace({ written, isForeign: isOfAnother(written) }, says);
  writeAddress(location.pathname);
  if (desk.now.faults.length > 0) desk.ask();
  return true;
}

function propsOf(desk: LateDesk): AppProps {
  const { data, state, now } = desk;
  const { undoing, written, copied } = state;
  return {
    form: data.form,
    action: data.action,
    attributes: data.attributes,
    written,
    worked: now,
    shown: desk.shown(),
    isSummed: state.isAsked,
    currency: now.currency,
    acts: {
      write: (name, value) => write(desk, name, value),
      copyText: () => void desk.copy('text', desk.figuresText()),
      print: () => printAs(`Amount due ${letterheadOf(written).number}`.trim()),
      copyLink: () => void desk.share('link', { url: desk.figureLink() }),
      beginAnew() {
        const blank = { written: { fields: {}, letterhead: BLANK }, isForeign: false };
        desk.replace(blank, 'You have started a new invoice.');
        goTo('f-amount');
      },
    },
    copied,
    isSharing: isSharing(),
    letter: data.letter && {
      ...data.letter,
      isCopied: copied === 'prompt',
      isRemembering: mayRemember() && !state.isForeign,
      isForeign: state.isForeign,
      acts: {
        buy: () => void buy(desk),
        copyPrompt: () =>
          void payOf(desk)
            .then((pay) => pay.copyPrompt(wantedOf(desk)))
            .then((isCopied) => desk.sayCopied('prompt', isCopied)),
        remember: (isWanted) => desk.rememberBusiness(isWanted),
      },
    },
    bought: lettersOf(desk)?.props() ?? NO_LETTERS,
    undoing,
    status: state.status,
  };
}

/**
 * Records an edit. An edit on the document also belongs to the letter that is shown, and any other edit begins another
 * letter.
 */
function write(desk: LateDesk, name: string, value: string): void {
  const onPaper = paperName(name);
  if (!desk.write(name, value, onPaper === null ? { front: null } : {})) return;
  if (onPaper !== null) lettersOf(desk)?.edit(onPaper, letterheadOf(desk.state.written)[onPaper] ?? '');
  else sayChanged();
}

/** Enter moves to the other field if that is empty. Otherwise it moves to the figure and shows what is missing. */
function goOn(desk: LateDesk): void {
  const fields = [...desk.root.querySelectorAll<HTMLInputElement>('.late-ask input')];
  const empty = fields.find(
    (field) => field.value === '' && !field.validity.badInput && field !== document.activeElement,
  );
  if (empty !== undefined) empty.focus();
  else if (desk.now.faults.length > 0) desk.ask();
  else document.querySelector('#figure')?.scrollIntoView({ block: 'nearest' });
}

function listen(desk: LateDesk): void {
  desk.listen({
    open: () => open(desk),
    submit: () => goOn(desk),
    fillIn(query) {
      const written = writtenIn(desk.form, query);
      desk.replace({ written, isForeign: false }, 'The example has replaced your invoice.');
    },
  });
}

const rates = document.querySelector<HTMLMetaElement>('meta[name="reference-rates"]')?.content ?? '';
holdRates(readOperatorRates(rates.split(',')));
const root = document.querySelector<HTMLElement>('#late');
const data = document.querySelector('#late-data');
if (root && data) start(root, JSON.parse(data.textContent ?? '') as LateData);
