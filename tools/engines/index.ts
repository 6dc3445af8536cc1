import { fetchTool } from '../../scripts/tool.js';

fetchTool('engines');

/** The part of a WebSocket that WebDriver BiDi needs. */
export type Socket = {
  send(text: string): void;
  close(): void;
  once(event: 'open' | 'error', listen: (error?: Error) => void): void;
  on(event: 'message', listen: (data: { toString(): string }) => void): void;
};

export const { WebSocket } = (await import('ws' as string)) as {
  readonly WebSocket: new (url: string, options: { readonly maxPayload: number }) => Socket;
};
