/** The view of MCP Apps (2026-01-26) in which a chat shows the answers of free tools. */
const VIEW_URI = 'ui://small-business-calculator/answer.html';

/** The tools whose answers the view shows. */
const SHOWN_TOOLS: readonly string[] = ['quote_totals', 'late_fee'];

/** The view reference in a tool's document. The second name is for older hosts. */
export const viewMeta = (tool: string) =>
  SHOWN_TOOLS.includes(tool) && {
    _meta: { ui: { resourceUri: VIEW_URI }, 'ui/resourceUri': VIEW_URI },
  };

// It loads nothing, so hosts keep their strictest policy.
const CONTENT = {
  uri: VIEW_URI,
  mimeType: 'text/html;profile=mcp-app',
  _meta: { ui: { csp: {}, prefersBorder: true } },
};

/** The view in `resources/list`. */
export const VIEW_RESOURCE = {
  name: 'answer',
  title: 'Quote or late fee',
  description: 'Shows the result of quote_totals or late_fee as a document.',
  ...CONTENT,
};

/** The contents of a resource in `resources/read`; null if the address is unknown. */
export const viewContents = (uri: string, html: () => string) =>
  uri === VIEW_URI ? [{ ...CONTENT, text: html() }] : null;
