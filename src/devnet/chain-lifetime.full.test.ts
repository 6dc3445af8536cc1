import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import type { Readable } from 'node:stream';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { signals } from '../../test/support/here.ts';
import { rpc } from './chain-rpc.ts';

// A separate process that runs the built chain, so that it can be killed.
const folder = mkdtempSync(join(tmpdir(), 'chain-lifetime-'));
const parentFile = join(folder, 'parent.mjs');

beforeAll(() => {
  const chain = pathToFileURL(resolve('dist/devnet/chain.js')).href;
  writeFileSync(
    parentFile,
    `import { startChain } from ${JSON.stringify(chain)};
     const [mode, shell] = process.argv.slice(2);
     mode === 'deaf' && process.on('SIGINT', () => console.log('heard')) && setInterval(() => {}, 1000);
     const chain = await startChain(shell === 'none' ? { shell: null } : {});
     console.log(chain.rpcUrl);
     mode === 'linger' && setInterval(() => {}, 1000);
     mode === 'throw' && setTimeout(() => { throw new Error('fault') }, 10);`,
  );
});
afterAll(() => rmSync(folder, { recursive: true }));

type Shell = 'own' | 'none';

const startParent = async (mode: string, shell: Shell): Promise<{ parent: ChildProcess; rpcUrl: string }> => {
  const parent = spawn(process.execPath, [parentFile, mode, shell], {
    stdio: ['ignore', 'pipe', 'ignore'],
    detached: mode === 'deaf',
  });
  const rpcUrl = await new Promise<string>((resolve, reject) => {
    parent.stdout?.once('data', (text) => resolve(String(text).trim()));
    parent.once('exit', (code) => reject(new Error(`the parent ended early with ${code}`)));
  });
  return { parent, rpcUrl };
};

const isGone = async (rpcUrl: string): Promise<boolean> => {
  for (let attempt = 0; attempt < 1_000; attempt++) {
    const answered = await rpc(rpcUrl, 'eth_chainId').then(
      () => true,
      () => false,
    );
    if (!answered) return true;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  return false;
};

// On Windows, SIGTERM and SIGINT end a process at once, and SIGHUP does not exist.
const endings = ['SIGKILL', 'SIGTERM', 'SIGINT', 'SIGHUP'] as const;
const known = signals.areMissing ? endings.slice(0, 2) : endings;

describe.each([
  ['with a shell', 'own'],
  ['without a shell', 'none'],
] as const)('the chain on a machine %s', (_where, shell) => {
  test.each(known)('stops when %s stops the service', async (signal) => {
    const { parent, rpcUrl } = await startParent('linger', shell);
    expect(await rpc(rpcUrl, 'eth_chainId')).toBe('0x2105');
    parent.kill(signal);
    expect(await isGone(rpcUrl)).toBe(true);
  });

  test('stops when the service throws', async () => {
    const { rpcUrl } = await startParent('throw', shell);
    expect(await isGone(rpcUrl)).toBe(true);
  });

  test('does not keep a process alive that forgot to stop it', async () => {
    const { parent, rpcUrl } = await startParent('end', shell);
    const status = parent.exitCode ?? (await new Promise((resolve) => parent.once('exit', resolve)));
    expect(status).toBe(0);
    expect(await isGone(rpcUrl)).toBe(true);
  });
});

test.skipIf(signals.areMissing).each(['own', 'none'] as const)(
  signals.named('Ctrl-C reaches only the service and not its chain (shell %s)'),
  async (shell) => {
    // The process is in its own group, like a program that a terminal runs, because a terminal sends Ctrl-C to the
    // whole group.
    const { parent, rpcUrl } = await startParent('deaf', shell);
    process.kill(-(parent.pid as number), 'SIGINT');
    await once(parent.stdout as Readable, 'data');
    expect(await rpc(rpcUrl, 'eth_chainId')).toBe('0x2105');
    parent.kill('SIGKILL');
    expect(await isGone(rpcUrl)).toBe(true);
  },
);
