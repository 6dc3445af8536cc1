import type { Document } from '../http/documents.ts';
import { PROTOCOL_VERSIONS, SERVER_NAME, SERVER_TITLE, SERVER_VERSION } from '../mcp/identity.ts';

/** Media type of an MCP server card (SEP-2127). */
export const SERVER_CARD_TYPE = 'application/mcp-server-card+json';
/** The path of the card, below the URL of the server. */
export const SERVER_CARD_PATH = '/mcp/server-card';

/** The description of a server before anybody connects, without its tools, which the server lists itself. */
export function serverCard(baseUrl: string) {
  return {
    $schema: 'https://static.modelcontextprotocol.io/schemas/v1/server-card.schema.json',
    name: `${reverseHost(baseUrl)}/${SERVER_NAME}`,
    version: SERVER_VERSION,
    title: SERVER_TITLE,
    description: 'Quotes, late fees, reminder letters and free software for small businesses.',
    remotes: [
      { type: 'streamable-http', url: `${baseUrl}/mcp`, supportedProtocolVersions: PROTOCOL_VERSIONS },
    ],
  };
}

/** "example.calc" for https://calc.example; an IP address is kept as it is. */
function reverseHost(baseUrl: string): string {
  const { hostname } = new URL(baseUrl);
  if (/^[\d.]+$|^\[/.test(hostname)) return hostname.replace(/[^0-9A-Za-z.]+/g, '-').replace(/^-|-$/g, '');
  return hostname.split('.').reverse().join('.');
}

const HOUR_SECONDS = 3_600;

/** The card as a document, at its own address or at an alias. */
export const serverCardDocument = (path: string, baseUrl: string): Document => ({
  path,
  make: () => ({
    forms: [{ type: SERVER_CARD_TYPE, body: JSON.stringify(serverCard(baseUrl)) }],
    headers: {
      'access-control-allow-methods': 'GET',
      'access-control-allow-headers': 'Content-Type, If-None-Match',
    },
    maxAgeSeconds: HOUR_SECONDS,
  }),
});
