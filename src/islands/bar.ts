import type { Block } from '../surfaces/pages/content.ts';
import { elementOf } from './element.ts';
import { mainOf } from './shown-result.ts';

export type Bar = ReturnType<typeof barFor>;

/** On a phone the main figure stays in view while the result is not, above the keyboard, and leads to the result. */
export function barFor(result: HTMLElement) {
  const label = elementOf('span');
  const value = elementOf('strong');
  const bar = elementOf('a', 'bar', label, value);
  bar.href = '#result';
  bar.hidden = true;
  document.querySelector('main')?.append(bar);
  let hasFigure = false;
  let isInView = false;
  const place = (): void => {
    bar.hidden = !hasFigure || isInView;
  };
  new IntersectionObserver(
    ([seen]) => {
      isInView = seen?.isIntersecting === true;
      place();
    },
    { rootMargin: '0px 0px -80px' },
  ).observe(result);
  stayAboveKeyboard(bar);
  return {
    show(blocks: readonly Block[]): void {
      const main = mainOf(blocks);
      hasFigure = main !== null;
      label.textContent = main?.label ?? '';
      value.textContent = main?.value ?? '';
      bar.classList.remove('stale');
      const wasHidden = bar.hidden;
      place();
      // The field that is typed in may stand where the bar comes.
      if (wasHidden && !bar.hidden) document.querySelector(':focus')?.scrollIntoView({ block: 'nearest' });
    },
    dim: () => bar.classList.add('stale'),
  };
}

/** Keeps what stands at the bottom of the window in view while a keyboard covers that. */
export function stayAboveKeyboard(bar: HTMLElement): void {
  const view = window.visualViewport;
  const rise = (): void => {
    const hidden = view === null ? 0 : innerHeight - view.height - view.offsetTop;
    const bottom = `${Math.max(0, Math.round(hidden))}px`;
    bar.style.bottom = bottom;
    // What gets the focus is scrolled above the bar.
    document.documentElement.style.scrollPaddingBottom = `calc(max(5rem, ${bar.offsetHeight}px + 1rem) + ${bottom})`;
  };
  rise();
  view?.addEventListener('resize', rise);
  view?.addEventListener('scroll', rise);
}
