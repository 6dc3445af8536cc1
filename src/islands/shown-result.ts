import { Blocks } from '../surfaces/pages/blocks.tsx';
import type { Block, Figure } from '../surfaces/pages/content.ts';
import { blocksText } from '../surfaces/pages/plain-text.ts';
import { elementOf, nodesOf, quietButton } from './element.ts';
import { copyButton } from './toolbar.ts';

export type ResultActions = {
  /** The address that shares the result. */
  readonly shared: () => string;
  /** The values of the form, for another page to continue with. */
  readonly carried: string;
};

/** Shows a result: the answer, its buttons, then how it was reached and what to know. */
export function showResult(
  form: HTMLFormElement,
  result: HTMLElement,
  blocks: readonly Block[],
  ways: ResultActions,
): void {
  const end = blocks.findIndex((block) => 'subheading' in block);
  const [answer, rest] = end < 0 ? [blocks, []] : [blocks.slice(0, end), blocks.slice(end)];
  result.classList.remove('stale');
  result.replaceChildren(...nodesOf(Blocks({ blocks: answer })));
  const reasons = elementOf('div', '', ...nodesOf(Blocks({ blocks: rest })));
  result.append(actions(form, blocks, ways), reasons);
}

/** Marks the last good result as out of date while the form has no new one. */
export function showStale(result: HTMLElement, isSaid: boolean): void {
  result.classList.add('stale');
  if (!isSaid || result.querySelector('.unfinished') !== null) return;
  const text = 'Something in the form needs a change before there is a new result.';
  result.prepend(elementOf('p', 'note unfinished', text));
}

function actions(form: HTMLFormElement, blocks: readonly Block[], ways: ResultActions): HTMLElement {
  const bar = elementOf('p', 'buttons toolbar');
  const { next, nextSays } = form.dataset;
  if (next !== undefined && nextSays !== undefined) {
    const link = elementOf('a', 'button', nextSays);
    link.href = `${next}#${ways.carried}`;
    bar.append(link);
  }
  bar.append(
    copyButton('Copy as text', () => blocksText(blocks, location.origin)),
    copyButton('Copy a link to this', ways.shared),
    quietButton('Print', () => window.print()),
  );
  return bar;
}

/** "Total due $1,260.63" */
export function mainFigure(blocks: readonly Block[]): string {
  const main = mainOf(blocks);
  return main === null ? '' : `${main.label} ${main.value}`;
}

/** The figure that a result is asked for. */
export function mainOf(blocks: readonly Block[]): Figure | null {
  for (const block of blocks) {
    const main = 'figures' in block ? block.figures.find(({ strong }) => strong) : undefined;
    if (main) return main;
  }
  return null;
}
