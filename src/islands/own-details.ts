/*
 * The owner's own business, remembered on this device when the owner wishes: what stands in every letter and on every
 * document and never changes. Nothing of a client is among it, and nothing of it is sent.
 */

const KEY = 'own-details';
const CHANGED = 'own-details';
/** What is remembered; it says something of the owner's business alone. */
const OWN = ['business_name', 'contact', 'payment_details', 'currency', 'tax'] as const;
const WORDS = 'its name and address, how you are paid, your currency and what your tax is called';

type Detail = (typeof OWN)[number];
export type OwnDetails = Partial<Record<Detail, string>>;
type Input = HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement;
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

/** The choice to remember what these inputs hold, in step with its like on the page. */
export function rememberChoice(id: string, inputs: OwnInputs): HTMLElement {
  const box = document.createElement('input');
  box.type = 'checkbox';
  box.id = id;
  const follow = (): void => {
    box.checked = remembered() !== null;
  };
  follow();
  addEventListener(CHANGED, follow);
  const label = document.createElement('label');
  label.htmlFor = id;
  label.textContent = 'Remember my business on this device';
  const hint = document.createElement('p');
  hint.className = 'hint';
  hint.id = `${id}-hint`;
  hint.textContent = `Kept in this browser alone, until you take the tick away: ${WORDS}. Better not on a device that others use.`;
  box.setAttribute('aria-describedby', hint.id);
  const field = document.createElement('div');
  field.className = 'field flag';
  field.append(label, box, hint);
  const keep = (): void => {
    const written = Object.fromEntries(inputs.map(([name, input]) => [name, input.value.trim()]));
    remember(box.checked ? { ...remembered(), ...written } : null);
  };
  box.addEventListener('change', keep);
  for (const [, input] of inputs) input.addEventListener('change', () => box.checked && keep());
  return field;
}

/** null where nothing is to be remembered. Storage may be switched off; then nothing is, and all else works. */
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
    // As if it had not been wished.
  }
  dispatchEvent(new Event(CHANGED));
}
