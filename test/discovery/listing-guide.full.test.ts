import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { scripts } from '../support/here.ts';

const guide = readFileSync(new URL('../../docs/listing.md', import.meta.url), 'utf8');

describe('docs/listing.md', () => {
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
});
