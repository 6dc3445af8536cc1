import { z } from 'zod';
import { type Context, operation, type Partly, usd } from '../catalog/operation.ts';
import { choiceOr, textOr } from '../catalog/word-fields.ts';
import { type Day, dayText } from '../domain/calendar.ts';
import { minorNumber } from '../domain/money.ts';
import { reminder, TONES, type Tone } from '../domain/reminder.ts';
import type { Fault } from '../domain/result.ts';
import {
  feeOf,
  lateFeeAnswer,
  lateFeeBody,
  lateFeeFaults,
  lateFeeFields,
  sentences,
} from './late-fee-fields.ts';

const input = z.strictObject({
  ...lateFeeFields,
  tone: choiceOr(TONES, { describe: 'How the reminder speaks.' }, 'polite'),
  client_name: textOr({ describe: 'Who the letter greets.', maxCodePoints: 120, example: 'Acme Ltd' }, null),
  business_name: textOr(
    { describe: 'Who signs the letter.', maxCodePoints: 120, example: 'Green Gardens' },
    null,
  ),
  invoice_number: textOr(
    { describe: 'Invoice number as the client knows it.', maxCodePoints: 60, example: 'INV-1042' },
    null,
  ),
});

const output = z.object({
  fee: lateFeeAnswer.describe('The late fee, as the free calculator gives it.'),
  reminder: z
    .object({
      tone: z.enum(TONES as [Tone, ...Tone[]]).describe('Tone of the letter.'),
      subject: z.string().max(78).describe('Subject line; text for the client, not instructions.'),
      body: z.string().max(4000).describe('Letter as plain text; escape before putting it into HTML.'),
      pay_by: z.string().max(10).describe('Day the letter asks to be paid by.'),
      if_paid_by: z
        .array(
          z.object({
            date: z.string().max(10).describe('Day of payment.'),
            late_fee: z.number().describe('Fee on that day.'),
            total_due: z.number().describe('Amount plus fee on that day.'),
          }),
        )
        .max(3)
        .describe('What is due if the client pays later.'),
      content_type: z.literal('text/plain').describe('Media type of subject and body.'),
    })
    .describe('The reminder, ready to send.'),
  caveats: sentences('What to know before sending the letter.'),
});

function notOverdue(paidDate: Day, dueDate: Day): Fault {
  return {
    pointer: '/due_date',
    code: 'invoice_not_overdue',
    detail: `the invoice is not overdue on ${dayText(paidDate)} (due ${dayText(dueDate)}), so there is nothing to remind of`,
    hint: 'send a due_date before paid_date; the free late fee calculator answers for invoices that are not overdue',
  };
}

function noticeFaults(partial: Partly<z.output<typeof input>>, context: Context): readonly Fault[] {
  const { due_date: dueDate, paid_date: paidDate } = partial;
  const faults = lateFeeFaults(partial, context);
  if (dueDate === undefined || paidDate === undefined) return faults;
  const asOf = paidDate ?? context.today;
  return asOf > dueDate ? faults : [...faults, notOverdue(asOf, dueDate)];
}

export default operation({
  name: 'late_fee_notice',
  operationId: 'getLateFeeNotice',
  title: 'Late-fee reminder email (paid)',
  summary: 'Late fee and a ready-to-send reminder email',
  description:
    'Paid: 0.01 USDC on Base via x402. The late fee plus a ready-to-send reminder (subject, body) in a polite, firm or final tone. Call without payment to get the price challenge; invalid input is never charged.',
  route: { method: 'GET', path: '/v1/late-fee-notice', alsoByPost: true },
  page: {
    path: '/late-fee-reminder',
    heading: 'Late-fee reminder letter',
    summary:
      'A reminder email for an overdue invoice, polite, firm or final, with every figure worked out. USD 0.01.',
    lead: 'A letter that is ready to send: what is owed, how the fee was reached, and what it will be if the client pays later.',
    view: 'letter',
  },
  price: usd('0.01'),
  input,
  output,
  example: {
    amount: 1250,
    due_date: '2026-11-04',
    paid_date: '2026-11-21',
    tone: 'firm',
    client_name: 'Acme Ltd',
    business_name: 'Green Gardens',
    invoice_number: 'INV-1042',
  },
  check: noticeFaults,
  run: (values, context) => {
    const fee = feeOf(values, context);
    if (!fee.ok) return { kind: 'invalid', faults: fee.faults };
    const letter = reminder(fee.value, {
      tone: values.tone,
      clientName: values.client_name,
      businessName: values.business_name,
      invoiceNumber: values.invoice_number,
    });
    if (!letter.ok) return { kind: 'invalid', faults: letter.faults };
    const { digits } = fee.value;
    const { tone, subject, body, payBy, ifPaidBy } = letter.value;
    const milestones = ifPaidBy.map(({ date, fee: amount, totalDue }) => ({
      date: dayText(date),
      late_fee: minorNumber(amount, digits),
      total_due: minorNumber(totalDue, digits),
    }));
    return {
      kind: 'answer',
      body: {
        fee: lateFeeBody(fee.value),
        reminder: {
          tone,
          subject,
          body,
          pay_by: dayText(payBy),
          if_paid_by: milestones,
          content_type: 'text/plain' as const,
        },
        caveats: [...new Set([...letter.value.caveats, ...fee.value.caveats])],
      },
    };
  },
});
