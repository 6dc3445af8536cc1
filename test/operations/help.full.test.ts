import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';

const root = fileURLToPath(new URL('../..', import.meta.url));
const { scripts } = JSON.parse(readFileSync(`${root}package.json`, 'utf8')) as {
  scripts: Record<string, string>;
};

/** The scripts that no command runs, but that a document or their own first lines tell a reader to start. */
const documents = ['CONTRIBUTING.md', 'ARCHITECTURE.md'].map((path) =>
  readFileSync(`${root}${path}`, 'utf8'),
);
const heads = readdirSync(`${root}scripts`)
  .filter((file) => file.endsWith('.js'))
  .map((file) => readFileSync(`${root}scripts/${file}`, 'utf8').split('\nimport ')[0] ?? '');
const startedByName = new Set(
  [...documents, ...heads].flatMap((text) =>
    [...text.matchAll(/node (scripts\/[\w-]+\.js)/g)].map(([, file = '']) => file),
  ),
);
// A part of `npm run clients` that it starts in a process of its own.
startedByName.delete('scripts/client-case.js');

/** The programs behind the commands of package.json: the file and its constant arguments. */
const programs = new Map<string, readonly string[]>([
  ...[...startedByName].map((file) => [file, [file]] as const),
  ...Object.entries(scripts).flatMap(([name, command]) => {
    const [, file, words = ''] =
      /^(?:exec )?node (?:--\S+ )*((?:scripts|bench|dist)\/\S+\.js)((?: [a-z]+)*)$/.exec(
        command.split(' || ')[0] ?? '',
      ) ?? [];
    const isStep = /^(pre|post)/.test(name) && name.replace(/^(pre|post)/, '') in scripts;
    return file === undefined || isStep ? [] : [[name, [file, ...words.split(' ').filter(Boolean)]] as const];
  }),
]);

const run = (words: readonly string[]) =>
  spawnSync(process.execPath, [...words], { cwd: root, encoding: 'utf8', env: { PATH: process.env.PATH } });

describe('every command', () => {
  it('is one of the programs that are run here, or runs a compiler', () => {
    const others = Object.keys(scripts).filter((name) => !programs.has(name) && !/^(pre|post)/.test(name));
    expect(others).toEqual(['fix', 'test:full', 'client:build']);
  });

  it.each([...programs])('prints its usage with --help, and does nothing else: %s', (_name, words) => {
    const { status, stdout, stderr } = run([...words, '--help']);
    expect([status, stderr]).toEqual([0, '']);
    expect(stdout).toMatch(/^Usage: (npm|node) /);
  });

  it.each([...programs])('rejects an unknown option with one line: %s', (_name, words) => {
    const { status, stdout, stderr } = run([...words, '--no-such-option']);
    expect([status, stdout]).toEqual([64, '']);
    expect(stderr).toMatch(/^Unknown option '--no-such-option'\. --help lists the options\.\n$/);
  });
});
