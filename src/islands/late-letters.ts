import { dayText, utcDay } from '../domain/calendar.ts';
import { cleanLine } from '../domain/text.ts';
import { letterText, signerOf } from '../surfaces/pages/documents/letter-sheet.ts';
import { paperIn, paperQuery } from '../surfaces/pages/documents/letterhead.ts';
import { rawValues } from '../surfaces/pages/form-values.ts';
import type { AppProps } from '../surfaces/pages/late-invoice/late-app.tsx';
import type { BoughtLetter, Letter, Tone } from '../surfaces/pages/late-invoice/late-bought.tsx';
import { letterheadOf, type Written } from '../surfaces/pages/late-invoice/late-state.ts';
import { letterBefore } from '../surfaces/pages/views/before-paying.ts';
import { amountText } from '../surfaces/pages/views/format.ts';
import { ask, copy, type Desk, figuresText, keepNow, set } from './late-desk.ts';
import { forgetDraft } from './late-kept.ts';
import { goTo, printAs } from './page.ts';
import type { mountPay } from './pay/mount.ts';
import { networkNamed } from './pay/networks.ts';
import { type PurchaseRequest, requestOf, valuesOf } from './pay/request.ts';
import {
  type Answer,
  deleteAll,
  deleteAnswer,
  isAnyPassing,
  isPassing,
  keepAnswer,
  keepLetterhead,
  keptAnswers,
  keptLetterhead,
  onAnswersElsewhere,
  pendingOrder,
} from './pay/stored-purchases.ts';

/* The letter: bought by the payment sheet, which is loaded once somebody comes near it, and kept on the device. */

const OPERATION = 'late_fee_notice';

/** An answer, with the values of the form that it was bought with; the release before kept none. */
type KeptLetter = Answer & { readonly fields?: Written['fields'] };

const lettersHere = (): readonly KeptLetter[] => keptAnswers(OPERATION);

const isLetterPending = (): boolean => pendingOrder(OPERATION) !== null;

type Pay = ReturnType<typeof mountPay>;

let loading: Promise<Pay> | undefined;

/** The payment sheet of the page, loaded once. */
export function payOf(desk: Desk): Promise<Pay> {
  loading ??= import('./pay/mount.ts').then((sheet) => {
    const dialog = document.querySelector<HTMLDialogElement>('#pay');
    if (dialog === null) throw new Error('The page has no place for the payment sheet');
    const pay = sheet.mountPay(dialog, {
      onFaults(faults) {
        set(desk, { refused: faults, isAsked: true });
        ask(desk);
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
        says: 'Copy the late fee as text, free',
        act: async () =>
          (await copy(desk, 'text', figuresText(desk))) ? 'Copied' : 'Your browser does not allow copying',
      },
    });
    return pay;
  });
  return loading;
}

const TONES: Readonly<Record<string, string>> = { polite: 'Polite', firm: 'Firm', final: 'Final' };

// A name that runs from right to left would take the words after it along.
const RUNS_FROM_RIGHT = /\p{Script=Hebrew}|\p{Script=Arabic}/u;

/** "Firm reminder to Acme Ltd" */
function titleOf(asked: (name: string) => string | null): string {
  const client = cleanLine(asked('client_name') ?? '');
  const isolated = RUNS_FROM_RIGHT.test(client) ? `\u2068${client}\u2069` : client;
  return `${TONES[asked('tone') ?? ''] ?? 'Polite'} reminder${client === '' ? '' : ` to ${isolated}`}`;
}

