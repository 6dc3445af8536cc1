type Input = HTMLInputElement | HTMLSelectElement;

const INPUTS = 'input[name], select[name], textarea[name]';
const MAX_ROWS = 3;
const MAX_LETTERS = 300;

/** Whether a query speaks of an input of the form; links of campaigns bring names of their own. */
export function isOfForm(form: HTMLFormElement, query: URLSearchParams): boolean {
  const names = new Set([...form.querySelectorAll<Input>(INPUTS)].map(({ name }) => name));
  return [...query.keys()].some((name) => names.has(name));
}

/** What is written in a form in a line: "Amount 1250, Due date 2026-11-04". What was left as it was is left out. */
export function inALine(form: HTMLFormElement): string {
  const fields = [...form.querySelectorAll<Input>('.fields [name]')].flatMap((input) => {
    const text = textOf(input);
    return text === '' ? [] : [`${labelOf(form, input)} ${text}`];
  });
  const lists = [...form.querySelectorAll<HTMLElement>('[data-list]')].flatMap((list) => {
    const rows = [...list.querySelectorAll('[data-row]')]
      .map((row) => [...row.querySelectorAll<Input>('[name]')].map(textOf).filter(Boolean).join(' '))
      .filter(Boolean);
    const more = rows.length - MAX_ROWS;
    const shown = rows.slice(0, MAX_ROWS).join('; ');
    const label = list.querySelector('legend')?.textContent ?? '';
    return rows.length === 0 ? [] : [`${label}: ${shown}${more > 0 ? `; and ${more} more` : ''}`];
  });
  const line = [...lists, ...fields].join(', ');
  return line.length > MAX_LETTERS ? `${line.slice(0, MAX_LETTERS)}…` : line;
}

function textOf(input: Input): string {
  if (input instanceof HTMLSelectElement) {
    const [chosen] = input.selectedOptions;
    const isLeft = chosen === undefined || chosen.value === '' || chosen.defaultSelected;
    return isLeft ? '' : (chosen.textContent ?? '').trim();
  }
  if (input.type === 'checkbox') return input.checked ? 'yes' : '';
  return input.value.trim();
}

const labelOf = (form: HTMLFormElement, { id, name }: Input): string =>
  form.querySelector(`label[for="${CSS.escape(id)}"]`)?.firstChild?.textContent?.trim() ?? name;
