import { spawn, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { rolldown } from 'rolldown';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { npm } from '../../scripts/tool.js';
import type { DevAccount } from '../../src/devnet/chain-accounts.ts';
import { sharedChain } from '../support/chain.ts';
import { chainApp, earned } from '../support/chain-app.ts';
import { type Listening, listening } from '../support/listening.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));

/** A program of a user who has installed the package. */
const PROGRAM = `
import { createClient } from 'small-business-calculator-client';
import { privateKeyToAccount } from 'viem/accounts';
const payer = privateKeyToAccount(process.env.BUYER_KEY);
const calculator = createClient({ baseUrl: process.env.SERVICE_URL, payer });
const { total } = await calculator.quoteTotals({ items: [{ unit_price: 450 }] });
const { answer, receipt } = await calculator.lateFeeNotice({ amount: 1250, due_date: '2026-09-01' });
console.log(JSON.stringify({ total, subject: answer.reminder.subject, success: receipt.success }));
`;

describe('the packed client in an empty project', () => {
  const chain = sharedChain();
  const project = mkdtempSync(join(tmpdir(), 'client-packed-'));
  const modules = join(project, 'node_modules');
  let files: string[];
  let service: Listening;

  beforeAll(async () => {
    const packed = npm(
      ['pack', '--json', '--silent', '--pack-destination', project],
      join(root, 'packages/client'),
    );
    expect(packed.stderr).not.toContain('npm error');
    const [tarball = ''] = readdirSync(project).filter((name) => name.endsWith('.tgz'));
    mkdirSync(modules);
    spawnSync('tar', ['-xzf', tarball], { cwd: project });
    files = readdirSync(join(project, 'package'), { recursive: true, encoding: 'utf8' });
    renameSync(join(project, 'package'), join(modules, 'small-business-calculator-client'));
    // The dependencies are placed where npm would install them.
    for (const name of ['@x402', 'viem']) symlinkSync(join(root, 'node_modules', name), join(modules, name));
    writeFileSync(join(project, 'package.json'), '{"type":"module","private":true}');
    writeFileSync(join(project, 'buy.js'), PROGRAM);
    service = await listening(chainApp(chain()));
  }, 300_000);
  afterAll(async () => {
    await service?.stop();
    rmSync(project, { recursive: true });
  });

  it('has its program, its types, its README and its license, but no sources', () => {
    expect(files).toEqual(expect.arrayContaining(['LICENSE', 'README.md', 'package.json']));
    for (const name of ['client', 'offer', 'operations', 'purchase'])
      expect(files).toEqual(
        expect.arrayContaining([join('dist', `${name}.js`), join('dist', `${name}.d.ts`)]),
      );
    expect(files.filter((name) => name.startsWith('src'))).toEqual([]);
  });

  it('buys a letter for one cent in this version of Node.js', async () => {
    const before = await earned(chain());
    const { privateKey } = chain().buyers[0] as DevAccount;
    const program = spawn(process.execPath, ['buy.js'], {
      cwd: project,
      env: { ...process.env, SERVICE_URL: service.url, BUYER_KEY: privateKey },
    });
    const said: string[] = [];
    program.stdout.on('data', (text) => said.push(String(text)));
    program.stderr.on('data', (text) => said.push(String(text)));
    const code = await new Promise((resolve) => program.once('close', resolve));
    expect([code, said.join('')]).toEqual([0, expect.stringContaining('"total":450')]);
    expect(said.join('')).toContain('"success":true');
    expect((await earned(chain())) - before).toBe(10_000n);
  });

  it('can be bundled into one script for browsers that needs nothing of Node.js', async () => {
    const bundle = await rolldown({
      input: join(project, 'buy.js'),
      platform: 'browser',
    });
    const { code } = (await bundle.generate({ format: 'esm', minify: true })).output[0];
    expect(code).not.toMatch(/\brequire\(|\bfrom\s*["'](node:|small-business|viem|@x402)/);
    expect(code.length).toBeLessThan(600_000);
  });
});
