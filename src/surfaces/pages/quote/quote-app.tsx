import { Blocks } from '../blocks.tsx';
import type { Block } from '../content.ts';
import { quoteSheet } from '../documents/quote-sheet.ts';
import { SheetView } from '../documents/sheet-view.tsx';
import type { FormField } from '../form-fields.ts';
import type { Child } from '../markup.ts';
import { quoteView } from '../views/quote.ts';
import { optionsApart } from './options-apart.ts';
import { Sending } from './quote-client.tsx';
import { type EditorProps, QuoteEditor } from './quote-editor.tsx';
import type { Body } from './quote-fields.tsx';
import type { TradeIdeas } from './quote-options.tsx';
import { type Sent, workedFrom } from './quote-state.ts';

type PropsOf<View> = View extends (props: infer Props) => unknown ? Props : never;

export type AppProps = EditorProps & {
  /** The quote as it was sent to a client, instead of the editor. */
  readonly reading: Child;
  /** The ways to send a finished quote; null until the script runs and there is one. */
  readonly sending: PropsOf<typeof Sending> | null;
  /** Something that can be taken back. */
  readonly undoing: { readonly says: string; readonly undo: () => void } | null;
  /** Said to those who hear the page. */
  readonly status: string;
};

/** Everything of the page that changes while somebody writes, on the server and in the browser. */
export function QuoteApp(props: AppProps) {
  const { reading, sending, undoing, status, worked, acts } = props;
  if (reading !== null) return <>{reading}</>;
  return (
    <>
      <p id="status" class="hidden" role="status">
        {status}
      </p>
      {undoing === null ? null : (
        <p class="note undo">
          {undoing.says}{' '}
          <button type="button" class="quiet" onClick={undoing.undo}>
            Undo
          </button>
        </p>
      )}
      <QuoteEditor {...props} />
      <dialog id="send" aria-labelledby="send-title">
        {sending === null ? null : <Sending {...sending} />}
      </dialog>
      {acts === null && worked.body !== null ? (
        <SheetView sheet={quoteSheet(worked.body, props.written.letterhead)} />
      ) : null}
      {worked.body === null ? null : (
        <details class="steps">
          <summary>How each figure was reached</summary>
          <Blocks blocks={stepsOf(worked.body)} />
        </details>
      )}
    </>
  );
}

/** How the figures of a quote were reached; the figures themselves stand on the paper. */
const stepsOf = (body: Body): readonly Block[] =>
  quoteView(body).flatMap((block) => {
    if ('figures' in block || 'note' in block) return [];
    return 'subheading' in block ? [{ heading: block.subheading }] : [block];
  });

/** What the script of the page begins with: the form, and what was sent to the page. */
export type QuoteData = Pick<EditorProps, 'form' | 'next' | 'action' | 'attributes'> & {
  readonly sent: Sent;
  /** null where no options are sold. */
  readonly options: OptionsData | null;
};

/** What the step of three options begins with. */
export type OptionsData = {
  readonly route: string;
  readonly trades: readonly TradeIdeas[];
  /** The fields of the operation that neither the quote nor its paper has. */
  readonly fields: readonly FormField[];
};

/** What was sent to the service, as the page holds it. */
export function sentDraft({ sent, options }: QuoteData) {
  const { written, worked } = workedFrom(sent);
  return { worked, ...optionsApart(written, options?.fields ?? []) };
}

/** The page as the service writes it. */
export function sentProps(all: QuoteData, { written, worked } = sentDraft(all)): AppProps {
  const { sent: _, options: __, ...data } = all;
  return {
    ...data,
    written,
    worked,
    shown: worked.faults,
    isSummed: true,
    currency: written.fields.currency || worked.body?.currency || 'USD',
    acts: null,
    pasted: '',
    isRemembering: true,
    reading: null,
    sending: null,
    undoing: null,
    status: '',
  };
}
