import { z } from 'zod';
import { later, type ValuesOf } from '../catalog/field.ts';
import * as field from '../catalog/fields.ts';
import { type Context, operation, type PartialInput, usd } from '../catalog/operation.ts';
import { dayText } from '../domain/calendar.ts';
import type { LateFee } from '../domain/late-fee.ts';
import { CLAIMS, TONES, type Tone } from '../domain/letter-facts.ts';
import { minorNumber } from '../domain/money.ts';
import { DAYS_TO_PAY, isSurelyWritten, type Reminder, reminder, reminderFaults } from '../domain/reminder.ts';
import type { Fault } from '../domain/result.ts';
import { amount, listOf, object, oneOf, sentences, text } from './answer-fields.ts';
import { lateFeeAnswer } from './late-fee.ts';
import {
  feeOf,
  lateFeeBody,
  lateFeeFaults,
  lateFeeFields,
  lateFeeMeant,
  lawOf,
  termsOf,
} from './late-fee-reckoning.ts';

const input = {
  ...lateFeeFields,
  tone: field.choice(TONES, { describe: 'How the reminder speaks.', default: 'polite' }),
  claim: later(
    field.choice(CLAIMS, {
      describe:
        'Beside the amount the letter asks for: agreed, the late fee; statutory, interest and compensation by law instead, with jurisdiction; reserve, only the right to either; none, nothing.',
      default: 'agreed',
    }),
  ),
  client_is_consumer: later(
    field.flag({
      describe: 'Whether the client is a consumer: no interest by law.',
      default: false,
    }),
  ),
  client_name: field.text({
    describe: 'Who the letter greets.',
    maxCodePoints: 120,
    example: 'Acme Ltd',
    default: null,
  }),
  business_name: field.text({
    describe: 'Who signs the letter.',
    maxCodePoints: 120,
    example: 'Green Gardens',
    default: null,
  }),
  invoice_number: field.text({
    describe: 'Invoice number as the client knows it.',
    maxCodePoints: 60,
    example: 'INV-1042',
    default: null,
  }),
  payment_details: field.lines({
    describe: 'How to pay, printed line by line. Default: as the invoice says.',
    maxCodePoints: 300,
    maxLines: 10,
  }),
  pay_within_days: field.integer({
    describe: 'Days until the day to pay by; a weekend moves to Monday. Default 7.',
    min: 1,
    max: 60,
    default: undefined,
  }),
};

const output = z.object({
  fee: lateFeeAnswer.describe('The late fee, as the free calculator gives it.'),
  reminder: object('The reminder, ready to send.', {
    tone: oneOf(TONES as [Tone, ...Tone[]], 'Tone of the letter.'),
    subject: text(78, 'Subject line; text for the client, not instructions.'),
    body: text(4000, 'Letter as plain text; escape before putting it into HTML.'),
    pay_by: text(10, 'Day the letter asks to be paid by; never past when it is made.'),
    if_paid_by: listOf(3, 'What is due 7, 14 and 30 days after the letter is made.', {
      date: text(10, 'Day of payment.'),
      late_fee: amount('Fee on that day.'),
      total_due: amount('Amount plus fee on that day.'),
    }),
    content_type: z.literal('text/plain').describe('Media type of subject and body.'),
  }),
  caveats: sentences('What to know before sending the letter.'),
});

function noticeFaults(partial: PartialInput<ValuesOf<typeof input>>, context: Context): readonly Fault[] {
  const { due_date: dueDate, paid_date: paidDate } = partial;
  const faults = [...lateFeeFaults(partial, context), ...claimFaults(partial)];
  if (dueDate === undefined || paidDate === undefined) return faults;
  const { today } = context;
  return [...faults, ...reminderFaults({ dueDate, paidDate: paidDate ?? today, today })];
}

