import { describe, expect, it } from 'vitest';
import { flat, grace, written } from '../../test/domain/letter-samples.ts';

describe('an overdue invoice', () => {
  it('politely', () => {
    expect(written()).toMatchInlineSnapshot(`
      "Invoice INV-1042 from Bright Studio was due on 4 November 2026

      Hello Dana Reed,

      A quick reminder about invoice INV-1042 for 1,250.00. It was due on 4 November 2026, 17 days ago, and we have not matched a payment to it yet.

      Invoice: 1,250.00
      Late fee to 21 November 2026 (1.5% per month of 30 days, 17 days): 10.63
      Total if paid on 21 November 2026: 1,260.63
      Total if paid on 30 November 2026: 1,266.25

      The late fee is the one in our payment terms: 0.625 for each day after 4 November 2026. Could you please pay 1,266.25 by 30 November 2026, or the total for the day if you pay earlier, using the payment details on the invoice, with INV-1042 as the reference? If another date suits you better, reply and tell us which.

      If you have already paid, thank you; a short reply with the date helps us find the payment. If something on the invoice is not right, reply and we will sort it out.

      Kind regards,
      Bright Studio"
    `);
  });
  it('firmly', () => {
    expect(written({}, { tone: 'firm' })).toMatchInlineSnapshot(`
      "Overdue by 17 days: invoice INV-1042 from Bright Studio

      Dear Dana Reed,

      Invoice INV-1042 for 1,250.00 was due on 4 November 2026. According to our records it is still unpaid, 17 days later.

      Invoice: 1,250.00
      Late fee to 21 November 2026 (1.5% per month of 30 days, 17 days): 10.63
      Total if paid on 21 November 2026: 1,260.63
      Total if paid on 30 November 2026: 1,266.25

      The late fee is set by the payment terms: 0.625 for each day after 4 November 2026 until we receive payment. Please pay 1,266.25 by 30 November 2026, or the total for the day if you pay earlier, using the payment details on the invoice, with INV-1042 as the reference.

      If you have already paid, send us the date and reference of your payment so that we can match it. If you dispute any part of the invoice, tell us in writing by 30 November 2026 which part and why.

      Regards,
      Bright Studio"
    `);
  });
  it('finally', () => {
    expect(written({}, { tone: 'final' })).toMatchInlineSnapshot(`
      "Final reminder, overdue by 17 days: invoice INV-1042 from Bright Studio

      Dear Dana Reed,

      This is our final reminder about invoice INV-1042 for 1,250.00, due on 4 November 2026 and now 17 days overdue.

      Invoice: 1,250.00
      Late fee to 21 November 2026 (1.5% per month of 30 days, 17 days): 10.63
      Total if paid on 21 November 2026: 1,260.63
      Total if paid on 30 November 2026: 1,266.25

      By 30 November 2026, please do one of the following:
      - pay 1,266.25, or the total for the day if you pay earlier, using the payment details on the invoice, with INV-1042 as the reference;
      - propose a payment plan with dates and amounts;
      - tell us in writing which part of the invoice you dispute, and why;
      - send us the date and reference of your payment, if you have already paid.

      The late fee keeps growing under the payment terms: 0.625 for each day after 4 November 2026. If we have neither payment nor a reply by 30 November 2026, we will decide, without another reminder, how to recover the amount owed.

      Yours sincerely,
      Bright Studio"
    `);
  });
});

