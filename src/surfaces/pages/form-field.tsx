import type { Fault } from '../../domain/result.ts';
import { ownersWords } from './fault-words.ts';
import type { FormField } from './form-fields.ts';
import { chosenIn, countryOptions, currencyOptions } from './form-options.tsx';
import { raw } from './markup.ts';

type FieldProps = {
  field: FormField;
  id: string;
  value: string;
  faults: readonly Fault[];
  row?: number;
};

/** A field with its label, its faults and its help. */
export function Field({ field, id, value, faults, row }: FieldProps) {
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
  const { kind, fallback, isLong, example, number } = field;
  const placeholder = fallback ?? example;
  switch (kind) {
    case 'choice':
      return <Choice field={field} value={value} common={common} />;
    case 'currency':
      return (
        <select data-default={fallback ?? ''} {...common}>
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
          <textarea rows={3} dir="auto" autocomplete="off" {...common}>
            {value}
          </textarea>
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
