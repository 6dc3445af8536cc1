import { z } from 'zod';
import { BUSINESS_TYPES } from '../domain/directory-labels.ts';

/** Writes a word the way slugs are written. */
export const asSlug = (text: string): string =>
  text
    .trim()
    .toLowerCase()
    .replace(/[\s-]+/g, '_');

const category = z.strictObject({
  slug: z.string().regex(/^[a-z0-9_]+$/),
  name: z.string().min(2).max(60),
  aliases: z.array(z.string().regex(/^[a-z0-9_]+$/)),
  /** The words that people type into a search for this category. */
  searched_as: z.array(z.string().regex(/^[a-z0-9][a-z0-9 -]*$/)).default([]),
  /** Words that mean this category only if a business of that type uses them. */
  aliases_for: z.partialRecord(z.enum(BUSINESS_TYPES), z.array(z.string().regex(/^[a-z0-9_]+$/))),
  note: z.string().max(240).nullable(),
});

/** Every name refers to one category. */
const vocabulary = z
  .array(category)
  .min(1)
  .superRefine((categories, { addIssue }) => {
    const words = new Set<string>();
    for (const { slug, aliases, searched_as } of categories)
      for (const word of [slug, ...aliases, ...searched_as.map(asSlug)]) {
        if (words.has(word)) addIssue({ code: 'custom', path: [slug], message: `${word} is taken` });
        words.add(word);
      }
  });

export const CategoriesFileSchema = z.strictObject({ categories: vocabulary });

export type CategoriesFile = z.infer<typeof CategoriesFileSchema>;
export type Category = z.infer<typeof category>;

/**
 * For each word: the category that it means, the one that it means to some businesses, and the one that a search finds.
 */
export function wordIndex(categories: readonly Category[]) {
  const words = new Map<string, string>();
  for (const { slug, aliases } of categories) for (const word of [slug, ...aliases]) words.set(word, slug);
  const special = new Map<string, string>();
  for (const { slug, aliases_for } of categories)
    for (const [type, aliases] of Object.entries(aliases_for))
      for (const word of aliases) special.set(`${type}/${word}`, slug);
  const searched = new Map(
    categories.flatMap(({ slug, searched_as }) => searched_as.map((word) => [asSlug(word), slug] as const)),
  );
  return { words, special, searched };
}
