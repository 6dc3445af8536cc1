import { expect, it } from 'vitest';
import { testApp } from '../support/app.ts';

const app = testApp();

it.each([
  ['/v1', '/openapi.json'],
  ['/.well-known/x402.json', '/.well-known/x402'],
  ['/.well-known/mcp.json', '/mcp/server-card'],
  ['/.well-known/mcp/server-card.json', '/mcp/server-card'],
  ['/.well-known/ard.json', '/.well-known/ai-catalog.json'],
])('%s redirects callers of any origin to the document with the same content, %s', async (from, to) => {
  const { status, headers } = await app.get(from);
  expect([status, headers.get('location')]).toEqual([301, to]);
  expect(headers.get('access-control-allow-origin')).toBe('*');
  expect((await app.get(to)).status).toBe(200);
});

it('a removed document that nobody used and nothing replaces gets 404', async () => {
  expect((await app.get('/llms-full.txt')).status).toBe(404);
  expect(await (await app.get('/.well-known/x402')).json()).not.toHaveProperty('items');
  for (const path of ['/', '/llms.txt', '/developers.md', '/.well-known/api-catalog', '/sitemap.xml']) {
    const reply = await app.get(path);
    const shown = `${await reply.text()} ${reply.headers.get('link')}`;
    for (const gone of ['llms-full.txt', 'ard.json', 'x402.json', 'mcp.json'])
      expect([path, shown.includes(gone)]).toEqual([path, false]);
  }
});
