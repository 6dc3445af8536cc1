import { z } from 'zod';
import { BUSINESS_TYPES } from '../domain/stack-report-types.ts';

const businessType = z.enum(BUSINESS_TYPES);

const kind = z.strictObject({
  /** Reads after the tool's name: "Sortly: equipment, parts and materials". */
  label: z.string().min(3).max(80),
  role: z.enum(['pick', 'alternative', 'never']),
  only_for: z.array(businessType).min(1).nullable(),
  team_max: z.int().min(1).nullable(),
});

const category = z.strictObject({
  slug: z.string().regex(/^[a-z0-9_]+$/),
  name: z.string().min(2).max(60),
  aliases: z.array(z.string().regex(/^[a-z0-9_]+$/)),
  /** Words that mean this category only when a business of that type says them. */
  aliases_for: z.partialRecord(businessType, z.array(z.string().regex(/^[a-z0-9_]+$/))),
  note: z.string().max(240).nullable(),
  kinds: z.record(z.string(), kind),
});

export const CategoriesFileSchema = z.strictObject({
  business_types: z.array(
    z.strictObject({
      slug: businessType,
      needs: z.array(z.string()).min(1),
      needs_for_teams: z.array(z.string()),
    }),
  ),
  categories: z.array(category).min(1),
});

export type CategoriesFile = z.infer<typeof CategoriesFileSchema>;
export type Category = z.infer<typeof category>;
