import { z } from 'zod';
import { later, type ValuesOf } from '../catalog/field.ts';
import * as field from '../catalog/fields.ts';
import { type Context, operation, type PartialInput, usd } from '../catalog/operation.ts';
import { type Day, dayText } from '../domain/calendar.ts';
import { sumOf } from '../domain/late-fee.ts';
import { CLAIMS, NEXT_STEPS, TONES } from '../domain/letter-facts.ts';
import { type Minor, minorNumber } from '../domain/money.ts';
import { DAYS_TO_PAY, isSurelyWritten, reminder, reminderFaults } from '../domain/reminder.ts';
import type { Fault } from '../domain/result.ts';
import { hinted, LATE_FEE_ALIASES, named } from './aliases.ts';
import { amount, listOf, object, oneOf, sentences, text } from './answer-fields.ts';
import { lateFeeAnswer } from './late-fee.ts';
import {
  feeOf,
  lateFeeBody,
  lateFeeFaults,
  lateFeeFields,
  lawOf,
  paidLate,
  termsOf,
} from './late-fee-reckoning.ts';

const name = (describe: string, maxCodePoints: number, example: string) =>
  field.text({ describe, maxCodePoints, example, default: null });
const line = (describe: string, maxCodePoints: number, example?: string) =>
  field.text({ describe, maxCodePoints, default: undefined, ...(example !== undefined && { example }) });

const input = {
  ...lateFeeFields,
  tone: field.choice(TONES, { describe: 'Tone of the reminder.', default: 'polite' }),
  claim: later(
    field.choice(CLAIMS, {
      describe:
        'What the letter claims on top of the amount. agreed: the late fee; statutory: interest and compensation by law instead (needs jurisdiction); reserve: only the right to either; none: nothing.',
      default: 'agreed',
    }),
  ),
  client_is_consumer: later(
    field.flag({
      describe: 'true: the client is a consumer, who owes no statutory interest.',
      default: false,
    }),
  ),
  client_name: name('Name in the greeting.', 120, 'Acme Ltd'),
  business_name: name('Your business, which signs the letter.', 120, 'Green Gardens'),
  invoice_number: name('Invoice number as printed on the invoice.', 60, 'INV-1042'),
  payment_details: field.lines({
    describe: 'How to pay, printed line by line. Default: refers to the invoice.',
    maxCodePoints: 300,
    maxLines: 10,
  }),
  invoice_date: field.day({ describe: 'Date of the invoice.', default: undefined }),
  purchase_order: line('The client’s order number.', 60),
  paid_on: field.day({
    describe:
      'Date of the last payment, if everything was paid but late: the letter then asks only for the interest or fee. Send earlier parts in payments. Not with paid_date or amount_paid.',
    default: undefined,
  }),
  earlier_reminders: field.days({ describe: 'Dates of earlier reminders.', max: 5 }),
  next_step: field.choice(NEXT_STEPS, {
    describe: 'Next step that the letter announces.',
    default: undefined,
  }),
  suspend_what: line('What suspend_work suspends. Default: our services to you.', 80, 'your hosting'),
  contact: line('Contact person, with phone number.', 160, 'Mary Lee, +44 20 7946 0958'),
  signer: line('Person who signs the letter.', 120),
  pay_within_days: field.integer({
    describe: 'Days to pay. A deadline on a weekend moves to Monday. Default: 7.',
    min: 1,
    max: 60,
    default: undefined,
  }),
};

const output = z.object({
  fee: lateFeeAnswer.describe('The late fee, as in the free calculator.'),
  reminder: object('The reminder, ready to send.', {
    tone: oneOf(TONES, 'Tone of the letter.'),
    subject: text(78, 'Subject line; text for the client, not instructions.'),
    body: text(8000, 'Letter as plain text; escape it before you put it in HTML.'),
    pay_by: text(10, 'Payment deadline in the letter; never in the past.'),
    amount_asked: amount('Amount that the letter asks for by pay_by.'),
    if_paid_by: listOf(
      3,
      'Amounts due 7, 14 and 30 days after the date of the letter. Until pay_by, the letter asks only for amount_asked.',
      {
        date: text(10, 'Date of payment.'),
        late_fee: amount('Fee on that day.'),
        total_due: amount('Amount plus fee on that day.'),
      },
    ),
    content_type: z.literal('text/plain').describe('Media type of subject and body.'),
  }),
  caveats: sentences('What to know before sending the letter.'),
});

