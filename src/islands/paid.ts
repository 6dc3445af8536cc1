import type { Fault } from '../domain/result.ts';
import { paperIn, paperQuery, withoutPaper } from '../surfaces/pages/documents/letterhead.ts';
import { formValues, rawValues, valuesQuery } from '../surfaces/pages/form-values.ts';
import type { Shop } from '../surfaces/pages/pay/pay-state.ts';
import { boughtViews } from '../surfaces/pages/views/bought.ts';
import { type Bought, boughtBelow, goToBought, showBought, showBoughtBelow } from './bought.ts';
import { sayJoined, sayWhatCame } from './came-along.ts';
import { carryAlong, jobHere, writeAddress } from './carry.ts';
import { carriedBack } from './carry-back.ts';
import { type Desk, endJob, forgetDrafts, forgetJob, keepDraft, type Opening, opening } from './draft.ts';
import { paragraph } from './element.ts';
import { hasSentValues, showFaults, unfold, write, writtenIn } from './form.ts';
import { type Acts, startPaidForm } from './form-start.ts';
import { summaryOf, valuesToBuy } from './form-summary.ts';
import { fillOwnDetails, rememberOwnDetails } from './own-details.ts';
import { mountPay } from './pay/mount.ts';
import { type PurchaseRequest, requestOf, valuesOf } from './pay/request.ts';
import { isKeeping } from './pay/storage.ts';
import {
  type Answer,
  deleteAll,
  deleteAnswer,
  isAnyPassing,
  keepAnswer,
  keptAnswers,
  onAnswersElsewhere,
  sweep,
} from './pay/stored-purchases.ts';
import { afterFocus } from './timing.ts';

/*
 * Buys the answer of a paid operation in the page: the form is checked and priced without payment, a wallet of the
 * browser signs, and the identical request is sent with the signature until its end is known. No other server is asked.
 */

const FRESH_MS = 600_000;

const views: Readonly<Partial<Record<string, (typeof boughtViews)[keyof typeof boughtViews]>>> = boughtViews;

const form = document.querySelector<HTMLFormElement>('#form');
const dialog = document.querySelector<HTMLDialogElement>('#pay');
const result = document.querySelector<HTMLElement>('#result');
if (form && dialog && result) start(form, dialog, result);

function start(form: HTMLFormElement, dialog: HTMLDialogElement, result: HTMLElement): void {
  const { method = '', route = '' } = form.dataset;
  const onFaults = (faults: readonly Fault[]): void => {
    showFaults(form, faults, true);
    form.querySelector<HTMLElement>('#faults a')?.focus();
  };
  const pay = mountPay(dialog, {
    onFaults,
    onBought({ name, about, paper, job, request }, body, transaction) {
      answers.add({ name, about, paper, body, transaction, boughtMs: Date.now() });
      // The page may be at another job by now.
      if (job !== undefined && forgetJob(job)) return;
      clear();
      // What was bought is no draft; what was changed meanwhile is one of another job.
      if (JSON.stringify(request) !== JSON.stringify(asked())) sayChanged(form);
    },
    bringUp(name) {
      const answer = answers.bringUp(name);
      // It may be of another job, or have been bought with another client's letterhead.
      if (answer?.about === summaryOf(form) && (answer.paper ?? '') === desk.paper) clear();
      return answer !== null;
    },
    askAnew: () => void ask(),
    goodsOf: (wanted) => ({
      title: document.querySelector('h1')?.textContent ?? '',
      about: wanted.about,
      notes: notesBefore(pay.shop.operation, wanted),
    }),
    onBusy: (isBusy) => form.setAttribute('aria-busy', String(isBusy)),
    onKeepNothing: forgetDrafts,
  });
  const answers = answersIn(result, pay.shop);
  const asked = () => requestOf(method, route, rawValues(valuesToBuy(form)));
  const wanted = (): PurchaseRequest => ({
    request: asked(),
    about: summaryOf(form),
    paper: desk.paper,
    job: jobHere(),
  });
  const ask = () => {
    showFaults(form, [], true);
    return pay.ask(wanted());
  };

  const isSent = hasSentValues(form);
  // No answer and no fault: only more lines were asked for.
  const isAsked = isSent && (result.firstChild !== null || form.querySelector('#faults li') !== null);
  const fill = (query: string): void => {
    // An example goes along nowhere.
    clear('');
    write(form, formValues(new URLSearchParams(query)));
    sayChanged(form);
    form.querySelector<HTMLElement>('[name]')?.focus();
  };
  const { desk, leaveOut } = begin(form, isSent, { ask: () => void ask(), fill });
  /** Ends the job that the form is of. */
  function clear(job?: string): void {
    endJob(job);
    leaveOut();
  }
  form.addEventListener('input', () => pay.changed());
  pay.offerPrompt(wanted);

  // Otherwise names of clients would stay in the browser's history, and a page that was sent could not be loaded again.
  if (location.search !== '' || isSent) writeAddress(location.pathname + (isSent ? '' : location.hash));
  if (!isKeeping()) forgetDrafts();
  answers.showFirst();
  // A form that was sent to the server before the script ran is priced here.
  if (pay.resume() || !isAsked) return;
  if (answers.isEmpty()) result.replaceChildren();
  void ask();
}

