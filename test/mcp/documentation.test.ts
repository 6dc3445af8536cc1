import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { PROTOCOL_VERSIONS } from '../../src/surfaces/mcp/tools.ts';
import { catalog } from '../support/app.ts';
import { post, testApp } from './endpoint.ts';

const text = readFileSync(new URL('../../docs/mcp.md', import.meta.url), 'utf8');

it('docs/mcp.md lists exactly the tools of the catalog, with price and HTTP route', () => {
  const rows = [...text.matchAll(/^\| `(\w+)` +\| (.+?) +\| (.+?) +\|$/gm)].map(([, ...cells]) => cells);
  const tools = catalog.filter(({ tool }) => tool);
  expect(
    rows.filter(([name]) => name !== 'pricing').sort(),
    'the table at the top of docs/mcp.md wants a line for each tool of the catalog: name, price, twin',
  ).toEqual(
    tools
      .map(({ name, price, route }) => [
        name,
        price === null ? 'free' : `$${price.usd}`,
        `\`${route?.method} ${route?.path}\`${route?.alsoByPost ? ', or `POST`' : ''}`,
      ])
      .sort(),
  );
});

it('docs/mcp.md names every supported protocol revision', () => {
  for (const version of PROTOCOL_VERSIONS) expect(text).toContain(version);
});

it('docs/mcp.md has a working curl command', async () => {
  const body = /curl .* -d '([^']+)'/s.exec(text)?.[1] ?? '';
  const { status, body: answer } = await post(testApp(), body);
  expect(status).toBe(200);
  expect(answer.result?.structuredContent).toMatchObject({ total: 900 });
});

it('docs/mcp.md has settings files in valid JSON', () => {
  const snippets = [...text.matchAll(/```json\n(.+?)\n```/gs)].map(([, json]) => JSON.parse(json ?? ''));
  expect(snippets).toHaveLength(2);
  for (const snippet of snippets) expect(JSON.stringify(snippet)).toContain('http://127.0.0.1:4021/mcp');
});
