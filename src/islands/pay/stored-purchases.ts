import type { Letterhead } from '../../surfaces/pages/documents/letterhead.ts';
import { hexText } from './base64.ts';
import type { Order } from './purchase.ts';
import type { Request } from './request.ts';
import { isInPageOnly, isKeeping, keysOf, onChangeElsewhere, read, remove, write } from './storage.ts';

/*
 * Purchases that outlive the page. A signed payment is stored until its result is known. Then the answer is stored with
 * its owner's edits until it is deleted or expires. For a day, a digest identifies identical purchases.
 */

/** A purchased answer with the transaction that paid for it. */
export type Answer = {
  /** The name of its purchase. */
  readonly name: string;
  readonly body: unknown;
  readonly transaction: string | null;
  /** The input of the purchase in one line. */
  readonly about: string;
  /** The initial letterhead of its document, as part of a link. */
  readonly paper?: string | undefined;
  /** Milliseconds since the epoch. */
  readonly boughtMs: number;
};

/** An identical earlier purchase. */
export type Earlier = { readonly name: string; readonly boughtMs: number };

const DAY_MS = 86_400_000;
export const KEPT_DAYS = 30;

const paymentKey = (operation: string): string => `payment.${operation}`;
const answersStart = (operation: string): string => `answer.${operation}.`;
const answerKey = (operation: string, name: string): string => answersStart(operation) + name;
const LETTERHEAD = 'letterhead.';
const letterheadKey = (operation: string, name: string): string => LETTERHEAD + answerKey(operation, name);
const purchaseKey = (digest: string): string => `digest.${digest}`;

type KeptOrder = Order & { readonly keptMs: number };

/** Stores a pending order; false if only this page has it. */
export const keepPending = (operation: string, order: Order): boolean =>
  write(paymentKey(operation), { ...order, keptMs: Date.now() } satisfies KeptOrder);

/** The order of an operation without a known result, whichever tab began it; null if there is none. */
export const pendingOrder = (operation: string): Order | null => read(paymentKey(operation));

export const forgetPending = (operation: string): void => remove(paymentKey(operation));

/** Purchases, newest first. */
export const keptAnswers = (operation: string): readonly Answer[] =>
  keysOf(answersStart(operation))
    .flatMap((key) => read<Answer>(key) ?? [])
    .sort((one, other) => other.boughtMs - one.boughtMs);

/** Stores an answer, with edits of its document that only this page had. */
export function keepAnswer(operation: string, answer: Answer): void {
  write(answerKey(operation, answer.name), answer);
  const letterhead = keptLetterhead(operation, answer);
  if (letterhead !== null) keepLetterhead(operation, answer, letterhead);
}

/** Whether an answer is lost when the page is closed. */
export const isPassing = (operation: string, { name }: Answer): boolean =>
  isInPageOnly(answerKey(operation, name));

/** Makes the browser confirm before it discards a paid answer that is lost with the page. */
export function warnOfLeaving(): void {
  const isAnyPassing = ['answer.', 'payment.'].some((start) => keysOf(start).some(isInPageOnly));
  // Some browsers do not keep a page with this listener in the back/forward cache.
  if (isAnyPassing) addEventListener('beforeunload', askFirst);
  else removeEventListener('beforeunload', askFirst);
}

const askFirst = (event: BeforeUnloadEvent): void => event.preventDefault();

/** Whether edits of an answer's document outlive the page. They do if the answer does and storage is on. */
export const isLetterheadKept = (operation: string, answer: Answer): boolean =>
  isKeeping() && !isPassing(operation, answer) && read(answerKey(operation, answer.name)) !== null;

/** Stores the owner's edits of an answer's document; false if only this page has them. */
export const keepLetterhead = (operation: string, answer: Answer, letterhead: Letterhead): boolean =>
  write(letterheadKey(operation, answer.name), letterhead, isLetterheadKept(operation, answer));

/** The owner's edits of an answer's document; null if there are none. */
export const keptLetterhead = (operation: string, { name }: Answer): Letterhead | null =>
  read(letterheadKey(operation, name));

/** Calls `listen` when another tab edits the document of any answer. */
export const onLettersElsewhere = (listen: () => void): void =>
  onChangeElsewhere(LETTERHEAD, () => {
    listen();
    return true;
  });

export function deleteAnswer(operation: string, { name }: Answer): void {
  remove(answerKey(operation, name));
  remove(letterheadKey(operation, name));
}

export const onAnswersElsewhere = (operation: string, listen: () => void): void =>
  onChangeElsewhere(answersStart(operation), () => {
    forgetOrphans();
    listen();
    return true;
  });

/** Deletes all answers, with the edits of their documents and their digests. A payment in progress stays. */
export function deleteAll(): void {
  for (const start of ['answer.', `${LETTERHEAD}answer.`, 'digest.'])
    for (const key of keysOf(start)) remove(key);
}

/** A digest that identifies a request; null if the browser cannot calculate one (plain http). */
export async function digestOf(request: Request): Promise<string | null> {
  const { subtle } = crypto as { readonly subtle?: SubtleCrypto };
  if (subtle === undefined) return null;
  const text = JSON.stringify([request.method, request.url, request.body]);
  return hexText(new Uint8Array(await subtle.digest('SHA-256', new TextEncoder().encode(text))));
}

export function rememberPurchase(digest: string | null, purchase: Earlier): void {
  if (digest !== null) write(purchaseKey(digest), purchase);
}

/** The identical purchase of the last day, or null. */
export function boughtBefore(digest: string | null): Earlier | null {
  const earlier = digest === null ? null : read<Earlier>(purchaseKey(digest));
  return earlier !== null && Date.now() - earlier.boughtMs < DAY_MS ? earlier : null;
}

/** Removes expired data, and edits of documents that no longer exist. */
export function sweep(): void {
  for (const [start, days] of [
    ['answer.', KEPT_DAYS],
    ['digest.', 1],
    ['payment.', KEPT_DAYS],
  ] as const)
    for (const key of keysOf(start)) {
      const { keptMs = 0, boughtMs = keptMs } = read<Partial<Earlier & KeptOrder>>(key) ?? {};
      if (!(Date.now() - boughtMs < days * DAY_MS)) remove(key);
    }
  forgetOrphans();
}

/**
 * Removes edits of documents that no longer exist, even if another tab removed the document during an edit in this one.
 */
function forgetOrphans(): void {
  for (const key of keysOf(LETTERHEAD)) if (read(key.slice(LETTERHEAD.length)) === null) remove(key);
}
