import type { z } from 'zod';
import { nearest } from '../catalog/nearest.ts';
import type { Context, Operation } from '../catalog/operation.ts';
import type { Fault } from '../domain/result.ts';

/** What a surface decoded: named raw values, and the faults that only the surface could see. */
export type RawInput = {
  readonly values: Readonly<Record<string, unknown>>;
  readonly faults: readonly Fault[];
};

export type Validated =
  | { readonly ok: true; readonly input: unknown }
  | { readonly ok: false; readonly faults: Fault[] };

// One body of 64 KiB can hold thousands of faults; a reader needs the first ones and the count.
const MAX_FAULTS = 100;

/** Validates a raw input completely: every fault of every field, and those between fields, in one list. */
export function validate(operation: Operation, raw: RawInput, context: Context): Validated {
  const values = withoutTolerated(raw.values, operation.tolerates);
  const parsed = operation.input.safeParse(values);
  const faults = [...raw.faults];
  if (!parsed.success)
    for (const issue of parsed.error.issues)
      faults.push(...faultsOf(issue, Object.keys(shapeOf(operation.input))));
  // After a structural fault (not an object) there is nothing to compare.
  const partial = parsed.success ? parsed.data : partialOf(operation.input, values);
  faults.push(...operation.check(partial as object, context));
  if (faults.length === 0) return { ok: true, input: parsed.data };
  return { ok: false, faults: capped(faults) };
}

function withoutTolerated(values: Readonly<Record<string, unknown>>, tolerated: readonly string[]) {
  if (!tolerated.some((name) => Object.hasOwn(values, name))) return values;
  return Object.fromEntries(Object.entries(values).filter(([name]) => !tolerated.includes(name)));
}

/** The fields that parse on their own, so that checks between fields also run beside faulty ones. */
function partialOf(schema: z.ZodType, values: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const partial: Record<string, unknown> = {};
  for (const [name, field] of Object.entries(shapeOf(schema))) {
    const parsed = field.safeParse(Object.hasOwn(values, name) ? values[name] : undefined);
    if (parsed.success) partial[name] = parsed.data;
  }
  return partial;
}

export const shapeOf = (schema: z.ZodType): Record<string, z.ZodType> =>
  (schema as unknown as { shape: Record<string, z.ZodType> }).shape;

function faultsOf(issue: z.core.$ZodIssue, known: readonly string[]): Fault[] {
  if (issue.code === 'unrecognized_keys')
    return issue.keys.map((key) => unknownName(pointerTo([...issue.path, key]), key, known));
  const params = (issue as { params?: { code?: string; hint?: string } }).params;
  const fault = {
    pointer: pointerTo(issue.path),
    code: params?.code ?? 'invalid_type',
    detail: issue.message,
  };
  return [params?.hint === undefined ? fault : { ...fault, hint: params.hint }];
}

/** A name that the operation does not know; silently dropping it would change an amount. */
export function unknownName(pointer: string, name: string, known: readonly string[]): Fault {
  const close = nearest(name, known);
  return {
    pointer,
    code: 'unknown_field',
    detail: 'is not a field of this operation',
    hint: close === null ? `the fields are ${known.join(', ')}` : `did you mean ${close}?`,
  };
}

/** RFC 6901 pointer; a hostile key is cut, for an error must not grow with its cause. */
export function pointerTo(path: readonly PropertyKey[]): string {
  return path
    .map((part) => `/${String(part).slice(0, 80).replaceAll('~', '~0').replaceAll('/', '~1')}`)
    .join('');
}

function capped(faults: Fault[]): Fault[] {
  if (faults.length <= MAX_FAULTS) return faults;
  const more = faults.length - MAX_FAULTS;
  return [...faults.slice(0, MAX_FAULTS), { pointer: '', code: 'more_faults', detail: `and ${more} more` }];
}
