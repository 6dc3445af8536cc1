import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import packageJson from '../../package.json' with { type: 'json' };
import { serverCard } from '../../src/surfaces/mcp/server-card.ts';
import { BASE_URL, testApp } from '../support/app.ts';

const guide = readFileSync(new URL('../../docs/listing.md', import.meta.url), 'utf8');

describe('docs/listing.md', () => {
  it('names only documents that are served', async () => {
    const app = testApp();
    const table = guide.slice(0, guide.indexOf('## Check first'));
    const paths = [...table.matchAll(/`(\/[^`]+)`/g)].map(([, path = '']) => path);
    expect(paths.length).toBeGreaterThan(12);
    for (const path of paths) expect((await app.get(path)).status, path).toBe(200);
  });

  it('names only commands that there are', () => {
    for (const [, command = ''] of guide.matchAll(/npm run ([\w:]+)/g))
      expect(packageJson.scripts).toHaveProperty([command]);
  });

  it('shows a server.json that agrees with the server card', () => {
    const shown = JSON.parse(/```json\n(.*?)```/s.exec(guide)?.[1] ?? '');
    const { name, title, version, description, remotes } = serverCard(BASE_URL);
    expect(shown).toMatchObject({ name, title, version, description });
    expect(shown.remotes[0].url).toBe(remotes[0]?.url);
  });
});
