import { decodeFields, type Issue } from '../catalog/field.ts';
import type { Context, Operation } from '../catalog/operation.ts';
import type { Fault } from '../domain/result.ts';

/** The input as a surface decoded it: raw values by name, and faults that only the surface could see. */
export type RawInput = {
  readonly values: Readonly<Record<string, unknown>>;
  readonly faults: readonly Fault[];
};

export type Validated =
  | { readonly ok: true; readonly input: unknown }
  | { readonly ok: false; readonly faults: Fault[] };

// One body of 64 KiB can hold thousands of faults; the caller needs only the first faults and the count.
const MAX_FAULTS = 100;

/**
 * Validates a raw input completely. One list has the faults of all fields and those between fields, up to a maximum.
 * A fault quotes only the caller's field name (in `pointer`), a well-formed date, and values computed from valid
 * fields.
 */
export function validate(
  operation: Pick<Operation, 'input' | 'meant' | 'tolerates' | 'check'>,
  raw: RawInput,
  context: Context,
): Validated {
  const values = withoutTolerated(raw.values, operation.tolerates);
  const { values: input, issues } = decodeFields(operation.input, values, operation.meant);
  const between = operation.check(input, context);
  if (raw.faults.length + issues.length + between.length === 0) return { ok: true, input };
  const ofFields = issues.slice(0, MAX_FAULTS).map(faultOf);
  const faults = [
    ...raw.faults,
    ...ofFields.filter((fault) => !isUnread(fault, raw.faults)),
    // An invalid field was sent, so it is not missing.
    ...between.filter((fault) => !isUnread(fault, ofFields)),
  ];
  return { ok: false, faults: capped(faults, issues.length - ofFields.length) };
}

/** The answer to the example of an operation. Throws if there is none, which is a bug. */
export function exampleAnswer(operation: Operation, context: Context): unknown {
  const answer = operation.run(exampleInput(operation, context), context);
  if (answer.kind !== 'answer')
    throw new Error(`Operation ${operation.name}: example ends in ${answer.kind}`);
  return answer.body;
}

/** The notes for the buyer of the example, next to its price; null if there is nothing to say. */
export const exampleBeforePaying = (operation: Operation, context: Context) =>
  operation.beforePaying(exampleInput(operation, context), context);

function exampleInput(operation: Operation, context: Context) {
  const validated = validate(operation, { values: operation.example, faults: [] }, context);
  if (validated.ok) return validated.input;
  throw new Error(`Operation ${operation.name}: example is invalid: ${JSON.stringify(validated.faults)}`);
}

/** A field that could not be read may have been sent, so it is not also reported as missing. */
const isUnread = ({ code, pointer }: Fault, unread: readonly Fault[]): boolean =>
  code === 'required' && unread.some((fault) => fault.pointer === '' || fault.pointer === pointer);

function withoutTolerated(values: Readonly<Record<string, unknown>>, tolerated: readonly string[]) {
  if (!tolerated.some((name) => Object.hasOwn(values, name))) return values;
  return Object.fromEntries(Object.entries(values).filter(([name]) => !tolerated.includes(name)));
}

function faultOf({ path, code, detail, hint }: Issue): Fault {
  const fault = { pointer: pointerTo(path), code, detail };
  return hint === undefined ? fault : { ...fault, hint: typeof hint === 'string' ? hint : hint() };
}

/** RFC 6901 pointer. A long key is cut, so that a long key does not make a long error. */
export function pointerTo(path: Issue['path']): string {
  return path
    .map((part) => `/${wellFormed(String(part).slice(0, 80)).replaceAll('~', '~0').replaceAll('/', '~1')}`)
    .join('');
}

// Not every JSON parser accepts half a surrogate pair, whether it was sent or is the result of a cut.
const wellFormed = (text: string): string => text.replace(/\p{Cs}/gu, '\ufffd');

function capped(faults: Fault[], hidden: number): Fault[] {
  const shown = faults.slice(0, MAX_FAULTS);
  const more = hidden + faults.length - shown.length;
  if (more === 0) return faults;
  return [...shown, { pointer: '', code: 'more_faults', detail: `has ${more} more faults` }];
}
