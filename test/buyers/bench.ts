import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect } from 'vitest';
import type { EmbeddedChain } from '../../src/devnet/chain.ts';
import { buyerPrograms } from '../../src/surfaces/discovery/buyers.ts';
import type { TestApp } from '../support/app.ts';
import { sharedChain } from '../support/chain.ts';
import { type ChainAppOptions, chainApp, earned } from '../support/chain-app.ts';
import { opened, stopped } from '../support/listening.ts';

/** A service that settles on the real chain, at the address that its documents name. */
export type Shop = { readonly url: string; readonly chain: EmbeddedChain; stop(): Promise<void> };

export async function openShop(chain: EmbeddedChain, options: ChainAppOptions = {}): Promise<Shop> {
  let app: TestApp | undefined;
  const server = createServer((request, response) => (app as TestApp).listener(request, response));
  const url = await opened(server);
  app = chainApp(chain, { baseUrl: url, patienceMs: 5_000, ...options });
  return { url, chain, stop: () => stopped(server) };
}

/** One shop for the test file that calls this at its top level. */
export function sharedShop(): () => Shop {
  const chain = sharedChain();
  let shop: Shop | undefined;
  beforeAll(async () => {
    shop = await openShop(chain());
  });
  afterAll(() => shop?.stop());
  return () => shop as Shop;
}

/** Returns the programs of /developers.md as a developer copies them, by their file names. */
export async function publishedPrograms({ url }: Shop): Promise<Readonly<Record<string, string>>> {
  const page = await (await fetch(`${url}/developers.md`)).text();
  return Object.fromEntries(
    buyerPrograms.map(({ title, file }) => {
      const [, code = ''] = page.split(`### ${title}\n`)[1]?.split(/```\w*\n/) ?? [];
      return [file, code];
    }),
  );
}

/** A folder with the packages that the programs require, as a developer would create it. */
export function readersFolder(files: Readonly<Record<string, string>>): string {
  const folder = mkdtempSync(join(tmpdir(), 'buyer-'));
  symlinkSync(
    fileURLToPath(new URL('../../node_modules', import.meta.url)),
    join(folder, 'node_modules'),
    'junction',
  );
  writeFileSync(join(folder, 'package.json'), '{"type":"module"}');
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
  return folder;
}

export const removed = (folder: string): void => rmSync(folder, { recursive: true, force: true });

/** Runs a program with the wallet of a buyer and expects the notice for one cent. */
export async function expectNotice(
  { chain }: Shop,
  run: { command: string; args: readonly string[]; folder: string; env?: Record<string, string> },
): Promise<void> {
  const before = await earned(chain);
  const child = spawn(run.command, run.args, {
    cwd: run.folder,
    env: { ...process.env, BUYER_KEY: chain.buyers[0]?.privateKey, ...run.env },
  });
  let said = '';
  let complained = '';
  child.stdout.on('data', (part) => {
    said += part;
  });
  child.stderr.on('data', (part) => {
    complained += part;
  });
  const status = await new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', resolve);
  });
  expect([status, status === 0 ? '' : complained]).toEqual([0, '']);
  expect(JSON.parse(said)).toMatchObject({ fee: { amount: 1250 }, reminder: { content_type: 'text/plain' } });
  expect((await earned(chain)) - before).toBe(10_000n);
}

/**
 * Replaces the signing library, which this machine cannot install. It reads typed data as JSON from standard input
 * and writes the signature to standard output. `address` is its other command.
 */
export const SIGNER = `
import { keccak256 } from 'viem';
import { privateKeyToAccount, sign } from 'viem/accounts';
const [question, ...words] = process.argv.slice(2);
const account = privateKeyToAccount(process.env.BUYER_KEY);
if (question === 'address') console.log(account.address);
if (question === 'keccak') console.log(keccak256(words[0]));
if (question === 'sign') console.log(await sign({ hash: words[0], privateKey: process.env.BUYER_KEY, to: 'hex' }));
if (question === 'typed') console.log(await account.signTypedData(JSON.parse(words[0])));
`;
