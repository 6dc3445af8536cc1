import { describe, expect, it } from 'vitest';
import { flat, grace, written } from '../../test/domain/letter-samples.ts';

describe('an overdue invoice', () => {
  it('politely', () => {
    expect(written()).toMatchInlineSnapshot(`
      "Reminder: Invoice INV-1042 from Bright Studio due 4 November 2026

      Hello Dana Reed,

      A friendly reminder that invoice INV-1042 for 1,250.00, due on 4 November 2026, is now 17 days past its due date. It may simply have been overlooked.

      Invoice amount: 1,250.00
      Late fee (1.5% per month, 17 days): 10.63
      Total now due: 1,260.63

      The late fee follows our payment terms and is worked out to 21 November 2026. Could you please pay by 28 November 2026, or let us know when we can expect payment?

      If you have already paid, thank you, and please ignore this message. If something on the invoice needs attention, just reply and we will look into it together.

      Kind regards,
      Bright Studio"
    `);
  });
  it('firmly', () => {
    expect(written({}, { tone: 'firm' })).toMatchInlineSnapshot(`
      "Overdue: Invoice INV-1042 from Bright Studio is 17 days past due

      Dear Dana Reed,

      Our records show that invoice INV-1042 for 1,250.00, due on 4 November 2026, has not been paid. It is now 17 days overdue.

      Invoice amount: 1,250.00
      Late fee (1.5% per month, 17 days): 10.63
      Total now due: 1,260.63

      The late fee applies under the payment terms, is worked out to 21 November 2026 and keeps building by about 0.63 a day until payment arrives. Please pay the full amount by 28 November 2026; on that day the total will be 1,265.00.

      If payment is already on its way, please reply with its date and reference so that we can match it. If you dispute any part of the invoice, please tell us in writing by 28 November 2026.

      Regards,
      Bright Studio"
    `);
  });
  it('finally', () => {
    expect(written({}, { tone: 'final' })).toMatchInlineSnapshot(`
      "Final notice: Invoice INV-1042 from Bright Studio, 17 days overdue

      Dear Dana Reed,

      This is a final reminder about invoice INV-1042 for 1,250.00, which was due on 4 November 2026 and is now 17 days overdue.

      Invoice amount: 1,250.00
      Late fee (1.5% per month, 17 days): 10.63
      Total now due: 1,260.63

      The late fee is charged under the payment terms up to 21 November 2026 and keeps building by about 0.63 a day until the balance is cleared.

      Please pay in full by 28 November 2026; on that day the total will be 1,265.00. If you cannot, contact us before then to agree a payment plan.

      If you dispute the invoice, give us your reasons in writing by the same date. If you have already paid, send us the date and reference and we will check our records.

      If we receive neither payment nor a reply by 28 November 2026, we will consider the options open to us for recovering the amount owed.

      Yours sincerely,
      Bright Studio"
    `);
  });
});

describe('an invoice within its days of grace', () => {
  it('politely', () => {
    expect(written(grace)).toMatchInlineSnapshot(`
      "Reminder: Invoice INV-1042 from Bright Studio due 4 November 2026

      Hello Dana Reed,

      A friendly reminder that invoice INV-1042 for 1,250.00, due on 4 November 2026, is now 17 days past its due date. It may simply have been overlooked.

      Amount due: 1,250.00

      No late fee has been added; under the payment terms one applies from 25 November 2026. Could you please pay by 28 November 2026, or let us know when we can expect payment?

      If you have already paid, thank you, and please ignore this message. If something on the invoice needs attention, just reply and we will look into it together.

      Kind regards,
      Bright Studio"
    `);
  });
  it('firmly', () => {
    expect(written(grace, { tone: 'firm' })).toMatchInlineSnapshot(`
      "Overdue: Invoice INV-1042 from Bright Studio is 17 days past due

      Dear Dana Reed,

      Our records show that invoice INV-1042 for 1,250.00, due on 4 November 2026, has not been paid. It is now 17 days overdue.

      Amount due: 1,250.00

      No late fee has been added; under the payment terms one applies from 25 November 2026. Please pay the full amount by 28 November 2026; on that day the total will be 1,252.50.

      If payment is already on its way, please reply with its date and reference so that we can match it. If you dispute any part of the invoice, please tell us in writing by 28 November 2026.

      Regards,
      Bright Studio"
    `);
  });
  it('finally', () => {
    expect(written(grace, { tone: 'final' })).toMatchInlineSnapshot(`
      "Final notice: Invoice INV-1042 from Bright Studio, 17 days overdue

      Dear Dana Reed,

      This is a final reminder about invoice INV-1042 for 1,250.00, which was due on 4 November 2026 and is now 17 days overdue.

      Amount due: 1,250.00

      No late fee has been added; under the payment terms one applies from 25 November 2026.

      Please pay in full by 28 November 2026; on that day the total will be 1,252.50. If you cannot, contact us before then to agree a payment plan.

      If you dispute the invoice, give us your reasons in writing by the same date. If you have already paid, send us the date and reference and we will check our records.

      If we receive neither payment nor a reply by 28 November 2026, we will consider the options open to us for recovering the amount owed.

      Yours sincerely,
      Bright Studio"
    `);
  });
});

describe('a flat fee', () => {
  it('politely', () => {
    expect(written(flat)).toMatchInlineSnapshot(`
      "Reminder: Invoice INV-1042 from Bright Studio due 4 November 2026

      Hello Dana Reed,

      A friendly reminder that invoice INV-1042 for £1,250.00, due on 4 November 2026, is now 17 days past its due date. It may simply have been overlooked.

      Invoice amount: £1,250.00
      Late fee (flat): £25.00
      Total now due: £1,275.00

      The late fee is the flat fee in our payment terms. Could you please pay by 28 November 2026, or let us know when we can expect payment?

      If you have already paid, thank you, and please ignore this message. If something on the invoice needs attention, just reply and we will look into it together.

      Kind regards,
      Bright Studio"
    `);
  });
  it('firmly', () => {
    expect(written(flat, { tone: 'firm' })).toMatchInlineSnapshot(`
      "Overdue: Invoice INV-1042 from Bright Studio is 17 days past due

      Dear Dana Reed,

      Our records show that invoice INV-1042 for £1,250.00, due on 4 November 2026, has not been paid. It is now 17 days overdue.

      Invoice amount: £1,250.00
      Late fee (flat): £25.00
      Total now due: £1,275.00

      The late fee is a flat fee under the payment terms. Please pay the full amount by 28 November 2026.

      If payment is already on its way, please reply with its date and reference so that we can match it. If you dispute any part of the invoice, please tell us in writing by 28 November 2026.

      Regards,
      Bright Studio"
    `);
  });
  it('finally', () => {
    expect(written(flat, { tone: 'final' })).toMatchInlineSnapshot(`
      "Final notice: Invoice INV-1042 from Bright Studio, 17 days overdue

      Dear Dana Reed,

      This is a final reminder about invoice INV-1042 for £1,250.00, which was due on 4 November 2026 and is now 17 days overdue.

      Invoice amount: £1,250.00
      Late fee (flat): £25.00
      Total now due: £1,275.00

      A flat late fee has been added under the payment terms.

      Please pay in full by 28 November 2026. If you cannot, contact us before then to agree a payment plan.

      If you dispute the invoice, give us your reasons in writing by the same date. If you have already paid, send us the date and reference and we will check our records.

      If we receive neither payment nor a reply by 28 November 2026, we will consider the options open to us for recovering the amount owed.

      Yours sincerely,
      Bright Studio"
    `);
  });
});
