import { z } from 'zod';

/**
 * JSON Schema of a field as callers write it, in a JSON body, in tool arguments and in a query. What a decoder
 * accepts beyond the schema, such as a number sent as text, is described in words.
 */
export type WireSchema = { readonly [keyword: string]: unknown };

/** What is wrong with a field: a stable code, a sentence, and what to change. */
export type FieldError = { code: string; detail: string; hint?: string };
/**
 * What a zod issue carries beyond its message. `known` and `meant` belong to the object in which an unknown name was
 * found.
 */
export type IssueParams = {
  code?: string;
  hint?: string;
  known?: readonly string[];
  meant?: Readonly<Record<string, string>>;
};
export type Decoded<T> = { value: T } | { error: FieldError };
export type Decode<T> = (raw: unknown) => Decoded<T>;

/** Whether a value counts as absent: no key, null, or an empty or blank string. */
export const isAbsent = (raw: unknown): boolean =>
  raw === undefined || raw === null || (typeof raw === 'string' && raw.trim() === '');

export const fieldError = (code: string, detail: string, hint?: string): { error: FieldError } => ({
  error: hint === undefined ? { code, detail } : { code, detail, hint },
});

/** Reports an error to zod. The caller then returns undefined, so that later checks skip the field. */
export function report(context: z.RefinementCtx, { code, detail, hint }: FieldError): void {
  context.addIssue({ code: 'custom', message: detail, params: { code, hint } });
}

const decoders = new WeakMap<object, Decode<unknown>>();

/** The decoder of a field; undefined where only its zod schema can decode it. */
export const decoderOf = (field: object): Decode<unknown> | undefined => decoders.get(field);

/** Registers the decoder that gives the same values as the schema for valid input. */
export function decodedBy<Field extends object>(field: Field, decode: Decode<unknown>): Field {
  decoders.set(field, decode);
  return field;
}

/** A required field. */
export function required<T>(decode: Decode<T>, wire: WireSchema) {
  const take: Decode<T> = (raw) =>
    isAbsent(raw) ? fieldError('required', 'is required', exampleHint(wire)) : decode(raw);
  return decodedBy(z.unknown().transform(transformBy(take)).meta({ wire }), take);
}

/** An optional field; its fallback is used when it is absent. */
export function optional<T, F>(decode: Decode<T>, fallback: F, wire: WireSchema) {
  const absent = { value: fallback };
  const take: Decode<T | F> = (raw) => (isAbsent(raw) ? absent : decode(raw));
  return decodedBy(z.unknown().optional().transform(transformBy(take)).meta({ wire }), take);
}

/** Wraps a decoder as a zod transform that reports its errors. */
const transformBy =
  <T>(take: Decode<T>) =>
  (raw: unknown, context: z.RefinementCtx): T => {
    const decoded = take(raw);
    if ('value' in decoded) return decoded.value;
    report(context, decoded.error);
    return undefined as T;
  };

/**
 * An optional field for which absence and the default both decode to undefined, so that neither changes the digest of
 * a request. Fields that are added to an operation later use it: digests of older requests stay the same.
 */
export function later<T>(decode: Decode<T>, fallback: T | undefined, wire: WireSchema) {
  const sparing: Decode<T | undefined> = (raw) => {
    const decoded = decode(raw);
    return 'value' in decoded && decoded.value === fallback ? { value: undefined } : decoded;
  };
  return optional(sparing, undefined, wire);
}

const exampleHint = (wire: WireSchema): string | undefined => {
  const example = wire.examples as readonly unknown[] | undefined;
  return example?.[0] === undefined ? undefined : `for example ${example[0]}`;
};

/**
 * A field's schema with its annotations. `title` is the label for people where the field's name is not a good one.
 */
export const annotate = (
  about: { describe: string; title?: string; example?: unknown; fallback?: unknown },
  schema: WireSchema,
): WireSchema => ({
  ...schema,
  ...(about.title !== undefined && { title: about.title }),
  description: about.describe,
  ...(about.fallback !== undefined && { default: about.fallback }),
  ...(about.example !== undefined && { examples: [about.example] }),
});
