import { currencySign, digitsOf } from '../../domain/currency.ts';
import type { Fault } from '../../domain/result.ts';
import type { FormModel } from './form-fields.ts';
import type { FormValues, Row } from './form-values.ts';
import { type Grouping, type NumberKind, type ReadNumber, readNumber } from './written-number.ts';

/** What a number field measures, which decides the units that it accepts. */
export type Measure = 'money' | 'percent' | 'rate' | 'count';

function measureOf(name: string): Measure {
  if (name === 'rate') return 'rate';
  if (/(?:_percent|reference_rate)$/.test(name)) return 'percent';
  return /(?:quantity|_days|team_size)$/.test(name) ? 'count' : 'money';
}

/** The other form values that affect how a number is read. */
export type Beside = {
  readonly grouping: Grouping;
  /** The currency that was chosen; null if none was chosen. */
  readonly currency: string | null;
  /** The currencies that the signs of all amounts can share; empty if no amount has a sign. */
  readonly signs: readonly string[];
  readonly rateType: string;
};

export type Understood =
  | { readonly plain: string; readonly currencies: readonly string[] }
  | { readonly says: string; readonly choices: readonly string[] }
  | null;

/** A number from a form in the notation of the API, or a question about it; null if it is blank. */
function understood(name: string, written: string, kind: NumberKind, beside: Beside): Understood {
  const found = readNumber(written, kind, beside.grouping);
  switch (found.kind) {
    case 'blank':
      return null;
    case 'unreadable':
      return refused(`is not a number that we can read: enter it like ${exampleOf(name)}`);
    case 'ambiguous': {
      const choices = found.choices.map(shortened);
      return { says: `could be ${choices.join(' or ')}: which one?`, choices };
    }
    case 'number':
      return isNegative(found.plain) && kind.min >= 0
        ? refused('cannot be less than nothing: enter it without a minus sign')
        : withUnit(name, written, found, beside);
  }
}

const refused = (says: string): Understood => ({ says, choices: [] });

const isNegative = (plain: string): boolean => plain.startsWith('-');

const exampleOf = (name: string): string =>
  ({ money: '1250.00', percent: '8.25', rate: '1.5', count: '12' })[measureOf(name)];

/** "1.250" as "1.25" */
const shortened = (plain: string): string => (plain.includes('.') ? plain.replace(/\.?0+$/, '') : plain);

function withUnit(
  name: string,
  written: string,
  { plain, unit }: Extract<ReadNumber, { kind: 'number' }>,
  { currency, signs, rateType }: Beside,
): Understood {
  const measure = measureOf(name);
  const isSum = measure === 'money' || (measure === 'rate' && rateType === 'flat');
  if (unit === null) return { plain, currencies: [] };
  if (unit === 'days')
    return name.endsWith('_days') ? { plain, currencies: [] } : refused('is not a number of days');
  if (unit === 'percent')
    return isSum || measure === 'count'
      ? refused(`is a ${isSum ? 'sum' : 'number'} here, not a percentage`)
      : { plain, currencies: [] };
  if (measure === 'rate' && !isSum)
    return refused(`is a percentage here: for a sum such as ${written.trim()}, choose “One fixed fee”`);
  if (!isSum) return refused('must not have a currency');
  if (currency !== null && !unit.includes(currency))
    return refused(`is not in the chosen currency, which is ${currency}`);
  if (currency === null && signs.length > 0 && !unit.some((one) => signs.includes(one)))
    return refused('is not in the same currency as the amounts before it: enter all amounts in one currency');
  return { plain, currencies: unit };
}

/** A parsed number as people read it: "£1,250.00", "8.25%". */
export function spokenNumber(name: string, plain: string, currency: string): string {
  const value = plain as unknown as number;
  const measure = measureOf(name);
  if (measure === 'percent') return `${shownForm().format(value)}%`;
  if (measure !== 'money' || currency === '') return shownForm().format(value);
  return `${currencySign(currency)}${shownForm(digitsOf(currency)).format(value)}`;
}

// Numbers are read in the visitor's notation and shown in the single notation of the page. Digits are grouped only if
// there are decimals, because a lone comma could be read as a decimal comma.
const shownForm = (minimumFractionDigits = 0): Intl.NumberFormat =>
  new Intl.NumberFormat('en', {
    minimumFractionDigits,
    maximumFractionDigits: 6,
    useGrouping: minimumFractionDigits > 0,
  });

/**
 * The currencies that the signs of several amounts can share, given the candidates of each; an amount that shares none
 * with those before it is skipped.
 */
function commonSigns(sums: readonly (readonly string[])[]): readonly string[] {
  let common: readonly string[] = [];
  for (const one of sums) {
    const both = common.length === 0 ? one : common.filter((code) => one.includes(code));
    if (both.length > 0) common = both;
  }
  return common;
}

type WrittenForm = {
  /** In the notation of the API. Unreadable numbers are omitted. */
  readonly values: FormValues;
  /** The faults of unreadable numbers. */
  readonly faults: readonly Fault[];
  /** The interpretation of each number, by its pointer. */
  readonly numbers: ReadonlyMap<string, Understood>;
};

/** Parses the values of a form as the user wrote them. */
export function readWritten(
  { fields, lists }: FormModel,
  written: FormValues,
  grouping: Grouping,
): WrittenForm {
  const currency = written.fields.currency?.trim().toUpperCase() || null;
  const alone: Beside = { grouping, currency, signs: [], rateType: written.fields.rate_type ?? '' };
  const kinds = new Map(
    [...fields, ...lists.flatMap((list) => list.fields)].map(({ name, number }) => [name, number]),
  );
  const readAll = (beside: Beside) => {
    const faults: Fault[] = [];
    const understoods = new Map<string, Understood>();
    const sums: (readonly string[])[] = [];
    const read = (row: Row, prefix: string, pointer: string): Row =>
      Object.fromEntries(
        Object.entries(row).flatMap(([name, text]): [string, string][] => {
          const kind = kinds.get(`${prefix}${name}`);
          const found = kind && understood(`${prefix}${name}`, text, kind, beside);
          if (!found) return [[name, text]];
          understoods.set(`${pointer}/${name}`, found);
          if ('plain' in found) {
            sums.push(found.currencies);
            return [[name, found.plain]];
          }
          faults.push({ pointer: `${pointer}/${name}`, code: 'invalid_number', detail: found.says });
          return [];
        }),
      );
    const rows = Object.entries(written.lists).map(([name, all]) => [
      name,
      all.map((row, index) => read(row, `${name}.`, `/${name}/${index}`)),
    ]);
    const values = { fields: read(written.fields, '', ''), lists: Object.fromEntries(rows) };
    return { values, faults, numbers: understoods, signs: commonSigns(sums) };
  };
  const { signs } = readAll(alone);
  const { values, faults, numbers } = readAll({ ...alone, signs });
  const [sign] = signs;
  const isSaid = currency === null && sign !== undefined && fields.some(({ name }) => name === 'currency');
  return {
    values: isSaid ? { ...values, fields: { ...values.fields, currency: sign } } : values,
    faults: [...rateFaults(written), ...faults],
    numbers,
  };
}

/** The default rate is 1.5 percent a month, so every other rate type requires a rate. */
function rateFaults({ fields }: FormValues): readonly Fault[] {
  const { rate_type: type = '', rate = '' } = fields;
  if (rate.trim() !== '' || type === '' || type === 'monthly_percent') return [];
  return [
    {
      pointer: '/rate',
      code: 'required',
      detail: type === 'flat' ? 'is needed: how much is the fee?' : 'is needed: how many percent?',
    },
  ];
}
