import { cleanLine } from '../../domain/text.ts';
import type { AnswerOf, PaidPageName } from '../../operations/answers.ts';
import { Blocks } from './blocks.tsx';
import type { Block } from './content.ts';
import { mapPicture, optionsPicture } from './views/pictures.ts';
import { viewOf } from './views/views.ts';

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

/** What stands for a document without a preview of its own: its texts to send, else its first figures. */
function shownFirst(name: string, answer: unknown): Sheet {
  const blocks = viewOf(name)(answer);
  const letters = blocks.flatMap((block) => ('letter' in block ? [block.letter] : []));
  const figures = blocks.filter((block) => 'figures' in block);
  return { text: letters.join('\n'), blocks: letters.length === 0 ? figures.slice(0, 1) : [] };
}

/** A sheet of paper with a real answer on it, hidden from screen readers: its page has the same as text. */
export function Paper({ name, answer }: { name: string; answer: unknown }) {
  if (answer === null || answer === undefined) return null;
  const sheet = (sheets as Readonly<Record<string, (answer: never) => Sheet>>)[name];
  const { text, blocks } = sheet === undefined ? shownFirst(name, answer) : sheet(answer as never);
  return (
    <div class="peek" aria-hidden="true">
      {text}
      <Blocks blocks={blocks} />
    </div>
  );
}
