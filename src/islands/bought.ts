import { Blocks } from '../surfaces/pages/blocks.tsx';
import type { Block } from '../surfaces/pages/content.ts';
import { blocksMarkdown } from '../surfaces/pages/markdown.ts';
import { boughtViews, type View } from '../surfaces/pages/views/bought.ts';
import { button, buttons, code, paragraph } from './panel.ts';
import type { Answer } from './pending.ts';
import { copyButton } from './toolbar.ts';

const views: Readonly<Record<string, { readonly heading: string } & View<never>>> = boughtViews;

export type Bought = {
  readonly operation: string;
  /** "USD 0.01 in USDC on Base" */
  readonly price: string;
  /** At least one; the first is shown, the others below it are folded. */
  readonly answers: readonly Answer[];
  /** Puts one in front of the others. */
  readonly bringUp: (answer: Answer) => void;
  /** Takes one away from the page and out of the browser's memory. */
  readonly forget: (answer: Answer) => void;
};

/** Shows bought answers with their receipts and ways to take them away, and takes the reader to the first. */
export function showBought(result: HTMLElement, bought: Bought): void {
  const [first, ...earlier] = bought.answers;
  if (first === undefined) {
    result.replaceChildren();
    return;
  }
  const title = document.createElement('h2');
  title.tabIndex = -1;
  title.textContent = views[bought.operation]?.heading ?? 'Your answer';
  const keep = paragraph(
    'Please keep a copy: we store nothing, and your browser forgets it when you close this tab.',
  );
  keep.className = 'toolbar';
  const print = quiet('Print', () => window.print());
  result.replaceChildren(title, keep, ...partsOf(first, bought, print));
  if (earlier.length > 0) result.append(earlierOnes(earlier, bought));
  title.focus();
}

/** Everything of the class `toolbar` stays off paper. */
function partsOf(
  answer: Answer,
  { operation, price, forget }: Bought,
  more: HTMLElement,
): readonly HTMLElement[] {
  const { body, transaction } = answer;
  const blocks = blocksOf(operation, body);
  const shown = document.createElement('div');
  // Escaped by the renderer that the server uses.
  shown.innerHTML = String(Blocks({ blocks }));
  addLetterButtons(shown, blocks);
  const copy = copyButton('Copy all as text', () => blocksMarkdown(blocks, location.origin));
  const take = buttons(
    copy,
    more,
    quiet('Forget it', () => forget(answer)),
  );
  take.classList.add('toolbar');
  const receipt =
    transaction === null
      ? paragraph(`Paid: ${price}.`)
      : paragraph(`Paid: ${price}. Transaction `, code(transaction));
  return [receipt, take, shown];
}

function earlierOnes(answers: readonly Answer[], bought: Bought): HTMLElement {
  const section = document.createElement('section');
  section.className = 'toolbar';
  const title = document.createElement('h2');
  title.textContent = 'Bought before in this tab';
  section.append(
    title,
    ...answers.map((answer) => {
      const folded = document.createElement('details');
      const summary = document.createElement('summary');
      const time = new Date(answer.boughtMs).toLocaleTimeString('en-GB', { timeStyle: 'short' });
      summary.textContent = `${answer.about || 'Another answer'} (${time})`;
      const up = quiet('Show it above', () => bought.bringUp(answer));
      folded.append(summary, ...partsOf(answer, bought, up));
      // The letters of the answer above are landmarks already, of the same names.
      for (const letter of folded.querySelectorAll('section.letter')) letter.setAttribute('role', 'group');
      return folded;
    }),
  );
  return section;
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
