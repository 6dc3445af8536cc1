import { h, hydrate, render } from 'preact';
import { parseDay } from '../domain/calendar.ts';
import { logoIn, logoQuery } from '../surfaces/pages/documents/brand.ts';
import { paperIn, withoutPaper } from '../surfaces/pages/documents/letterhead.ts';
import { quoteSheet } from '../surfaces/pages/documents/quote.ts';
import { sheetText } from '../surfaces/pages/documents/sheet.ts';
import { formValues } from '../surfaces/pages/form-values.ts';
import {
  type AppProps,
  type OptionsData,
  QuoteApp,
  type QuoteData,
  sentDraft,
  sentProps,
} from '../surfaces/pages/quote/quote-app.tsx';
import {
  acceptanceOf,
  ClientPage,
  type ClientProps,
  choicesOf,
  titleOf,
} from '../surfaces/pages/quote/quote-client.tsx';
import { isBlank, isMeantFor, writtenFrom } from '../surfaces/pages/quote/quote-state.ts';
import { linkQuery, todayText } from './desk.ts';
import { isOfAnother, mayRemember } from './own-memory.ts';
import { goTo, isSharing, printAs, titleInPrint, writeAddress } from './page.ts';
import { keysOf } from './pay/storage.ts';
import { actsOn, LEAST_LINES } from './quote-acts.ts';
import { answered, type Draft, keptDraft, QuoteDesk, writtenIn } from './quote-desk.ts';
import { sheetIn } from './sheet-link.ts';
import { typedEarly } from './typed-early.ts';

/*
 * The quote page: the server's component with the state of this device. No input is sent before the user opens the
 * step of three options.
 */

function start(root: HTMLElement, data: QuoteData): void {
  const [list] = data.form.lists;
  if (list === undefined) return;
  const sent = sentDraft(data);
  const writeEarly = typedEarly(root);
  hydrate(h(QuoteApp, sentProps(data, sent)), root);
  const isSent = !isBlank(sent.written);
  const kept = keptDraft(LEAST_LINES);
  // The values of a page, like the values of a link, can come from anybody.
  const fromService: Draft = {
    written: sent.written,
    options: sent.options,
    isForeign: isSent && isOfAnother(sent.written.letterhead),
  };
  const desk = new QuoteDesk(root, data, list, propsOf);
  desk.begin(kept ?? fromService);
  const step = optionsStep(desk);
  desk.offerOptions = step.open;
  if (!open(desk)) {
    if (isSent) desk.replace(fromService, kept && 'This quote has replaced yours.');
    else desk.set({});
    const isStep = [location.search, location.hash.slice(1)].some(isOptionsStep);
    // On a reload, the browser requests the page without the submitted values.
    if (isSent || isStep) writeAddress(location.pathname);
    if (isSent && desk.now.faults.length > 0) desk.ask();
    else if (isStep || (isSent && sent.options !== undefined)) offerStep(desk);
  }
  listen(desk);
  writeEarly();
  // A payment without a known result, or a new purchase, is shown immediately.
  const isRead = location.hash.startsWith('#sheet=') || document.querySelector('main.reading') !== null;
  if (isRead) return;
  if (keysOf('payment.quote_pack').length + keysOf('answer.quote_pack.').length > 0) void step.load();
}

/** Whether the server responds, even if the browser reports that it is offline: the server may run on this machine. */
const isServiceThere = (): Promise<boolean> =>
  fetch(location.pathname, { method: 'HEAD' }).then(
    ({ ok }) => ok,
    () => false,
  );

/** The last step, whose script loads when it is first needed. */
function optionsStep(desk: QuoteDesk) {
  let loading: Promise<{ open(): void }> | null = null;
  const load = () => {
    loading ??= (async () => {
      // Not every browser retries a script import that failed once, so the import starts only if the script can load.
      if (!navigator.onLine && !(await isServiceThere())) throw new Error('No connection');
      const { startOptions } = await import('./quote-options.ts');
      return startOptions(desk);
    })();
    loading.catch(() => {
      loading = null;
      desk.set({ status: 'We could not be reached. Please try again.' });
    });
    return loading;
  };
  return { load, open: () => void load().then(({ open: show }) => show()) };
}

/** Whether a query opens the step of three options. */
const isOptionsStep = (query: string): boolean => new URLSearchParams(query).get('step') === 'options';