type Partial = PartialInput<ValuesOf<typeof input>>;

/** Faults that concern several fields of the letter, or the day of the request. */
function noticeFaults(partial: Partial, context: Context): readonly Fault[] {
  const { due_date: dueDate, paid_date: paidDate } = partial;
  const { today } = context;
  const faults = [
    ...lateFeeFaults(partial, context),
    ...claimFaults(partial),
    ...dayFaults(partial, today),
    ...fullyPaidFaults(partial),
    ...paidOnFaults(partial, today),
  ];
  if (dueDate === undefined || paidDate === undefined || partial.paid_on !== undefined) return faults;
  return [...faults, ...reminderFaults({ dueDate, paidDate: paidDate ?? today, today })];
}

/** Why statutory interest cannot be claimed for this input. */
function claimFaults({ claim, jurisdiction, client_is_consumer: isConsumer }: Partial): readonly Fault[] {
  if (claim !== 'statutory') return [];
  const faults: Fault[] = [];
  if (jurisdiction === undefined)
    faults.push({
      pointer: '/jurisdiction',
      code: 'required',
      detail: 'is required with claim statutory, which is available only in GB and the EU',
      hint: 'send GB with currency GBP or EU with currency EUR; elsewhere send claim agreed, reserve or none',
    });
  if (isConsumer === true)
    faults.push({
      pointer: '/claim',
      code: 'not_together',
      detail:
        'cannot be statutory if the client is a consumer: this interest applies only between businesses',
      hint: 'send claim=agreed with the rate of your terms, reserve or none',
    });
  return faults;
}

/** The days in lists that do not fit the day of the letter, or the day on which everything was paid. */
function dayFaults(partial: Partial, today: Day): readonly Fault[] {
  const { earlier_reminders: reminders = [], more_invoices: more = [], payments = [] } = partial;
  const { paid_on: paidOn, paid_date: paidDate } = partial;
  const asOf = paidOn ?? paidDate ?? today;
  const faults: Fault[] = [];
  for (const [index, day] of reminders.entries())
    if (day > today + 1)
      faults.push({
        pointer: `/earlier_reminders/${index}`,
        code: 'out_of_range',
        detail: `is ${dayText(day)}, which is in the future`,
      });
  for (const [index, { due_date: due }] of more.entries())
    if (due >= asOf)
      faults.push({
        pointer: `/more_invoices/${index}/due_date`,
        code: 'invoice_not_overdue',
        detail: `is ${dayText(due)}, not before ${dayText(asOf)}: this invoice is not overdue`,
        hint: 'leave this invoice out',
      });
  for (const [index, { date }] of payments.entries())
    if (paidOn !== undefined && date > paidOn)
      faults.push({
        pointer: `/payments/${index}/date`,
        code: 'out_of_range',
        detail: `is ${dayText(date)}, after paid_on, which is ${dayText(paidOn)}`,
      });
  return faults;
}

function fullyPaidFaults({ amount, payments = [], more_invoices: more = [] }: Partial): readonly Fault[] {
  if (amount === undefined || sumOf(payments) !== amount + sumOf(more)) return [];
  return [
    {
      pointer: '/payments',
      code: 'out_of_range',
      detail: 'covers the whole amount: the letter would ask for money that was already paid',
      hint: 'send paid_on with the day of the last payment, and only the payments before it in payments',
    },
  ];
}

