import { type Operation, pageAddress as stepAddress, stepQuery } from '../../catalog/operation.ts';
import { asWritten, valuesQuery } from './form-values.ts';

type Values = Readonly<Record<string, unknown>>;

// The length of about twenty lines; a chat shows the whole address.
const MAX_INPUT_CHARACTERS = 2_000;

/**
 * The page of an operation with its input after the `#`, which browsers do not send. The form is filled from it. An
 * input that is too long for an address is omitted.
 */
export const payPages =
  (baseUrl: string) =>
  ({ page }: Operation, values: Values): string | null => {
    if (page === null) return null;
    const filled = pageAddress(`${baseUrl}${page.path}`, values);
    if (!filled.includes('#')) return `${baseUrl}${stepAddress(page)}`;
    return page.step === undefined ? filled : filled.replace('#', `#${stepQuery(page.step)}&`);
  };

/** The address of a page with an input after the `#`. */
export function pageAddress(page: string, values: Values): string {
  const input = valuesQuery(asWritten(present(values)));
  const isShort = input !== '' && input.length <= MAX_INPUT_CHARACTERS;
  return `${page}${isShort ? `#${input}` : ''}`;
}

/** The values that are set: models send null for an omitted field. */
function present(values: Values): Values {
  const isRow = (value: unknown): value is Values =>
    typeof value === 'object' && value !== null && !Array.isArray(value);
  return Object.fromEntries(
    Object.entries(values)
      .filter(([, value]) => value !== null && value !== undefined)
      .map(([name, value]) => [
        name,
        Array.isArray(value) ? value.map((item) => (isRow(item) ? present(item) : item)) : value,
      ]),
  );
}
