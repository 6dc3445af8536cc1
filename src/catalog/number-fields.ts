import { type Micros, micros, microsNumber, microsText, numberMicros } from '../domain/money.ts';
import {
  annotate,
  type Decode,
  type Decoded,
  fieldError,
  optional,
  required,
  type WireSchema,
} from './field.ts';

export type DecimalBounds = {
  readonly describe: string;
  readonly min: string;
  readonly max: string;
  /** true: `min` itself is out of range. */
  readonly aboveMin?: boolean;
  readonly example?: number;
};

// Six decimals are kept exactly. A binary float such as 0.30000000000000004 is read as the decimal next to it; a
// number that rounding would change by more than this share of itself has too many decimals.
const FLOAT_NOISE = 1e-9;
const DECIMAL_TEXT = /^[0-9]+(?:\.[0-9]+)?$/;
const SIGNED_DECIMAL_TEXT = /^-?[0-9]+(?:\.[0-9]+)?$/;
const SIX_DECIMALS = /^-?[0-9]+(?:\.[0-9]{1,6})?$/;
const MAX_DECIMAL_CHARACTERS = 40;

function decimalDecoder({ min, max, aboveMin = false }: DecimalBounds): Decode<Micros> {
  const low = micros(min) as Micros;
  const high = micros(max) as Micros;
  const signed = low < 0n;
  const range = `must be ${aboveMin ? 'more than' : 'at least'} ${microsText(low)} and at most ${microsText(high)}`;
  return (raw) => {
    const read = typeof raw === 'number' ? fromNumber(raw) : fromText(raw, signed);
    if ('error' in read) return read;
    const { value } = read;
    if (value < low || value > high || (aboveMin && value === low)) return fieldError('out_of_range', range);
    return read;
  };
}

function fromNumber(raw: number): Decoded<Micros> {
  const exact = numberMicros(raw);
  if (exact !== null) return { value: exact };
  // No field allows more than 1e12, and toFixed writes exponents from 1e21 on.
  if (!Number.isFinite(raw)) return fieldError('invalid_number', 'must be a finite number');
  if (Math.abs(raw) > 1e12) return fieldError('out_of_range', 'is too large');
  // Above some billions a double cannot hold six decimals: its shortest text is what the caller wrote.
  const shortest = String(raw);
  const text = SIX_DECIMALS.test(shortest) ? shortest : raw.toFixed(6);
  return Math.abs(Number(text) - raw) > FLOAT_NOISE * Math.abs(raw)
    ? TOO_PRECISE
    : { value: micros(text) as Micros };
}

const TOO_PRECISE = fieldError('too_precise', 'has more than 6 decimals', 'round it to at most 6 decimals');

function fromText(raw: unknown, signed: boolean): Decoded<Micros> {
  if (typeof raw !== 'string')
    return fieldError('invalid_type', 'must be a number', 'send a number such as 12.5');
  const text = raw.trim();
  if (text.length > MAX_DECIMAL_CHARACTERS || !(signed ? SIGNED_DECIMAL_TEXT : DECIMAL_TEXT).test(text))
    return fieldError(
      'invalid_number',
      `must be a plain decimal number${signed ? '' : ' without a sign'}`,
      'digits with an optional point, such as 1250.00; no currency or percent sign, grouping, exponent or spaces',
    );
  const value = micros(text);
  return value === null ? TOO_PRECISE : { value };
}

const decimalWire = (bounds: DecimalBounds, fallback?: number): WireSchema => {
  const { describe, example, min, max, aboveMin } = bounds;
  // The smallest value above an excluded bound is a millionth more. It is written as a minimum, since some model
  // vendors refuse exclusiveMinimum.
  const low = (micros(min) as Micros) + (aboveMin ? 1n : 0n);
  const minimum = microsNumber(low as Micros);
  return annotate({ describe, example, fallback }, { type: 'number', minimum, maximum: Number(max) });
};

/** An exact decimal with at most six decimals, as a number or a plain decimal string; output in millionths. */
export const decimal = (bounds: DecimalBounds) => required(decimalDecoder(bounds), decimalWire(bounds));
/**
 * The same as an optional field. With undefined as its fallback an absent field adds nothing to a request's digest.
 */
export const decimalOr = <F extends number | null | undefined>(bounds: DecimalBounds, fallback: F) =>
  optional<Micros, F extends number ? Micros : F>(
    decimalDecoder(bounds),
    (typeof fallback === 'number' ? micros(String(fallback)) : fallback) as F extends number ? Micros : F,
    decimalWire(bounds, fallback ?? undefined),
  );

/** A whole number between two bounds, or the fallback when absent. */
export function integerOr<F extends number | null | undefined>(
  { describe, min, max, example }: { describe: string; min: number; max: number; example?: number },
  fallback: F,
) {
  const decode: Decode<number> = (raw) => {
    const number =
      typeof raw === 'number'
        ? raw
        : typeof raw === 'string' && /^[0-9]{1,9}$/.test(raw.trim())
          ? Number(raw)
          : Number.NaN;
    if (!Number.isInteger(number))
      return fieldError('invalid_integer', `must be a whole number from ${min} to ${max}`);
    return number < min || number > max
      ? fieldError('out_of_range', `must be from ${min} to ${max}`)
      : { value: number };
  };
  const wire = annotate(
    { describe, example, fallback: fallback ?? undefined },
    { type: 'integer', minimum: min, maximum: max },
  );
  return optional(decode, fallback, wire);
}
