import { z } from 'zod';
import { operation } from '../catalog/operation.ts';
import { lateFeeAnswer, lateFeeBody } from './late-fee-answer.ts';
import { feeOf, lateFeeFaults, lateFeeFields, lateFeeMeant } from './late-fee-fields.ts';

export default operation({
  name: 'late_fee',
  operationId: 'getLateFee',
  title: 'Late fee calculator',
  summary: 'Late fee on an overdue invoice',
  description:
    'Free. Late fee on an overdue invoice: days late, fee, total due and the formula. Simple interest (monthly, annual or daily percent) or a flat fee, after grace days; with jurisdiction also statutory interest. Needs amount and due_date; worked out to paid_date, else to today (UTC).',
  route: { method: 'GET', path: '/v1/late-fee' },
  page: {
    path: '/late-fee',
    heading: 'Late fee calculator',
    summary: 'What an overdue invoice costs: days late, late fee, total due and the formula behind it. Free.',
    lead: 'Work out the late fee on an overdue invoice: simple interest per month, year or day, or a flat fee, after as many days of grace as you agreed.',
  },
  price: null,
  input: z.strictObject(lateFeeFields),
  output: lateFeeAnswer,
  meant: lateFeeMeant,
  tolerates: ['tone', 'client_name', 'business_name', 'invoice_number', 'payment_details', 'pay_within_days'],
  example: {
    amount: 1250,
    due_date: '2026-11-04',
    paid_date: '2026-11-21',
    rate: 1.5,
    rate_type: 'monthly_percent',
  },
  check: lateFeeFaults,
  run: (input, context) => {
    const fee = feeOf(input, context);
    return fee.ok
      ? { kind: 'answer', body: lateFeeBody(fee.value) }
      : { kind: 'invalid', faults: fee.faults };
  },
});
