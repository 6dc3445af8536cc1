import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { inMemory } from '../../../test/support/in-memory.ts';
import { serveDocument } from '../http/documents.ts';
import { createRouter } from '../http/router.ts';
import { PROTOCOL_VERSIONS, SERVER_NAME, SERVER_VERSION } from '../mcp/tools.ts';
import { serverCard, serverCardDocument } from './discovery.ts';

const router = createRouter({ baseUrl: 'https://calc.example', onBug: () => undefined });
serveDocument(router, 'https://calc.example', serverCardDocument('https://calc.example'));
const card = (headers: Record<string, string> = {}, method = 'GET') =>
  inMemory(router).request('https://calc.example/mcp/server-card', { method, headers });

it('the server card names the server and its address, but no tools', async () => {
  const response = await card();
  expect(response.status).toBe(200);
  expect(response.headers.get('content-type')).toBe('application/mcp-server-card+json');
  expect(await response.json()).toEqual({
    $schema: 'https://static.modelcontextprotocol.io/schemas/v1/server-card.schema.json',
    name: 'example.calc/small-business-calculator',
    version: '2.0.0',
    title: 'Small-Business Calculator',
    description: expect.stringMatching(/^[A-Z].{20,98}\.$/),
    websiteUrl: 'https://calc.example',
    icons: [{ src: 'https://calc.example/favicon.svg', mimeType: 'image/svg+xml' }],
    remotes: [
      {
        type: 'streamable-http',
        url: 'https://calc.example/mcp',
        supportedProtocolVersions: ['2026-07-28', '2025-11-25', '2025-06-18', '2025-03-26', '2024-11-05'],
      },
    ],
  });
});

it('the server card may be read from any page and kept for an hour', async () => {
  const { headers } = await card();
  expect(Object.fromEntries(headers)).toMatchObject({
    'access-control-allow-origin': '*',
    'access-control-allow-methods': 'GET',
    'access-control-allow-headers': 'Content-Type, If-None-Match',
    'access-control-expose-headers': 'ETag, Link',
    'cache-control': 'public, max-age=3600',
  });
});

it.each([
  ['https://calc.example', 'example.calc'],
  ['http://127.0.0.1:4021', '127.0.0.1'],
  ['http://localhost:4021', 'localhost'],
  ['http://[::1]:4021', '1'],
  ['https://a.b.example.co.uk:8443', 'uk.co.example.b.a'],
])('the server card names %s by its host in reverse order', (baseUrl, host) => {
  const { name } = serverCard(baseUrl);
  expect(name).toBe(`${host}/small-business-calculator`);
  expect(name).toMatch(/^[a-zA-Z0-9.-]+\/[a-zA-Z0-9._-]+$/);
});

const file = (name: string): Record<string, unknown> =>
  JSON.parse(readFileSync(new URL(`../../../${name}`, import.meta.url), 'utf8'));

it('the server card has the version of the package', () => {
  expect(file('package.json')).toMatchObject({ name: SERVER_NAME, version: SERVER_VERSION });
});

it('the server card agrees with server.json, the file for the MCP registry', () => {
  const { title, description, version, name, remotes } = serverCard('https://calc.example.com');
  expect(PROTOCOL_VERSIONS[0]).toBe('2026-07-28');
  expect(file('server.json')).toEqual({
    $schema: 'https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json',
    name,
    title,
    description,
    version,
    remotes: remotes.map(({ type, url }) => ({ type, url })),
  });
});
