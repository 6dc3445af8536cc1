import { expect, it } from 'vitest';
import { testApp } from '../support/app.ts';

const PATH = '/.well-known/mcp-registry-auth';
const RECORD = `v=MCPv1; k=ed25519; p=${Buffer.alloc(32, 7).toString('base64')}`;
const about = { contactEmail: null, ownershipProof: null };

it('shows the MCP Registry the public key that it is told to', async () => {
  const response = await testApp({ about: { ...about, mcpRegistryAuth: RECORD } }).get(PATH);
  expect([response.status, response.headers.get('content-type')]).toEqual([200, 'text/plain; charset=utf-8']);
  expect((await response.text()).trim()).toBe(RECORD);
});

it('has no such page without one', async () => {
  expect((await testApp().get(PATH)).status).toBe(404);
});
