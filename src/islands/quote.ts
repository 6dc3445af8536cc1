import { h, hydrate, render } from 'preact';
import { parseDay } from '../domain/calendar.ts';
import { linesCsv } from '../surfaces/pages/documents/downloads.ts';
import { paperIn, withoutPaper } from '../surfaces/pages/documents/letterhead.ts';
import { quoteSheet } from '../surfaces/pages/documents/quote-sheet.ts';
import { sheetText } from '../surfaces/pages/documents/sheet.ts';
import { formValues } from '../surfaces/pages/form-values.ts';
import { currencyOfRegion, regionOf } from '../surfaces/pages/money-of-regions.ts';
import {
  type AppProps,
  type OptionsData,
  QuoteApp,
  type QuoteData,
  sentProps,
} from '../surfaces/pages/quote/quote-app.tsx';
import { ClientQuote, ClientSheet, titleOf } from '../surfaces/pages/quote/quote-client.tsx';
import { isBlank, isMeantFor, writtenFrom } from '../surfaces/pages/quote/quote-state.ts';
import { groupingOf } from '../surfaces/pages/written-number.ts';
import { stayAboveKeyboard } from './bar.ts';
import { carryAlong, jobHere, laterJob, placeHere, takeUp, writeAddress } from './carry.ts';
import { elementOf } from './element.ts';
import { keepAddress } from './inner-links.ts';
import { loadLater } from './load-later.ts';
import { orNull } from './or-null.ts';
import { mayRemember, remembered, rememberedFor } from './own-memory.ts';
import { saveFile } from './paper-files.ts';
import { keysOf } from './pay/storage.ts';
import { actsOn, LEAST_LINES } from './quote-acts.ts';
import { answered, todayText } from './quote-answer.ts';
import {
  ask,
  clientLink,
  type Desk,
  deskOf,
  dialogIn,
  goTo,
  keepNow,
  NOTHING_SAID,
  replace,
  set,
  showFaults,
  valuesLink,
  withOwn,
} from './quote-desk.ts';
import { type Draft, keptDraft, linkQuery, writtenIn } from './quote-kept.ts';
import { sheetIn } from './sheet-link.ts';
import { afterPress } from './timing.ts';
import { typedEarly } from './typed-early.ts';

/*
 * The page of a quote: the component that the service renders, with the state that this device has. Nothing that is
 * written is sent.
 */

function start(root: HTMLElement, data: QuoteData): void {
  const [list] = data.form.lists;
  if (list === undefined) return;
  const fromService = sentProps(data);
  const writeEarly = typedEarly(root);
  hydrate(h(QuoteApp, fromService), root);
  const isSent = !isBlank(fromService.written);
  const region = orNull(() => regionOf(navigator.languages));
  const own = { written: fromService.written, job: undefined, isForeign: false };
  const kept = isSent ? null : keptDraft(LEAST_LINES);
  const { written, job, isForeign, options }: Draft = kept ?? own;
  takeUp(laterJob(jobHere() ?? job));
  const desk = deskOf({
    root,
    data,
    list,
    habits: {
      grouping: groupingOf(navigator.language),
      proposed: remembered()?.currency || (region && currencyOfRegion(region)) || 'USD',
    },
    propsOf,
    state: {
      ...NOTHING_SAID,
      written: isForeign ? written : withOwn(written),
      job: jobHere(),
      isForeign,
      options,
    },
  });
  if (!open(desk)) {
    set(desk, {});
    if (isSent) {
      // Loaded again, the page is asked for without what was sent.
      writeAddress(location.pathname);
      keepNow(desk);
      if (desk.now.faults.length > 0) ask(desk);
    }
  }
  listen(desk);
  writeEarly();
  const step = optionsStep(desk);
  desk.offerOptions = step.open;
  // A payment whose end is not known, or what was just bought, is shown at once.
  const isRead = location.hash.startsWith('#sheet=') || document.querySelector('main.reading') !== null;
  if (isRead) return;
  if (keysOf('payment.quote_pack').length + keysOf('answer.quote_pack.').length > 0) void step.load();
}

/** The last step, whose script is loaded when it is first needed. */
function optionsStep(desk: Desk) {
  let loading: Promise<{ open(): void }> | null = null;
  const load = () => {
    loading ??= loadLater(() => import('./quote-options.ts')).then(({ startOptions }) => startOptions(desk));
    loading.catch(() => {
      loading = null;
      set(desk, { status: 'We could not be reached. Please try again.' });
    });
    return loading;
  };
  return { load, open: () => void load().then(({ open: show }) => show()) };
}

/** Opens what a link holds, in the place of what was written before; false where it holds nothing for this form. */
function open(desk: Desk): boolean {
  const query = location.hash.slice(1);
  if (query.startsWith('sheet=')) {
    void readSheet(desk, query);
    return false;
  }
  if (!isMeantFor(desk.form, query)) return false;
  if (read(desk, query)) return true;
  const place = placeHere();
  const written = writtenIn(desk.form, query, LEAST_LINES);
  const isForeign = rememberedFor(written.letterhead.business, written.letterhead) === null;
  // From a page of ours comes what was written here, as it is now.
  const says = place === undefined ? 'This quote came with the link, in the place of yours.' : null;
  replace(desk, { written: withOwn(written), job: place?.job, isForeign }, says);
  writeAddress(location.pathname);
  if (desk.now.faults.length > 0) ask(desk);
  return true;
}

/** Shows three options as their client gets them. */
async function readSheet({ root, data }: Desk, query: string): Promise<void> {
  const sheet = await sheetIn(query);
  if (sheet === null) return;
  const title = titleOf(sheet);
  headAs(title);
  const reading = h(ClientSheet, { sheet, print: () => print(title) });
  render(h(QuoteApp, { ...sentProps(data), reading }), root);
}

