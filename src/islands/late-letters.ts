import { dayText, utcDay } from '../domain/calendar.ts';
import { cleanLine } from '../domain/text.ts';
import { greetedIn, letterBefore, letterText, signerOf } from '../surfaces/pages/documents/letter.ts';
import { paperIn, paperQuery } from '../surfaces/pages/documents/letterhead.ts';
import { rawValues } from '../surfaces/pages/form-values.ts';
import type { AppProps } from '../surfaces/pages/late-invoice/late-app.tsx';
import type { BoughtLetter, Letter, Tone } from '../surfaces/pages/late-invoice/late-bought.tsx';
import { TONES } from '../surfaces/pages/late-invoice/late-form.tsx';
import { letterheadOf, type Written } from '../surfaces/pages/late-invoice/late-state.ts';
import { amountText } from '../surfaces/pages/views/format.ts';
import { forgetDraft, type LateDesk } from './late-desk.ts';
import { goTo, goToTitle, isSharing, printAs } from './page.ts';
import type { mountPay } from './pay/mount.ts';
import { explorerOf } from './pay/networks.ts';
import { type PurchaseRequest, requestOf, valuesOf } from './pay/request.ts';
import {
  type Answer,
  deleteAnswer,
  isPassing,
  keepAnswer,
  keepLetterhead,
  keptAnswers,
  keptLetterhead,
  onAnswersElsewhere,
  pendingOrder,
  warnOfLeaving,
} from './pay/stored-purchases.ts';

/* The letter: bought through the payment sheet, which loads when the user comes near it, and stored on the device. */

const OPERATION = 'late_fee_notice';

/** An answer with the form values that it was bought with. The previous release stored none. */
type KeptLetter = Answer & { readonly fields?: Written['fields'] };

const lettersHere = (): readonly KeptLetter[] => keptAnswers(OPERATION);

const isLetterPending = (): boolean => pendingOrder(OPERATION) !== null;

type Pay = ReturnType<typeof mountPay>;

let loading: Promise<Pay> | undefined;

/** The payment sheet of the page, loaded once. */
export function payOf(desk: LateDesk): Promise<Pay> {
  loading ??= import('./pay/mount.ts').then((sheet) => {
    const dialog = document.querySelector<HTMLDialogElement>('#pay');
    if (dialog === null) throw new Error('The page has no place for the payment sheet');
    const pay = sheet.mountPay(dialog, {
      onFaults(faults) {
        desk.set({ refused: faults, isAsked: true });
        desk.ask();
      },
      onBought({ name, about, paper, request }, body, transaction) {
        const fields = Object.fromEntries(
          Object.entries(valuesOf(request)).map(([field, value]) => [field, String(value)]),
        );
        const letter: KeptLetter = { name, about, paper, body, transaction, boughtMs: Date.now(), fields };
        keepAnswer(OPERATION, letter);
        show(desk, name);
      },
      bringUp(name) {
        const isHere = lettersHere().some((letter) => letter.name === name);
        if (isHere) show(desk, name);
        return isHere;
      },
      askAnew: () => void buy(desk),
      goodsOf: ({ request, about, paper }) => {
        const values = valuesOf(request);
        const letterhead = new URLSearchParams(paper);
        const asked = (name: string) => (name in values ? String(values[name]) : letterhead.get(name));
        return { title: titleOf(asked), about, notes: letterBefore(asked) };
      },
      onBusy: (isBusy) => desk.root.querySelector('form')?.setAttribute('aria-busy', String(isBusy)),
      onKeepNothing: forgetDraft,
      free: {
        says: 'Copy the late fee as text (free)',
        act: async () =>
          (await desk.copy('text', desk.figuresText())) ? 'Copied' : 'Your browser does not allow copying',
      },
    });
    return pay;
  });
  return loading;
}

// A right-to-left name would reverse the words after it.
const RUNS_FROM_RIGHT = /\p{Script=Hebrew}|\p{Script=Arabic}/u;

/** "Firm reminder to Acme Ltd" */
function titleOf(asked: (name: string) => string | null): string {
  const client = cleanLine(asked('client_name') ?? '');
  const isolated = RUNS_FROM_RIGHT.test(client) ? `\u2068${client}\u2069` : client;
  return `${TONES[asked('tone') ?? ''] ?? 'Polite'} reminder${client === '' ? '' : ` to ${isolated}`}`;
}

/** The requested letter: the form in the notation of the API. */
export function wantedOf({ data, now, state }: LateDesk): PurchaseRequest {
  const { method = '', route = '' } = data.letter ?? {};
  const values = rawValues({ fields: now.values, lists: {} });
  const asked = (name: string) => now.values[name] ?? null;
  const number = cleanLine(asked('invoice_number') ?? '');
  const sum = now.body === null ? '' : amountText(now.body.total_due, now.currency);
  return {
    request: requestOf(method, route, values),
    about: [titleOf(asked), number, sum].filter(Boolean).join(', '),
    paper: paperQuery({ letterhead: letterheadOf(state.written), issuedOn: null }),
  };
}