/** What is asked for: the form as the API takes it. */
export function wantedOf({ data, now, state }: Desk): PurchaseRequest {
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

/** Asks for the price of the letter; the service names every fault at once, but those of numbers that nobody can read. */
export async function buy(desk: Desk): Promise<void> {
  set(desk, { refused: [] });
  if (desk.now.faults.some(({ code }) => code === 'invalid_number')) return ask(desk);
  keepNow(desk);
  const pay = await payOf(desk);
  await pay.ask(wantedOf(desk));
}

/** Shows a letter in the place of the statement, and leads to it. */
function show(desk: Desk, name: string): void {
  set(desk, { front: name });
  keepNow(desk);
  warnOfLeaving();
  const title = desk.root.querySelector<HTMLElement>('#result h2');
  title?.focus({ preventScroll: true });
  title?.scrollIntoView({ block: 'start' });
}

/** The browser asks before it forgets what was paid for. */
function warnOfLeaving(): void {
  // A page that always listens is not kept for those who come back to it, in some browsers.
  if (isAnyPassing()) addEventListener('beforeunload', askFirst);
  else removeEventListener('beforeunload', askFirst);
}

const askFirst = (event: BeforeUnloadEvent): void => event.preventDefault();

/** Reads what this device keeps, goes on with a payment whose end is not known, and hears of other tabs. */
export function startLetters(desk: Desk): void {
  onAnswersElsewhere(OPERATION, () => set(desk, {}));
  if (isLetterPending()) void payOf(desk).then((pay) => pay.resume());
  const load = () => void payOf(desk);
  desk.root.querySelector('.late-letter')?.addEventListener('focusin', load, { once: true });
  desk.root.querySelector('.late-letter')?.addEventListener('pointerdown', load, { once: true });
}

/** Once the sheet is there, it has to know that its price is of something else. */
export function sayChanged(): void {
  void loading?.then((pay) => pay.changed());
}

/** What is written for the paper goes onto the letter that is shown; it is in no request. */
export function keepOnLetter(desk: Desk): void {
  const { front, written } = desk.state;
  const letter = lettersHere().find(({ name }) => name === front);
  if (letter === undefined) return;
  keepLetterhead(OPERATION, letter, letterheadOf(written));
  set(desk, {});
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

// A greeting that is a name: nobody lives at "Sir or Madam".
const GREETED =
  /^(?:Dear|Hello) (?!(?:sirs?|madam|all|team|everyone|customer|client|colleagues?|friends?)\b)(.+),\n/iu;

/** Whom a letter greets by name; '' where it names nobody. */
const greetedIn = ({ reminder }: Letter): string => GREETED.exec(reminder.body)?.[1] ?? '';

const MOST_REMINDERS = 5;

/** Starts the next letter: everything of this one, a firmer tone, and this one among the reminders before it. */
function makeNext(desk: Desk, letter: KeptLetter, tone: Tone): void {
  const { written } = desk.state;
  const fields = letter.fields ?? valuesIn(letter.body as Letter);
  const earlier = (fields.earlier_reminders ?? '').split(/[,;\s]+/).filter(Boolean);
  const reminders = [...earlier, dayText(utcDay(letter.boughtMs))].slice(-MOST_REMINDERS);
  // The fee is that of the day of the next letter.
  const { paid_date: _, ...rest } = fields;
  set(desk, {
    written: { ...written, fields: { ...rest, tone, earlier_reminders: [...new Set(reminders)].join(', ') } },
    front: null,
  });
  void buy(desk);
}

/** What a letter of the release before says of its form. */
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

/** The chain of play money has the name of a public one, whose explorer knows nothing of it. */
const isPlayMoney = (): boolean =>
  document.querySelector<HTMLElement>('#pay')?.dataset.playMoneyKey !== undefined;

/** What the page shows of the letters on this device. */
export function boughtProps(desk: Desk): AppProps['bought'] {
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
    explorer: isPlayMoney() ? null : (networkNamed(step.network)?.explorer ?? null),
    price: step.price,
    copied: state.copied,
    acts: {
      copy: (what) => {
        if (letter === null) return;
        const { body, letterhead } = letter;
        void copy(desk, what, what === 'subject' ? body.reminder.subject : letterText(body, letterhead));
      },
      // Browsers name the file of a printed page after its title.
      print: () => printAs(cleanLine(front?.about ?? '')),
      next: (tone) => front && makeNext(desk, front, tone),
      open: (name) => show(desk, name),
      close() {
        set(desk, { front: null });
        keepNow(desk);
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
        set(desk, { front: null, undoing: { says: 'The letter is deleted.', undo } });
      },
      removeAll() {
        deleteAll();
        set(desk, {
          front: null,
          undoing: {
            says: 'Everything that was bought here is deleted.',
            undo: () => {
              for (const one of all) keepAnswer(OPERATION, one);
              set(desk, { undoing: null });
            },
          },
        });
      },
    },
  };
}
