import type { Fault } from '../../domain/result.ts';
import type { FormModel } from './form-fields.ts';
import { inWords } from './form-texts.ts';

/** The id of an input: of a field, or of one in a row that counts from 0. */
export const fieldId = (path: readonly (string | number)[]): string => `f-${path.join('-')}`;

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

/** Every fault in one place, linked to its field. */
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

/** A fault as a sentence: "Line 2, Price of one is required". */
export function faultText(fault: Fault, { fields, lists }: FormModel): string {
  const { pointer } = fault;
  const [, name = '', index, part] = pointer.split('/');
  const list = lists.find((one) => one.name === name);
  const inRow = list?.fields.find((field) => field.name === `${name}.${part}`)?.label ?? '';
  const subject =
    list === undefined
      ? (fields.find((field) => field.name === name)?.label ?? 'The form')
      : index === undefined
        ? list.label
        : `Line ${Number(index) + 1}${inRow === '' ? '' : `, ${inRow}`}`;
  return `${subject} ${sentenceOf(fault)}`;
}

/** The fault and its hint; a missing field and a row need no hint. */
export const sentenceOf = ({ code, detail, hint }: Fault, isInRow = false): string =>
  inWords(hint === undefined || isInRow || code === 'required' ? detail : `${detail} (${hint})`);

/** The faults of one field. */
export const faultsAt = (faults: readonly Fault[], pointer: string): readonly Fault[] =>
  faults.filter((fault) => fault.pointer === pointer);
