import { spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type * as Demo from '../../src/demo/demo-calls.ts';
import type * as TestApp from '../support/app.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'add-an-operation-'));
const read = (path: string): string => readFileSync(join(folder, path), 'utf8');

/** The code blocks of docs/add-an-operation.md whose first line names a file, in order. */
const blocks = [
  ...readFileSync(join(root, 'docs/add-an-operation.md'), 'utf8').matchAll(
    /```(ts|diff)\n(?:\/\/|\+\+\+) (src\/\S+)\n([\s\S]*?)```/g,
  ),
].map(([, kind = '', path = '', text = '']) => ({ kind, path, text }));

/**
 * Whether a source already has the import in a line of a patch, because another operation may need the same import.
 */
function isImported(source: string, line: string): boolean {
  const [, name, from] = /^import \{ (\w+) \} from '(\S+)';$/.exec(line) ?? [];
  return (
    name !== undefined &&
    new RegExp(`^import \\{[^}]*\\b${name}\\b[^}]*\\} from '${from}';$`, 'm').test(source)
  );
}

/**
 * Lines with a plus are inserted after the line before them, which already exists; the first ones go before the line
 * after them.
 */
function patched(source: string, patch: string): string {
  const lines = source.split('\n');
  let at = 0;
  let added: string[] = [];
  for (const line of patch.trimEnd().split('\n')) {
    if (line.startsWith('+')) {
      if (!isImported(source, line.slice(1))) added.push(line.slice(1));
      continue;
    }
    const found = lines.indexOf(line.slice(1), at);
    if (found < 0)
      throw new Error(
        `docs/add-an-operation.md patches a file that has no such line (any more): ${line.slice(1)}`,
      );
    lines.splice(at === 0 ? found : at, 0, ...added);
    at = found + added.length + 1;
    added = [];
  }
  lines.splice(at, 0, ...added);
  return lines.join('\n');
}

const compiled = () => {
  const tsc = [join(root, 'node_modules/typescript/bin/tsc'), '--noEmit', '-p', 'tsconfig.build.json'];
  const { status, stdout } = spawnSync(process.execPath, tsc, { cwd: folder, encoding: 'utf8' });
  return { status, stdout };
};

describe('the operation that docs/add-an-operation.md adds', () => {
  beforeAll(() => {
    for (const part of 'src test/support package.json tsconfig.json tsconfig.build.json tsconfig.islands.json'.split(
      ' ',
    ))
      cpSync(join(root, part), join(folder, part), { recursive: true });
    symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'));
    for (const { kind, path, text } of blocks)
      writeFileSync(join(folder, path), kind === 'ts' ? text : patched(read(path), text));
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  it('needs at most four files', () => {
    expect(new Set(blocks.map(({ path }) => path)).size).toBe(blocks.length);
    expect(blocks.length).toBeGreaterThan(2);
    expect(blocks.length).toBeLessThanOrEqual(4);
  });

  it('compiles', { timeout: 300_000 }, () => {
    expect(compiled()).toEqual({ status: 0, stdout: '' });
  });

  it('is sold over HTTP and MCP, and has a page that shows its answer', async () => {
    const { fakePayment, testApp }: typeof TestApp = await import(join(folder, 'test/support/app.ts'));
    const app = testApp({
      end: () => ({
        state: 'settled',
        transaction: `0x${'ab'.repeat(32)}`,
        payer: '0x00000000000000000000000000000000000000bb',
      }),
    });
    const path = '/v1/break-even?fixed_costs=1000&unit_price=50&unit_cost=30';
    const offered = await app.get(path);
    expect([offered.status, await offered.json()]).toMatchObject([402, { price_usd: '0.02' }]);
    const bought = await app.get(path, { 'payment-signature': fakePayment({ value: '20000' }) });
    expect([bought.status, await bought.json()]).toEqual([200, { units: 50, unit_margin: 20 }]);
    const none = await app.get('/v1/break-even?fixed_costs=1000&unit_price=30&unit_cost=30');
    expect([none.status, await none.json()]).toMatchObject([409, { code: 'analysis_failed' }]);
    const listed = await app.post(
      '/mcp',
      { jsonrpc: '2.0', id: 1, method: 'tools/list' },
      { accept: 'application/json, text/event-stream', 'mcp-protocol-version': '2025-11-25' },
    );
    expect(await listed.text()).toContain('"break_even"');
    const page = await app.get('/break-even', { accept: 'text/html' });
    const html = await page.text();
    expect([page.status, html]).toEqual([200, expect.stringContaining('Each unit earns 20.')]);
    expect(html).toContain('Fixed costs');
    // The page's own text appears unchanged, and input is shown as text.
    expect(html).toContain('<section');
    expect(html).not.toContain('&lt;section');
    // The home page names its price.
    const home = await (await app.get('/', { accept: 'text/html' })).text();
    expect(home).toMatch(/<a href="\/break-even">[^<]+<\/a><\/th><td class="n">\$0\.02/);
    const hostile = await app.get('/break-even?fixed_costs=%3Csection%3E', { accept: 'text/html' });
    expect(await hostile.text()).toContain('&lt;section>');
  });

  it('is bought by the demo, which shows the whole answer', async () => {
    const { demoCalls, highlights }: typeof Demo = await import(join(folder, 'src/demo/demo-calls.ts'));
    const call = demoCalls.find(({ path }) => path.startsWith('/v1/break-even?'));
    expect(call?.price?.usd).toBe('0.02');
    expect(highlights({ units: 50, unit_margin: 20 }, call?.show ?? ['?'])).toEqual([
      'units: 50',
      'unit_margin: 20',
    ]);
  });

  it('does not compile without a view for its page', { timeout: 300_000 }, () => {
    const path = 'src/surfaces/pages/views/bought.ts';
    writeFileSync(join(folder, path), readFileSync(join(root, path)));
    expect(compiled().stdout).toContain("Property 'break_even' is missing");
  });
});
