import type { Block } from '../content.ts';
import { amountText, notes, plain } from './words.ts';

/** What the page shows of a late fee, as the API answers it. */
export type LateFeeBody = {
  readonly amount: number;
  readonly currency: string | null;
  readonly due_date: string;
  readonly paid_date: string;
  readonly as_of_source: 'paid_date' | 'today_utc';
  readonly status: 'overdue' | 'within_grace' | 'not_overdue';
  readonly days_late: number;
  readonly grace_days: number;
  readonly chargeable_days: number;
  readonly rate_type: string;
  readonly late_fee: number;
  readonly total_due: number;
  readonly daily_accrual: number;
  readonly nominal_annual_percent: number | null;
  readonly formula: string;
  readonly warnings: readonly string[];
  readonly caveats: readonly string[];
};

/** A late fee for people: what is due, how it was reached, what to know. */
export function lateFeeView(body: LateFeeBody): readonly Block[] {
  const money = (value: number) => amountText(value, body.currency);
  const asOf = body.as_of_source === 'today_utc' ? `${body.paid_date} (today, UTC)` : body.paid_date;
  return [
    {
      figures: [
        { label: 'Total due', value: money(body.total_due), strong: true },
        { label: 'Late fee', value: money(body.late_fee) },
        { label: 'Invoice', value: money(body.amount) },
      ],
    },
    { text: standing(body) },
    {
      table: {
        head: ['How it was reached', 'Value'],
        rows: [
          ['Formula', body.formula],
          ['Due', body.due_date],
          ['Worked out to', asOf],
          ['Days late', String(body.days_late)],
          ['Days of grace', String(body.grace_days)],
          ['Days that count', String(body.chargeable_days)],
          ...(body.daily_accrual === 0 ? [] : [['Each further day adds', plain(body.daily_accrual)]]),
          ...(body.nominal_annual_percent === null
            ? []
            : [['The rate per year', `${plain(body.nominal_annual_percent)}%`]]),
        ],
      },
    },
    ...notes('Check this', body.warnings),
    ...notes('Good to know', body.caveats),
  ];
}

function standing({ status, days_late, grace_days }: LateFeeBody): string {
  const days = (count: number) => `${count} ${count === 1 ? 'day' : 'days'}`;
  if (status === 'not_overdue') return 'The invoice is not overdue on that day, so there is no fee.';
  if (status === 'within_grace')
    return `The invoice is ${days(days_late)} late, which is within the ${days(grace_days)} of grace, so there is no fee yet.`;
  return `The invoice is ${days(days_late)} late.`;
}
