import { Blocks } from '../surfaces/pages/blocks.tsx';
import type { Block } from '../surfaces/pages/content.ts';
import { blocksMarkdown } from '../surfaces/pages/markdown.ts';
import { boughtViews, type View } from '../surfaces/pages/views/bought.ts';
import { type Answer, isPassing, KEPT_DAYS } from './kept.ts';
import { askedFirst, button, buttons, code, elsewhere, paragraph } from './panel.ts';
import { copyButton } from './toolbar.ts';

const views: Readonly<Record<string, { readonly heading: string } & View<never>>> = boughtViews;

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
  const print = quiet('Print', () => window.print());
  return [title, keep, ...partsOf(first, bought, print)];
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
function partsOf(
  answer: Answer,
  { operation, price, explorer, remove }: Bought,
  more: HTMLElement,
): readonly HTMLElement[] {
  const { body, transaction } = answer;
  const blocks = blocksOf(operation, body);
  const shown = document.createElement('div');
  // Escaped by the renderer that the server uses.
  shown.innerHTML = String(Blocks({ blocks }));
  addLetterButtons(shown, blocks);
  const copy = copyButton('Copy all as text', () => blocksMarkdown(blocks, location.origin));
  const take = buttons(copy, more);
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
  return [receipt, take, shown, forget];
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
    const up = quiet('Show it above', () => bought.bringUp(answer));
    folded.append(...partsOf(answer, bought, up));
    // The letters of the answer above are landmarks already, of the same names.
    for (const letter of folded.querySelectorAll('section.letter')) letter.setAttribute('role', 'group');
  };
  folded.addEventListener('toggle', fill, { once: true });
  return folded;
}

function quiet(label: string, press: () => unknown): HTMLButtonElement {
  const made = button(label, press);
  made.className = 'quiet';
  return made;
}

/** What was paid for is shown whatever it looks like: a page may be older than the service that answered. */
function blocksOf(operation: string, body: unknown): readonly Block[] {
  try {
    const shown = views[operation]?.view(body as never);
    if (shown) return shown;
  } catch {
    // It is shown as it came.
  }
  return [{ code: JSON.stringify(body, null, 2), language: 'json' }];
}

/** A copy button at each letter, and one that opens it in an email program where its subject stands before it. */
function addLetterButtons(answer: HTMLElement, blocks: readonly Block[]): void {
  const letters = blocks.flatMap((block) => ('letter' in block ? [block] : []));
  for (const [index, place] of [...answer.querySelectorAll('section.letter')].entries()) {
    const letter = letters[index];
    if (letter === undefined) continue;
    const { label } = letter;
    const row = buttons(copyButton(`Copy the ${label.toLowerCase()}`, () => letter.letter));
    row.classList.add('toolbar');
    const before = letters[index - 1];
    if (before?.label === 'Subject') {
      const link = document.createElement('a');
      link.href = mailAddress(before.letter, letter.letter);
      link.textContent = 'Open in your email program';
      row.append(' ', link);
    }
    place.after(row);
  }
}

/** A mailto: address without a recipient; RFC 6068 wants line breaks as CR LF. */
const mailAddress = (subject: string, body: string): string =>
  `mailto:?subject=${encodeURIComponent(subject)}&body=${encodeURIComponent(body.replaceAll('\n', '\r\n'))}`;
