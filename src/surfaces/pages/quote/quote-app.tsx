import { Blocks } from '../blocks.tsx';
import type { Block } from '../content.ts';
import { quoteSheet, quoteSteps } from '../documents/quote.ts';
import { SheetView } from '../documents/sheet-view.tsx';
import type { FormField } from '../form-fields.ts';
import { type Undoing, UndoNote } from '../live-fields.tsx';
import type { Child } from '../markup.ts';
import { Sending } from './quote-client.tsx';
import { type EditorProps, QuoteEditor } from './quote-editor.tsx';
import type { Body } from './quote-state.ts';
import { optionsApart, type Sent, workedFrom } from './quote-state.ts';

type PropsOf<View> = View extends (props: infer Props) => unknown ? Props : never;

export type AppProps = EditorProps & {
  /** The quote as its client sees it, instead of the editor. */
  readonly reading: Child;
  /** The ways to send a finished quote; null until the script runs and there is one. */
  readonly sending: PropsOf<typeof Sending> | null;
  /** The last action, if it can be undone. */
  readonly undoing: Undoing | null;
  /** Announced to screen readers. */
  readonly status: string;
};

/** All parts of the page that change while the user types, on the server and in the browser. */
export function QuoteApp(props: AppProps) {
  const { reading, sending, undoing, status, worked, acts } = props;
  if (reading !== null) return <>{reading}</>;
  return (
    <>
      <p id="status" class="hidden" role="status">
        {status}
      </p>
      <UndoNote undoing={undoing} />
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

/** The calculation of a quote's figures. The figures themselves are on the document. */
const stepsOf = (body: Body): readonly Block[] =>
  quoteSteps(body).map((block) => ('subheading' in block ? { heading: block.subheading } : block));

/** The initial data for the page's script: the form, and the values submitted to the page. */
export type QuoteData = Pick<EditorProps, 'form' | 'next' | 'action' | 'attributes'> & {
  readonly sent: Sent;
  /** The three options for sale; null if the service sells none. */
  readonly options: OptionsData | null;
};

/** The initial data for the step of three options. */
export type OptionsData = {
  readonly route: string;
  /** The operation's fields that neither the quote nor its document has. */
  readonly fields: readonly FormField[];
};

/** The submitted values as the page stores them. */
export function sentDraft({ sent, options }: QuoteData) {
  const { written, worked } = workedFrom(sent);
  return { worked, ...optionsApart(written, options?.fields ?? []) };
}

/** The page as the server renders it. */
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
    pasted: null,
    isRemembering: true,
    isLogoUnread: false,
    reading: null,
    sending: null,
    undoing: null,
    status: '',
  };
}
