/**
 * Follows links within the page without the address, which holds what was written: a reload after the link past the
 * head, or after one to a faulty field, would lose it.
 */
export function keepAddress(): void {
  addEventListener('click', (event) => {
    // Followed already, to the field as it stands in the page.
    if (event.defaultPrevented) return;
    const link = (event.target as Element).closest?.<HTMLAnchorElement>('a[href^="#"]');
    const place = link && document.getElementById(link.hash.slice(1));
    if (!place || event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    place.closest('details')?.setAttribute('open', '');
    place.scrollIntoView();
    if (place.tabIndex < 0) place.tabIndex = -1;
    place.focus({ preventScroll: true });
  });
}
