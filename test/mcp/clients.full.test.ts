import type { PaymentRequirements } from '@x402/core/types';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { DevAccount } from '../../src/devnet/chain-accounts.ts';
import { createLog } from '../../src/platform/log.ts';
import { catalog, freeTools, paidTools } from '../support/app.ts';
import { sharedChain } from '../support/chain.ts';
import { chainApp, earned } from '../support/chain-app.ts';
import { type Listening, listening } from '../support/listening.ts';
import { signAuthorization } from '../support/payments.ts';
import { type Connected, officialClients } from './clients.ts';
import type { ToolResult } from './endpoint.ts';

const exampleOf = (name: string): Record<string, unknown> =>
  catalog.find((operation) => operation.name === name)?.example ?? {};

const chain = sharedChain();
const lines: string[] = [];
let server: Listening;

beforeAll(async () => {
  const log = createLog({ level: 'debug', write: (line) => lines.push(line) });
  const app = chainApp(chain(), {
    onCall: (operation, outcome, durationMs) =>
      log.debug('request', { operation, outcome, duration_ms: durationMs }),
  });
  server = await listening(app);
});
afterAll(() => server.stop());

/** Reads a challenge as a client would, signs it and calls again. */
async function buy(client: Connected, name: string): Promise<{ unpaid: ToolResult; paid: ToolResult }> {
  const call = { name, arguments: exampleOf(name) };
  const unpaid = await client.callTool(call);
  const required = unpaid.structuredContent as { accepts: [PaymentRequirements] };
  const buyer = chain().buyers[0] as DevAccount;
  const payment = await signAuthorization({ buyer, accepted: required.accepts[0] });
  return { unpaid, paid: await client.callTool({ ...call, _meta: { 'x402/payment': payment } }) };
}

describe.each(officialClients)('the MCP client $name', ({ connect, version }) => {
  it.each([
    ['without a list', false],
    ['after listing, when it checks results', true],
  ])('calls every free tool and buys every paid one, %s', async (_case, isListing) => {
    const client = await connect(new URL(`${server.url}/mcp`));
    try {
      expect([client.version, client.serverName]).toEqual([version, 'small-business-calculator']);
      if (isListing) expect(await client.listTools()).toHaveLength(freeTools.length + paidTools.length);
      for (const name of freeTools) {
        const { isError, structuredContent } = await client.callTool({ name, arguments: exampleOf(name) });
        expect([name, isError ?? false, structuredContent !== undefined]).toEqual([name, false, true]);
      }
      const before = await earned(chain());
      for (const name of paidTools) {
        const { unpaid, paid } = await buy(client, name);
        expect([name, unpaid.isError, paid.isError ?? false]).toEqual([name, true, false]);
        expect(paid._meta?.['x402/payment-response']).toMatchObject({ success: true });
      }
      const prices = catalog.map(({ price }) => BigInt(price?.atomic ?? 0));
      expect((await earned(chain())) - before).toBe(prices.reduce((sum, price) => sum + price));
    } finally {
      await client.close();
    }
  });

  it('gets a result for bad arguments, and an error for an unknown tool', async () => {
    const client = await connect(new URL(`${server.url}/mcp`));
    try {
      await client.listTools();
      const bad = await client.callTool({ name: 'late_fee', arguments: { amount: 'much' } });
      expect(bad.isError).toBe(true);
      expect(bad.content[0]?.text).toContain('due_date: is required');
      await expect(client.callTool({ name: 'nonsense', arguments: {} })).rejects.toThrow('The tools are');
    } finally {
      await client.close();
    }
  });
});

it('the log of the calls of these clients has only names, outcomes and durations', () => {
  expect(lines.length).toBeGreaterThan(50);
  for (const line of lines) {
    const { time: _time, level, event, operation, outcome, duration_ms, ...others } = JSON.parse(line);
    expect([level, event, typeof duration_ms, others]).toEqual(['debug', 'request', 'number', {}]);
    expect(operation).toMatch(/^[a-z_]+$/);
    expect(['served', 'settled', 'challenged', 'rejected']).toContain(outcome);
  }
});
