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
