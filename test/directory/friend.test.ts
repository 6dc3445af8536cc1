import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { BUSINESS_TYPES } from '../../src/domain/directory-labels.ts';
import { asking } from './asking.ts';

/** The tool that a friend in the trade would name, or 'unmet' if nothing free fits; written before any report. */
const cells = z
  .array(
    z.strictObject({
      business_type: z.enum(BUSINESS_TYPES),
      need: z.string(),
      team_size: z.int().nullable(),
      country: z.string().nullable(),
      accept: z.array(z.string()).min(1),
    }),
  )
  .parse(JSON.parse(readFileSync(new URL('friend.json', import.meta.url), 'utf8')));

const { toolFor } = asking();
const pickFor = ({ business_type, need, team_size, country }: (typeof cells)[number]): string =>
  toolFor(need, { businessType: business_type, teamSize: team_size, country });

describe('the pick that a friend who knows the trade would make', () => {
  test.each(
    cells.map(
      (cell) =>
        [
          `${cell.business_type}, ${cell.need}, team of ${cell.team_size ?? 'unknown size'}, ${cell.country ?? 'no country'}`,
          cell,
        ] as const,
    ),
  )('is also our pick for %s', (_, cell) => {
    expect(cell.accept).toContain(pickFor(cell));
  });
});
