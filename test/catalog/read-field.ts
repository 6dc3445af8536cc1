import { z } from 'zod';
import { decimal } from '../../src/catalog/number-fields.ts';

/** What a field makes of a raw value: its output, or the code of its fault. */
export function read(field: z.ZodType, raw: unknown): unknown {
  const parsed = z.object({ field }).safeParse({ field: raw });
  if (parsed.success) return parsed.data.field;
  return parsed.error.issues.map((issue) => (issue as { params?: { code?: string } }).params?.code).join();
}

export const price = decimal({ describe: 'Price.', min: '-1000000000', max: '1000000000' });
