/** A piece of the document. */
export type Json = Readonly<Record<string, unknown>>;

export const PROBLEM_TYPE = 'application/problem+json';
export const ref = (kind: 'schemas' | 'headers' | 'responses' | 'parameters', name: string) => ({
  $ref: `#/components/${kind}/${name}`,
});

export const text = (description: string, maxLength: number, more: Json = {}) => ({
  type: 'string',
  maxLength,
  description,
  ...more,
});
