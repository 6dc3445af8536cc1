import { boughtViews } from '../surfaces/pages/views/bought.ts';
import { boughtAnswer } from './bought-answer.ts';
import { type Answer, isPassing, KEPT_DAYS } from './kept.ts';
import { askedFirst, button, buttons, code, elsewhere, paragraph } from './panel.ts';
import { copyButton } from './toolbar.ts';

const views: Readonly<Record<string, { readonly heading: string }>> = boughtViews;

export type Bought = {
  readonly operation: string;
  /** "USD 0.01 in USDC on Base" */
  readonly price: string;
  /** Shows transactions of the network; null where none does. */
  readonly explorer: string | null;
  /** Shown in full; null when nobody asked for one just now. */
  readonly first: Answer | null;
  /** Folded below it. */
  readonly earlier: readonly Answer[];
  /** Puts one in front of the others. */
  readonly bringUp: (answer: Answer) => void;
  /** Takes one away from the page and from the device. */
  readonly remove: (answer: Answer) => void;
  /** Takes away everything that was bought with this browser. */
  readonly removeAll: () => void;
};

/** Shows bought answers with their receipts and ways to take them away. */
export function showBought(result: HTMLElement, bought: Bought): void {
  const { first, earlier } = bought;
  result.replaceChildren(...(first === null ? [] : firstOne(first, bought)));
  if (first === null && earlier.length === 0) return;
  const more = document.createElement('section');
  // Alone it is no result, and the sample stays.
  more.className = first === null ? 'toolbar note' : 'toolbar';
  const all = askedFirst(
    'Delete everything bought on this device',
    'Delete every answer that was bought with this browser? They cannot be fetched again.',
    'Delete everything',
    bought.removeAll,
  );
  more.append(...earlierOnes(bought), all);
  result.append(more);
}

function firstOne(first: Answer, bought: Bought): readonly HTMLElement[] {
  const title = document.createElement('h2');
  title.tabIndex = -1;
  title.textContent = views[bought.operation]?.heading ?? 'Your answer';
  const keep = paragraph(howLong(bought.operation, first));
  keep.className = 'toolbar';
  const parts = partsOf(first, bought);
  // What is lost with the page is said first; else what was bought comes first.
  return isPassing(bought.operation, first) ? [title, keep, ...parts] : [title, ...parts, keep];
}

/** Takes the reader to what was bought. */
export const goToBought = (result: HTMLElement): void =>
  result.querySelector<HTMLElement>('h2[tabindex]')?.focus();

const DAY_MS = 86_400_000;

function howLong(operation: string, answer: Answer): string {
  if (isPassing(operation, answer))
    return 'Please keep a copy: we store nothing that you write and no answer, and your browser forgets this one when the page is closed or loaded again.';
  const until = new Date(answer.boughtMs + KEPT_DAYS * DAY_MS);
  const day = until.toLocaleDateString(undefined, { dateStyle: 'long' });
  return `Your browser keeps this on this device until ${day}, unless you delete it before. We store nothing that you write and no answer: please keep a copy.`;
}

/** Everything of the class `toolbar` stays off paper. */
function partsOf(answer: Answer, { operation, price, explorer, remove }: Bought): readonly HTMLElement[] {
  const { body, transaction, boughtMs } = answer;
  const { shown, text } = boughtAnswer(operation, body, boughtMs);
  const take = buttons(copyButton('Copy all as text', text));
  take.classList.add('toolbar');
  const forget = askedFirst(
    'Delete this answer',
    'Delete this answer? It cannot be fetched again. A digest of the purchase stays for a day, so that you do not pay for the same by mistake.',
    'Delete it',
    () => remove(answer),
  );
  forget.classList.add('toolbar');
  const receipt =
    transaction === null
      ? paragraph(`Paid: ${price}.`)
      : paragraph(`Paid: ${price}. Transaction `, transactionShown(transaction, explorer));
  return [shown, receipt, take, forget];
}

function transactionShown(transaction: string, explorer: string | null): HTMLElement {
  const hash = code(transaction);
  if (explorer === null) return hash;
  const link = elsewhere('', `${explorer}/tx/${transaction}`);
  link.append(hash);
  return link;
}

function earlierOnes(bought: Bought): readonly HTMLElement[] {
  if (bought.earlier.length === 0) return [];
  const title = document.createElement('h2');
  title.textContent = 'Bought before';
  return [title, ...bought.earlier.map((answer) => foldedOne(answer, bought))];
}

function foldedOne(answer: Answer, bought: Bought): HTMLElement {
  const folded = document.createElement('details');
  const summary = document.createElement('summary');
  const time = new Date(answer.boughtMs).toLocaleString(undefined, {
    dateStyle: 'medium',
    timeStyle: 'short',
  });
  summary.textContent = `${answer.about || 'Another answer'} (${time})`;
  folded.append(summary);
  // There may be many, and few are looked at again.
  const fill = (): void => {
    const up = buttons(quiet('Show it above', () => bought.bringUp(answer)));
    folded.append(up, ...partsOf(answer, bought));
    // The documents of the answer above are landmarks already, of the same names.
    for (const place of folded.querySelectorAll('section, [role="region"]'))
      place.setAttribute('role', 'group');
  };
  folded.addEventListener('toggle', fill, { once: true });
  return folded;
}

function quiet(label: string, press: () => unknown): HTMLButtonElement {
  const made = button(label, press);
  made.className = 'quiet';
  return made;
}