/** What to know of an answer before paying for it, by what its request asks for and the letterhead that came along. */
function notesBefore(operation: string, { request, paper }: PurchaseRequest): readonly string[] {
  const [letterhead, values] = [new URLSearchParams(paper), valuesOf(request)];
  const before = views[operation]?.before ?? (() => []);
  return before((name) => (name in values ? String(values[name]) : letterhead.get(name)));
}

function sayChanged(form: HTMLFormElement): void {
  form.dispatchEvent(new Event('input', { bubbles: true }));
}

/** Starts the form with what was written before or came along, and says so; `leaveOut` takes back what is said. */
function begin(form: HTMLFormElement, isSent: boolean, acts: Acts) {
  const { query, isDraft, alone }: Opening = isSent ? { query: '', isDraft: false } : opening(form);
  if (isSent) endJob();
  if (query !== '') write(form, formValues(withoutPaper(query)));
  unfold(form);
  const currency = form.querySelector<HTMLSelectElement>('[name="currency"]')?.value;
  // Where no currency came along, one is proposed.
  startPaidForm(form, !isSent && (query === '' || (!isDraft && currency === '')), acts);
  rememberOwnDetails(form);
  const desk: Desk = { paper: paperQuery({ ...paperIn(query), issuedOn: null }) };
  keepDraft(form, desk);
  if (isSent) sayChanged(form);
  carryAlong(form, () => carriedBack(form, desk));
  const empty = (): void => {
    const [came, now] = [withoutPaper(alone ?? ''), new URLSearchParams(valuesQuery(writtenIn(form)))];
    write(form, formValues([...now].filter(([name]) => came.has(name))));
    fillOwnDetails(form);
    sayChanged(form);
  };
  const said = [sayWhatCame(form, desk), ...(alone === undefined ? [] : [sayJoined(form, empty)])];
  return {
    desk,
    leaveOut(): void {
      for (const takeBack of said) takeBack();
    },
  };
}

/** What was bought with this browser, in the page and on the device. */
function answersIn(result: HTMLElement, { operation, usd, network, explorer }: Shop) {
  sweep();
  const all = (): readonly Answer[] => keptAnswers(operation);
  // The answer shown in full: opened or bought here, or bought just before the page was loaded again.
  let front = all().find(({ boughtMs }) => Date.now() - boughtMs < FRESH_MS)?.name ?? null;
  // The answer that the page shows in full, and all that it shows.
  let shown: string | null = null;
  let listed: readonly string[] = [];
  let isWaiting = false;
  const bought = (): Bought => ({
    operation,
    price: `USD ${usd} in USDC on ${network}`,
    explorer,
    first: all().find(({ name }) => name === front) ?? null,
    earlier: all().filter(({ name }) => name !== front),
    bringUp: ({ name }) => bringUp(name),
    remove(answer) {
      deleteAnswer(operation, answer);
      if (answer.name === front) front = all()[0]?.name ?? null;
      showAndGo();
    },
    removeAll() {
      deleteAll();
      forgetDrafts();
      showAndGo();
    },
  });
  const draw = (showIn: typeof showBought): void => {
    const made = bought();
    shown = made.first?.name ?? null;
    listed = all().map(({ name }) => name);
    isWaiting = false;
    showIn(result, made);
    // A page that always listens is not kept for who comes back to it, in some browsers.
    if (isAnyPassing()) addEventListener('beforeunload', askWhoLeaves);
    else removeEventListener('beforeunload', askWhoLeaves);
  };
  const show = (): void => draw(showBought);
  const follow = (): void =>
    draw(shown !== null && bought().first?.name === shown ? showBoughtBelow : showBought);
  const showAndGo = (): void => {
    show();
    if (isEmpty()) sayDeleted(result);
    else goToBought(result);
  };
  /** null where it is not there. */
  function bringUp(name: string): Answer | null {
    const answer = all().find((one) => one.name === name);
    if (answer === undefined) return null;
    front = name;
    showAndGo();
    return answer;
  }
  function add(answer: Answer): void {
    keepAnswer(operation, answer);
    front = answer.name;
    showAndGo();
  }
  const isEmpty = (): boolean => all().length === 0;
  onAnswersElsewhere(operation, () => {
    const left = new Set(all().map(({ name }) => name));
    // What was deleted is shown no longer.
    if (listed.some((name) => !left.has(name))) return follow();
    if (isWaiting) return;
    isWaiting = true;
    afterFocus(boughtBelow(result), () => isWaiting && follow());
  });
  const showFirst = (): void => {
    if (isEmpty()) return;
    show();
    if (front !== null) goToBought(result);
  };
  return { isEmpty, add, bringUp, showFirst };
}

/** The browser asks whether to leave the page. */
function askWhoLeaves(event: BeforeUnloadEvent): void {
  event.preventDefault();
}

function sayDeleted(result: HTMLElement): void {
  const said = paragraph('Deleted.');
  said.tabIndex = -1;
  result.replaceChildren(said);
  said.focus();
}
