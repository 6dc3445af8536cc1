/** Pages whose forms ask for the same things, by the same names. */
const FAMILIES: readonly (readonly string[])[] = [
  ['/', '/late-fee', '/late-fee-reminder'],
  ['/quote', '/quote-pack'],
];

/** Links from one page of a family to another take along what is `written`, behind the #, which no browser sends. */
export function carryAlong(written: () => string): void {
  const family = FAMILIES.find((paths) => paths.includes(location.pathname)) ?? [];
  const onWay = ({ target }: Event): void => {
    const link = (target as Element).closest?.('a');
    if (!link || link.origin !== location.origin || link.pathname === location.pathname) return;
    if (family.includes(link.pathname) && link.search === '') link.hash = written();
  };
  // Before a link is followed in any way: by a tap, a key, in another tab.
  for (const event of ['pointerdown', 'focusin', 'click']) addEventListener(event, onWay, true);
}
