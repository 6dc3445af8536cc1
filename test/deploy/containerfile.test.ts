import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { toolNames } from '../../scripts/tool.js';

const root = fileURLToPath(new URL('../..', import.meta.url));
const instructions = readFileSync(join(root, 'deploy/Containerfile'), 'utf8').split('\n');

/** Files that it copies from the checkout, not from an earlier stage. */
const copied = instructions
  .filter((line) => /^COPY (?!--from)/.test(line))
  .flatMap((line) => line.split(/\s+/).slice(1, -1));

describe('deploy/Containerfile', () => {
  it('copies only files that exist', () => {
    expect(copied).toContain('src');
    expect(copied.filter((path) => !existsSync(join(root, path)))).toEqual([]);
  });

  it('runs scripts and fetches tools that exist', () => {
    const started = instructions.flatMap((line) => [...line.matchAll(/\bnode (scripts\/\S+)(?: (\S+))?/g)]);
    expect(started.filter(([, script = '']) => !existsSync(join(root, script)))).toEqual([]);
    const fetched = started.flatMap(([, script, name]) => (script === 'scripts/tool.js' ? [name] : []));
    expect(fetched.filter((name) => !toolNames().includes(name ?? ''))).toEqual([]);
  });

  it('is built only from files that exist', () => {
    const [first, ...kept] = readFileSync(join(root, '.dockerignore'), 'utf8').trim().split('\n');
    expect(first).toBe('*');
    const here = readdirSync(root);
    const given = kept.flatMap((line) => {
      const pattern = line.replace(/^!/, '').replaceAll('.', '\\.').replaceAll('*', '.*');
      const found = here.filter((name) => new RegExp(`^${pattern}$`).test(name));
      expect(found, line).not.toEqual([]);
      return found;
    });
    expect(copied.filter((path) => !given.includes(path))).toEqual([]);
  });
});
