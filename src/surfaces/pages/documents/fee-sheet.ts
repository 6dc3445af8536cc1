import { cleanLine } from '../../../domain/text.ts';
import type { AnswerOf } from '../../../operations/answers.ts';
import { amountText, longDay } from '../views/format.ts';
import { feeStanding } from '../views/late-fee.ts';
import type { Letterhead } from './letterhead.ts';
import { linesOf, type Sheet } from './sheet.ts';

type Body = AnswerOf<'late_fee'>;

/** The amount owed on a late invoice, as a free statement with its formula and without the text of a letter. */
export function feeSheet(body: Body, letterhead: Letterhead): Sheet {
  const money = (sum: number): string => amountText(sum, body.currency);
  const day = (text: string): string => longDay(text, body.currency);
  const number = cleanLine(letterhead.number);
  const { amount_open: open, amount_paid: paid, late_fee, total_due, amount, invoices = [] } = body;
  return {
    kind: 'letter',
    title: 'Amount due',
    business: cleanLine(letterhead.business),
    contact: linesOf(letterhead.contact),
    client: linesOf(letterhead.client),
    facts: [
      ...(number === '' ? [] : [{ label: 'Invoice', value: number }]),
      { label: 'Due', value: day(body.due_date) },
      { label: 'Up to', value: day(body.paid_date) },
    ],
    parts: [
      ...(invoices.length < 2
        ? []
        : [
            {
              table: {
                head: ['Invoice', 'Due', 'Late fee', 'Total'],
                rows: invoices.map((one, index) => [
                  cleanLine(one.number ?? '') || `Invoice ${index + 1}`,
                  day(one.due_date),
                  money(one.late_fee),
                  money(one.total_due),
                ]),
                totals: [],
              },
            },
          ]),
      {
        figures: [
          { label: invoices.length < 2 ? 'Invoice' : 'Invoices', value: money(amount) },
          ...(paid === undefined || open === undefined
            ? []
            : [
                { label: 'Paid', value: money(-paid) },
                { label: 'Still open', value: money(open) },
              ]),
          { label: 'Late fee', value: money(late_fee) },
          { label: 'Total due', value: money(total_due), strong: true },
        ],
      },
      { lines: [feeStanding(body)] },
      ...(late_fee === 0 ? [] : [{ lines: [`Late fee: ${body.formula}`] }]),
    ],
  };
}
