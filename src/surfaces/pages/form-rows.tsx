import type { Fault } from '../../domain/result.ts';
import { faultsAt, fieldId } from './form-faults.tsx';
import { Field } from './form-field.tsx';
import type { FormList } from './form-fields.ts';
import type { Row } from './form-values.ts';

// Without script, a form adds several lines at once.
const MORE_ROWS = 3;

type RowsProps = {
  list: FormList;
  rows: readonly Row[];
  shown: number;
  faults: readonly Fault[];
  path: string;
};

/** The lines of a list, and a button for more of them. */
export function Rows({ list, rows, shown, faults, path }: RowsProps) {
  const count = Math.min(list.maxRows, Math.max(shown, rows.length));
  const numbers = Array.from({ length: count }, (_, number) => number);
  const first = list.fields[0]?.name.slice(list.name.length + 1) ?? '';
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
          <LineTools line={number + 1} />
        </div>
      ))}
      {count < list.maxRows ? (
        <p class="buttons">
          <button
            type="submit"
            class="quiet"
            name="rows"
            value={String(count + MORE_ROWS)}
            formaction={`${path}#${fieldId([list.name, count, first])}`}
            data-add
          >
            Add lines
          </button>
        </p>
      ) : null}
    </fieldset>
  );
}

/** The total of a line, and the buttons that move and remove it. They need script; their space is reserved without it. */
const LineTools = ({ line }: { line: number }) => (
  <div class="line-tools scripted">
    <span class="line-total"></span>
    <LineButton act="up" sign="↑" label={`Move up line ${line}`} />
    <LineButton act="down" sign="↓" label={`Move down line ${line}`} />
    <LineButton act="remove" sign="×" label={`Remove line ${line}`} />
  </div>
);

const LineButton = ({ act, sign, label }: { act: string; sign: string; label: string }) => (
  <button type="button" class="quiet" data-act={act} aria-label={label}>
    {sign}
  </button>
);
