import type { Fault } from '../../domain/result.ts';
import { ownersWords } from './fault-words.ts';
import type { FormField, FormList } from './form-fields.ts';

/** The field properties that the words of a fault depend on. */
export type LabelledField = Pick<FormField, 'name' | 'label' | 'required'>;
type LabelledList = Pick<FormList, 'name' | 'label'> & { readonly fields: readonly LabelledField[] };
export type LabelledForm = {
  readonly fields: readonly LabelledField[];
  readonly lists: readonly LabelledList[];
};

/** The id of an input: a field, or a field in a row counted from 0. */
export const fieldId = (path: readonly (string | number)[]): string => `f-${path.join('-')}`;

/** The input that a fault's pointer refers to, or null if it refers to the whole form. */
export function faultTarget({ pointer }: Fault, { fields, lists }: LabelledForm): string | null {
  const [, name = '', index, part] = pointer.split('/');
  if (fields.some((field) => field.name === name)) return fieldId(name.split('.'));
  const list = lists.find((one) => one.name === name);
  if (list === undefined) return null;
  const row = Number(index ?? 0);
  const first = list.fields.find(({ required }) => required) ?? list.fields[0];
  return fieldId([name, row, part ?? first?.name.slice(name.length + 1) ?? '']);
}

/** Every fault in one place, linked to its field. */
export function FaultSummary({ faults, form }: { faults: readonly Fault[]; form: LabelledForm }) {
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

/** A label inside a sentence; it is quoted because many labels are phrases that would blend into the sentence. */
const quoted = (label: string): string => `“${label}”`;

/** A fault as a sentence: "Line 2, “Price” is required". */
export const faultText = (fault: Fault, form: LabelledForm): string =>
  `${subjectOf(fault, form)} ${ownersWords(fault)}`;

function subjectOf({ pointer }: Fault, { fields, lists }: LabelledForm): string {
  const [, name = '', index, part] = pointer.split('/');
  const field = fields.find((one) => one.name === name);
  if (field !== undefined) return quoted(field.label);
  const list = lists.find((one) => one.name === name);
  if (list === undefined) return 'The form';
  if (index === undefined) return quoted(list.label);
  const inRow = list.fields.find((one) => one.name === `${name}.${part}`);
  return `Line ${Number(index) + 1}${inRow === undefined ? '' : `, ${quoted(inRow.label)}`}`;
}

/** The faults of one field. */
export const faultsAt = (faults: readonly Fault[], pointer: string): readonly Fault[] =>
  faults.filter((fault) => fault.pointer === pointer);
