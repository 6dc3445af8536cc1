import type { AnswerOf } from '../../../operations/answers.ts';
import type { Block } from '../content.ts';
import { amountText } from './format.ts';
import { longDay } from './listing-format.ts';
import { feePicture } from './pictures.ts';

type Body = AnswerOf<'late_fee'>;

/** A late fee in brief: the figure, how it grows, and links to continue. */
export function lateFeeBrief(body: Body): readonly Block[] {
  const money = (value: number) => amountText(value, body.currency);
  const day = longDay(body.paid_date);
  return [
    {
      figures: [
        {
          label: `To be paid ${body.as_of_source === 'today_utc' ? 'today, ' : 'on '}${day}`,
          value: money(body.total_due),
          strong: true,
        },
        { label: lateWords(body), value: money(body.late_fee) },
        ...(body.daily_accrual > 0
          ? [{ label: 'Each further day', value: amountText(body.daily_accrual, body.currency) }]
          : []),
      ],
    },
    ...feePicture(body),
    { text: [{ code: body.formula }] },
    {
      text: [
        { link: 'Write the letter', href: '/late-invoice' },
        ' · ',
        { link: 'Every step, and interest by law', href: '/late-invoice' },
      ],
    },
  ];
}

function lateWords({ status, days_late }: Body): string {
  const days = `${days_late} ${days_late === 1 ? 'day' : 'days'}`;
  if (status === 'overdue') return `Late fee, ${days} late`;
  return status === 'within_grace' ? `Late fee, ${days} late, still in grace` : 'Late fee, not overdue';
}
