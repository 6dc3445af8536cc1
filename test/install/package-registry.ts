import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { opened, stopped } from '../support/listening.ts';

/** A package as its author creates it; `folder` is packed unchanged, `files` are written into a new one. */
export type MadeUp = {
  readonly name: string;
  readonly version: string;
  readonly files?: Readonly<Record<string, string>>;
  readonly folder?: string;
};

export type PackageRegistry = {
  /** The settings that make npm use only this registry. */
  readonly env: Readonly<Record<string, string>>;
  /** The requested paths. */
  readonly asked: string[];
  stop(): Promise<void>;
};

function layOut({ name, version, files = {} }: MadeUp, place: string): void {
  const all = { 'package.json': JSON.stringify({ name, version }), ...files };
  for (const [path, text] of Object.entries(all)) {
    mkdirSync(dirname(join(place, path)), { recursive: true });
    writeFileSync(join(place, path), text, { mode: 0o755 });
  }
}

function pack(madeUp: MadeUp, scratch: string): Buffer {
  const place = mkdtempSync(join(scratch, 'packing-'));
  if (madeUp.folder === undefined) layOut(madeUp, join(place, 'package'));
  const [around, inner] = madeUp.folder
    ? [dirname(madeUp.folder), madeUp.folder.split(/[\\/]/).at(-1) ?? '']
    : [place, 'package'];
  // tar receives no path, because some versions read the text before a colon as the name of another machine.
  const { status, stdout, stderr } = spawnSync('tar', ['-cf', '-', inner], {
    cwd: around,
    maxBuffer: 2 ** 29,
  });
  if (status !== 0) throw new Error(`tar: ${stderr}`);
  return stdout;
}

/** A registry of made-up packages on 127.0.0.1, with an empty npm cache. */
export async function startPackageRegistry(packages: readonly MadeUp[]): Promise<PackageRegistry> {
  const scratch = mkdtempSync(join(tmpdir(), 'registry-'));
  const packed = new Map(packages.map((one) => [one.name, { ...one, bytes: pack(one, scratch) }]));
  const asked: string[] = [];
  const server = createServer((request, response) => {
    const [path = '', isTarball] = decodeURIComponent((request.url ?? '').slice(1)).split('/-/');
    asked.push(isTarball === undefined ? path : `${path}/-/${isTarball}`);
    const found = packed.get(path);
    if (found === undefined) return void response.writeHead(404).end('{}');
    if (isTarball !== undefined) return void response.end(found.bytes);
    const { name, version, bytes } = found;
    const integrity = `sha512-${createHash('sha512').update(bytes).digest('base64')}`;
    const dist = { integrity, tarball: `${url}/${name}/-/made-${version}.tgz` };
    const versions = { [version]: { name, version, dist } };
    response.end(JSON.stringify({ name, 'dist-tags': { latest: version }, versions }));
  });
  const url = await opened(server);
  return {
    env: {
      npm_config_registry: url,
      npm_config_cache: join(scratch, 'cache'),
      npm_config_userconfig: join(scratch, 'npmrc'),
    },
    asked,
    async stop() {
      await stopped(server);
      rmSync(scratch, { recursive: true, force: true });
    },
  };
}