/** Opens the step if there is a quote to base it on. */
function offerStep({ now, offerOptions }: QuoteDesk): void {
  if (now.body !== null && now.faults.length === 0) offerOptions();
}

/** Opens the values of a link in place of the current input; false if it holds none for this form. */
function open(desk: QuoteDesk): boolean {
  const query = location.hash.slice(1);
  if (query.startsWith('sheet=')) {
    void readSheet(desk, query);
    return false;
  }
  const { written, options } = writtenIn(desk.data, query, LEAST_LINES);
  if (options === undefined && !isMeantFor(desk.form, query)) return false;
  if (read(desk, query)) return true;
  const isStep = options !== undefined || [location.search, query].some(isOptionsStep);
  const isForeign = isOfAnother(written.letterhead);
  const says = 'This quote came with the link and replaced yours.';
  desk.replace({ written, isForeign, options }, says);
  writeAddress(location.pathname);
  if (desk.now.faults.length > 0) desk.ask();
  else if (isStep) offerStep(desk);
  return true;
}

/** Shows three options in the client's view. */
async function readSheet(desk: QuoteDesk, query: string): Promise<void> {
  const sheet = await sheetIn(query);
  if (sheet !== null) show(desk, { sheet, accepts: choicesOf(sheet), edit: null });
}

/** Shows a quote in the client's view; false if the link has no such quote. */
function read(desk: QuoteDesk, query: string): boolean {
  const { letterhead: said, issuedOn } = paperIn(query);
  const letterhead = { ...said, logo: logoIn(query) };
  const day = issuedOn === null ? null : parseDay(issuedOn);
  if (day === null) return false;
  const values = formValues(withoutPaper(query));
  const written = writtenFrom(values, letterhead, 0);
  const { body, faults } = answered(desk.form, written, { grouping: null, proposed: 'USD' }, day);
  if (body === null || faults.length > 0) return false;
  show(desk, {
    sheet: quoteSheet(body, letterhead),
    accepts: acceptanceOf(body, letterhead),
    edit() {
      writeAddress(`#${linkQuery(values, letterhead)}`);
      location.reload();
    },
  });
  return true;
}

/** Shows a document in place of the form, as its client reads it. */
function show({ root, data }: QuoteDesk, client: Pick<ClientProps, 'sheet' | 'accepts' | 'edit'>): void {
  const title = titleOf(client.sheet);
  document.title = title;
  const [words = '', ...name] = title.split(/(?<= from )/);
  const sender = document.createElement('bdi');
  sender.textContent = name.join('');
  document.querySelector('h1')?.replaceChildren(words, sender);
  document.querySelector('main')?.classList.add('reading');
  const print = (): void => printAs(title);
  const reading = h(ClientPage, { ...client, today: todayText(), print });
  render(h(QuoteApp, { ...sentProps(data), reading }), root);
}

function propsOf(desk: QuoteDesk): AppProps {
  const { data, state, now } = desk;
  const { written } = state;
  return {
    ...data,
    next: data.next && { ...data.next, offer: () => desk.offerOptions() },
    written: { ...written, letterhead: { ...written.letterhead, logo: desk.logo() } },
    worked: now,
    shown: desk.shown(),
    isSummed: state.isAsked,
    currency: now.currency,
    acts: actsOn(desk),
    pasted: state.pasted,
    isRemembering: mayRemember() && !state.isForeign,
    isLogoUnread: state.isLogoUnread,
    reading: null,
    sending: sendingProps(desk),
    undoing: state.undoing,
    status: state.status,
  };
}

