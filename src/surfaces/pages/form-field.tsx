import { CURRENCY_CODES } from '../../domain/currency.ts';
import { COUNTRY_CODES } from '../../domain/regions.ts';
import type { Fault } from '../../domain/result.ts';
import { ownersWords } from './form-faults.tsx';
import type { FormField } from './form-fields.ts';
import { COMMON_CURRENCIES } from './money-of-regions.ts';

/** The state of a field while the page's script runs. */
export type LiveField = {
  readonly onWrite: (value: string) => void;
  /** The interpretation of a number that was not written plainly: "£1,250.00". */
  readonly understood?: string | undefined;
  /** The possible meanings of an ambiguous number. */
  readonly choices?: readonly string[] | undefined;
};

type FieldProps = {
  field: FormField;
  id: string;
  value: string;
  faults: readonly Fault[];
  row?: number;
  live?: LiveField | undefined;
  /** Whether the field is part of a document, where its text is its label. */
  isOnPaper?: boolean;
};

/** A field with its label, its faults and its help. */
export function Field({ field, id, value, faults, row, live, isOnPaper = false }: FieldProps) {
  const { label, required, kind, unit, help } = field;
  const described = [help === '' || row !== undefined ? '' : `${id}-hint`, `${id}-fault`];
  const common = {
    id,
    name: field.name,
    'aria-describedby': described.filter(Boolean).join(' '),
    ...(row !== undefined && { 'aria-label': `${label}, line ${row + 1}` }),
    ...(faults.length > 0 && { 'aria-invalid': 'true' as const }),
    ...(required && { 'aria-required': 'true' as const }),
    ...(row === undefined && { toolparamdescription: field.hint }),
  };
  const text = faults.map(ownersWords).join('; ');
  return (
    <div class={`field ${kind}`}>
      <label for={id}>
        {label}
        {unit === '%' && row === undefined ? <span class="unit">, in percent</span> : null}
        {required || row !== undefined || isOnPaper ? null : <span class="optional"> (optional)</span>}
      </label>
      <Control field={field} value={value} common={common} live={live} />
      {live?.understood === undefined ? null : (
        <p id={`${id}-read`} class="understood">
          = {live.understood}
        </p>
      )}
      {row !== undefined || help === '' ? null : (
        <p id={`${id}-hint`} class="hint">
          {help}
        </p>
      )}
      <p id={`${id}-fault`} class="fault">
        {text}
        {faults.length === 0
          ? null
          : live?.choices?.map((choice) => (
              <button type="button" class="quiet choice" onClick={() => live.onWrite(choice)}>
                {choice}
              </button>
            ))}
      </p>
    </div>
  );
}

type ControlProps = {
  readonly field: FormField;
  readonly value: string;
  readonly common: object;
  readonly live: LiveField | undefined;
};

function Control({ field, value, common: always, live }: ControlProps) {
  const { kind, fallback, isLong, example } = field;
  const placeholder = fallback ?? example;
  const common = { ...always, ...(live && { onInput: heard(live, kind) }) };
  switch (kind) {
    case 'choice':
    case 'currency':
    case 'country':
      return <Choice field={field} value={value} common={common} areAllNamed={live !== undefined} />;
    case 'flag':
      return <input type="checkbox" value="true" checked={value === 'true'} {...common} />;
    case 'date':
      return <input type="date" value={value} min="1970-01-01" max="9999-12-31" {...common} />;
    case 'decimal':
    case 'integer':
      return (
        <input
          type="text"
          inputmode={kind === 'integer' ? 'numeric' : 'decimal'}
          autocomplete="off"
          value={value}
          placeholder={placeholder}
          {...common}
        />
      );
    case 'text':
      if (isLong)
        return (
          <textarea
            rows={3}
            dir="auto"
            autocomplete="off"
            value={value}
            placeholder={placeholder}
            {...common}
          />
        );
      return (
        <input
          type="text"
          dir="auto"
          autocomplete="off"
          value={value}
          placeholder={placeholder}
          {...common}
        />
      );
  }
}

type Heard = { readonly currentTarget: { readonly value: string; readonly checked?: boolean } };

const heard =
  ({ onWrite }: LiveField, kind: FormField['kind']) =>
  ({ currentTarget: { value, checked } }: Heard): void =>
    onWrite(kind === 'flag' && !checked ? '' : value);

type ChoiceProps = Pick<ControlProps, 'field' | 'value' | 'common'> & { readonly areAllNamed: boolean };

function Choice({ field, value, common, areAllNamed }: ChoiceProps) {
  const { kind, fallback, required } = field;
  const chosen = kind === 'choice' ? value : value.toUpperCase();
  const [nothing, options] =
    kind === 'currency'
      ? ['None', currencies(areAllNamed)]
      : kind === 'country'
        ? ['Not said', countries()]
        : [required ? 'Choose one' : 'No', field.options];
  return (
    <select {...common}>
      {fallback === null ? <option value="">{nothing}</option> : null}
      {options.map((option) => (
        <option value={option.value} selected={option.value === (chosen === '' ? fallback : chosen)}>
          {option.label}
        </option>
      ))}
    </select>
  );
}

const namesOf = (type: 'currency' | 'region'): ((code: string) => string) => {
  let names: Intl.DisplayNames | undefined;
  return (code) => {
    names ??= new Intl.DisplayNames('en', { type });
    return String(names.of(code));
  };
};
const currencyName = namesOf('currency');
const countryName = namesOf('region');

const CURRENCIES = [...new Set([...COMMON_CURRENCIES, ...CURRENCY_CODES])];

/** Currencies, the common ones first. The script adds the other names: there are more than a hundred. */
const currencies = (areAllNamed: boolean): FormField['options'] =>
  CURRENCIES.map((value) => {
    const isNamed = areAllNamed || COMMON_CURRENCIES.includes(value);
    return { value, label: isNamed ? `${value} ${currencyName(value)}` : value };
  });

let named: FormField['options'] | undefined;

function countries(): FormField['options'] {
  named ??= COUNTRY_CODES.map((value) => ({ value, label: countryName(value) })).toSorted((one, other) =>
    one.label.localeCompare(other.label, 'en'),
  );
  return named;
}
