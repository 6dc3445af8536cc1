import type { z } from 'zod';
import { decodeWithoutZod } from '../catalog/decode-without-zod.ts';
import type { IssueParams } from '../catalog/field.ts';
import type { Context, Operation } from '../catalog/operation.ts';
import { nearest } from '../domain/nearest.ts';
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

/**
 * Validates a raw input completely: every fault of every field, and those between fields, in one list.
 * A fault quotes nothing that a caller sent but the name of a field (in `pointer`), a date of the right shape, and
 * what was computed from valid fields.
 */
export function validate(
  operation: Pick<Operation, 'input' | 'meant' | 'tolerates' | 'check'>,
  raw: RawInput,
  context: Context,
): Validated {
  const values = withoutTolerated(raw.values, operation.tolerates);
  const good = decodeWithoutZod(operation.input, values);
  if (good !== null) {
    const between = operation.check(good, context);
    if (raw.faults.length + between.length === 0) return { ok: true, input: good };
    return { ok: false, faults: capped([...raw.faults, ...between], 0) };
  }
  const parsed = operation.input.safeParse(values);
  const known = { fields: Object.keys(shapeOf(operation.input)), meant: operation.meant };
  const issues = parsed.success ? [] : parsed.error.issues;
  const ofFields = shownFaults(issues, known);
  const partial = parsed.success ? parsed.data : partialOf(operation.input, values, issues);
  const between = operation.check(partial as object, context);
  const faults = [...raw.faults, ...ofFields.filter((fault) => !isUnread(fault, raw.faults)), ...between];
  if (faults.length === 0) return { ok: true, input: parsed.data };
  return { ok: false, faults: capped(faults, countOf(issues) - ofFields.length) };
}

/** What could not be read may well have been there: it is not called missing as well. */
const isUnread = ({ code, pointer }: Fault, unread: readonly Fault[]): boolean =>
  code === 'required' && unread.some((fault) => fault.pointer === '' || fault.pointer === pointer);

function withoutTolerated(values: Readonly<Record<string, unknown>>, tolerated: readonly string[]) {
  if (!tolerated.some((name) => Object.hasOwn(values, name))) return values;
  return Object.fromEntries(Object.entries(values).filter(([name]) => !tolerated.includes(name)));
}

/** The fields without a fault of their own, so that checks between fields also run beside faulty ones. */
function partialOf(
  schema: z.ZodType,
  values: Readonly<Record<string, unknown>>,
  issues: readonly z.core.$ZodIssue[],
): Record<string, unknown> {
  const partial: Record<string, unknown> = {};
  const faulty = new Set(issues.map(({ path }) => path[0]));
  for (const [name, field] of Object.entries(shapeOf(schema))) {
    if (faulty.has(name)) continue;
    const parsed = field.safeParse(Object.hasOwn(values, name) ? values[name] : undefined);
    if (parsed.success) partial[name] = parsed.data;
  }
  return partial;
}

const shapeOf = (schema: z.ZodType): Record<string, z.ZodType> =>
  (schema as unknown as { shape: Record<string, z.ZodType> }).shape;

/** The first faults. No more are worked out: a body has room for thousands of unknown names. */
function shownFaults(issues: readonly z.core.$ZodIssue[], known: Known): Fault[] {
  const faults: Fault[] = [];
  for (const issue of issues) {
    if (faults.length >= MAX_FAULTS) break;
    faults.push(...faultsOf(issue, known, MAX_FAULTS - faults.length));
  }
  return faults;
}

/** One fault for an issue, and one for each name where names are unknown. */
const countOf = (issues: readonly z.core.$ZodIssue[]): number =>
  issues.reduce((sum, issue) => sum + (issue.code === 'unrecognized_keys' ? issue.keys.length : 1), 0);

/** The names that an object has, and what is meant by some that it has not. */
type Known = { readonly fields: readonly string[]; readonly meant: Readonly<Record<string, string>> };

function faultsOf(issue: z.core.$ZodIssue, top: Known, most: number): Fault[] {
  const { code, hint, known, meant = {} } = (issue as { params?: IssueParams }).params ?? {};
  const here = known === undefined ? top : { fields: known, meant };
  if (issue.code === 'unrecognized_keys')
    return issue.keys.slice(0, most).map((name) => unknownName(pointerTo([...issue.path, name]), name, here));
  const fault = { pointer: pointerTo(issue.path), code: code ?? 'invalid_type', detail: issue.message };
  return [hint === undefined ? fault : { ...fault, hint }];
}

/** A name that the operation does not know; silently dropping it would change an amount. */
function unknownName(pointer: string, name: string, { fields, meant }: Known): Fault {
  return {
    pointer,
    code: 'unknown_field',
    detail: 'is not a field of this operation',
    hint: hintFor(name, fields, meant),
  };
}

function hintFor(name: string, fields: readonly string[], meant: Known['meant']): string {
  const snake = snakeCase(name);
  if (fields.includes(snake)) return `did you mean ${snake}?`;
  if (Object.hasOwn(meant, snake)) return meant[snake] as string;
  const close = nearest(name, fields);
  return close === null ? `the fields are ${fields.join(', ')}` : `did you mean ${close}?`;
}

/** `valid_until` of `validUntil` and `valid-until`; a name longer than any field stays as it is. */
const snakeCase = (name: string): string =>
  name.length > 40
    ? name
    : name
        .replace(/([a-z0-9])([A-Z])/g, '$1_$2')
        .replaceAll('-', '_')
        .toLowerCase();

/** RFC 6901 pointer; a hostile key is cut, for an error must not grow with its cause. */
export function pointerTo(path: readonly PropertyKey[]): string {
  return path
    .map((part) => `/${wellFormed(String(part).slice(0, 80)).replaceAll('~', '~0').replaceAll('/', '~1')}`)
    .join('');
}

// Half a surrogate pair, sent or cut, is no text that every JSON reader takes.
const wellFormed = (text: string): string => text.replace(/\p{Cs}/gu, '\ufffd');

function capped(faults: Fault[], hidden: number): Fault[] {
  const shown = faults.slice(0, MAX_FAULTS);
  const more = hidden + faults.length - shown.length;
  if (more === 0) return faults;
  return [...shown, { pointer: '', code: 'more_faults', detail: `has ${more} more faults` }];
}
