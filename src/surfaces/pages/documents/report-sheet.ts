import { cleanLine } from '../../../domain/text.ts';
import type { AnswerOf } from '../../../operations/answers.ts';
import type { Block } from '../content.ts';
import { longDay } from '../views/long-day.ts';
import type { Letterhead } from './letterhead.ts';
import type { Sheet } from './sheet.ts';

type Body = AnswerOf<'small_business_stack_report'>;

/** A report as a document for its owner to keep; `blocks` is its content. */
export const reportSheet = (body: Body, { business }: Letterhead, blocks: readonly Block[]): Sheet => ({
  kind: 'report',
  title: 'Free software for your business',
  business: cleanLine(business),
  contact: [],
  client: [],
  facts: [{ label: 'Date', value: longDay(body.generated_on) }],
  parts: [{ blocks }],
});