describe('an invoice within its days of grace', () => {
  it('politely', () => {
    expect(written(grace)).toMatchInlineSnapshot(`
      "Invoice INV-1042 from Bright Studio was due on 4 November 2026

      Hello Dana Reed,

      A quick reminder about invoice INV-1042 for 1,250.00. It was due on 4 November 2026, 17 days ago, and we have not matched a payment to it yet.

      Total if paid by 24 November 2026: 1,250.00
      Total if paid on 30 November 2026: 1,253.75

      No late fee has been added yet; a late fee of 1.5% per month of 30 days applies from 25 November 2026 under our payment terms: 0.625 for each day after 24 November 2026. Could you please pay 1,250.00 by 24 November 2026, using the payment details on the invoice, with INV-1042 as the reference? If you cannot pay by then, reply and tell us when you will.

      If you have already paid, thank you; a short reply with the date helps us find the payment. If something on the invoice is not right, reply and we will sort it out.

      Kind regards,
      Bright Studio"
    `);
  });
  it('firmly', () => {
    expect(written(grace, { tone: 'firm' })).toMatchInlineSnapshot(`
      "Past due by 17 days: invoice INV-1042 from Bright Studio

      Dear Dana Reed,

      Invoice INV-1042 for 1,250.00 was due on 4 November 2026. According to our records it is still unpaid, 17 days later.

      Total if paid by 24 November 2026: 1,250.00
      Total if paid on 30 November 2026: 1,253.75

      No late fee has been added yet; a late fee of 1.5% per month of 30 days applies from 25 November 2026 under the payment terms: 0.625 for each day after 24 November 2026. Please pay 1,250.00 by 24 November 2026, using the payment details on the invoice, with INV-1042 as the reference.

      If you have already paid, send us the date and reference of your payment so that we can match it. If you dispute any part of the invoice, tell us in writing by 30 November 2026 which part and why.

      Regards,
      Bright Studio"
    `);
  });
  it('finally', () => {
    expect(written(grace, { tone: 'final' })).toMatchInlineSnapshot(`
      "Final reminder, past due by 17 days: invoice INV-1042 from Bright Studio

      Dear Dana Reed,

      This is our final reminder about invoice INV-1042 for 1,250.00, due on 4 November 2026 and now 17 days past due.

      Total if paid by 24 November 2026: 1,250.00
      Total if paid on 30 November 2026: 1,253.75

      Please do one of the following:
      - pay 1,250.00 by 24 November 2026, using the payment details on the invoice, with INV-1042 as the reference;
      - propose a payment plan with dates and amounts by 30 November 2026;
      - tell us in writing by 30 November 2026 which part of the invoice you dispute, and why;
      - send us the date and reference of your payment, if you have already paid.

      No late fee has been added yet; a late fee of 1.5% per month of 30 days applies from 25 November 2026 under the payment terms: 0.625 for each day after 24 November 2026. If by 30 November 2026 we have neither a reply nor the total then due, we will decide, without another reminder, how to recover the amount owed.

      Yours sincerely,
      Bright Studio"
    `);
  });
});

describe('a flat fee', () => {
  it('politely', () => {
    expect(written(flat)).toMatchInlineSnapshot(`
      "Invoice INV-1042 from Bright Studio was due on 4 November 2026

      Hello Dana Reed,

      A quick reminder about invoice INV-1042 for £1,250.00. It was due on 4 November 2026, 17 days ago, and we have not matched a payment to it yet.

      Invoice: £1,250.00
      Late fee (flat, charged once): £25.00
      Total if paid by 30 November 2026: £1,275.00

      The late fee is the flat fee in our payment terms. Could you please pay £1,275.00 by 30 November 2026, using the payment details on the invoice, with INV-1042 as the reference? If another date suits you better, reply and tell us which.

      If you have already paid, thank you; a short reply with the date helps us find the payment. If something on the invoice is not right, reply and we will sort it out.

      Kind regards,
      Bright Studio"
    `);
  });
  it('firmly', () => {
    expect(written(flat, { tone: 'firm' })).toMatchInlineSnapshot(`
      "Overdue by 17 days: invoice INV-1042 from Bright Studio

      Dear Dana Reed,

      Invoice INV-1042 for £1,250.00 was due on 4 November 2026. According to our records it is still unpaid, 17 days later.

      Invoice: £1,250.00
      Late fee (flat, charged once): £25.00
      Total if paid by 30 November 2026: £1,275.00

      The late fee is a flat fee under the payment terms. Please pay £1,275.00 by 30 November 2026, using the payment details on the invoice, with INV-1042 as the reference.

      If you have already paid, send us the date and reference of your payment so that we can match it. If you dispute any part of the invoice, tell us in writing by 30 November 2026 which part and why.

      Regards,
      Bright Studio"
    `);
  });
  it('finally', () => {
    expect(written(flat, { tone: 'final' })).toMatchInlineSnapshot(`
      "Final reminder, overdue by 17 days: invoice INV-1042 from Bright Studio

      Dear Dana Reed,

      This is our final reminder about invoice INV-1042 for £1,250.00, due on 4 November 2026 and now 17 days overdue.

      Invoice: £1,250.00
      Late fee (flat, charged once): £25.00
      Total if paid by 30 November 2026: £1,275.00

      By 30 November 2026, please do one of the following:
      - pay £1,275.00, using the payment details on the invoice, with INV-1042 as the reference;
      - propose a payment plan with dates and amounts;
      - tell us in writing which part of the invoice you dispute, and why;
      - send us the date and reference of your payment, if you have already paid.

      A flat late fee has been added under the payment terms. If we have neither payment nor a reply by 30 November 2026, we will decide, without another reminder, how to recover the amount owed.

      Yours sincerely,
      Bright Studio"
    `);
  });
});
