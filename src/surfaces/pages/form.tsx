import { raw } from 'hono/html';
import { CURRENCY_CODES } from '../../domain/currency.ts';
import { COUNTRY_CODES } from '../../domain/regions.ts';
import type { Fault } from '../../domain/result.ts';
import { once } from '../http/document.ts';
import { FaultSummary, faultsAt, fieldId, sentenceOf } from './form-faults.tsx';
import type { FormField, FormList, FormModel } from './form-fields.ts';
import type { FormValues, Row } from './form-values.ts';
import { RATE_LABELS } from './form-words.ts';
import { COMMON_CURRENCIES } from './money-of-regions.ts';

/** What a form shows: what was written, and what is wrong with it. */
export type Filled = { readonly values: FormValues; readonly faults: readonly Fault[] };

type FormProps = Filled & {
  readonly form: FormModel;
  readonly action: string;
  /** The words on the button. */
  readonly submit: string;
  /** Rows that each list shows, whatever was written. */
  readonly rows: number;
  /** Read by the scripts of the page and, on free forms, by agents in the browser. */
  readonly attributes: Readonly<Record<string, string>>;
};

// More lines at once are what a form without script needs; with script there is a row whenever one is wanted.
const MORE_ROWS = 3;

/**
 * A form that works without script: it sends what was written to its own page; one with lists as a body, for a hundred
 * lines are too long for an address.
 */
export function Form({ form: asked, action, submit, rows, values, faults, attributes }: FormProps) {
  const form = { ...asked, fields: asked.fields.map((field) => named(field, values)) };
  return (
    <form
      id="form"
      class="calculator"
      method={form.lists.length > 0 ? 'post' : 'get'}
      action={action}
      {...attributes}
    >
      {/* What Enter presses: the first button there is, which would otherwise be the one that adds lines. */}
      <button type="submit" hidden>
        {submit}
      </button>
      <FaultSummary faults={faults} form={form} />
      {form.lists.map((list) => (
        <Rows list={list} rows={values.lists[list.name] ?? []} shown={rows} faults={faults} />
      ))}
      <Fields fields={form.fields.filter(({ isMore }) => !isMore)} values={values} faults={faults} />
      <More fields={form.fields.filter(({ isMore }) => isMore)} values={values} faults={faults} />
      <p class="buttons">
        <button type="submit">{submit}</button>
      </p>
    </form>
  );
}

/** The rate is called what it is with the way of charging that was chosen. */
const named = (field: FormField, { fields }: FormValues): FormField =>
  field.name === 'rate' ? { ...field, label: RATE_LABELS[fields.rate_type ?? ''] ?? field.label } : field;

type FieldsProps = Filled & { readonly fields: readonly FormField[] };

const Fields = ({ fields, values, faults }: FieldsProps) => (
  <div class="fields">
    {fields.map((field) => (
      <Field
        field={field}
        id={fieldId([field.name])}
        value={values.fields[field.name] ?? ''}
        faults={faultsAt(faults, `/${field.name}`)}
      />
    ))}
  </div>
);

/** What few owners ask for; open where something is written, or wrong. */
function More({ fields, values, faults }: FieldsProps) {
  if (fields.length === 0) return null;
  const isUsed = fields.some(
    ({ name }) => (values.fields[name] ?? '') !== '' || faultsAt(faults, `/${name}`).length > 0,
  );
  return (
    <details class="more" open={isUsed}>
      <summary>More choices</summary>
      <Fields fields={fields} values={values} faults={faults} />
    </details>
  );
}

type FieldProps = {
  field: FormField;
  id: string;
  value: string;
  faults: readonly Fault[];
  row?: number;
};

function Field({ field, id, value, faults, row }: FieldProps) {
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
  const text = faults.map((fault) => sentenceOf(fault, row !== undefined)).join('; ');
  return (
    <div class={`field ${kind}`}>
      <label for={id}>
        {label}
        {unit === '%' && row === undefined ? <span class="unit">, in percent</span> : null}
        {required || row !== undefined ? null : <span class="optional"> (optional)</span>}
      </label>
      <Control field={field} value={value} common={common} />
      {row !== undefined || help === '' ? null : (
        <p id={`${id}-hint`} class="hint">
          {help}
        </p>
      )}
      <p id={`${id}-fault`} class="fault">
        {text}
      </p>
    </div>
  );
}

type ControlProps = { readonly field: FormField; readonly value: string; readonly common: object };

