import { reckoning } from '../catalog/operation.ts';
import { lateFeeBody } from './late-fee-body.ts';
import { feeOf, lateFeeFaults, lateFeeFields, lateFeeMeant } from './late-fee-fields.ts';

/** A late fee from input to answer, for the service and for the page. */
export const lateFeeReckoning = reckoning({
  input: lateFeeFields,
  meant: lateFeeMeant,
  tolerates: ['tone', 'client_name', 'business_name', 'invoice_number', 'payment_details', 'pay_within_days'],
  check: lateFeeFaults,
  run: (input, context) => {
    const fee = feeOf(input, context);
    return fee.ok
      ? { kind: 'answer', body: lateFeeBody(fee.value) }
      : { kind: 'invalid', faults: fee.faults };
  },
});