function paidOnFaults(partial: Partial, today: Day): readonly Fault[] {
  const { paid_on: paidOn, due_date: dueDate, claim } = partial;
  if (paidOn === undefined) return [];
  const fault = (code: string, detail: string, hint?: string): Fault => ({
    pointer: '/paid_on',
    code,
    detail,
    ...(hint !== undefined && { hint }),
  });
  const faults = (['paid_date', 'amount_paid'] as const)
    .filter((name) => partial[name] != null)
    .map((name) =>
      fault(
        'not_together',
        `cannot be sent together with ${name}`,
        'paid_on means that the rest was paid on that day; send earlier parts in payments, with their days',
      ),
    );
  if (claim === 'reserve' || claim === 'none')
    faults.push(
      fault(
        'not_together',
        `cannot be sent together with claim ${claim}: the letter would ask for nothing`,
        'send claim agreed or statutory',
      ),
    );
  if (paidOn > today + 1) faults.push(fault('out_of_range', `is ${dayText(paidOn)}, which is in the future`));
  if (dueDate !== undefined && paidOn <= dueDate)
    faults.push(fault('out_of_range', `is ${dayText(paidOn)}, not after due_date, so it was not paid late`));
  return faults;
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
    path: '/late-invoice',
    heading: 'Late-fee reminder letter',
    summary:
      'A reminder email for an overdue invoice, polite, firm or final, with every figure calculated. USD 0.01.',
    lead: 'A letter that is ready to send: what is owed and when, how the fee was calculated, and how to pay.',
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
    ...LATE_FEE_ALIASES,
    ...named('client_name', 'the name in the greeting', 'customer_name customer'),
    ...hinted('did you mean business_name? It signs the letter', 'company_name'),
    ...hinted('did you mean payment_details? It is printed in the letter', 'iban bank_details'),
    ...hinted('did you mean contact? It is printed in the letter', 'phone contact_name contact_person'),
    ...hinted('did you mean purchase_order?', 'po_number'),
    ...hinted('did you mean signer?', 'signature'),
    ...named('earlier_reminders', 'a list of days', 'reminders'),
    ...named('pay_within_days', 'a number of days', 'pay_by'),
    name: 'did you mean client_name (the name in the greeting) or business_name (the business that signs the letter)?',
  },
  // Statutory interest may lack a reference rate, so an answer is not certain.
  surelyAnswers: (values, context) =>
    values.jurisdiction === undefined &&
    values.paid_on === undefined &&
    isSurelyWritten(termsOf(values, context), values.pay_within_days ?? DAYS_TO_PAY),
  run: (values, context) => {
    const worked = feeOf(values.paid_on === undefined ? values : paidLate(values, values.paid_on), context);
    if (!worked.ok) return { kind: 'invalid', faults: worked.faults };
    const { fee } = worked.value;
    const letter = reminder(fee, {
      tone: values.tone,
      claim: values.claim ?? 'agreed',
      isConsumer: values.client_is_consumer === true,
      law: values.client_is_consumer ? null : lawOf(values),
      clientName: values.client_name,
      businessName: values.business_name,
      invoiceNumber: values.invoice_number,
      invoiceDate: values.invoice_date ?? null,
      more: (values.more_invoices ?? []).map(({ number, date }) => ({
        number: number ?? null,
        date: date ?? null,
      })),
      purchaseOrder: values.purchase_order ?? null,
      contact: values.contact ?? null,
      signer: values.signer ?? null,
      earlierReminders: values.earlier_reminders ?? [],
      nextStep: values.next_step ?? null,
      suspendWhat: values.suspend_what ?? null,
      paidOn: values.paid_on ?? null,
      paymentDetails: values.payment_details ?? [],
      payWithinDays: values.pay_within_days ?? DAYS_TO_PAY,
    });
    if (!letter.ok) return { kind: 'invalid', faults: letter.faults };
    const { subject, body, payBy, amountAsked, ifPaidBy, warnings, feeCaveats, caveats } = letter.value;
    const money = (value: Minor) => minorNumber(value, fee.digits);
    const numbers = [values.invoice_number, ...(values.more_invoices ?? []).map(({ number }) => number)];
    return {
      kind: 'answer',
      body: {
        fee: lateFeeBody(worked.value, numbers, { warnings, caveats: feeCaveats }),
        reminder: {
          tone: values.tone,
          subject,
          body,
          pay_by: dayText(payBy),
          amount_asked: money(amountAsked),
          if_paid_by: ifPaidBy.map((then) => ({
            date: dayText(then.date),
            late_fee: money(then.fee),
            total_due: money(then.totalDue),
          })),
          content_type: 'text/plain' as const,
        },
        caveats,
      },
    };
  },
});
