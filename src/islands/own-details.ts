import { checkbox, elementOf } from './element.ts';
import type { Input } from './numbers.ts';

/*
 * The details of the owner's business, remembered on this device if the owner chooses so: what is the same in every
 * letter and document. Nothing about a client is among them, and none of them is sent.
 */

const KEY = 'own-details';
const CHANGED = 'own-details';
/** The fields that are remembered. */
const OWN = ['business_name', 'contact', 'payment_details', 'currency', 'tax'] as const;
const WORDS = 'its name and address, how you are paid, your currency and what your tax is called';

type Detail = (typeof OWN)[number];
export type OwnDetails = Partial<Record<Detail, string>>;
/** An input for each detail that a place asks for. */
export type OwnInputs = readonly (readonly [Detail, Input])[];

/** Offers to remember the business that a form asks for, and fills in what was remembered where nothing is written. */
export function rememberOwnDetails(form: HTMLFormElement): void {
  const place = form.querySelector('[name="business_name"]')?.closest('.fields');
  if (!place) return;
  const inputs = OWN.flatMap((name) => {
    const input = form.querySelector<Input>(`.fields [name="${name}"]`);
    return input === null ? [] : [[name, input] as const];
  });
  const known = remembered();
  for (const [name, input] of inputs) if (input.value === '') input.value = known?.[name] ?? '';
  place.after(rememberChoice('remember-own', inputs));
}

/** The choice to remember what these inputs hold; all such choices on a page change together. */
export function rememberChoice(id: string, inputs: OwnInputs): HTMLElement {
  const { box, label, hint } = checkbox(id, 'Remember my business on this device');
  hint.textContent = `Kept in this browser alone, until you take the tick away: ${WORDS}. Better not on a device that others use.`;
  const follow = (): void => {
    box.checked = remembered() !== null;
  };
  follow();
  addEventListener(CHANGED, follow);
  const keep = (): void => {
    const written = Object.fromEntries(inputs.map(([name, input]) => [name, input.value.trim()]));
    remember(box.checked ? { ...remembered(), ...written } : null);
  };
  box.addEventListener('change', keep);
  for (const [, input] of inputs) input.addEventListener('change', () => box.checked && keep());
  return elementOf('div', 'field flag', label, box, hint);
}

/** null where nothing is to be remembered, or storage is switched off. */
export function remembered(): OwnDetails | null {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(KEY) ?? 'null');
    return typeof kept === 'object' ? (kept as OwnDetails | null) : null;
  } catch {
    return null;
  }
}

function remember(details: OwnDetails | null): void {
  try {
    if (details === null) localStorage.removeItem(KEY);
    else localStorage.setItem(KEY, JSON.stringify(details));
  } catch {
    // Storage is switched off or full: nothing is remembered.
  }
  dispatchEvent(new Event(CHANGED));
}
