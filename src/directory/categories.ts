import { z } from 'zod';
import { BUSINESS_TYPES } from '../domain/stack-report-types.ts';

const category = z.strictObject({
  slug: z.string().regex(/^[a-z0-9_]+$/),
  name: z.string().min(2).max(60),
  aliases: z.array(z.string().regex(/^[a-z0-9_]+$/)),
  /** Words that mean this category only when a business of that type says them. */
  aliases_for: z.partialRecord(z.enum(BUSINESS_TYPES), z.array(z.string().regex(/^[a-z0-9_]+$/))),
  note: z.string().max(240).nullable(),
});

export const CategoriesFileSchema = z.strictObject({ categories: z.array(category).min(1) });

export type CategoriesFile = z.infer<typeof CategoriesFileSchema>;
export type Category = z.infer<typeof category>;
