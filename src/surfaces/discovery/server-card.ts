import { createHash } from 'node:crypto';
import type { Hono } from 'hono';
import { refuseMethod } from '../http/http.ts';
import { PROTOCOL_VERSIONS, SERVER_NAME, SERVER_TITLE, SERVER_VERSION } from '../mcp/identity.ts';

/** Media type of an MCP server card (SEP-2127). */
export const SERVER_CARD_TYPE = 'application/mcp-server-card+json';
/** Where the card is: the URL of the server and this. */
export const SERVER_CARD_PATH = '/mcp/server-card';

/** What a server says of itself before anybody connects; never its tools, for those it says itself. */
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

/** "example.calc" for https://calc.example; an address that has no domain stands as it is. */
function reverseHost(baseUrl: string): string {
  const { hostname } = new URL(baseUrl);
  if (/^[\d.]+$|^\[/.test(hostname)) return hostname.replace(/[^0-9A-Za-z.]+/g, '-').replace(/^-|-$/g, '');
  return hostname.split('.').reverse().join('.');
}

/** Answers a request for the card, also at an alias. */
export function serverCardReply(baseUrl: string): (ifNoneMatch: string | undefined) => Response {
  const text = JSON.stringify(serverCard(baseUrl));
  const etag = `"${createHash('sha256').update(text).digest('base64url').slice(0, 22)}"`;
  const headers = {
    'content-type': SERVER_CARD_TYPE,
    'access-control-allow-origin': '*',
    'access-control-allow-methods': 'GET',
    'access-control-allow-headers': 'Content-Type, If-None-Match',
    'access-control-expose-headers': 'ETag',
    'cache-control': 'public, max-age=3600',
    'x-content-type-options': 'nosniff',
    etag,
  };
  return (ifNoneMatch) => {
    const known = ifNoneMatch?.split(',').map((tag) => tag.trim().replace(/^W\//, '')) ?? [];
    return known.includes(etag) || known.includes('*')
      ? new Response(null, { status: 304, headers })
      : new Response(text, { headers });
  };
}

export function mountServerCard(app: Hono, baseUrl: string): void {
  const reply = serverCardReply(baseUrl);
  app.get(SERVER_CARD_PATH, (context) => reply(context.req.header('if-none-match')));
  app.all(SERVER_CARD_PATH, refuseMethod(baseUrl, ['GET', 'HEAD']));
}
