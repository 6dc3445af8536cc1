type Field = HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement;

const isTicked = (field: Field): field is HTMLInputElement =>
  field instanceof HTMLInputElement && (field.type === 'checkbox' || field.type === 'radio');

function isTyped(field: Field): boolean {
  if (isTicked(field)) return field.checked !== field.defaultChecked;
  if (field instanceof HTMLSelectElement)
    return field.value !== ([...field.options].find((one) => one.defaultSelected) ?? field.options[0])?.value;
  return field.value !== field.defaultValue;
}

/**
 * Keeps text that the user typed before the script ran, for example on a slow connection. Call it before the component
 * takes over the form. The returned function enters that text again as if the user had typed it.
 */
export function typedEarly(root: HTMLElement): () => void {
  const typed = [...root.querySelectorAll<Field>('input, select, textarea')]
    .filter((field) => field.id !== '' && isTyped(field))
    .map((field) => ({ id: field.id, value: field.value, isOn: isTicked(field) ? field.checked : null }));
  return () => {
    for (const { id, value, isOn } of typed) {
      const field = document.getElementById(id) as Field | null;
      if (field === null) continue;
      if (isOn !== null) {
        if ((field as HTMLInputElement).checked !== isOn) field.click();
        continue;
      }
      field.value = value;
      for (const type of ['input', 'change']) field.dispatchEvent(new Event(type, { bubbles: true }));
    }
  };
}
