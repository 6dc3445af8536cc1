import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import packageJson from '../../package.json' with { type: 'json' };
import { receiptSigner } from '../../src/payments/x402/receipt-signer.ts';
import { serverCard } from '../../src/surfaces/discovery/catalogs.ts';
import { BASE_URL, testApp } from '../support/app.ts';
import { scripts } from '../support/here.ts';

const guide = readFileSync(new URL('../../docs/listing.md', import.meta.url), 'utf8');

describe('docs/listing.md', () => {
  it('names only documents that are served', async () => {
    const app = testApp({
      receipts: await receiptSigner({ seed: Buffer.alloc(32, 7), retired: [], baseUrl: BASE_URL }),
    });
    const table = guide.slice(0, guide.indexOf('## Check first'));
    const paths = [...table.matchAll(/`(\/[^`]+)`/g)].map(([, path = '']) => path);
    expect(paths.length).toBeGreaterThan(12);
    for (const path of paths) {
      const { status, headers } = await app.get(path);
      const { status: last } = status === 301 ? await app.get(headers.get('location') ?? '') : { status };
      expect([path, last]).toEqual([path, 200]);
    }
  });

  it('names only commands that exist', () => {
    for (const [, command = ''] of guide.matchAll(/npm run ([\w:]+)/g))
      expect(packageJson.scripts).toHaveProperty([command]);
  });

  it.skipIf(scripts.areMissing)(scripts.named('makes a key and a DNS line for the MCP Registry'), () => {
    const folder = mkdtempSync(join(tmpdir(), 'registry-'));
    const [, commands = ''] = /```bash\n(openssl genpkey[^`]*?)```/.exec(guide) ?? [];
    const { stdout, stderr } = spawnSync('bash', ['-c', commands], { cwd: folder, encoding: 'utf8' });
    const [, toHex = ''] = /--private-key "\$\((.*)\)"/.exec(guide) ?? [];
    const seed = spawnSync('bash', ['-c', toHex], { cwd: folder, encoding: 'utf8' }).stdout;
    rmSync(folder, { recursive: true });
    const [, line = ''] =
      /^calc\.example\. TXT "v=MCPv1; k=ed25519; p=([A-Za-z0-9+/=]+)"$/.exec(stdout.trim()) ?? [];
    expect(Buffer.from(line, 'base64'), stderr).toHaveLength(32);
    expect(seed).toMatch(/^[0-9a-f]{64}$/);
  });

  it('shows a server.json that agrees with the server card', () => {
    const shown = JSON.parse(/```json\n(.*?)```/s.exec(guide)?.[1] ?? '');
    const { name, title, version, description, remotes } = serverCard(BASE_URL);
    expect(shown).toMatchObject({ name, title, version, description });
    expect(shown.remotes[0].url).toBe(remotes[0]?.url);
  });
});
