import { h, render } from 'preact';
import { ChatView, type ChatViewProps, type Shown } from '../surfaces/pages/chat/chat-view.tsx';
import { connectToHost, type ToolResult } from './chat-host.ts';
import { orNull } from './or-null.ts';

/* The view of a free answer in a chat. It receives the input and the answer from its host, and loads nothing. */

const place = document.querySelector('main') as HTMLElement;
const { baseUrl = '' } = document.body.dataset;
let now: Pick<ChatViewProps, 'shown' | 'input' | 'status' | 'refused'> = {
  shown: null,
  input: {},
  status: 'Waiting for the result.',
  refused: null,
};

function show(changes: Partial<typeof now>): void {
  now = { ...now, ...changes };
  render(h(ChatView, { ...now, baseUrl, open: (address) => void open(address) }), place);
}

/** The answer in a result; null if there is none. Some hosts pass on only the text of a result. */
function shownOf({ structuredContent, content, isError }: ToolResult): Shown | null {
  if (isError === true) return null;
  const body = structuredContent ?? orNull(() => JSON.parse(content?.[0]?.text ?? ''));
  if (typeof body !== 'object' || body === null) return null;
  if ('late_fee' in body && 'formula' in body) return { tool: 'late_fee', body } as Shown;
  if ('tax_breakdown' in body && 'items' in body) return { tool: 'quote_totals', body } as Shown;
  return null;
}

const NO_ANSWER = { shown: null, status: 'There is no document to show for this result.' };

function showResult(result: ToolResult): void {
  const shown = shownOf(result);
  try {
    show(shown === null ? NO_ANSWER : { shown, status: 'The document is shown.', refused: null });
  } catch {
    // A host may have shortened the answer, so a field may be missing.
    show(NO_ANSWER);
  }
}

const host = connectToHost({
  onInput: (input) => show({ input }),
  onResult: showResult,
  onCanceled: () => show({ shown: null, status: 'The call was canceled.' }),
  onTheme: (theme) => {
    document.documentElement.style.colorScheme = theme;
  },
});

async function open(address: string): Promise<void> {
  show({ refused: (await host.openLink(address)) ? null : address });
}

place.replaceChildren();
show({});
new ResizeObserver(() => host.reportHeight(place.getBoundingClientRect().height)).observe(place);
