import { z } from 'zod';

// Answer fields that several operations share.

export const text = (max: number, describe: string) => z.string().max(max).describe(describe);
export const nullableText = (max: number, describe: string) =>
  z.string().max(max).nullable().describe(describe);
export const amount = (describe: string) => z.number().describe(describe);
export const amountOrNull = (describe: string) => z.number().nullable().describe(describe);
export const whole = (describe: string) => z.int().describe(describe);
export const oneOf = <const Words extends readonly [string, ...string[]]>(words: Words, describe: string) =>
  z.enum(words).describe(describe);
export const object = <Shape extends z.ZodRawShape>(describe: string, shape: Shape) =>
  z.object(shape).describe(describe);
export const listOf = <Shape extends z.ZodRawShape>(max: number, describe: string, shape: Shape) =>
  z.array(z.object(shape)).max(max).describe(describe);
/** A list of texts, each with at most `length` characters. */
export const texts = (max: number, length: number, describe: string) =>
  z.array(z.string().max(length)).max(max).describe(describe);
export const sentences = (describe: string) => texts(20, 600, describe);
export const orNull = <Type extends z.ZodType>(type: Type, describe: string) =>
  type.nullable().describe(describe);
