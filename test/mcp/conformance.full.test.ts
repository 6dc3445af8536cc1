import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { fetchTool } from '../../scripts/tool.js';
import { type Listening, listening } from '../support/listening.ts';
import { testApp } from './endpoint.ts';

/** The scenarios of the official suite that apply here; the others call the suite's own tools and resources. */
const scenarios: readonly [version: string, scenario: string][] = [
  ['2026-07-28', 'server-stateless'],
  ['2026-07-28', 'http-header-validation'],
  ['2026-07-28', 'tools-list'],
  ['2026-07-28', 'resources-list'],
  ['2026-07-28', 'caching'],
  ['2026-07-28', 'dns-rebinding-protection'],
  ['2026-07-28', 'input-required-result-unsupported-methods'],
  ['2025-11-25', 'server-initialize'],
  ['2025-11-25', 'ping'],
  ['2025-11-25', 'tools-list'],
  ['2025-11-25', 'resources-list'],
  ['2025-11-25', 'dns-rebinding-protection'],
];

const file = (path: string): string => fileURLToPath(new URL(path, import.meta.url));
const suite = join(fetchTool('conformance'), 'node_modules/@modelcontextprotocol/conformance/dist/index.js');
const onNode20 = Number(process.versions.node.split('.')[0]) < 22;
let server: Listening;

beforeAll(async () => {
  server = await listening(testApp());
});
afterAll(() => server.stop());

function run(version: string, scenario: string): Promise<{ status: number | null; output: string }> {
  const args = [
    ...(onNode20 ? ['--import', new URL('conformance/node-20.js', import.meta.url).href] : []),
    suite,
    'server',
    ...['--url', `${server.url.replace('127.0.0.1', 'localhost')}/mcp`],
    ...['--expected-failures', file('conformance/baseline.yml')],
    ...['--spec-version', version, '--scenario', scenario],
  ];
  return new Promise((resolve) => {
    const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'pipe'] });
    const output: Buffer[] = [];
    child.stdout.on('data', (chunk: Buffer) => output.push(chunk));
    child.stderr.on('data', (chunk: Buffer) => output.push(chunk));
    child.on('close', (status) => resolve({ status, output: Buffer.concat(output).toString() }));
  });
}

it.concurrent.each(scenarios)('the server conforms to %s in the scenario %s', async (version, scenario) => {
  const { status, output } = await run(version, scenario);
  expect(output).toMatch(/Passed: [1-9]\d*\/\d+/);
  expect(status, output).toBe(0);
});
