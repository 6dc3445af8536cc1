/*
 * The protocol between a view and the chat that shows it: MCP Apps of 2026-01-26, JSON-RPC in messages to the parent
 * window. The official client is ten times as large as this view.
 */

const PROTOCOL_VERSION = '2026-01-26';
const METHOD_NOT_FOUND = -32601;

export type ToolResult = {
  readonly structuredContent?: unknown;
  readonly content?: readonly { readonly text?: string }[];
  readonly isError?: boolean;
};

type Params = Readonly<Record<string, unknown>>;
type Message = {
  readonly id?: number | string;
  readonly method?: string;
  readonly params?: Params;
  readonly result?: Params;
};

type Handlers = {
  readonly onInput: (input: Params) => void;
  readonly onResult: (result: ToolResult) => void;
  readonly onCanceled: () => void;
  readonly onTheme: (theme: 'light' | 'dark') => void;
};

/** Begins the conversation with the host. */
export function connectToHost({ onInput, onResult, onCanceled, onTheme }: Handlers) {
  const host = window.parent;
  const waiting = new Map<number | string, (result: Params | null) => void>();
  const post = (message: object): void => host.postMessage({ jsonrpc: '2.0', ...message }, '*');
  const notify = (method: string, params: Params): void => post({ method, params });
  let lastId = 0;

  /** The result of a request; null if the host rejects it. */
  function request(method: string, params: Params): Promise<Params | null> {
    lastId += 1;
    post({ id: lastId, method, params });
    return new Promise((resolve) => waiting.set(lastId, resolve));
  }

  const useContext = ({ theme }: Params): void => {
    if (theme === 'light' || theme === 'dark') onTheme(theme);
  };
  const notified = new Map<string, (params: Params) => void>([
    ['ui/notifications/tool-input', (params) => onInput((params.arguments ?? {}) as Params)],
    ['ui/notifications/tool-result', (params) => onResult(params)],
    ['ui/notifications/tool-cancelled', onCanceled],
    ['ui/notifications/host-context-changed', useContext],
  ]);

  function answer(id: number | string, method: string): void {
    const isKnown = method === 'ping' || method === 'ui/resource-teardown';
    const error = { code: METHOD_NOT_FOUND, message: 'Method not found' };
    post(isKnown ? { id, result: {} } : { id, error });
  }

  window.addEventListener('message', ({ source, data }: MessageEvent<Message | null>) => {
    if (source !== host || typeof data !== 'object' || data === null) return;
    const { id, method, params = {}, result = null } = data;
    if (method !== undefined && id !== undefined) answer(id, method);
    else if (method !== undefined) notified.get(method)?.(params);
    else if (id !== undefined) {
      waiting.get(id)?.(result);
      waiting.delete(id);
    }
  });

  const appInfo = { name: 'small-business-calculator', version: '1.0.0' };
  const appCapabilities = { availableDisplayModes: ['inline'] };
  void request('ui/initialize', { protocolVersion: PROTOCOL_VERSION, appInfo, appCapabilities }).then(
    (result) => {
      if (result === null) return;
      useContext((result.hostContext ?? {}) as Params);
      notify('ui/notifications/initialized', {});
    },
  );

  return {
    /** Whether the host opened the address. */
    openLink: async (url: string): Promise<boolean> => {
      const result = await request('ui/open-link', { url });
      return result !== null && result.isError !== true;
    },
    reportHeight: (height: number): void =>
      notify('ui/notifications/size-changed', { height: Math.ceil(height) }),
  };
}
