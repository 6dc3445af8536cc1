import { nearest } from '../domain/nearest.ts';

/**
 * JSON Schema of a field as callers write it, in a JSON body, in tool arguments and in a query. The description in the
 * schema says what else the decoder accepts, such as a number sent as text.
 */
export type WireSchema = { readonly [keyword: string]: unknown };

/**
 * What is wrong inside a value: a stable code, a sentence, and what to send instead. `path` leads from the value to
 * the invalid part. A hint that needs a search is a function, because a body can cause thousands of issues.
 */
export type Issue = {
  readonly path: readonly (string | number)[];
  readonly code: string;
  readonly detail: string;
  readonly hint?: string | (() => string);
};
export type Decoded<T> = { readonly value: T } | { readonly issues: readonly Issue[] };
/** Decodes a raw value, of whatever type a caller sent. */
export type Decode<T> = (raw: unknown) => Decoded<T>;

/** One field of an input. Its decoder is the only code that reads it, in the service and in the browser. */
export type Field<T> = {
  readonly isRequired: boolean;
  readonly schema: WireSchema;
  readonly decode: Decode<T>;
};

/** The fields of an object, by name. */
export type Fields = Readonly<Record<string, Field<unknown>>>;

/** The decoded values of these fields; unknown if the fields are not known by name. */
export type ValuesOf<Of extends Fields> = string extends keyof Of
  ? unknown
  : { readonly [Name in keyof Of]: Of[Name] extends Field<infer T> ? T : never };

/**
 * The options of every field. `title` is the label for people if the name of the field is not a good label. Without
 * `default`, which may be null or undefined, the field is required.
 */
export type About<Default> = {
  readonly describe: string;
  readonly title?: string;
  readonly example?: unknown;
  readonly default?: Default;
};

/** Whether a value counts as absent: no key, null, or an empty or blank string. */
export const isAbsent = (raw: unknown): boolean =>
  raw === undefined || raw === null || (typeof raw === 'string' && raw.trim() === '');

/** An invalid value. */
export const invalid = (
  code: string,
  detail: string,
  hint?: string,
): { readonly issues: readonly Issue[] } => ({
  issues: [{ path: [], code, detail, ...(hint !== undefined && { hint }) }],
});

/**
 * Makes a field from a decoder for present values and their JSON Schema. `fallback` is the value of an absent field
 * if it differs from the documented default.
 */
export function field<T, Default = never, Fallback = Default>(
  decode: Decode<T>,
  schema: WireSchema,
  about: About<Default>,
  fallback = about.default as Fallback,
): Field<T | NoInfer<Fallback>> {
  const { describe, title, example, default: shown } = about;
  const isRequired = !('default' in about);
  const absent = isRequired
    ? invalid('required', 'is required', example === undefined ? undefined : `for example ${example}`)
    : { value: fallback };
  return {
    isRequired,
    schema: {
      ...schema,
      ...(title !== undefined && { title }),
      description: describe,
      ...(shown != null && { default: shown }),
      ...(example !== undefined && { examples: [example] }),
    },
    decode: (raw) => (isAbsent(raw) ? absent : decode(raw)),
  };
}

/**
 * A copy of a field whose default decodes to undefined, even if the caller sends it. A field that is added to an
 * operation later therefore does not change the digests of older requests.
 */
export function later<T>({ decode, ...rest }: Field<T>): Field<T | undefined> {
  const absent = decode(undefined);
  return {
    ...rest,
    decode: (raw) => {
      const decoded = decode(raw);
      const isDefault = 'value' in decoded && 'value' in absent && decoded.value === absent.value;
      return isDefault ? { value: undefined } : decoded;
    },
  };
}

/** Hints for names that callers expect but that do not exist, such as `valid_until`; in snake_case. */
export type Meant = Readonly<Record<string, string>>;

/** The values of an object's valid fields, and every issue of the invalid fields and unknown names. */
export function decodeFields(fields: Fields, raw: Readonly<Record<string, unknown>>, meant: Meant) {
  const values: Record<string, unknown> = {};
  const issues: Issue[] = [];
  let known = 0;
  for (const name in fields) {
    const isSent = Object.hasOwn(raw, name);
    const decoded = (fields[name] as Field<unknown>).decode(isSent ? raw[name] : undefined);
    if (isSent) known += 1;
    if ('issues' in decoded) addIssues(issues, name, decoded.issues);
    else if (isSent || decoded.value !== undefined) values[name] = decoded.value;
  }
  const names = Object.keys(raw);
  if (names.length > known)
    // Dropping an unknown name could change an amount without a warning.
    for (const name of names)
      if (!Object.hasOwn(fields, name))
        issues.push({
          path: [name],
          code: 'unknown_field',
          detail: 'is not a field of this operation',
          hint: () => nameHint(name, Object.keys(fields), meant),
        });
  return { values, issues };
}

/** Adds the issues of one value to all issues of the object or list that holds the value under `key`. */
export function addIssues(all: Issue[], key: string | number, issues: readonly Issue[]): void {
  for (const issue of issues) all.push({ ...issue, path: [key, ...issue.path] });
}

function nameHint(name: string, fields: readonly string[], meant: Meant): string {
  const snake = snakeCase(name);
  if (fields.includes(snake)) return `did you mean ${snake}?`;
  if (Object.hasOwn(meant, snake)) return meant[snake] as string;
  const close = nearest(name, fields);
  return close === null ? `the fields are ${namesText(fields)}` : `did you mean ${close}?`;
}

const MOST_NAME_CHARACTERS = 250;

/** The first few names, and the number of the others. */
function namesText(names: readonly string[]): string {
  const more = names.findIndex((_, at) => names.slice(0, at + 1).join(', ').length > MOST_NAME_CHARACTERS);
  return more < 0 ? names.join(', ') : `${names.slice(0, more).join(', ')} and ${names.length - more} more`;
}

/** Turns `validUntil` and `valid-until` into `valid_until`; a name longer than any field does not change. */
const snakeCase = (name: string): string =>
  name.length > 40
    ? name
    : name
        .replace(/([a-z0-9])([A-Z])/g, '$1_$2')
        .replaceAll('-', '_')
        .toLowerCase();

/**
 * The JSON Schema of an object with these fields. The schema allows no other names, so that a mistyped name never
 * becomes a default.
 */
export function objectSchema(fields: Fields): WireSchema {
  const entries = Object.entries(fields);
  const required = entries.filter(([, { isRequired }]) => isRequired).map(([name]) => name);
  return {
    type: 'object',
    properties: Object.fromEntries(entries.map(([name, { schema }]) => [name, schema])),
    ...(required.length > 0 && { required }),
    additionalProperties: false,
  };
}
