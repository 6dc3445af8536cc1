import type { Fault } from '../../domain/result.ts';
import type { FormField, FormList, FormModel } from './form-fields.ts';
import type { FormValues, Row } from './form-values.ts';
import { inWords } from './form-words.ts';

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
export const Form = ({ form, action, submit, rows, values, faults, attributes }: FormProps) => (
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
    <div class="fields">
      {form.fields.map((field) => (
        <Field
          field={field}
          id={fieldId([field.name])}
          value={values.fields[field.name] ?? ''}
          faults={faultsAt(faults, `/${field.name}`)}
        />
      ))}
    </div>
    <p class="buttons">
      <button type="submit">{submit}</button>
    </p>
  </form>
);

/** The id of an input: of a field, or of one in a row that counts from 0. */
const fieldId = (path: readonly (string | number)[]): string => `f-${path.join('-')}`;

/** The input that a fault's pointer means, or null when it means the whole form. */
export function faultTarget({ pointer }: Fault, { fields, lists }: FormModel): string | null {
  const [, name = '', index, part] = pointer.split('/');
  if (fields.some((field) => field.name === name)) return fieldId([name]);
  const list = lists.find((one) => one.name === name);
  if (list === undefined) return null;
  const row = Number(index ?? 0);
  const first = list.fields.find(({ required }) => required) ?? list.fields[0];
  return fieldId([name, row, part ?? first?.name.slice(name.length + 1) ?? '']);
}

/** Every fault in one place, linked to where it can be mended. */
export function FaultSummary({ faults, form }: { faults: readonly Fault[]; form: FormModel }) {
  return (
    <div id="faults" class="faults" role="alert">
      {faults.length === 0 ? null : (
        <>
          <p>
            {faults.length === 1 ? 'One thing needs a change:' : `${faults.length} things need a change:`}
          </p>
          <ul>
            {faults.map((fault) => {
              const target = faultTarget(fault, form);
              const text = faultText(fault, form);
              return <li>{target === null ? text : <a href={`#${target}`}>{text}</a>}</li>;
            })}
          </ul>
        </>
      )}
    </div>
  );
}

/** A fault as a sentence: "Line 2, Unit price is required (for example 450)". */
export function faultText({ pointer, detail, hint }: Fault, { fields, lists }: FormModel): string {
  const [, name = '', index, part] = pointer.split('/');
  const list = lists.find((one) => one.name === name);
  const inRow = list?.fields.find((field) => field.name === `${name}.${part}`)?.label ?? '';
  const subject =
    list === undefined
      ? (fields.find((field) => field.name === name)?.label ?? 'The form')
      : index === undefined
        ? list.label
        : `Line ${Number(index) + 1}${inRow === '' ? '' : `, ${inRow}`}`;
  return `${subject} ${sentenceOf(detail, hint)}`;
}

/** What is wrong and what would be right, in words. */
export const sentenceOf = (detail: string, hint: string | undefined): string =>
  inWords(`${detail}${hint === undefined ? '' : ` (${hint})`}`);

const faultsAt = (faults: readonly Fault[], pointer: string): readonly Fault[] =>
  faults.filter((fault) => fault.pointer === pointer);

type FieldProps = {
  field: FormField;
  id: string;
  value: string;
  faults: readonly Fault[];
  row?: number;
};

function Field({ field, id, value, faults, row }: FieldProps) {
  const { label, required, kind } = field;
  const described = [row === undefined ? `${id}-hint` : '', `${id}-fault`].filter(Boolean).join(' ');
  const common = {
    id,
    name: field.name,
    'aria-describedby': described,
    ...(row !== undefined && { 'aria-label': `${label}, line ${row + 1}` }),
    ...(faults.length > 0 && { 'aria-invalid': 'true' as const }),
    ...(required && { 'aria-required': 'true' as const }),
    ...(row === undefined && { toolparamdescription: field.hint }),
  };
  return (
    <div class={`field ${kind}`}>
      <label for={id}>
        {label}
        {required || row !== undefined ? null : <span class="optional"> (optional)</span>}
      </label>
      <Control field={field} value={value} common={common} />
      {row === undefined ? (
        <p id={`${id}-hint`} class="hint">
          {field.hint}
        </p>
      ) : null}
      <p id={`${id}-fault`} class="fault">
        {faults
          .map(({ detail, hint }) => sentenceOf(detail, row === undefined ? hint : undefined))
          .join('; ')}
      </p>
    </div>
  );
}

function Control({ field, value, common }: { field: FormField; value: string; common: object }) {
  const { kind, options, fallback, maxLength } = field;
  switch (kind) {
    case 'choice':
      return (
        <select data-default={fallback ?? ''} {...common}>
          {fallback === null ? <option value="">Choose one</option> : null}
          {options.map((option) => (
            <option value={option.value} selected={option.value === (value === '' ? fallback : value)}>
              {option.label}
            </option>
          ))}
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
          placeholder={fallback ?? undefined}
          {...common}
        />
      );
    case 'text':
      return (
        <input
          type="text"
          autocomplete="off"
          value={value}
          maxlength={maxLength ?? undefined}
          placeholder={fallback ?? undefined}
          {...common}
        />
      );
  }
}

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
      <p class="hint">{list.hint}</p>
      <div class="row head" aria-hidden="true">
        {list.fields.map(({ label }) => (
          <span>{label}</span>
        ))}
      </div>
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
