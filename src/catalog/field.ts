import { z } from 'zod';

/**
 * JSON Schema of a field as a caller writes it, in a body, in tool arguments and in a query. What is taken beyond it, such
 * as a number's text, is said in words.
 */
export type Wire = { readonly [keyword: string]: unknown };

/** What a decoder reports: a stable code, a sentence, and what to change. */
export type Wrong = { code: string; detail: string; hint?: string };
/** What an issue of zod carries beyond its message; `known` and `meant` are of the object where an unknown name was found. */
export type IssueParams = {
  code?: string;
  hint?: string;
  known?: readonly string[];
  meant?: Readonly<Record<string, string>>;
};
export type Decoded<T> = { value: T } | { wrong: Wrong };
export type Decode<T> = (raw: unknown) => Decoded<T>;

/** Absent in every spelling a caller may use: no key, null, an empty or blank string. */
export const isAbsent = (raw: unknown): boolean =>
  raw === undefined || raw === null || (typeof raw === 'string' && raw.trim() === '');

export const wrong = (code: string, detail: string, hint?: string): { wrong: Wrong } => ({
  wrong: hint === undefined ? { code, detail } : { code, detail, hint },
});

/** Reports a fault to zod; the undefined that stands in lets later checks skip the field. */
export function report(context: z.RefinementCtx, { code, detail, hint }: Wrong): void {
  context.addIssue({ code: 'custom', message: detail, params: { code, hint } });
}

const decoders = new WeakMap<object, Decode<unknown>>();

/** How a field is decoded, whether it is there or not; undefined where only its schema knows. */
export const decoderOf = (field: object): Decode<unknown> | undefined => decoders.get(field);

/** A schema whose good values can be had of its decoder alone. */
export function decodedBy<Field extends object>(field: Field, decode: Decode<unknown>): Field {
  decoders.set(field, decode);
  return field;
}

/** A field that must be there. */
export function required<T>(decode: Decode<T>, wire: Wire) {
  const take: Decode<T> = (raw) =>
    isAbsent(raw) ? wrong('required', 'is required', exampleHint(wire)) : decode(raw);
  return decodedBy(z.unknown().transform(taking(take)).meta({ wire }), take);
}

/** A field with a fallback; an absent one never fails. */
export function optional<T, F>(decode: Decode<T>, fallback: F, wire: Wire) {
  const absent = { value: fallback };
  const take: Decode<T | F> = (raw) => (isAbsent(raw) ? absent : decode(raw));
  return decodedBy(z.unknown().optional().transform(taking(take)).meta({ wire }), take);
}

/** Decodes for zod, which is told what is wrong. */
const taking =
  <T>(take: Decode<T>) =>
  (raw: unknown, context: z.RefinementCtx): T => {
    const decoded = take(raw);
    if ('value' in decoded) return decoded.value;
    report(context, decoded.wrong);
    return undefined as T;
  };

/**
 * An optional field whose absence and whose default are both undefined, so that neither adds anything to a request's
 * digest: what an operation learns to take leaves the digests of older requests as they are.
 */
export function later<T>(decode: Decode<T>, fallback: T | undefined, wire: Wire) {
  const sparing: Decode<T | undefined> = (raw) => {
    const decoded = decode(raw);
    return 'value' in decoded && decoded.value === fallback ? { value: undefined } : decoded;
  };
  return optional(sparing, undefined, wire);
}

const exampleHint = (wire: Wire): string | undefined => {
  const example = wire.examples as readonly unknown[] | undefined;
  return example?.[0] === undefined ? undefined : `for example ${example[0]}`;
};

/** A field's schema with its annotations. A `title` is what people call a field whose name says it badly. */
export const annotate = (
  about: { describe: string; title?: string; example?: unknown; fallback?: unknown },
  schema: Wire,
): Wire => ({
  ...schema,
  ...(about.title !== undefined && { title: about.title }),
  description: about.describe,
  ...(about.fallback !== undefined && { default: about.fallback }),
  ...(about.example !== undefined && { examples: [about.example] }),
});
