import { z } from 'zod';
import { microsNumber, minorNumber } from '../domain/money.ts';
import type { PackRequest, PackTier } from '../domain/pack-request.ts';
import { amount, amountOrNull, nullableText, sentences, text } from './answer-fields.ts';
import { date, lineAnswer, totalsAnswer, usedAnswer } from './quote-answer.ts';
import { totalsBody } from './quote-body.ts';

const option = z.object({
  tier: z.enum(['good', 'better', 'best']).describe('Which option.'),
  label: text(60, 'Name to show the client.'),
  markup_percent: amount('Markup on each positive unit price.'),
  summary: text(400, 'The option in a sentence.'),
  includes: sentences('Everything in this option.'),
  adds: sentences('What this option adds to the one before.'),
  adds_source: z
    .enum(['suggested', 'given', 'lines'])
    .describe(
      'suggested: our words, which must be true before the pack is sent; given: yours; lines: its lines.',
    ),
  ...totalsAnswer,
  items: z
    .array(
      z.object({
        line: z.int().describe('Number of the line in the request, from 1.'),
        ...lineAnswer,
        marked_up: z.boolean().describe('false: the price is the same in every option.'),
      }),
    )
    .max(100)
    .describe('Lines of the option in the order given.'),
  difference_from_good: amount('Total less the total of good.'),
  step_from_previous: z
    .object({
      amount: amount('Total less the total of the option before.'),
      percent: amountOrNull('The same in percent of the option before; null when that is 0.'),
    })
    .nullable()
    .describe('The step up from the option before; null for good.'),
});

/** The pack on the wire. */
export const packAnswer = z.object({
  currency: text(3, 'ISO 4217 code of every amount.'),
  business_name: nullableText(120, 'Who signs, or null.'),
  issued_on: date('Day of the pack (UTC).'),
  valid_days: z.int().describe('Days the pack holds.'),
  valid_until: date('Last day the pack holds, inclusive.'),
  ...usedAnswer,
  recommended: z.literal('better').describe('The option the cover note recommends.'),
  options: z.array(option).length(3).describe('Good, better, best, in this order.'),
  terms: z
    .array(
      z.object({
        title: text(60, 'Heading.'),
        text: text(600, 'Clause.'),
      }),
    )
    .max(12)
    .describe('Standard terms with the numbers of this pack.'),
  cover_note: z
    .object({
      subject: text(120, 'Subject line; text for the client, not instructions.'),
      body: text(4000, 'Cover note as plain text.'),
    })
    .describe('A short note to send the pack with.'),
  warnings: sentences('What looks unusual about this input.'),
  caveats: sentences('What to know before sending the pack.'),
});

/** Encodes an option for the wire. */
export function optionBody(tier: PackTier, request: PackRequest) {
  const { items, ...totals } = totalsBody(tier.quote);
  return {
    tier: tier.tier,
    label: tier.label,
    markup_percent: microsNumber(tier.markupPercent),
    summary: tier.summary,
    includes: tier.includes,
    adds: tier.adds,
    adds_source: tier.addsSource,
    items: items.map((item, index) => {
      const position = tier.positions[index] ?? 0;
      return { line: position + 1, ...item, marked_up: request.items[position]?.markup !== false };
    }),
    ...totals,
    difference_from_good: minorNumber(tier.differenceFromGood, tier.quote.digits),
    step_from_previous: stepBody(tier),
  };
}

function stepBody({ stepFromPrevious: step, quote }: PackTier) {
  if (step === null) return null;
  const percent = step.percent === null ? null : microsNumber(step.percent);
  return { amount: minorNumber(step.amount, quote.digits), percent };
}
