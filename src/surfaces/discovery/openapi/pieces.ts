/** A piece of the document. */
export type Json = Readonly<Record<string, unknown>>;

export const PROBLEM_TYPE = 'application/problem+json';
export const ref = (kind: 'schemas' | 'headers' | 'responses' | 'parameters', name: string) => ({
  $ref: `#/components/${kind}/${name}`,
});

/** Headers by their names. */
export const headersOf = (...names: string[]): Json =>
  Object.fromEntries(names.map((name) => [name, ref('headers', name)]));

/** A problem as a response has it. */
export const problemContent = (schema: Json, example: unknown) => ({ [PROBLEM_TYPE]: { schema, example } });

export const text = (description: string, maxLength: number, more: Json = {}) => ({
  type: 'string',
  maxLength,
  description,
  ...more,
});
