import { Blocks } from '../blocks.tsx';
import type { Block } from '../content.ts';
import { lateFeeSteps } from '../documents/late-fee.ts';
import { amountText, longDay, plain } from '../views/format.ts';
import type { Body, Worked } from './late-state.ts';

/** The amount owed, a one-line explanation, and below it the formula, which is collapsed at first. */
export function Figure({ worked: { body, faults }, currency }: { worked: Worked; currency: string }) {
  if (body === null)
    return (
      <section id="figure" class="late-figure empty" aria-label="Result">
        <p class="figure-label">Owed today</p>
        <p class="figure-sum">{amountText(0, currency)}</p>
        <p class="figure-says">Enter the amount and the due date.</p>
      </section>
    );
  return (
    <section
      id="figure"
      class={faults.length > 0 ? 'late-figure unfinished' : 'late-figure'}
      aria-label="Result"
    >
      <p class="figure-label">
        {body.as_of_source === 'today_utc'
          ? 'Owed today'
          : `Owed on ${longDay(body.paid_date, body.currency)}`}
      </p>
      <p class="figure-sum" id="total">
        {amountText(body.total_due, body.currency)}
      </p>
      <p class="figure-says">{figureWords(body).join(' · ')}</p>
      <details class="figure-steps">
        <summary>How it adds up</summary>
        <Blocks blocks={asHeadings(lateFeeSteps(body))} />
      </details>
    </section>
  );
}

/** "£10.63 late fee", "17 days late", "£0.63 a day" */
function figureWords(body: Body): readonly string[] {
  const money = (sum: number): string => amountText(sum, body.currency);
  const { status, days_late, grace_days, late_fee, daily_accrual } = body;
  const days = `${days_late} ${days_late === 1 ? 'day' : 'days'} late`;
  if (status === 'not_overdue') return ['Not overdue yet', 'no late fee'];
  if (status === 'within_grace') return [days, `no fee during the ${plain(grace_days)}-day grace period`];
  return [
    `${money(late_fee)} late fee`,
    days,
    ...(daily_accrual > 0 && body.fee_limit === null ? [`${money(daily_accrual)} a day`] : []),
  ];
}

/** Heading levels below the page title are consecutive. */
const asHeadings = (blocks: readonly Block[]): readonly Block[] =>
  blocks.map((block) => ('subheading' in block ? { heading: block.subheading } : block));
