import { orNull } from '../or-null.ts';

/*
 * The browser's storage for this site on this device (localStorage): it outlives the tab, all tabs share it, and writes
 * are complete when the call returns. If storage is off or forbidden, only this page holds the values.
 */

const PREFIX = 'paid.';
const OFF = `${PREFIX}off`;

const inPage = new Map<string, string>();
let isOff = orNull(() => sessionStorage.getItem(OFF)) !== null;

// A page from the back/forward cache may be older than the choice.
addEventListener('pageshow', () => {
  isOff ||= orNull(() => sessionStorage.getItem(OFF)) !== null;
});

const isKept = (key: string, text: string): boolean =>
  orNull(() => {
    localStorage.setItem(PREFIX + key, text);
    return true;
  }) ?? false;

/** Whether the browser can store anything for this site. */
export function canKeep(): boolean {
  const can = isKept('probe', '');
  remove('probe');
  return can;
}

/** Whether purchases in this tab are stored on the device from now on. */
export const isKeeping = (): boolean => !isOff;

/** The choice applies to this tab and its later pages. Values stored before stay. */
export function setKeeping(keeps: boolean): void {
  isOff = !keeps;
  orNull(() => (keeps ? sessionStorage.removeItem(OFF) : sessionStorage.setItem(OFF, '')));
}

/** Stores a value; false if only this page holds it. If `mayOutlive` is false, the device never stores the value. */
export function write(key: string, value: unknown, mayOutlive = true): boolean {
  const text = JSON.stringify(value);
  const outlives = mayOutlive && isKeeping() && isKept(key, text);
  if (outlives) inPage.delete(key);
  else inPage.set(key, text);
  return outlives;
}

/** The value of a key; null if nothing is stored or if it cannot be read. */
export function read<Value>(key: string): Value | null {
  const text = inPage.get(key) ?? orNull(() => localStorage.getItem(PREFIX + key));
  return text === null ? null : orNull(() => JSON.parse(text) as Value);
}

export const isInPageOnly = (key: string): boolean => inPage.has(key);

export function remove(key: string): void {
  inPage.delete(key);
  orNull(() => localStorage.removeItem(PREFIX + key));
}

/** All keys that begin with `start`. */
export function keysOf(start: string): readonly string[] {
  const onDevice = orNull(() => Object.keys(localStorage)) ?? [];
  const ours = onDevice.filter((key) => key.startsWith(PREFIX)).map((key) => key.slice(PREFIX.length));
  return [...new Set([...inPage.keys(), ...ours])].filter((key) => key.startsWith(start));
}

/**
 * Calls `listen` when another tab writes or removes a key that begins with `start`, until `listen` returns false. A
 * removal always replaces a value that only this page held. A write replaces it only while values are kept.
 */
export function onChangeElsewhere(start: string, listen: () => boolean | undefined): void {
  const hear = ({ key, newValue }: StorageEvent): void => {
    if (key !== null && !key.startsWith(PREFIX + start)) return;
    if (key !== null && (newValue === null || isKeeping())) inPage.delete(key.slice(PREFIX.length));
    if (listen() === false) window.removeEventListener('storage', hear);
  };
  window.addEventListener('storage', hear);
}
