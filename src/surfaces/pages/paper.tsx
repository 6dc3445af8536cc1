import { cleanLine } from '../../domain/text.ts';
import type { AnswerOf, PaidPageName } from '../../operations/answers.ts';
import { Blocks } from './blocks.tsx';
import type { Block } from './content.ts';
import { mapPicture, optionsPicture } from './views/pictures.ts';

type Sheet = { readonly text: string; readonly blocks: readonly Block[] };

/** The preview of a document: its first lines, or the drawing that it begins with. */
const sheets: { readonly [Name in PaidPageName]?: (answer: AnswerOf<Name>) => Sheet } = {
  late_fee_notice: ({ reminder }) => ({ text: reminder.body, blocks: [] }),
  quote_pack: (pack) => ({
    text: `${pack.business_name ?? ''}\n${cleanLine(pack.cover_note.subject)}`.trim(),
    blocks: optionsPicture(pack),
  }),
  small_business_stack_report: (report) => ({
    text: cleanLine(report.summary.sentence),
    blocks: mapPicture(report),
  }),
};

/** A sheet of paper with a real answer on it, hidden from screen readers: its page has the same as text. */
export function Paper({ name, answer }: { name: string; answer: unknown }) {
  const sheet = (sheets as Readonly<Record<string, (answer: never) => Sheet>>)[name];
  if (sheet === undefined || answer === null || answer === undefined) return null;
  const { text, blocks } = sheet(answer as never);
  return (
    <div class="peek" aria-hidden="true">
      {text}
      <Blocks blocks={blocks} />
    </div>
  );
}
