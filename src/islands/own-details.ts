/*
 * The owner's own business, remembered on this device when the owner wishes: what stands in every letter and never changes.
 * Nothing of a client is among it, and nothing of it is sent.
 */

const KEY = 'own-details';
/** Fields that say something of the owner's business alone. */
const OWN = ['business_name', 'payment_details', 'currency'] as const;

type Details = Partial<Record<(typeof OWN)[number], string>>;
type Input = HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement;

/** Offers to remember the business that a form asks for, and fills in what was remembered where nothing is written. */
export function rememberOwnDetails(form: HTMLFormElement): void {
  const inputs = OWN.flatMap((name) => {
    const input = form.querySelector<Input>(`.fields [name="${name}"]`);
    return input === null ? [] : [{ name, input }];
  });
  const place = form.querySelector('[name="business_name"]')?.closest('.fields');
  if (!place) return;
  const known = remembered();
  for (const { name, input } of inputs) if (input.value === '') input.value = known?.[name] ?? '';
  const box = document.createElement('input');
  box.type = 'checkbox';
  box.id = 'remember-own';
  box.checked = known !== null;
  const label = document.createElement('label');
  label.htmlFor = box.id;
  label.textContent = 'Remember my business on this device';
  const hint = document.createElement('p');
  hint.className = 'hint';
  hint.textContent = `Kept in this browser alone, until you take the tick away: ${WORDS}. Better not on a device that others use.`;
  const field = document.createElement('div');
  field.className = 'field flag';
  field.append(label, box, hint);
  place.after(field);
  const keep = (): void =>
    remember(
      box.checked ? Object.fromEntries(inputs.map(({ name, input }) => [name, input.value.trim()])) : null,
    );
  box.addEventListener('change', keep);
  form.addEventListener('change', () => box.checked && keep());
}

const WORDS = 'its name, how you are paid and your currency';

/** Storage may be switched off; then nothing is remembered, and all else works. */
function remembered(): Details | null {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(KEY) ?? 'null');
    return typeof kept === 'object' ? (kept as Details | null) : null;
  } catch {
    return null;
  }
}

function remember(details: Details | null): void {
  try {
    if (details === null) localStorage.removeItem(KEY);
    else localStorage.setItem(KEY, JSON.stringify(details));
  } catch {
    // As if it had not been wished.
  }
}
