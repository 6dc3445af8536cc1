import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { rpc } from './chain-rpc.ts';

// A process of its own that runs the compiled chain, so that it can be killed. Inside the project, so that
// the packages are found.
mkdirSync('build', { recursive: true });
const folder = mkdtempSync('build/chain-lifetime-');
const parentFile = join(folder, 'parent.mjs');

beforeAll(() => {
  const compiler = ['node_modules/typescript/bin/tsc', '-p', 'tsconfig.build.json', '--outDir', folder];
  spawnSync(process.execPath, compiler);
  const chain = pathToFileURL(join(folder, 'devnet/chain.js')).href;
  writeFileSync(
    parentFile,
    `import { startChain } from ${JSON.stringify(chain)};
     const chain = await startChain();
     console.log(chain.rpcUrl);
     process.argv[2] === 'linger' && setInterval(() => {}, 1000);
     process.argv[2] === 'throw' && setTimeout(() => { throw new Error('fault') }, 10);`,
  );
});
afterAll(() => rmSync(folder, { recursive: true }));

const startParent = async (mode: string): Promise<{ parent: ChildProcess; rpcUrl: string }> => {
  const parent = spawn(process.execPath, [parentFile, mode], { stdio: ['ignore', 'pipe', 'ignore'] });
  const rpcUrl = await new Promise<string>((resolve, reject) => {
    parent.stdout?.once('data', (text) => resolve(String(text).trim()));
    parent.once('exit', (code) => reject(new Error(`the parent ended early with ${code}`)));
  });
  return { parent, rpcUrl };
};

const isGone = async (rpcUrl: string): Promise<boolean> => {
  for (let attempt = 0; attempt < 100; attempt++) {
    const answered = await rpc(rpcUrl, 'eth_chainId').then(
      () => true,
      () => false,
    );
    if (!answered) return true;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  return false;
};

test.each(['SIGKILL', 'SIGTERM', 'SIGINT', 'SIGHUP'] as const)(
  'the chain ends with the service that %s ends',
  async (signal) => {
    const { parent, rpcUrl } = await startParent('linger');
    expect(await rpc(rpcUrl, 'eth_chainId')).toBe('0x2105');
    parent.kill(signal);
    expect(await isGone(rpcUrl)).toBe(true);
  },
);

test('the chain ends with a service that throws', async () => {
  const { rpcUrl } = await startParent('throw');
  expect(await isGone(rpcUrl)).toBe(true);
});

test('a chain that nobody stopped keeps no process running', async () => {
  const { parent, rpcUrl } = await startParent('end');
  const status = parent.exitCode ?? (await new Promise((resolve) => parent.once('exit', resolve)));
  expect(status).toBe(0);
  expect(await isGone(rpcUrl)).toBe(true);
});
