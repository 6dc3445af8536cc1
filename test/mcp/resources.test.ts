import { describe, expect, it } from 'vitest';
import { ERAS, modern, post, request, testApp } from './endpoint.ts';

const app = testApp();
const URI = 'ui://small-business-calculator/answer.html';

describe.each(ERAS)('the view of MCP Apps (%s)', (era) => {
  it('is the only resource, and there are no templates', async () => {
    const { body } = await request(app, era, 'resources/list');
    expect(body.result?.resources).toEqual([
      expect.objectContaining({ uri: URI, mimeType: 'text/html;profile=mcp-app' }),
    ]);
    const templates = await request(app, era, 'resources/templates/list');
    expect(templates.body.result?.resourceTemplates).toEqual([]);
  });

  it('is named by the two tools whose answers it shows, under both names that hosts read', async () => {
    const { body } = await request(app, era, 'tools/list');
    const tools = body.result?.tools as { name: string; _meta?: Record<string, unknown> }[];
    const withView = tools.filter(({ _meta = {} }) => 'ui' in _meta);
    expect(withView.map(({ name, _meta }) => [name, _meta])).toEqual(
      ['late_fee', 'quote_totals'].map((name) => [name, { ui: { resourceUri: URI }, 'ui/resourceUri': URI }]),
    );
  });

  it('is one document that loads nothing and works without any permission from its host', async () => {
    const { body } = await request(app, era, 'resources/read', { params: { uri: URI } });
    const contents = body.result?.contents as {
      uri: string;
      mimeType: string;
      text: string;
      _meta: unknown;
    }[];
    const content = contents[0] as (typeof contents)[number];
    expect([content.uri, content.mimeType]).toEqual([URI, 'text/html;profile=mcp-app']);
    expect(content._meta).toEqual({ ui: { csp: {}, prefersBorder: true } });
    expect(content.text).toMatch(/^<!doctype html>/);
    expect(content.text).not.toMatch(/\b(?:src|href)=|@import|url\(/);
  });

  it('is named in the error for any other address', async () => {
    for (const uri of ['ui://other', 'file:///etc/passwd', '', 'constructor']) {
      const { status, body } = await request(app, era, 'resources/read', { params: { uri } });
      expect([status, body.error?.code]).toEqual([200, era === 'modern' ? -32602 : -32002]);
      expect(body.error?.message).toContain(URI);
    }
    const without = await request(app, era, 'resources/read');
    expect(without.body.error?.code).toBe(-32602);
  });
});

it('a resource in 2026-07-28 has a cache hint and must be requested with its address as Mcp-Name', async () => {
  const { body, headers } = modern('resources/read', { uri: URI });
  expect((await post(app, body, headers)).body.result).toMatchObject({
    resultType: 'complete',
    cacheScope: 'public',
    _meta: expect.objectContaining({ 'io.modelcontextprotocol/serverInfo': expect.anything() }),
  });
  const other = await post(app, body, { ...headers, 'mcp-name': 'ui://other' });
  expect([other.status, other.body.error?.code]).toEqual([400, -32020]);
});
