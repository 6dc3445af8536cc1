import { spawn } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { chainPackage, knownPrograms, ownPlatform } from '../../src/devnet/anvil.ts';
import { freePort } from '../support/listening.ts';
import { type PackageRegistry, startPackageRegistry } from './package-registry.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const wanted = chainPackage(ownPlatform);
const program = wanted && knownPrograms(wanted).find((file) => existsSync(file));

describe.skipIf(!wanted || !program)('the demo of an installation without the package of its chain', () => {
  const folder = mkdtempSync(join(tmpdir(), 'first-demo-'));
  let registry: PackageRegistry;

  beforeAll(async () => {
    for (const path of ['dist', 'package.json'])
      cpSync(join(root, path), join(folder, path), { recursive: true });
    mkdirSync(join(folder, 'node_modules'));
    for (const name of readdirSync(join(root, 'node_modules')))
      if (name !== '@foundry-rs' && !name.startsWith('.'))
        symlinkSync(join(root, 'node_modules', name), join(folder, 'node_modules', name), 'junction');
    const packed = (program as string).slice(0, -(wanted?.program.length ?? 0) - 1);
    registry = await startPackageRegistry([
      { name: wanted?.name ?? '', version: wanted?.version ?? '', folder: packed },
    ]);
  }, 120_000);
  afterAll(async () => {
    await registry?.stop();
    rmSync(folder, { recursive: true, force: true });
  });

  async function demo(env: Record<string, string>): Promise<{ status: number | null; said: string }> {
    const { ANVIL_PATH: _named, PATH = '', ...rest } = process.env;
    // npm puts the programs of installed packages on PATH for its scripts, including anvil.
    const path = PATH.split(delimiter).filter((part) => !part.endsWith('.bin'));
    const port = String(await freePort());
    const own = { PATH: path.join(delimiter), PORT: port, NODE_ENV: 'development', SETTLERS: '' };
    const child = spawn(process.execPath, [join(folder, 'dist/demo/demo.js'), '--exit'], {
      env: { ...rest, ...own, ...registry.env, ...env },
    });
    let said = '';
    for (const stream of [child.stdout, child.stderr])
      stream.on('data', (part) => {
        said += part;
      });
    const status = await new Promise<number | null>((resolve) => child.once('close', resolve));
    return { status, said };
  }

  it('ends with one sentence that says what to do if there is no network', async () => {
    const { status, said } = await demo({
      npm_config_registry: 'http://127.0.0.1:9',
      npm_config_loglevel: 'silent',
    });
    expect(status).toBe(1);
    expect(said).toMatch(
      /^Downloading .*\nThe embedded chain needs anvil, .*\(ECONNREFUSED\): connect to the network once, or .*\.\n$/,
    );
  });

  it('fetches the chain once, and then sells', { timeout: 120_000 }, async () => {
    const first = await demo({});
    expect([first.status, first.said.slice(-200)]).toEqual([0, expect.stringContaining('All is well')]);
    expect(first.said).toContain(`Downloading the embedded chain (only once): ${wanted?.name}@1.7.1\n`);
    const second = await demo({});
    expect([second.status, second.said]).toEqual([0, expect.not.stringContaining('Fetching')]);
  });
});
