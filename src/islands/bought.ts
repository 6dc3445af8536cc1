import { boughtViews } from '../surfaces/pages/views/bought.ts';
import { spokenDay, spokenTime } from '../surfaces/pages/views/spoken-time.ts';
import { boughtAnswer } from './bought-answer.ts';
import { button, buttons, code, elementOf, externalLink, paragraph, quietButton } from './element.ts';
import { type Answer, isPassing, KEPT_DAYS } from './pay/stored-purchases.ts';
import { copyButton } from './toolbar.ts';

const views: Readonly<Record<string, { readonly heading: string }>> = boughtViews;

export type Bought = {
  readonly operation: string;
  /** "USD 0.01 in USDC on Base" */
  readonly price: string;
  /** Shows transactions of the network; null where none does. */
  readonly explorer: string | null;
  /** Shown in full; null where none was bought or opened just now. */
  readonly first: Answer | null;
  /** Folded below the first. */
  readonly earlier: readonly Answer[];
  /** Shows one in full. */
  readonly bringUp: (answer: Answer) => void;
  /** Deletes one from the page and from the device. */
  readonly remove: (answer: Answer) => void;
  /** Deletes every answer that was bought with this browser. */
  readonly removeAll: () => void;
};

/** Shows bought answers with their receipts and with buttons to copy and delete them. */
export function showBought(result: HTMLElement, bought: Bought): void {
  const { first } = bought;
  result.replaceChildren(...(first === null ? [] : firstOne(first, bought)), ...restOf(bought));
}

/** Shows anew all but the first, on whose document somebody may be writing. */
export function showBoughtBelow(result: HTMLElement, bought: Bought): void {
  const openOnes = '[data-answer][open]';
  const open = [...result.querySelectorAll<HTMLElement>(openOnes)].map(({ dataset }) => dataset.answer);
  boughtBelow(result)?.remove();
  result.append(...restOf(bought));
  for (const folded of result.querySelectorAll<HTMLDetailsElement>('[data-answer]'))
    folded.open = open.includes(folded.dataset.answer);
}

/** All but the answer that is shown in full. */
export const boughtBelow = (result: HTMLElement): HTMLElement | null =>
  result.querySelector<HTMLElement>(`:scope > .${REST}`);

const REST = 'bought-rest';

/** What stands below the answer that is shown in full; nothing where nothing was bought. */
function restOf(bought: Bought): readonly HTMLElement[] {
  const { first, earlier } = bought;
  if (first === null && earlier.length === 0) return [];
  const all = confirmButton(
    'Delete everything bought on this device',
    'Delete every answer that was bought with this browser? They cannot be fetched again.',
    'Delete everything',
    bought.removeAll,
  );
  // A section of class `note` does not count as a result, so that the sample of the page stays.
  const className = first === null ? `${REST} toolbar note` : `${REST} toolbar`;
  return [elementOf('section', className, ...earlierOnes(bought), all)];
}

function firstOne(first: Answer, bought: Bought): readonly HTMLElement[] {
  const title = elementOf('h2', '', views[bought.operation]?.heading ?? 'Your answer');
  title.tabIndex = -1;
  const keep = elementOf('p', 'toolbar', howLong(bought.operation, first));
  const parts = partsOf(first, bought);
  // What is lost with the page is said first; else what was bought comes first.
  return isPassing(bought.operation, first) ? [title, keep, ...parts] : [title, ...parts, keep];
}

/** Moves the focus to the answer that is shown in full. */
export function goToBought(result: HTMLElement): void {
  const title = result.querySelector<HTMLElement>('h2[tabindex]');
  title?.focus({ preventScroll: true });
  title?.scrollIntoView({ block: 'start' });
}

const DAY_MS = 86_400_000;

function howLong(operation: string, answer: Answer): string {
  if (isPassing(operation, answer))
    return 'Please keep a copy: we store nothing that you write and no answer, and your browser forgets this one when the page is closed or loaded again.';
  const until = spokenDay(answer.boughtMs + KEPT_DAYS * DAY_MS);
  return `Your browser keeps this on this device until ${until}, unless you delete it before. We store nothing that you write and no answer: please keep a copy.`;
}

/** What has the class `toolbar` is not printed. */
function partsOf(answer: Answer, { operation, price, explorer, remove }: Bought): readonly HTMLElement[] {
  const { transaction } = answer;
  const { shown, text } = boughtAnswer(operation, answer);
  const take = buttons(copyButton('Copy all as text', text));
  take.classList.add('toolbar');
  const forget = confirmButton(
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
  return explorer === null ? hash : externalLink(`${explorer}/tx/${transaction}`, hash);
}

function earlierOnes(bought: Bought): readonly HTMLElement[] {
  if (bought.earlier.length === 0) return [];
  const title = elementOf('h2', '', 'Bought before');
  return [title, ...bought.earlier.map((answer) => foldedOne(answer, bought))];
}

function foldedOne(answer: Answer, bought: Bought): HTMLElement {
  const time = spokenTime(answer.boughtMs);
  const summary = elementOf('summary', '', `${answer.about || 'Another answer'} (${time})`);
  const folded = elementOf('details', '', summary);
  folded.dataset.answer = answer.name;
  // Rendered when it is opened: there may be many, and few are opened.
  const fill = (): void => {
    const up = buttons(quietButton('Show it above', () => bought.bringUp(answer)));
    folded.append(up, ...partsOf(answer, bought));
    // The documents of the answer above are landmarks already, of the same names.
    for (const place of folded.querySelectorAll('section, [role="region"]'))
      place.setAttribute('role', 'group');
  };
  folded.addEventListener('toggle', fill, { once: true });
  return folded;
}

/** A button for what cannot be undone: it asks for confirmation first. */
function confirmButton(label: string, question: string, yes: string, act: () => unknown): HTMLElement {
  const place = elementOf('div');
  const first = quietButton(label, () => {
    const asked = paragraph(question);
    asked.tabIndex = -1;
    const no = quietButton('No, keep it', () => {
      place.replaceChildren(buttons(first));
      first.focus();
    });
    place.replaceChildren(asked, buttons(button(yes, act), no));
    asked.focus();
  });
  place.append(buttons(first));
  return place;
}