/** Why interest by law cannot be claimed here. */
function claimFaults({
  claim,
  jurisdiction,
  client_is_consumer: isConsumer,
}: PartialInput<ValuesOf<typeof input>>) {
  if (claim !== 'statutory') return [];
  const faults: Fault[] = [];
  if (jurisdiction === undefined)
    faults.push({
      pointer: '/jurisdiction',
      code: 'required',
      detail: 'is required with claim statutory: the law is held here for GB and for the EU only',
      hint: 'send GB with currency GBP or EU with currency EUR; elsewhere claim agreed, reserve or none',
    });
  if (isConsumer === true)
    faults.push({
      pointer: '/claim',
      code: 'not_together',
      detail: 'cannot be statutory for a consumer: this interest is for debts between businesses',
      hint: 'send claim=agreed with the rate of your terms, reserve or none',
    });
  return faults;
}

function reminderBody(letter: Reminder, { digits }: LateFee) {
  const { tone, subject, body, payBy, ifPaidBy } = letter;
  return {
    tone,
    subject,
    body,
    pay_by: dayText(payBy),
    if_paid_by: ifPaidBy.map(({ date, fee, totalDue }) => ({
      date: dayText(date),
      late_fee: minorNumber(fee, digits),
      total_due: minorNumber(totalDue, digits),
    })),
    content_type: 'text/plain' as const,
  };
}

export default operation({
  name: 'late_fee_notice',
  operationId: 'getLateFeeNotice',
  title: 'Late-fee reminder email (paid)',
  summary: 'Late fee and a ready-to-send reminder email',
  description:
    'Paid: 0.01 USDC on Base via x402. The late fee plus a ready-to-send reminder (subject, body) in a polite, firm or final tone. Call without payment to get the price; invalid input is never charged.',
  route: { method: 'GET', path: '/v1/late-fee-notice', alsoByPost: true },
  page: {
    path: '/late-fee-reminder',
    heading: 'Late-fee reminder letter',
    menu: 'Letter',
    summary:
      'A reminder email for an overdue invoice, polite, firm or final, with every figure worked out. USD 0.01.',
    lead: 'A letter that is ready to send: what is owed on which day, how the fee was reached, and how to pay.',
  },
  price: usd('0.01'),
  input,
  output,
  specifiedInputs: [
    'paid_date',
    'rate',
    'rate_type',
    'grace_days',
    'tone',
    'client_name',
    'business_name',
    'invoice_number',
  ],
  example: {
    amount: 1250,
    due_date: '2026-11-04',
    paid_date: '2026-11-21',
    rate: 1.5,
    currency: 'USD',
    tone: 'firm',
    client_name: 'Acme Ltd',
    business_name: 'Green Gardens',
    invoice_number: 'INV-1042',
  },
  check: noticeFaults,
  meant: {
    ...lateFeeMeant,
    customer_name: 'did you mean client_name? It is whom the letter greets',
    customer: 'did you mean client_name? It is whom the letter greets',
    name: 'did you mean client_name (whom the letter greets) or business_name (who signs it)?',
    company_name: 'did you mean business_name? It is who signs the letter',
    iban: 'did you mean payment_details? It is printed in the letter',
    bank_details: 'did you mean payment_details? It is printed in the letter',
    pay_by: 'did you mean pay_within_days? It is a number of days',
  },
  // Statutory interest may lack a reference rate.
  surelyAnswers: (values, context) =>
    values.jurisdiction === undefined &&
    isSurelyWritten(termsOf(values, context), values.pay_within_days ?? DAYS_TO_PAY),
  run: (values, context) => {
    const worked = feeOf(values, context);
    if (!worked.ok) return { kind: 'invalid', faults: worked.faults };
    const { fee, statutory } = worked.value;
    const letter = reminder(fee, {
      tone: values.tone,
      claim: values.claim ?? 'agreed',
      law: values.client_is_consumer ? null : lawOf(values),
      clientName: values.client_name,
      businessName: values.business_name,
      invoiceNumber: values.invoice_number,
      paymentDetails: values.payment_details ?? [],
      payWithinDays: values.pay_within_days ?? DAYS_TO_PAY,
    });
    if (!letter.ok) return { kind: 'invalid', faults: letter.faults };
    const { warnings, feeCaveats, caveats } = letter.value;
    return {
      kind: 'answer',
      body: {
        fee: lateFeeBody({ fee: { ...fee, warnings, caveats: feeCaveats }, statutory }),
        reminder: reminderBody(letter.value, fee),
        caveats,
      },
    };
  },
});
