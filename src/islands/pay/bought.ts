import { h, render } from 'preact';
import { BoughtPlace } from '../../surfaces/pages/pay/bought.tsx';
import type { Shop } from '../../surfaces/pages/pay/pay-state.ts';
import { boughtDesk } from './bought-desk.ts';
import {
  type Answer,
  isAnyPassing,
  keepAnswer,
  keptAnswers,
  onAnswersElsewhere,
  onLettersElsewhere,
  sweep,
} from './stored-purchases.ts';

/* The purchases of a page: the answer bought or opened last in full, and a list of the earlier ones. */

const FRESH_MS = 600_000;

/** Shows the answers of an operation in `root`, the same in every tab. */
export function mountBought(root: HTMLElement, shop: Shop) {
  const { operation } = shop;
  sweep();
  const all = (): readonly Answer[] => keptAnswers(operation);
  // The answer shown in full: opened or bought here, or bought just before a reload.
  let front = all().find(({ boughtMs }) => Date.now() - boughtMs < FRESH_MS)?.name ?? null;
  let isDeleted = false;
  const desk = boughtDesk({
    operation,
    shop,
    onChange: () => draw(),
    onRemoved({ name }) {
      if (name === front) front = all()[0]?.name ?? null;
      isDeleted = front === null;
      draw();
      goTo();
    },
  });
  function draw(): void {
    const answers = all();
    const first = answers.find(({ name }) => name === front) ?? null;
    const earlier = answers
      .filter((answer) => answer !== first)
      .map((answer) => ({ answer: { ...answer, operation }, open: () => bringUp(answer.name) }));
    render(
      h(BoughtPlace, { first: first && desk.show(first), earlier, isDeleted: isDeleted && first === null }),
      root,
    );
    // Some browsers do not keep a page with this listener in the back/forward cache.
    if (isAnyPassing()) addEventListener('beforeunload', askWhoLeaves);
    else removeEventListener('beforeunload', askWhoLeaves);
  }
  function goTo(): void {
    const title = root.querySelector<HTMLElement>('.bought-title, .deleted');
    title?.focus({ preventScroll: true });
    title?.scrollIntoView({ block: 'start' });
  }
  /** Shows an answer in full; null if this device does not have it. */
  function bringUp(name: string): Answer | null {
    const answer = all().find((one) => one.name === name);
    if (answer === undefined) return null;
    front = name;
    isDeleted = false;
    draw();
    goTo();
    return answer;
  }
  onAnswersElsewhere(operation, draw);
  onLettersElsewhere(draw);
  draw();
  return {
    bringUp,
    add(answer: Answer): void {
      keepAnswer(operation, answer);
      bringUp(answer.name);
    },
  };
}

/** Makes the browser confirm before the page is left. */
function askWhoLeaves(event: BeforeUnloadEvent): void {
  event.preventDefault();
}
