import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';

const root = fileURLToPath(new URL('../..', import.meta.url));
const { scripts } = JSON.parse(readFileSync(`${root}package.json`, 'utf8')) as {
  scripts: Record<string, string>;
};

/** The programs behind the commands of package.json: the file and its constant arguments. */
const programs = new Map(
  Object.entries(scripts).flatMap(([name, command]) => {
    const [, file, words = ''] =
      /^(?:exec )?node (?:--\S+ )*((?:scripts|bench|dist)\/\S+\.js)((?: [a-z]+)*)$/.exec(
        command.split(' || ')[0] ?? '',
      ) ?? [];
    const isStep = /^(pre|post)/.test(name) && name.replace(/^(pre|post)/, '') in scripts;
    return file === undefined || isStep ? [] : [[name, [file, ...words.split(' ').filter(Boolean)]] as const];
  }),
);

const run = (words: readonly string[]) =>
  spawnSync(process.execPath, [...words], { cwd: root, encoding: 'utf8', env: { PATH: process.env.PATH } });

describe('every command', () => {
  it('is one of the programs that are tried here, or runs a compiler', () => {
    const others = Object.keys(scripts).filter((name) => !programs.has(name) && !/^(pre|post)/.test(name));
    expect(others).toEqual(['fix', 'test:full', 'client:build']);
  });

  it.each([...programs])('prints its usage with --help, and does nothing else: %s', (_name, words) => {
    const { status, stdout, stderr } = run([...words, '--help']);
    expect([status, stderr]).toEqual([0, '']);
    expect(stdout).toMatch(/^Usage: (npm|node) /);
  });

  // The test command passes its options on to vitest.
  it.each([...programs].filter(([name]) => name !== 'test'))(
    'rejects an unknown option with one line: %s',
    (_name, words) => {
      const { status, stdout, stderr } = run([...words, '--no-such-option']);
      expect([status, stdout]).toEqual([64, '']);
      expect(stderr).toMatch(/^Unknown option '--no-such-option'\. --help lists the options\.\n$/);
    },
  );
});
