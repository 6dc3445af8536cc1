import type { AnswerOf } from '../../../operations/answers.ts';
import { feeSheet } from '../documents/late-fee.ts';
import { BLANK } from '../documents/letterhead.ts';
import { quoteSheet } from '../documents/quote.ts';
import { SheetView } from '../documents/sheet-view.tsx';
import { Figure } from '../late-invoice/late-figure.tsx';
import { pageAddress } from '../pay-page.ts';

/** The answer of a free tool. */
export type Shown =
  | { readonly tool: 'quote_totals'; readonly body: AnswerOf<'quote_totals'> }
  | { readonly tool: 'late_fee'; readonly body: AnswerOf<'late_fee'> };

export type ChatViewProps = {
  /** The answer to show; null while there is none. */
  readonly shown: Shown | null;
  /** The input of that answer. */
  readonly input: Readonly<Record<string, unknown>>;
  /** Why there is no answer, or what the view is waiting for. Screen readers announce it. */
  readonly status: string;
  readonly baseUrl: string;
  readonly open: (address: string) => void;
  /** An address that the host refused to open. */
  readonly refused: string | null;
};

/** The document of an answer in a chat, and a link to the page where the user continues. */
export function ChatView({ shown, input, status, baseUrl, open, refused }: ChatViewProps) {
  return (
    <>
      <p class={shown === null ? 'note' : 'hidden'} role="status">
        {status}
      </p>
      {shown === null ? null : (
        <>
          <AnswerDocument shown={shown} />
          <Door tool={shown.tool} input={input} baseUrl={baseUrl} open={open} />
        </>
      )}
      {refused === null ? null : (
        <p class="note" role="alert">
          Your chat did not open the page. Copy the address: <code>{refused}</code>
        </p>
      )}
    </>
  );
}

function AnswerDocument({ shown }: { shown: Shown }) {
  if (shown.tool === 'quote_totals') return <SheetView sheet={quoteSheet(shown.body, BLANK)} />;
  const { body } = shown;
  return (
    <>
      <Figure worked={{ body, faults: [], numbers: new Map() }} currency={body.currency ?? ''} />
      <SheetView sheet={feeSheet(body, BLANK)} />
    </>
  );
}

/** The pages that complete a document and sell the related paid step. */
const DOORS = {
  quote_totals: { path: '/quote', label: 'Finish and print this quote' },
  late_fee: { path: '/late-invoice', label: 'Write the reminder letter' },
};

type DoorProps = Pick<ChatViewProps, 'input' | 'baseUrl' | 'open'> & { readonly tool: Shown['tool'] };

function Door({ tool, input, baseUrl, open }: DoorProps) {
  const { path, label } = DOORS[tool];
  const address = pageAddress(`${baseUrl}${path}`, input);
  return (
    <p class="buttons">
      <a
        class="button"
        href={address}
        target="_blank"
        rel="noopener noreferrer"
        onClick={(event) => {
          event.preventDefault();
          open(address);
        }}
      >
        {label}
      </a>
    </p>
  );
}