function sendingProps(desk: QuoteDesk): AppProps['sending'] {
  const { written, sending, copied } = desk.state;
  const { body, faults } = desk.now;
  if (body === null || faults.length > 0) return null;
  const logo = desk.logo();
  const letterhead = { ...written.letterhead, logo };
  const sheet = quoteSheet(body, letterhead);
  const title = titleOf(sheet);
  const link = desk.clientLink();
  const sent = async (isDone: Promise<boolean>): Promise<void> => {
    if (await isDone) desk.noteSent();
  };
  const close = (): void => desk.dialog()?.close();
  const say = (more: Partial<typeof sending>): void => {
    if (sending !== null) desk.set({ sending: { ...sending, ...more } });
  };
  return {
    body,
    letterhead,
    link,
    copied,
    isSharing: isSharing(),
    asks: sending?.asks ?? [],
    isNameMissing: sending?.isNameMissing === true,
    logo:
      logo === ''
        ? null
        : {
            isShown: sending?.isLogoShown === true,
            characters: logoQuery(logo).length,
            show: (isLogoShown) => say({ isLogoShown }),
          },
    acts: {
      close,
      write: (name, value) => void desk.write(`paper.${name}`, value),
      copyLink() {
        if (letterhead.business.trim() !== '') return void sent(desk.share('link', { title, url: link }));
        const others = (sending?.asks ?? []).filter((asked) => asked !== 'business');
        say({ asks: ['business', ...others], isNameMissing: true });
        goTo('send-business');
      },
      copyText: () => void sent(desk.copy('text', sheetText(sheet, location.origin))),
      mail: () => desk.noteSent(),
      print() {
        desk.noteSent();
        close();
        printAs(title);
      },
    },
  };
}

/**
 * Scrolls a field above the bar, because browsers treat a field under the bar as visible. Its beginning stays in view.
 */
function keepClear(bar: HTMLElement, field: Element): void {
  requestAnimationFrame(() => {
    const { top, bottom } = field.getBoundingClientRect();
    const hidden = bottom - bar.getBoundingClientRect().top;
    if (hidden > 0 && !bar.contains(field)) scrollBy(0, Math.min(hidden + 8, top));
  });
}

/** Keeps the bar at the bottom of the window in view while an on-screen keyboard covers that area. */
function stayAboveKeyboard(bar: HTMLElement): void {
  const view = window.visualViewport;
  const rise = (): void => {
    const hidden = view === null ? 0 : innerHeight - view.height - view.offsetTop;
    const bottom = `${Math.max(0, Math.round(hidden))}px`;
    bar.style.bottom = bottom;
    // A focused element scrolls to a position above the bar.
    document.documentElement.style.scrollPaddingBottom = `calc(max(5rem, ${bar.offsetHeight}px + 1rem) + ${bottom})`;
  };
  rise();
  view?.addEventListener('resize', rise);
  view?.addEventListener('scroll', rise);
}

/** Enter in a field of a line goes on to the next field, and after the last one to a new line. */
function goOnByEnter(desk: QuoteDesk, event: KeyboardEvent): void {
  const field = event.target as Element;
  // A name has one line, although its field grows.
  const isOneLine = field.matches('input[type="text"], #f-paper-business');
  if (event.key !== 'Enter' || event.isComposing || !isOneLine) return;
  event.preventDefault();
  const fields = [...desk.root.querySelectorAll<HTMLElement>('.quote-line > .field input')];
  const place = fields.indexOf(field as HTMLElement);
  if (place < 0) return;
  const next = fields[place + 1];
  if (next !== undefined) next.focus();
  else actsOn(desk).add();
}

function listen(desk: QuoteDesk): void {
  const { root } = desk;
  const form = root.querySelector('form');
  if (form === null) return;
  const dock = form.querySelector<HTMLElement>('.dock');
  if (dock) stayAboveKeyboard(dock);
  if (dock) form.addEventListener('focusin', ({ target }) => keepClear(dock, target as Element));
  desk.listen({
    open: () => open(desk),
    submit: () => desk.now.faults.length > 0 && desk.ask(),
    fillIn(query) {
      const { written } = writtenIn(desk.data, query, 0);
      desk.replace({ written, isForeign: false }, 'The example has replaced your quote.');
    },
  });
  form.addEventListener('keydown', (event) => goOnByEnter(desk, event));
  desk.dialog()?.addEventListener('close', () => desk.set({ sending: null }));
  addEventListener('beforeprint', () => {
    desk.dialog()?.close();
    // Bought options have their own title.
    const { body, faults } = desk.now;
    const isRead = !form.isConnected;
    if (isRead || body === null || faults.length > 0 || document.body.dataset.printing !== undefined) return;
    titleInPrint(titleOf(quoteSheet(body, desk.state.written.letterhead)));
  });
}

const root = document.querySelector<HTMLElement>('#quote');
const data = document.querySelector('#quote-data');
if (root && data) {
  const options = JSON.parse(
    document.querySelector('#options-data')?.textContent ?? 'null',
  ) as OptionsData | null;
  start(root, { ...(JSON.parse(data.textContent ?? '') as QuoteData), options });
}
