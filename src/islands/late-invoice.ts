import { h, hydrate } from 'preact';
import { holdRates, readOperatorRates } from '../domain/statutory-rates.ts';
import { BLANK } from '../surfaces/pages/documents/letterhead.ts';
import {
  type AppProps,
  LateApp,
  type LateData,
  sentProps,
} from '../surfaces/pages/late-invoice/late-app.tsx';
import { isBlank, letterheadOf } from '../surfaces/pages/late-invoice/late-state.ts';
import { currencyOfRegion, regionOf } from '../surfaces/pages/money-of-regions.ts';
import { isMeantFor } from '../surfaces/pages/quote/quote-state.ts';
import { groupingOf } from '../surfaces/pages/written-number.ts';
import {
  ask,
  copy,
  type Desk,
  deskOf,
  faultsOf,
  figureLink,
  figuresText,
  keepNow,
  NOTHING_SAID,
  rememberBusiness,
  replace,
  sayCopied,
  set,
  share,
  showFaults,
  write,
} from './late-desk.ts';
import { type Draft, isOfAnother, keptDraft, withOwn, writtenIn } from './late-kept.ts';
import { boughtProps, buy, keepOnLetter, payOf, sayChanged, startLetters, wantedOf } from './late-letters.ts';
import { orNull } from './or-null.ts';
import { mayRemember, remembered } from './own-memory.ts';
import { followForm, goTo, isSharing, keepAddress, offerExample, printAs, writeAddress } from './page.ts';
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
  const kept = keptDraft(data.form);
  // Like a link, a page with values can come from anybody.
  const draft: Draft = {
    written: fromService.written,
    isForeign: isSent && isOfAnother(fromService.written),
    front: null,
  };
  const { written, isForeign, front } = kept ?? draft;
  const region = orNull(() => regionOf(navigator.languages));
  const desk = deskOf({
    root,
    data,
    habits: {
      grouping: groupingOf(navigator.language),
      proposed: remembered()?.currency || (region && currencyOfRegion(region)) || 'USD',
    },
    propsOf,
    onWritten: (isOnPaper) => (isOnPaper ? keepOnLetter(desk) : sayChanged()),
    state: { ...NOTHING_SAID, written: isForeign ? written : withOwn(written), isForeign, front },
  });
  if (!open(desk)) {
    if (isSent) replace(desk, draft, kept && 'This invoice is in the place of yours.');
    else set(desk, {});
    // Otherwise client names would stay in the browser history.
    if (location.search !== '') writeAddress(location.pathname + location.hash);
    if (isSent) {
      // On a reload, the browser requests the page without the submitted values.
      writeAddress(location.pathname);
      if (desk.now.faults.length > 0) ask(desk);
    }
  }
  listen(desk);
  startLetters(desk);
  writeEarly();
}

/** Opens the values of a link in place of the current input; false if it holds none for this form. */
function open(desk: Desk): boolean {
  const query = location.hash.slice(1);
  const { form } = desk.data;
  if (!isMeantFor(form, query)) return false;
  const written = writtenIn(form, query);
  const says = 'This invoice came with the link, in the place of yours.';
  replace(desk, { written, isForeign: isOfAnother(written), front: null }, says);
  writeAddress(location.pathname);
  if (desk.now.faults.length > 0) ask(desk);
  return true;
}

function propsOf(desk: Desk): AppProps {
  const { data, state, now } = desk;
  const { undoing, written, copied } = state;
  return {
    form: data.form,
    action: data.action,
    attributes: data.attributes,
    written,
    worked: now,
    shown: faultsOf(desk).filter(({ pointer }) => state.shown.has(pointer)),
    isSummed: state.isAsked,
    currency: now.currency,
    acts: {
      write: (name, value) => write(desk, name, value),
      copyText: () => void copy(desk, 'text', figuresText(desk)),
      print: () => printAs(`Amount due ${letterheadOf(written).number}`.trim()),
      copyLink: () => void share(desk, 'link', { url: figureLink(desk) }),
      beginAnew() {
        const blank = { written: { fields: {}, letterhead: BLANK }, isForeign: false, front: null };
        replace(desk, blank, 'A new invoice begins here.');
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
            .then((isCopied) => sayCopied(desk, 'prompt', isCopied)),
        remember: (isWanted) => rememberBusiness(desk, isWanted),
      },
    },
    bought: boughtProps(desk),
    undoing,
    status: state.status,
  };
}

/** Enter goes to the other field if that is empty, else to the figure; only then does it show what is missing. */
function goOn(desk: Desk): void {
  const fields = [...desk.root.querySelectorAll<HTMLInputElement>('.late-ask input')];
  const empty = fields.find(
    (field) => field.value === '' && !field.validity.badInput && field !== document.activeElement,
  );
  if (empty !== undefined) empty.focus();
  else if (desk.now.faults.length > 0) ask(desk);
  else document.querySelector('#figure')?.scrollIntoView({ block: 'nearest' });
}

/** A chip that the user opens is ready to be written in. */
function followChips(root: HTMLElement): void {
  const opened = ({ target }: Event): void => {
    const chip = target as HTMLDetailsElement;
    if (!chip.matches('.chip[open]') || !chip.querySelector('summary')?.matches(':focus')) return;
    chip.querySelector<HTMLElement>('.chip-fields :is(input, select, textarea)')?.focus();
  };
  // This event does not bubble.
  root.addEventListener('toggle', opened, true);
}

function listen(desk: Desk): void {
  const { root } = desk;
  addEventListener('hashchange', () => open(desk));
  keepAddress();
  followChips(root);
  followForm(root, {
    ask: () => goOn(desk),
    showFaults: () => showFaults(desk),
  });
  offerExample((query) => {
    const written = writtenIn(desk.data.form, query);
    replace(desk, { written, isForeign: false, front: null }, 'The example is in the place of your invoice.');
  });
  addEventListener('pagehide', () => desk.isChanged && keepNow(desk));
}

const rates = document.querySelector<HTMLMetaElement>('meta[name="reference-rates"]')?.content ?? '';
holdRates(readOperatorRates(rates.split(',')));
const root = document.querySelector<HTMLElement>('#late');
const data = document.querySelector('#late-data');
if (root && data) start(root, JSON.parse(data.textContent ?? '') as LateData);