function Control({ field, value, common }: ControlProps) {
  const { kind, fallback, maxLength, isLong, example, number } = field;
  const placeholder = fallback ?? example;
  switch (kind) {
    case 'choice':
      return <Choice field={field} value={value} common={common} />;
    case 'currency':
      return (
        <select data-default={fallback ?? ''} data-currencies {...common}>
          {fallback === null ? <option value="">None</option> : null}
          {raw(chosenIn(currencyOptions(), value === '' ? (fallback ?? '') : value.toUpperCase()))}
        </select>
      );
    case 'country':
      return (
        <select data-default="" data-countries {...common}>
          <option value="">Not said</option>
          {raw(chosenIn(countryOptions(), value.toUpperCase()))}
        </select>
      );
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
          data-min={number?.min}
          data-max={number?.max}
          data-number={kind}
          {...common}
        />
      );
    case 'text':
      if (isLong)
        return (
          <textarea rows={3} autocomplete="off" maxlength={maxLength ?? undefined} {...common}>
            {value}
          </textarea>
        );
      return (
        <input
          type="text"
          autocomplete="off"
          value={value}
          maxlength={maxLength ?? undefined}
          placeholder={placeholder}
          {...common}
        />
      );
  }
}

const Choice = ({ field: { fallback, options, isMore }, value, common }: ControlProps) => (
  <select data-default={fallback ?? ''} {...common}>
    {fallback === null ? <option value="">{isMore ? 'No' : 'Choose one'}</option> : null}
    {options.map((option) => (
      <option value={option.value} selected={option.value === (value === '' ? fallback : value)}>
        {option.label}
      </option>
    ))}
  </select>
);

/** Options by their codes, made once: there are hundreds. The names of those that follow are long, and left to the script. */
const optionsOf = (
  named: readonly string[],
  type: 'currency' | 'region',
  more: readonly string[],
): string => {
  const names = new Intl.DisplayNames('en', { type });
  const word = (code: string): string =>
    type === 'currency' ? `${code} ${names.of(code)}` : `${names.of(code)}`;
  return String(
    <>
      {named.map((code) => (
        <option value={code}>{word(code)}</option>
      ))}
      {more.map((code) => (
        <option>{code}</option>
      ))}
    </>,
  );
};

const currencyOptions = once(() =>
  optionsOf(
    COMMON_CURRENCIES,
    'currency',
    CURRENCY_CODES.filter((code) => !COMMON_CURRENCIES.includes(code)),
  ),
);

const countryOptions = once(() => {
  const names = new Intl.DisplayNames('en', { type: 'region' });
  const byName = (one: string, other: string): number =>
    String(names.of(one)).localeCompare(String(names.of(other)), 'en');
  return optionsOf(COUNTRY_CODES.toSorted(byName), 'region', []);
});

/** The options with one of them chosen; a code that is none of them chooses nothing. */
const chosenIn = (options: string, code: string): string =>
  /^[A-Z]{2,3}$/.test(code)
    ? options
        .replace(`<option value="${code}">`, `<option value="${code}" selected="">`)
        .replace(`<option>${code}<`, `<option selected="">${code}<`)
    : options;

type RowsProps = {
  list: FormList;
  rows: readonly Row[];
  shown: number;
  faults: readonly Fault[];
};

function Rows({ list, rows, shown, faults }: RowsProps) {
  const count = Math.min(list.maxRows, Math.max(shown, rows.length));
  const numbers = Array.from({ length: count }, (_, number) => number);
  return (
    <fieldset class="rows" data-list={list.name} data-max={String(list.maxRows)}>
      <legend>{list.label}</legend>
      {list.help === '' ? null : <p class="hint scripted">{list.help}</p>}
      {numbers.map((number) => (
        <div class="row" data-row>
          {list.fields.map((field) => {
            const name = field.name.slice(list.name.length + 1);
            return (
              <Field
                field={field}
                id={fieldId([list.name, number, name])}
                value={rows[number]?.[name] ?? ''}
                faults={faultsAt(faults, `/${list.name}/${number}/${name}`)}
                row={number}
              />
            );
          })}
        </div>
      ))}
      {count < list.maxRows ? (
        <p class="buttons">
          <button type="submit" class="quiet" name="rows" value={String(count + MORE_ROWS)} data-add>
            Add lines
          </button>
        </p>
      ) : null}
    </fieldset>
  );
}
