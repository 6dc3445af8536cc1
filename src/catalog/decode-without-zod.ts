import type { z } from 'zod';
import { type Decode, decoderOf } from './field.ts';

type Values = Readonly<Record<string, unknown>>;
type Reader = (values: Values) => Record<string, unknown> | null;

const readers = new WeakMap<z.ZodType, Reader>();

/**
 * Decodes an object with the decoders of its fields, without zod, to the same result. Returns null where a field is
 * invalid or unknown; zod then reports what is wrong.
 */
export function decodeWithoutZod(schema: z.ZodType, values: unknown): Record<string, unknown> | null {
  if (typeof values !== 'object' || values === null || Array.isArray(values)) return null;
  const known = readers.get(schema);
  if (known !== undefined) return known(values as Values);
  const reader = readerOf(schema);
  readers.set(schema, reader);
  return reader(values as Values);
}

function readerOf(schema: z.ZodType): Reader {
  const { shape, def } = schema as unknown as {
    shape: Readonly<Record<string, object>>;
    def?: { catchall?: { def: { type: string } } };
  };
  const fields: (readonly [string, Decode<unknown>])[] = [];
  for (const [name, field] of Object.entries(shape)) {
    const decode = decoderOf(field);
    if (decode !== undefined) fields.push([name, decode]);
  }
  const isStrict = def?.catchall?.def.type === 'never';
  if (!isStrict || fields.length < Object.keys(shape).length) return () => null;
  return (values) => {
    const input: Record<string, unknown> = {};
    let known = 0;
    for (const [name, decode] of fields) {
      const isThere = Object.hasOwn(values, name);
      const decoded = decode(isThere ? values[name] : undefined);
      if (!('value' in decoded)) return null;
      if (isThere) known += 1;
      // Like zod: an absent field that decodes to undefined is left out.
      if (isThere || decoded.value !== undefined) input[name] = decoded.value;
    }
    return Object.keys(values).length === known ? input : null;
  };
}
