import { spawn } from 'node:child_process';
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { fetchTool } from '../../scripts/tool.js';
import { earned } from '../support/chain-app.ts';
import { removed, sharedShop } from './bench.ts';

const program = join(fetchTool('clients-mcpc'), 'node_modules/@apify/mcpc/bin/mcpc');
const shop = sharedShop();
let home: string;

beforeAll(() => {
  home = mkdtempSync(join(tmpdir(), 'mcpc-'));
});
afterAll(async () => {
  await mcpc('close', '@shop');
  removed(home);
});

/** Runs one command of mcpc, with its own home folder for sessions and wallet. */
async function mcpc(...words: string[]): Promise<{ status: unknown; said: string }> {
  const child = spawn(process.execPath, [program, ...words], {
    env: { ...process.env, HOME: home, MCPC_HOME_DIR: join(home, '.mcpc') },
  });
  let said = '';
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (part) => {
      said += part;
    });
  const status = await new Promise((resolve) => child.once('exit', resolve));
  return { status, said };
}

it('mcpc buys several times in one session, each time with different arguments', async () => {
  const { chain, url } = shop();
  expect(await mcpc('x402', 'import', chain.buyers[0]?.privateKey ?? '')).toMatchObject({ status: 0 });
  const connected = await mcpc('connect', `${url}/mcp`, '@shop', '--x402', '--no-profile');
  expect([connected.status, connected.status === 0 ? '' : connected.said]).toEqual([0, '']);
  for (const amount of [1250, 1251, 1252]) {
    const before = await earned(chain);
    const bought = await mcpc(
      ...['@shop', 'tools-call', 'late_fee_notice', `amount:=${amount}`, 'due_date:="2026-09-01"', '--json'],
    );
    expect([amount, bought.status, bought.said]).toEqual([
      amount,
      0,
      expect.stringContaining(`${amount}.00 x 1.5%`),
    ]);
    expect((await earned(chain)) - before).toBe(10_000n);
  }
}, 300_000);
