import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { proves } from '../spec/clauses.ts';
import { freePort } from '../support/listening.ts';
import { block, masked } from './readme.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));

/** Runs one of our built programs to its end. */
async function run(
  args: string[],
  env: Record<string, string>,
): Promise<{ status: number | null; output: string }> {
  const child = spawn(process.execPath, args, { cwd: root, env: { ...process.env, ...env } });
  const chunks: Buffer[] = [];
  child.stdout.on('data', (chunk) => chunks.push(chunk));
  child.stderr.on('data', (chunk) => chunks.push(chunk));
  const status = await new Promise<number | null>((resolve) => child.once('close', resolve));
  return { status, output: Buffer.concat(chunks).toString() };
}

describe('npm run demo -- --exit', () => {
  it(proves(
    ['1-no-account', '5-no-credentials'],
    'buys every product, balances the books and exits with success, as the README shows',
  ), { timeout: 300_000 }, async () => {
    const env = { PORT: String(await freePort()), NODE_ENV: 'development', SETTLERS: '' };
    const { status, output } = await run(['dist/demo/demo.js', '--exit'], env);
    expect([status, output.slice(-200)]).toEqual([0, expect.stringContaining('All is well')]);
    const shown = block(readFileSync(`${root}README.md`, 'utf8'), 'transcript');
    const lines = masked(shown.replaceAll(/```\w*/g, ''))
      .split('\n')
      .map((line) => line.trim())
      .filter((line) => line !== '');
    const printed = masked(output)
      .split('\n')
      .map((line) => line.trim());
    expect(lines.length).toBeGreaterThan(7);
    expect(lines.filter((line) => !printed.includes(line))).toEqual([]);
  });

  it('refuses to run with NODE_ENV=production, with one message and status 78', async () => {
    const { status, output } = await run(['dist/bin/main.js'], {
      NODE_ENV: 'production',
      SETTLERS: '',
      PORT: '4021',
    });
    expect(status).toBe(78);
    expect(output).toContain('PUBLIC_BASE_URL');
    expect(output).toContain('SETTLERS');
  });
});
