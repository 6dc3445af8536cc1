import type { Block } from '../surfaces/pages/content.ts';
import { elementOf } from './element.ts';
import { mainOf } from './shown-result.ts';

export type Bar = { show(blocks: readonly Block[]): void; dim(): void };

/** On a phone the main figure stays in view while the result is not, above the keyboard, and leads to the result. */
export function barFor(result: HTMLElement): Bar {
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
  const view = window.visualViewport;
  const rise = (): void => {
    const hidden = view === null ? 0 : innerHeight - view.height - view.offsetTop;
    bar.style.bottom = `${Math.max(0, Math.round(hidden))}px`;
  };
  view?.addEventListener('resize', rise);
  view?.addEventListener('scroll', rise);
  return {
    show(blocks) {
      const main = mainOf(blocks);
      hasFigure = main !== null;
      label.textContent = main?.label ?? '';
      value.textContent = main?.value ?? '';
      bar.classList.remove('stale');
      place();
    },
    dim: () => bar.classList.add('stale'),
  };
}
