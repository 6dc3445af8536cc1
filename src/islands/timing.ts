/* When a page acts on what somebody does: not at every key, and not under a finger. */

let isPressed = false;
for (const [event, now] of [
  ['pointerdown', true],
  ['pointerup', false],
  ['pointercancel', false],
] as const)
  addEventListener(
    event,
    () => {
      isPressed = now;
    },
    true,
  );

/** Acts once nothing more has come for a while. */
export function pausing<Args extends readonly unknown[]>(ms: number, act: (...args: Args) => void) {
  let waiting: ReturnType<typeof setTimeout> | undefined;
  return (...args: Args): void => {
    clearTimeout(waiting);
    waiting = setTimeout(() => act(...args), ms);
  };
}

/**
 * Waits until nothing is being pressed: words that come in between would move a button away from under the finger. A
 * finger is lifted before a field is left, and what it tapped is only then pressed, in the same turn.
 */
export function afterPress(act: () => void): void {
  if (isPressed) addEventListener('pointerup', () => setTimeout(act), { once: true });
  else setTimeout(act);
}
