import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fetchTool } from '../../../scripts/tool.js';
import { freePort } from '../listening.ts';

export type Prism = { readonly url: string; stop(): Promise<void> };

/**
 * Prism as a proxy in front of `upstream`: it forwards everything and reports violations of the document in a header.
 */
export async function startPrism(document: unknown, upstream: string): Promise<Prism> {
  const command = join(fetchTool('openapi'), 'node_modules/@stoplight/prism-cli/dist/index.js');
  const folder = mkdtempSync(join(tmpdir(), 'prism-'));
  const file = join(folder, 'openapi.json');
  writeFileSync(file, JSON.stringify(document));
  const port = String(await freePort());
  const options = ['-h', '127.0.0.1', '-p', port, '--cors', 'false', '--validate-request', 'false'];
  const child = spawn(process.execPath, [command, 'proxy', file, upstream, ...options], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const exited = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  await new Promise<void>((resolve, reject) => {
    let said = '';
    child.once('exit', (code) => reject(new Error(`prism ended with ${code}: ${said}`)));
    child.stdout.on('data', (part: Buffer) => {
      // The log must be read, because a full pipe would block the proxy, but it is not kept.
      if (said.length < 10_000) said += part.toString();
      if (said.includes('Prism is listening')) resolve();
    });
  });
  const stop = async () => {
    child.kill();
    await exited;
    rmSync(folder, { recursive: true, force: true });
  };
  return { url: `http://127.0.0.1:${port}`, stop };
}
