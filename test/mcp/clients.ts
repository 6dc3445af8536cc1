import {
  Client as Client2,
  StreamableHTTPClientTransport as Transport2,
  type VersionNegotiationOptions,
} from '@modelcontextprotocol/client';
import { Client1, Client2025, Transport1, Transport2025 } from '../../tools/mcp-clients/index.ts';
import type { ToolResult } from './endpoint.ts';

type Call = { name: string; arguments: Record<string, unknown>; _meta?: Record<string, unknown> };

/** A connected official client, with what it negotiated. */
export type Connected = {
  readonly version: string | undefined;
  readonly serverName: string | undefined;
  listTools(): Promise<readonly { readonly name: string }[]>;
  callTool(call: Call): Promise<ToolResult>;
  close(): Promise<void>;
};

const info = { name: 'test', version: '1.0.0' };

async function connect1(url: URL): Promise<Connected> {
  const client = new Client1(info);
  const transport = new Transport1(url);
  // The SDK's own type of a session id does not fit its own interface under exact optional properties.
  await client.connect(transport as unknown as Parameters<typeof client.connect>[0]);
  return {
    version: transport.protocolVersion,
    serverName: client.getServerVersion()?.name,
    listTools: async () => (await client.listTools()).tools,
    callTool: async (call) => (await client.callTool(call)) as ToolResult,
    close: () => client.close(),
  };
}

async function connect2025(url: URL): Promise<Connected> {
  const client = new Client2025(info);
  const transport = new Transport2025(url);
  await client.connect(transport as unknown as Parameters<typeof client.connect>[0]);
  return {
    version: transport.protocolVersion,
    serverName: client.getServerVersion()?.name,
    listTools: async () => (await client.listTools()).tools,
    callTool: async (call) => (await client.callTool(call)) as ToolResult,
    close: () => client.close(),
  };
}

const connect2 =
  (mode: NonNullable<VersionNegotiationOptions['mode']>) =>
  async (url: URL): Promise<Connected> => {
    const client = new Client2(info, { versionNegotiation: { mode } });
    await client.connect(new Transport2(url));
    return {
      version: client.getNegotiatedProtocolVersion(),
      serverName: client.getServerVersion()?.name,
      listTools: async () => (await client.listTools()).tools,
      callTool: async (call) => (await client.callTool(call)) as ToolResult,
      close: () => client.close(),
    };
  };

/** The official clients in use, by name, with the revision that each should negotiate. */
export const officialClients: readonly {
  readonly name: string;
  readonly version: string;
  readonly connect: (url: URL) => Promise<Connected>;
}[] = [
  { name: 'sdk 1.32', version: '2025-11-25', connect: connect1 },
  { name: 'sdk 1.20 of 2025', version: '2025-06-18', connect: connect2025 },
  { name: 'client 2.4 as it comes', version: '2025-11-25', connect: connect2('legacy') },
  { name: 'client 2.4 negotiating', version: '2026-07-28', connect: connect2('auto') },
  { name: 'client 2.4 pinned', version: '2026-07-28', connect: connect2({ pin: '2026-07-28' }) },
];
