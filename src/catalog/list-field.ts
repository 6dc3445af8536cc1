import { z } from 'zod';
import { decodeWithoutZod } from './decode-without-zod.ts';
import { type Decode, decodedBy, fieldError, type IssueParams, isAbsent, report } from './field.ts';
import { render } from './schema.ts';

/**
 * A list of objects. The JSON text of a list is accepted too, since models send it. The faults of every item are
 * reported.
 */
export function list<Item extends z.ZodObject>(
  item: Item,
  about: { describe: string; min: number; max: number; meant?: Readonly<Record<string, string>> },
) {
  const { describe, min, max, meant = {} } = about;
  const wire = {
    type: 'array',
    description: describe,
    minItems: min,
    maxItems: max,
    items: render(item, 'input'),
  };
  const listed = (raw: unknown): unknown[] | undefined => {
    const values = isAbsent(raw) ? undefined : listOf(raw);
    return values === undefined || values.length < min || values.length > max ? undefined : values;
  };
  const items = z.array(item);
  const field = z
    .unknown()
    .transform((raw, context): z.output<Item>[] => {
      const values = listed(raw);
      if (values === undefined) {
        const detail = `must be a list of ${min} to ${max} objects`;
        report(
          context,
          isAbsent(raw)
            ? { code: 'required', detail: 'is required', hint: detail }
            : { code: 'invalid_list', detail },
        );
        return undefined as unknown as z.output<Item>[];
      }
      const parsed = items.safeParse(values);
      if (parsed.success) return parsed.data;
      for (const issue of parsed.error.issues) {
        const params: IssueParams | undefined =
          issue.code === 'unrecognized_keys' ? { known: Object.keys(item.shape), meant } : undefined;
        const message = issue.code === 'invalid_type' ? 'must be an object' : issue.message;
        context.issues.push({ ...issue, message, ...(params && { params }), input: raw } as never);
      }
      return undefined as unknown as z.output<Item>[];
    })
    .meta({ wire });
  return decodedBy(field, (raw) => {
    const good: unknown[] = [];
    for (const value of listed(raw) ?? [null]) {
      const read = decodeWithoutZod(item, value);
      if (read === null) return NOT_GOOD;
      good.push(read);
    }
    return { value: good };
  });
}

const NOT_GOOD: ReturnType<Decode<never>> = fieldError('invalid_list', 'is not what the schema takes');

/** The list itself, or the list that a JSON text holds. */
export function listOf(raw: unknown): unknown[] | undefined {
  if (Array.isArray(raw)) return raw;
  if (typeof raw !== 'string' || !raw.trimStart().startsWith('[')) return undefined;
  try {
    const parsed: unknown = JSON.parse(raw);
    return Array.isArray(parsed) ? parsed : undefined;
  } catch {
    return undefined;
  }
}
