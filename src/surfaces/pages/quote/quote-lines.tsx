import { onPaper } from '../documents/sheet.ts';
import { faultsAt, fieldId } from '../form-faults.tsx';
import { Field } from '../form-field.tsx';
import type { FormField, FormList } from '../form-fields.ts';
import { liveOf } from '../live-fields.tsx';
import { amountText } from '../views/format.ts';
import type { Acts, FieldsOf } from './quote-state.ts';
import { LIST, type Line } from './quote-state.ts';

// Without scripts, a form adds several lines at once.
const MORE_LINES = 3;

/** The fields in the columns of the document. Other fields of a line are in its menu. */
const COLUMNS: Readonly<Record<string, { readonly head: string; readonly example?: string }>> = {
  description: { head: 'Item', example: 'Item' },
  quantity: { head: 'Qty' },
  unit_price: { head: 'Price', example: 'Price' },
};

/** Fields that a program's link may give for a line instead of a price. */
const COSTS: Readonly<Record<string, string>> = {
  unit_cost: 'Cost',
  margin_percent: 'Margin in percent',
  markup_percent: 'Markup in percent',
};

type LinesProps = {
  readonly list: FormList;
  readonly lines: readonly Line[];
  readonly of: FieldsOf;
  readonly action: string;
  readonly acts: Acts | null;
};

/** The lines of a quote, edited in place. */
export function QuoteLines({ list, lines, of, action, acts }: LinesProps) {
  const fields = list.fields.map((field) => ({ field, part: field.name.slice(list.name.length + 1) }));
  const inColumns = fields.filter(({ part }) => part in COLUMNS);
  const isFull = lines.length >= list.maxRows;
  const path = action.split('#')[0];
  return (
    <fieldset class="quote-lines" data-list={list.name}>
      <legend class="hidden">{list.label}</legend>
      <div class="line-head" aria-hidden="true">
        {inColumns.map(({ part }) => (
          <span>{COLUMNS[part]?.head} </span>
        ))}
        <span>Amount</span>
      </div>
      {lines.map((line, place) => (
        <QuoteLine
          key={line.key}
          {...{ line, place, fields, of, acts }}
          isLast={place === lines.length - 1}
        />
      ))}
      {isFull ? null : (
        <button
          type={acts === null ? 'submit' : 'button'}
          class="add-line"
          name={acts === null ? 'rows' : undefined}
          value={acts === null ? String(lines.length + MORE_LINES) : undefined}
          formaction={acts === null ? `${path}#${fieldId([LIST, lines.length, 'description'])}` : undefined}
          onClick={acts?.add}
        >
          {acts === null ? 'Add lines' : 'Add a line, or paste rows'}
        </button>
      )}
    </fieldset>
  );
}

type LineProps = Omit<LinesProps, 'list' | 'lines' | 'action'> & {
  readonly line: Line;
  readonly place: number;
  readonly isLast: boolean;
  readonly fields: readonly { readonly field: FormField; readonly part: string }[];
};

function QuoteLine({ line, place, isLast, fields, of, acts }: LineProps) {
  const { key, values } = line;
  const number = place + 1;
  const shown = ({ field, part }: LineProps['fields'][number]) => {
    const [pointer, value] = [`/${LIST}/${place}/${part}`, values[part] ?? ''];
    const { example } = COLUMNS[part] ?? {};
    return (
      <Field
        key={part}
        field={example === undefined ? field : { ...field, example }}
        id={fieldId([LIST, place, part])}
        value={value}
        faults={faultsAt(of.shown, pointer)}
        row={place}
        live={liveOf(
          of,
          { pointer, name: field.name, value },
          acts && ((text) => acts.writeLine(key, part, text)),
        )}
      />
    );
  };
  const others = fields.filter(({ part }) => !(part in COLUMNS));
  const costs = Object.entries(COSTS).filter(([part]) => (values[part] ?? '') !== '');
  return (
    <div class="quote-line" onPaste={acts === null ? undefined : (event: unknown) => acts.paste(key, event)}>
      {fields.filter(({ part }) => part in COLUMNS).map(shown)}
      <span class="amount">{amountOf(of, place)}</span>
      {costs.length === 0 ? null : (
        <p class="line-costs">
          {costs.map(([part, label]) => `${label} ${values[part]}`).join(', ')}{' '}
          {acts === null ? null : (
            <button
              type="button"
              class="link"
              onClick={() => {
                for (const [part] of costs) acts.writeLine(key, part, '');
              }}
            >
              Enter a price instead
            </button>
          )}
        </p>
      )}
      <span
        class="grip"
        aria-hidden="true"
        onPointerDown={acts === null ? undefined : (event: unknown) => acts.drag(key, event)}
      >
        ⠿
      </span>
      <details class="line-menu" name="line-menu">
        <summary aria-label={`More for line ${number}`}>⋯</summary>
        <div class="line-fields">
          {others.map(shown)}
          {acts === null ? null : (
            <p class="buttons">
              {place === 0 ? null : (
                <button type="button" class="quiet" data-act="up" onClick={() => acts.move(key, -1)}>
                  Move up
                </button>
              )}
              {isLast ? null : (
                <button type="button" class="quiet" data-act="down" onClick={() => acts.move(key, 1)}>
                  Move down
                </button>
              )}
              <button type="button" class="quiet" data-act="remove" onClick={() => acts.remove(key)}>
                Remove line {number}
              </button>
            </p>
          )}
        </div>
      </details>
    </div>
  );
}

/** The amount of a line from the answer. */
function amountOf({ worked: { body, counted } }: FieldsOf, place: number): string {
  const item = body?.items[counted.indexOf(place)];
  return item === undefined || body === null ? '' : onPaper(amountText(item.line_total, body.currency));
}
