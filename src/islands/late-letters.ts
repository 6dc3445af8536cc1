import { dayText, utcDay } from '../domain/calendar.ts';
import { cleanLine } from '../domain/text.ts';
import type { AnswerOf } from '../operations/answers.ts';
import { greetedIn, letterBefore, signerOf } from '../surfaces/pages/documents/letter.ts';
import { paperQuery } from '../surfaces/pages/documents/letterhead.ts';
import { rawValues } from '../surfaces/pages/form-values.ts';
import { TONES } from '../surfaces/pages/late-invoice/late-form.tsx';
import { letterheadOf, type Written } from '../surfaces/pages/late-invoice/late-state.ts';
import { type Bought, letterBought } from '../surfaces/pages/views/bought.ts';
import { amountText } from '../surfaces/pages/views/format.ts';
import { forgetDraft, type LateDesk } from './late-desk.ts';
import { goTo } from './page.ts';
import { boughtPlace } from './pay/bought.ts';
import type { mountPay } from './pay/mount.ts';
import { explorerOf } from './pay/networks.ts';
import { type PurchaseRequest, requestOf, valuesOf } from './pay/request.ts';
import { type Answer, pendingOrder } from './pay/stored-purchases.ts';

/* The letter: bought through the payment sheet, which loads when the user comes near it, and stored on the device. */

const OPERATION = 'late_fee_notice';

type Letter = AnswerOf<typeof OPERATION>;
type Tone = Letter['reminder']['tone'];

/** An answer with the form values that it was bought with. The previous release stored none. */
type KeptLetter = Answer & { readonly fields?: Written['fields'] };

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
      onBought(order, body, transaction) {
        const fields = Object.fromEntries(
          Object.entries(valuesOf(order.request)).map(([field, value]) => [field, String(value)]),
        );
        lettersOf(desk)?.add(order, body, transaction, { fields });
      },
      bringUp: (name) => lettersOf(desk)?.bringUp(name) ?? false,
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

/** Resumes an unfinished payment, and loads the payment sheet when the user comes near it. */
export function startLetters(desk: LateDesk): void {
  if (pendingOrder(OPERATION) !== null) void payOf(desk).then((pay) => pay.resume());
  const load = () => void payOf(desk);
  desk.root.querySelector('.late-letter')?.addEventListener('focusin', load, { once: true });
  desk.root.querySelector('.late-letter')?.addEventListener('pointerdown', load, { once: true });
}

/** Tells an open sheet that its price is outdated. */
export function sayChanged(): void {
  void loading?.then((pay) => pay.changed());
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

const NEXT: Readonly<Partial<Record<Tone, { readonly tone: Tone; readonly says: string }>>> = {
  polite: { tone: 'firm', says: 'Make the firm one' },
  firm: { tone: 'final', says: 'Make the final one' },
};

let letters: ReturnType<typeof boughtPlace> | undefined;

/** The letters on this device; null if no letter is sold. The letter in front is shown in place of the statement. */
export function lettersOf(desk: LateDesk): NonNullable<typeof letters> | null {
  const { letter: step } = desk.data;
  if (step === null) return null;
  const bringToFront = (front: string | null): void => {
    desk.set({ front });
    desk.keepNow();
  };
  letters ??= boughtPlace({
    operation: OPERATION,
    kind: letterBought as Bought,
    shop: { ...step, explorer: explorerOf(step) },
    onChange: () => desk.set({}),
    say: (status) => desk.set({ status }),
    front: () => desk.state.front,
    bringToFront,
    extrasOf(letter) {
      const next = NEXT[(letter.body as Letter).reminder.tone];
      return {
        next: next ? { ...next, price: step.price, act: () => makeNext(desk, letter, next.tone) } : null,
        close() {
          bringToFront(null);
          goTo('f-amount');
        },
        title: cleanLine(letter.about),
      };
    },
  });
  return letters;
}
