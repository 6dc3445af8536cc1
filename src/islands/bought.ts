import { boughtViews } from '../surfaces/pages/views/bought.ts';
import { boughtAnswer } from './bought-answer.ts';
import { button, buttons, code, paragraph } from './panel.ts';
import type { Answer } from './pending.ts';
import { copyButton } from './toolbar.ts';

const views: Readonly<Record<string, { readonly heading: string }>> = boughtViews;

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
  result.replaceChildren(title, keep, ...partsOf(first, bought, []));
  if (earlier.length > 0) result.append(earlierOnes(earlier, bought));
  title.focus();
}

/** Everything of the class `toolbar` stays off paper. */
function partsOf(
  answer: Answer,
  { operation, price, forget }: Bought,
  more: readonly HTMLElement[],
): readonly HTMLElement[] {
  const { body, transaction, boughtMs } = answer;
  const { shown, text } = boughtAnswer(operation, body, boughtMs);
  const copy = copyButton('Copy all as text', text);
  const take = buttons(
    copy,
    ...more,
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
      folded.append(summary, ...partsOf(answer, bought, [up]));
      // The documents of the answer above are landmarks already, of the same names.
      for (const place of folded.querySelectorAll('section, [role="region"]'))
        place.setAttribute('role', 'group');
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
