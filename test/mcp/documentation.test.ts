import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { post, testApp } from './endpoint.ts';

const text = readFileSync(new URL('../../docs/mcp.md', import.meta.url), 'utf8');

it('docs/mcp.md has a working curl command', async () => {
  const body = /curl .* -d '([^']+)'/s.exec(text)?.[1] ?? '';
  const { status, body: answer } = await post(testApp(), body);
  expect(status).toBe(200);
  expect(answer.result?.structuredContent).toMatchObject({ total: 900 });
});
