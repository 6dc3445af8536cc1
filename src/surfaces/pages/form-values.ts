/** The values of a form: texts by field name, and the rows of its lists. */
export type FormValues = {
  readonly fields: Readonly<Record<string, string>>;
  readonly lists: Readonly<Record<string, readonly Row[]>>;
};
export type Row = Readonly<Record<string, string>>;

// More rows than any list allows, so that a list cut here is still rejected as too long.
const MAX_ROWS = 200;

export const NOTHING_WRITTEN: FormValues = { fields: {}, lists: {} };

/**
 * Reads the pairs of a form as a browser sends them. Every row of a list has all of its inputs. It drops blank rows and
 * names that `isKnown` rejects.
 */
export function formValues(
  pairs: Iterable<readonly [string, string]>,
  isKnown: (name: string) => boolean = () => true,
): FormValues {
  const fields: Record<string, string> = Object.create(null);
  const lists: Record<string, Record<string, string>[]> = Object.create(null);
  const counts = new Map<string, number>();
  for (const [name, value] of pairs) {
    if (!isKnown(name)) continue;
    const dot = name.indexOf('.');
    if (dot < 0) {
      fields[name] = value;
      continue;
    }
    const index = counts.get(name) ?? 0;
    if (index >= MAX_ROWS) continue;
    counts.set(name, index + 1);
    const list = name.slice(0, dot);
    const rows = lists[list] ?? [];
    lists[list] = rows;
    const row = rows[index] ?? {};
    row[name.slice(dot + 1)] = value;
    rows[index] = row;
  }
  return {
    fields,
    lists: Object.fromEntries(Object.entries(lists).map(([name, rows]) => [name, rows.filter(isWritten)])),
  };
}

/** Whether a row is not blank. */
export const isWritten = (row: Row): boolean => Object.values(row).some((value) => value.trim() !== '');

/** The raw input in these values, without blank fields. */
export function rawValues({ fields, lists }: FormValues): Record<string, unknown> {
  const written = (row: Row): Record<string, string> =>
    Object.fromEntries(Object.entries(row).filter(([, value]) => value.trim() !== ''));
  return {
    ...written(fields),
    ...Object.fromEntries(
      Object.entries(lists)
        .filter(([, rows]) => rows.length > 0)
        .map(([name, rows]) => [name, rows.map(written)]),
    ),
  };
}

/** An input, such as an operation's example, as a user would write it in a form. */
export function asWritten(input: Readonly<Record<string, unknown>>): FormValues {
  const isRows = (value: unknown): value is object[] =>
    Array.isArray(value) && value.every((row) => typeof row === 'object');
  const spell = (value: unknown) => (Array.isArray(value) ? value.join('; ') : String(value));
  const text = (values: object): Record<string, string> =>
    Object.fromEntries(Object.entries(values).map(([name, value]) => [name, spell(value)]));
  const entries = Object.entries(input);
  return {
    fields: text(Object.fromEntries(entries.filter(([, value]) => !isRows(value)))),
    lists: Object.fromEntries(
      entries.flatMap(([name, value]) => (isRows(value) ? [[name, value.map(text)]] : [])),
    ),
  };
}

/** The values as the query of a link; `items.unit_price` appears once per row. */
export function valuesQuery({ fields, lists }: FormValues): string {
  const names = (rows: readonly Row[]) => [...new Set(rows.flatMap((row) => Object.keys(row)))];
  const pairs = [
    ...Object.entries(fields).filter(([, value]) => value.trim() !== ''),
    ...Object.entries(lists).flatMap(([list, rows]) =>
      rows.flatMap((row) => names(rows).map((name) => [`${list}.${name}`, row[name] ?? ''] as const)),
    ),
  ];
  return new URLSearchParams(pairs.map(([name, value]): [string, string] => [name, value])).toString();
}
