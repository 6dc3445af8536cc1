/** Pages whose forms ask for the same things, by the same names. */
const FAMILIES: readonly (readonly string[])[] = [
  ['/', '/late-fee', '/late-fee-reminder'],
  ['/quote', '/quote-pack'],
];

/** Links from one page of a family to another carry the form's values behind the #, which browsers do not send. */
export function carryAlong(values: () => string): void {
  const family = FAMILIES.find((paths) => paths.includes(location.pathname)) ?? [];
  const addValues = ({ target }: Event): void => {
    const link = (target as Element).closest?.('a');
    if (!link || link.origin !== location.origin || link.pathname === location.pathname) return;
    if (family.includes(link.pathname) && link.search === '') link.hash = values();
  };
  // Before a link is followed in any way: by a tap, by a key or in another tab.
  for (const event of ['pointerdown', 'focusin', 'click']) addEventListener(event, addValues, true);
}
