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

/** A field that must be there. */
export function required<T>(decode: Decode<T>, wire: Wire) {
  return z
    .unknown()
    .transform((raw, context): T => {
      const decoded = isAbsent(raw) ? wrong('required', 'is required', exampleHint(wire)) : decode(raw);
      if ('value' in decoded) return decoded.value;
      report(context, decoded.wrong);
      return undefined as T;
    })
    .meta({ wire });
}

/** A field with a fallback; an absent one never fails. */
export function optional<T, F>(decode: Decode<T>, fallback: F, wire: Wire) {
  return z
    .unknown()
    .optional()
    .transform((raw, context): T | F => {
      if (isAbsent(raw)) return fallback;
      const decoded = decode(raw);
      if ('value' in decoded) return decoded.value;
      report(context, decoded.wrong);
      return undefined as T;
    })
    .meta({ wire });
}

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
