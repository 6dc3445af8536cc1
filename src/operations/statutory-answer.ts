import { z } from 'zod';
import { JURISDICTIONS, type Jurisdiction } from '../domain/statutory-rates.ts';
import { amount, amountOrNull, nullableText, text } from './answer-fields.ts';

export const usedRate = z.object({
  half_year: nullableText(7, 'Such as 2026-H2; null when reference_rate was given.'),
  percent: amount('The reference rate.'),
  set_on: nullableText(10, 'Day whose rate it is; null when reference_rate was given.'),
  days: z.int().describe('Days of interest at it.'),
  source: text(200, 'Where the rate is from.'),
});

/** Statutory interest on the wire. */
export const statutoryAnswer = z.object({
  jurisdiction: z
    .enum(JURISDICTIONS as [Jurisdiction, ...Jurisdiction[]])
    .describe('GB, or EU: the floor of the directive, which national law may exceed.'),
  law: text(120, 'The law.'),
  rule: text(400, 'What it gives.'),
  margin_percent: amount('Percent a year above the reference rate.'),
  reference_rates: z.array(usedRate).max(40).describe('The reference rates used, in order of time.'),
  annual_percent: amountOrNull('The yearly rate; null when several were used, or none is held.'),
  interest: amountOrNull('Interest to paid_date, rounded once; null when a rate is not held.'),
  compensation: z.number().describe('The fixed sum beside the interest.'),
  total_due: amountOrNull('Amount, interest and fixed sum; never with late_fee on top.'),
  formula: nullableText(2000, 'How interest was reached.'),
  unavailable: nullableText(300, 'Why there is no figure; null when there is one.'),
  rests_on: z.array(z.string().max(400)).max(5).describe('What the figures rest on.'),
});
