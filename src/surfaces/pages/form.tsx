import type { Fault } from '../../domain/result.ts';
import { FaultSummary, faultsAt, fieldId } from './form-faults.tsx';
import { Field } from './form-field.tsx';
import type { FormField, FormModel } from './form-fields.ts';
import { Rows } from './form-rows.tsx';
import { RATE_LABELS } from './form-texts.ts';
import type { FormValues } from './form-values.ts';

/** The values of a form and their faults. */
export type Filled = { readonly values: FormValues; readonly faults: readonly Fault[] };

type FormProps = Filled & {
  readonly form: FormModel;
  /** The page that the form is sent to. */
  readonly path: string;
  /** The words on the button. */
  readonly submit: string;
  /** Rows that each list shows, whatever was written. */
  readonly rows: number;
  /** Worked out in the page where its script runs, and sent where it does not. */
  readonly isFree?: boolean;
  /** Read by the scripts of the page and, on free forms, by agents in the browser. */
  readonly attributes: Readonly<Record<string, string>>;
};

/** What came of a form that was sent, on its page: the faults, else the result. The address of a sent form ends with it. */
export const SENT = 'sent';

/** A form that works without script: it is submitted to its own page, by POST so that no address holds what was written. */
export function Form({ form: asked, path, submit, rows, values, faults, attributes, isFree }: FormProps) {
  const form = { ...asked, fields: asked.fields.map((field) => named(field, values)) };
  return (
    <form id="form" class="calculator" method="post" action={`${path}#${SENT}`} {...attributes}>
      {/* What Enter presses: the first button there is, which would otherwise be the one that adds lines. */}
      <button type="submit" hidden>
        {submit}
      </button>
      <FaultSummary faults={faults} form={form} />
      {form.lists.map((list) => (
        <Rows list={list} rows={values.lists[list.name] ?? []} shown={rows} faults={faults} path={path} />
      ))}
      <Fields fields={form.fields.filter(({ isMore }) => !isMore)} values={values} faults={faults} />
      <More fields={form.fields.filter(({ isMore }) => isMore)} values={values} faults={faults} />
      <p class="buttons">
        <button type="submit">{submit}</button>
      </p>
      {isFree ? <Where /> : null}
    </form>
  );
}

/** Where it is worked out: the script says the other sentence from then on. Both take the same room. */
const Where = () => (
  <p class="where hint" data-other="Worked out in your browser: what you write is not sent.">
    <span>What you write is sent to us to be worked out, and forgotten after the answer.</span>
  </p>
);

/** The rate is labelled by the chosen way of charging. */
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

/** Rarely used fields, folded unless one has a value or a fault. */
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
