/*
 * The part of zod that the inputs of operations use, for the scripts of pages: the build replaces zod by this. Values are
 * checked by the decoders of the fields, which are the same code; only the traversal of objects is written here.
 * `test/pages/reckonings.test.ts` compares both.
 */

type Path = readonly (string | number)[];
type Issue = {
  readonly code: string;
  readonly message: string;
  readonly path: Path;
  readonly keys?: readonly string[];
  readonly params?: unknown;
};
type Parsed =
  | { readonly success: true; readonly data: unknown }
  | { readonly success: false; readonly error: { readonly issues: readonly Issue[] } };
/** Reads a value, and adds its issues to the list with their paths from here. */
type Read = (raw: unknown, issues: Issue[]) => unknown;

class Schema {
  readonly read: Read;
  readonly shape: Readonly<Record<string, Schema>>;

  constructor(read: Read, shape: Readonly<Record<string, Schema>> = {}) {
    this.read = read;
    this.shape = shape;
  }
  optional(): Schema {
    return this;
  }
  meta(): Schema {
    return this;
  }
  transform(change: (raw: unknown, context: object) => unknown): Schema {
    return new Schema((raw, issues) => {
      const addIssue = (issue: Omit<Issue, 'path'>) => issues.push({ ...issue, path: [] });
      return change(this.read(raw, issues), { addIssue, issues });
    });
  }
  safeParse(raw: unknown): Parsed {
    const issues: Issue[] = [];
    const data = this.read(raw, issues);
    return issues.length === 0 ? { success: true, data } : { success: false, error: { issues } };
  }
}

function below(key: string | number, schema: Schema, raw: unknown, issues: Issue[]): unknown {
  const own: Issue[] = [];
  const value = schema.read(raw, own);
  issues.push(...own.map((issue) => ({ ...issue, path: [key, ...issue.path] })));
  return value;
}

const strictObject = (shape: Readonly<Record<string, Schema>>): Schema =>
  new Schema((raw, issues) => {
    if (typeof raw !== 'object' || raw === null || Array.isArray(raw)) {
      issues.push({ code: 'invalid_type', message: 'Invalid input', path: [] });
      return undefined;
    }
    const given = raw as Readonly<Record<string, unknown>>;
    const data: Record<string, unknown> = {};
    for (const [name, schema] of Object.entries(shape)) {
      const value = below(name, schema, given[name], issues);
      if (value !== undefined || name in given) data[name] = value;
    }
    const keys = Object.keys(given).filter((name) => !Object.hasOwn(shape, name));
    if (keys.length > 0) issues.push({ code: 'unrecognized_keys', message: '', path: [], keys });
    return data;
  }, shape);

const array = (item: Schema): Schema =>
  new Schema((raw, issues) => (raw as unknown[]).map((value, index) => below(index, item, value, issues)));

export const z = {
  strictObject,
  array,
  unknown: () => new Schema((raw) => raw),
};