/** Requests the price of the letter. The server reports every fault at once, except unreadable numbers. */
export async function buy(desk: LateDesk): Promise<void> {
  desk.set({ refused: [] });
  if (desk.now.faults.some(({ code }) => code === 'invalid_number')) return desk.ask();
  desk.keepNow();
  const pay = await payOf(desk);
  await pay.ask(wantedOf(desk));
}

/** Shows a letter in place of the statement and moves to it. */
function show(desk: LateDesk, name: string): void {
  desk.set({ front: name });
  desk.keepNow();
  warnOfLeaving();
  goToTitle(desk.root.querySelector('#result h2'));
}

/** Loads what this device stores, resumes an unfinished payment, and listens to other tabs. */
export function startLetters(desk: LateDesk): void {
  onAnswersElsewhere(OPERATION, () => desk.set({}));
  if (isLetterPending()) void payOf(desk).then((pay) => pay.resume());
  const load = () => void payOf(desk);
  desk.root.querySelector('.late-letter')?.addEventListener('focusin', load, { once: true });
  desk.root.querySelector('.late-letter')?.addEventListener('pointerdown', load, { once: true });
}

/** Tells an open sheet that its price is outdated. */
export function sayChanged(): void {
  void loading?.then((pay) => pay.changed());
}

/** Adds edits of the document to the letter that is shown. They are never sent. */
export function keepOnLetter(desk: LateDesk): void {
  const { front, written } = desk.state;
  const letter = lettersHere().find(({ name }) => name === front);
  if (letter === undefined) return;
  keepLetterhead(OPERATION, letter, letterheadOf(written));
  desk.set({});
}

function shownLetter(answer: KeptLetter): BoughtLetter {
  const letterhead = keptLetterhead(OPERATION, answer) ?? paperIn(answer.paper ?? '').letterhead;
  return {
    name: answer.name,
    body: answer.body as Letter,
    letterhead: { ...letterhead, client: letterhead.client || greetedIn(answer.body as Letter) },
    day: dayText(utcDay(answer.boughtMs)),
    transaction: answer.transaction,
    isPassing: isPassing(OPERATION, answer),
  };
}

const MOST_REMINDERS = 5;

/**
 * Starts the next letter: it keeps the values, uses the given tone, and lists this letter among the earlier
 * reminders.
 */
function makeNext(desk: LateDesk, letter: KeptLetter, tone: Tone): void {
  const { written } = desk.state;
  const fields = letter.fields ?? valuesIn(letter.body as Letter);
  const earlier = (fields.earlier_reminders ?? '').split(/[,;\s]+/).filter(Boolean);
  const reminders = [...earlier, dayText(utcDay(letter.boughtMs))].slice(-MOST_REMINDERS);
  // The fee is calculated up to the day of the next letter.
  const { paid_date: _, ...rest } = fields;
  desk.set({
    written: { ...written, fields: { ...rest, tone, earlier_reminders: [...new Set(reminders)].join(', ') } },
    front: null,
  });
  void buy(desk);
}

/** The form values of a letter from the previous release. */
function valuesIn(letter: Letter): Written['fields'] {
  const { fee } = letter;
  const { amount, due_date, currency, rate, rate_type, grace_days } = fee;
  return {
    amount: String(amount),
    due_date,
    currency: currency ?? '',
    rate: String(rate),
    rate_type,
    grace_days: String(grace_days),
    client_name: greetedIn(letter),
    business_name: signerOf(letter),
  };
}

/** The letters on this device, as the page shows them. */
export function boughtProps(desk: LateDesk): AppProps['bought'] {
  const { state, data } = desk;
  const { letter: step } = data;
  if (step === null) return null;
  const all = lettersHere();
  const front = all.find(({ name }) => name === state.front);
  const letter = front ? shownLetter(front) : null;
  return {
    letter,
    others: all.filter((one) => one !== front),
    paid: `$${step.usd} in USDC on ${step.network}`,
    explorer: explorerOf(step),
    price: step.price,
    copied: state.copied,
    isSharing: isSharing(),
    acts: {
      copy: (what) => {
        if (letter === null) return;
        const { body, letterhead } = letter;
        const { subject } = body.reminder;
        if (what === 'subject') void desk.copy(what, subject);
        else void desk.share(what, { title: subject, text: letterText(body, letterhead) });
      },
      // Browsers name a printed file after the page title.
      print: () => printAs(cleanLine(front?.about ?? '')),
      next: (tone) => front && makeNext(desk, front, tone),
      open: (name) => show(desk, name),
      close() {
        desk.set({ front: null });
        desk.keepNow();
        goTo('f-amount');
      },
      remove(name) {
        const gone = all.find((one) => one.name === name);
        if (gone === undefined) return;
        deleteAnswer(OPERATION, gone);
        const undo = (): void => {
          keepAnswer(OPERATION, gone);
          show(desk, name);
        };
        desk.set({ front: null, undoing: { says: 'The letter was deleted.', undo } });
      },
    },
  };
}
