import { REMEMBER } from '../surfaces/pages/form-texts.ts';
import { checkbox, elementOf } from './element.ts';
import type { Input } from './numbers.ts';
import { type Detail, type OwnDetails, remember, remembered, rememberedFor } from './own-memory.ts';

/*
 * The details of the owner's business, remembered on this device if the owner chooses so: what is the same in every
 * letter and document. Nothing about a client is among them, and none of them is sent.
 */

const CHANGED = 'own-details';
/** The fields that are remembered. */
const OWN: readonly Detail[] = ['business_name', 'contact', 'payment_details', 'currency', 'tax'];
const WORDS = 'its name and address, how you are paid, your currency and what your tax is called';

/** An input for each detail that a place asks for. */
export type OwnInputs = readonly (readonly [Detail, Input])[];

/** Offers to remember the business that a form asks for, and fills in what was remembered where nothing is written. */
export function rememberOwnDetails(form: HTMLFormElement): void {
  const place = form.querySelector('[name="business_name"]')?.closest('.fields');
  fillOwnDetails(form);
  place?.after(rememberChoice('remember-own', ownInputs(form)));
}

const ownInputs = (form: HTMLFormElement): OwnInputs =>
  OWN.flatMap((name) => {
    const input = form.querySelector<Input>(`.fields [name="${name}"]`);
    return input === null ? [] : [[name, input] as const];
  });

/** Fills in what was remembered where nothing is written, in a form that asks for the business. */
export function fillOwnDetails(form: HTMLFormElement): void {
  const inputs = ownInputs(form);
  if (!inputs.some(([name]) => name === 'business_name')) return;
  const known = rememberedOf(inputs);
  // The currency is proposed where all forms propose one.
  for (const [name, input] of inputs)
    if (input.value === '' && name !== 'currency') input.value = known?.[name] ?? '';
}

/** The choice to remember what these inputs hold; all such choices on a page change together. */
export function rememberChoice(id: string, inputs: OwnInputs): HTMLElement {
  const { box, label, hint } = checkbox(id, REMEMBER);
  hint.textContent = `Kept in this browser alone, until you take the tick away: ${WORDS}. Better not on a device that others use.`;
  const follow = (): void => {
    box.checked = remembered() !== null;
  };
  follow();
  addEventListener(CHANGED, follow);
  // In another tab.
  addEventListener('storage', follow);
  const keep = (changed: OwnInputs): void => {
    const written = Object.fromEntries(changed.map(([name, input]) => [name, input.value.trim()]));
    remember(box.checked ? written : null);
    dispatchEvent(new Event(CHANGED));
  };
  box.addEventListener('change', () => keep(inputs));
  // What was not changed here may be for this client alone, such as the currency of a quote that came along; what was in
  // the name of another business is that one's, its corrected name, too.
  let isOwn = true;
  for (const one of inputs) {
    one[1].addEventListener('focus', () => {
      isOwn = rememberedOf(inputs) !== null;
    });
    one[1].addEventListener('change', () => box.checked && isOwn && keep([one]));
  }
  return elementOf('div', 'field flag', label, box, hint);
}

const rememberedOf = (inputs: OwnInputs): OwnDetails | null => {
  const values = Object.fromEntries(inputs.map(([name, { value }]) => [name, value]));
  const { business_name: business = '', contact, payment_details } = values;
  return rememberedFor(business, { contact, payment_details });
};
