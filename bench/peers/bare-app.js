import { Hono } from 'hono';
import { z } from 'zod';
import { lateFee, quote } from '../samples.js';

const percent = z.number().min(0).max(100).default(0);
export const quoteInput = z.object({
  items: z
    .array(
      z.object({
        description: z.string().max(200).optional(),
        quantity: z.number().positive().max(1_000_000).default(1),
        unit_price: z.number().min(-1_000_000_000).max(1_000_000_000),
      }),
    )
    .min(1)
    .max(100),
  tax_percent: percent,
  discount_percent: percent,
  deposit_percent: percent,
  valid_days: z.int().min(1).max(365).default(30),
  currency: z.string().length(3).default('USD'),
});
export const lateFeeInput = z.object({
  amount: z.coerce.number().positive(),
  due_date: z.iso.date(),
  paid_date: z.iso.date().optional(),
  rate: z.coerce.number().min(0).max(100).default(1.5),
  rate_type: z
    .enum(['monthly_percent', 'annual_percent', 'daily_percent', 'flat'])
    .default('monthly_percent'),
});

/** Routes that only parse, validate and answer from memory: the minimum cost of Hono and Zod. */
export function bareApp() {
  const app = new Hono();
  app.post(quote.path, async (context) => {
    quoteInput.parse(await context.req.json());
    return context.json(quote.answer);
  });
  app.get(lateFee.path, (context) => {
    lateFeeInput.parse(context.req.query());
    return context.json(lateFee.answer);
  });
  return app;
}
