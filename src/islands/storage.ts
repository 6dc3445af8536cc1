/*
 * The memory that a browser has for this site on this device (localStorage): it outlives the tab, all tabs see it, and
 * what is written is there when the call returns. Switched off, or where a browser keeps nothing, the same is held by
 * this page alone.
 */

const PREFIX = 'paid.';
const OFF = `${PREFIX}off`;

const inPage = new Map<string, string>();
let isOff = within(() => sessionStorage.getItem(OFF)) !== null;

/** What storage gives; null where it is forbidden or full. */
function within<Value>(work: () => Value): Value | null {
  try {
    return work();
  } catch {
    return null;
  }
}

const isKept = (key: string, text: string): boolean =>
  within(() => {
    localStorage.setItem(PREFIX + key, text);
    return true;
  }) ?? false;

/** Whether the browser can keep anything for this site. */
export function canKeep(): boolean {
  const can = isKept('probe', '');
  remove('probe');
  return can;
}

/** Whether what is bought in this tab from now on is kept on the device. */
export const isKeeping = (): boolean => !isOff;

/** The choice holds for this tab, whatever is opened in it; what was kept before stays. */
export function setKeeping(keeps: boolean): void {
  isOff = !keeps;
  within(() => (keeps ? sessionStorage.removeItem(OFF) : sessionStorage.setItem(OFF, '')));
}

/** False when it is held by this page alone. */
export function write(key: string, value: unknown): boolean {
  const text = JSON.stringify(value);
  const outlives = isKeeping() && isKept(key, text);
  if (outlives) inPage.delete(key);
  else inPage.set(key, text);
  return outlives;
}

/** null for nothing, and for what cannot be read. */
export function read<Value>(key: string): Value | null {
  const text = inPage.get(key) ?? within(() => localStorage.getItem(PREFIX + key));
  return text === null ? null : within(() => JSON.parse(text) as Value);
}

export const isInPageOnly = (key: string): boolean => inPage.has(key);

export function remove(key: string): void {
  inPage.delete(key);
  within(() => localStorage.removeItem(PREFIX + key));
}

/** All that begin so. */
export function keysOf(start: string): readonly string[] {
  const onDevice = within(() => Object.keys(localStorage)) ?? [];
  const ours = onDevice.filter((key) => key.startsWith(PREFIX)).map((key) => key.slice(PREFIX.length));
  return [...new Set([...inPage.keys(), ...ours])].filter((key) => key.startsWith(start));
}

/** Tells of what another tab wrote or removed below a start. */
export function onChangeElsewhere(start: string, tell: () => void): void {
  window.addEventListener('storage', ({ key }) => {
    if (key === null || key.startsWith(PREFIX + start)) tell();
  });
}
