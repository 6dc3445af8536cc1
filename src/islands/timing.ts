/* When a page reacts: not at every key press, and not while something is being pressed. */

let isPressed = false;
for (const event of ['pointerdown', 'pointerup', 'pointercancel'])
  addEventListener(
    event,
    () => {
      isPressed = event === 'pointerdown';
    },
    true,
  );

/** Calls `act` once there was no call for a while (debouncing). */
export function debounced<Args extends readonly unknown[]>(ms: number, act: (...args: Args) => void) {
  let waiting: ReturnType<typeof setTimeout> | undefined;
  return (...args: Args): void => {
    clearTimeout(waiting);
    waiting = setTimeout(() => act(...args), ms);
  };
}

/**
 * Waits until nothing is being pressed: text that appears meanwhile would move a button away from under the finger. On
 * touch, the finger is lifted before a field loses focus, and the click follows in the same task.
 */
export function afterPress(act: () => void): void {
  if (isPressed) addEventListener('pointerup', () => setTimeout(act), { once: true });
  else setTimeout(act);
}

/** Acts at once, or once the focus has left `place` and nothing is pressed: whoever writes or decides there goes on first. */
export function afterFocus(place: HTMLElement | null, act: () => void): void {
  if (place === null || !place.contains(document.activeElement)) act();
  else place.addEventListener('focusout', () => afterPress(() => afterFocus(place, act)), { once: true });
}