function headAs(title: string): void {
  document.title = title;
  const [words = '', ...name] = title.split(/(?<= from )/);
  document.querySelector('h1')?.replaceChildren(words, elementOf('bdi', '', name.join('')));
  document.querySelector('main')?.classList.add('reading');
}

/** Shows a quote as its client gets it; false where the link has no such quote. */
function read({ root, form, data }: Desk, query: string): boolean {
  const { letterhead, issuedOn } = paperIn(query);
  const day = issuedOn === null ? null : parseDay(issuedOn);
  if (day === null) return false;
  const values = formValues(withoutPaper(query));
  const written = writtenFrom(values, letterhead, 0);
  const { body, faults } = answered(form, written, { grouping: null, proposed: 'USD', today: day });
  if (body === null || faults.length > 0) return false;
  const title = titleOf(quoteSheet(body, letterhead));
  headAs(title);
  const reading = h(ClientQuote, {
    body,
    letterhead,
    today: todayText(),
    print: () => print(title),
    edit: () => {
      writeAddress(`#${linkQuery(values, { letterhead }, null)}`);
      location.reload();
    },
  });
  render(h(QuoteApp, { ...sentProps(data), reading }), root);
  return true;
}

function propsOf(desk: Desk): AppProps {
  const { data, state, now } = desk;
  const { undoing, written } = state;
  return {
    ...data,
    next: data.next && { ...data.next, offer: () => desk.offerOptions?.() },
    written,
    worked: now,
    shown: now.faults.filter(({ pointer }) => state.shown.has(pointer)),
    isSummed: state.isAsked,
    currency: now.currency,
    acts: actsOn(desk),
    pasted: state.pasted,
    isRemembering: mayRemember() && !state.isForeign,
    reading: null,
    sending: sendingProps(desk),
    undoing: undoing && {
      says: undoing.says,
      undo: () => {
        replace(desk, undoing.before, null);
        goTo('f-paper-business');
      },
    },
    status: state.status,
  };
}

function sendingProps(desk: Desk): AppProps['sending'] {
  const { written, sending, copied } = desk.state;
  const { body, faults } = desk.now;
  if (body === null || faults.length > 0) return null;
  const { letterhead } = written;
  const sheet = quoteSheet(body, letterhead);
  const link = clientLink(desk);
  const close = (): void => dialogIn(desk)?.close();
  return {
    body,
    letterhead,
    link,
    copied,
    asksName: sending?.asksName === true,
    isNameMissing: sending?.isNameMissing === true,
    acts: {
      close,
      nameBusiness: (name) => actsOn(desk).write('paper.business', name),
      copyLink() {
        if (letterhead.business.trim() !== '') return void copy(desk, 'link', link);
        set(desk, { sending: { asksName: true, isNameMissing: true } });
        goTo('send-business');
      },
      copyText: () => void copy(desk, 'text', sheetText(sheet, location.origin)),
      print() {
        close();
        print(titleOf(sheet));
      },
      saveLines: () => saveFile(titleOf(sheet), 'csv', linesCsv(body)),
    },
  };
}

const COPIED_MS = 2_000;

async function copy(desk: Desk, what: 'link' | 'text', text: string): Promise<void> {
  const isCopied = await navigator.clipboard.writeText(text).then(
    () => true,
    () => false,
  );
  const status = isCopied ? 'Copied' : 'Your browser does not allow copying';
  set(desk, { copied: isCopied ? what : null, status });
  setTimeout(() => set(desk, { copied: null }), COPIED_MS);
}

/** Prints the quote alone, under its name. */
function print(title: string): void {
  const before = document.title;
  document.title = title;
  addEventListener('afterprint', () => Object.assign(document, { title: before }), { once: true });
  window.print();
}

function listen(desk: Desk): void {
  const { root } = desk;
  addEventListener('hashchange', () => open(desk));
  const form = root.querySelector('form');
  if (form === null) return;
  keepAddress();
  const dock = form.querySelector<HTMLElement>('.dock');
  if (dock) stayAboveKeyboard(dock);
  const carried = (): string => {
    takeUp(laterJob(jobHere()));
    desk.state = { ...desk.state, job: jobHere() };
    if (desk.isChanged) keepNow(desk);
    return isBlank(desk.state.written) ? '' : `#${valuesLink(desk)}`;
  };
  carryAlong(form, carried, true);
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    if (desk.now.faults.length > 0) ask(desk);
  });
  form.addEventListener('focusout', ({ target }) => {
    if ((target as Element).matches('input, select, textarea')) afterPress(() => showFaults(desk));
  });
  root.addEventListener('click', (event) => {
    const link = (event.target as Element).closest<HTMLAnchorElement>('.faults a');
    if (link === null) return;
    event.preventDefault();
    goTo(link.hash.slice(1));
  });
  const example = document.querySelector<HTMLAnchorElement>('[data-example]');
  example?.addEventListener('click', (event) => {
    event.preventDefault();
    const written = withOwn(writtenIn(desk.form, example.search.slice(1), 0));
    replace(
      desk,
      { written, job: undefined, isForeign: false },
      'The example is in the place of your quote.',
    );
  });
  dialogIn(desk)?.addEventListener('close', () => set(desk, { sending: null }));
  addEventListener('beforeprint', () => dialogIn(desk)?.close());
  addEventListener('pagehide', () => desk.isChanged && keepNow(desk));
}

const root = document.querySelector<HTMLElement>('#quote');
const data = document.querySelector('#quote-data');
if (root && data) {
  const options = JSON.parse(document.querySelector('#options-data')?.textContent ?? '{}') as OptionsData;
  start(root, { ...(JSON.parse(data.textContent ?? '') as QuoteData), options });
}
