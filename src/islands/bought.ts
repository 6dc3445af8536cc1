import { Blocks } from '../surfaces/pages/blocks.tsx';
import type { Block } from '../surfaces/pages/content.ts';
import { blocksMarkdown } from '../surfaces/pages/markdown.ts';
import { letterView } from '../surfaces/pages/views/letter.ts';
import { packView } from '../surfaces/pages/views/pack.ts';
import { reportView } from '../surfaces/pages/views/report.ts';
import { button, buttons, code, paragraph } from './panel.ts';
import type { Answer } from './pending.ts';
import { copyButton } from './toolbar.ts';

const views: Readonly<
  Record<string, { readonly heading: string; readonly view: (body: never) => readonly Block[] }>
> = {
  letter: { heading: 'Your reminder', view: letterView },
  pack: { heading: 'Your quote pack', view: packView },
  report: { heading: 'Your report', view: reportView },
};

export type Bought = Answer & {
  /** "USD 0.01 in USDC on Base" */
  readonly price: string;
  /** Takes it away from the page and out of the browser's memory. */
  readonly forget: () => void;
};

/** Shows a bought answer with its receipt and ways to take it away, and takes the reader there. */
export function showBought(
  result: HTMLElement,
  view: string,
  { body, transaction, price, forget }: Bought,
): void {
  const known = views[view];
  const blocks = blocksOf(view, body);
  const title = document.createElement('h2');
  title.tabIndex = -1;
  title.textContent = known?.heading ?? 'Your answer';
  const answer = document.createElement('div');
  // Escaped by the renderer that the server uses.
  answer.innerHTML = String(Blocks({ blocks }));
  addLetterButtons(answer, blocks);
  const print = button('Print', () => window.print());
  print.className = 'quiet';
  const drop = button('Forget it', () => {
    forget();
    result.replaceChildren();
  });
  drop.className = 'quiet';
  const take = buttons(
    copyButton('Copy all as text', () => blocksMarkdown(blocks, location.origin)),
    print,
    drop,
  );
  take.classList.add('toolbar');
  const receipt =
    transaction === null
      ? paragraph(`Paid: ${price}.`)
      : paragraph(`Paid: ${price}. Transaction `, code(transaction));
  const keep = paragraph(
    'Please keep a copy: we store nothing, and your browser forgets it when you close this tab.',
  );
  // The reader is taken to it; reading all of it out unasked would be too much.
  result.setAttribute('aria-live', 'off');
  result.replaceChildren(title, receipt, keep, take, answer);
  title.focus();
}

/** What was paid for is shown whatever it looks like: a page may be older than the service that answered. */
function blocksOf(view: string, body: unknown): readonly Block[] {
  try {
    const shown = views[view]?.view(body as never);
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
