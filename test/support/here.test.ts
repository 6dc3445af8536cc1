import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';

const root = fileURLToPath(new URL('../..', import.meta.url));

const testFiles = ['test', 'src']
  .flatMap((folder) =>
    (readdirSync(join(root, folder), { recursive: true }) as string[]).map((file) => join(folder, file)),
  )
  .map((file) => file.replaceAll('\\', '/'))
  .filter((file) => /^test\/.*\.ts$|\.test\.tsx?$/.test(file));

// The files of that folder have one suite, which requires them. Programs that control Redis, nginx or Prometheus do not
// run on Windows.
const GUARDED =
  /^test\/attacks\/|\.(redis|nginx|prometheus)\.test\.ts$|^test\/(?:operations\/nginx|metrics\/prometheus|deploy\/caddy)\.ts$/;

/** Features that some systems lack, as tests name them, with the fact that says whether they are available. */
const needs: readonly [what: string, pattern: RegExp, fact: string][] = [
  ['files of /proc', /`\/proc\/|'\/proc\//, 'procFiles'],
  [
    'more addresses than 127.0.0.1',
    /(?:from|call\(|localAddress:?)\W{1,5}'127\.\d+\.\d+\.(?!1')\d+'/,
    'callers',
  ],
  ['a signal that is heard', /\.kill\((?:-[^,]+, )?'SIG(?:TERM|INT|HUP|USR\d|ABRT)'/, 'signals|procFiles'],
  ['a signal to a group', /process\.kill\(-/, 'signals'],
];

describe('a program or feature that some systems lack', () => {
  it.each(needs)('is checked before a test uses %s', (_what, pattern, fact) => {
    const users = testFiles.filter((file) => pattern.test(readFileSync(join(root, file), 'utf8')));
    const isAsked = (file: string) =>
      new RegExp(`import \\{[^}]*\\b(${fact})\\b[^}]*\\} from '[./a-z]*/here\\.ts'`).test(
        readFileSync(join(root, file), 'utf8'),
      );
    expect(users.length).toBeGreaterThan(0);
    const own = ['test/support/here.ts', 'test/support/here.test.ts'];
    expect(users.filter((file) => !own.includes(file) && !GUARDED.test(file) && !isAsked(file))).toEqual([]);
  });

  it('makes no test skip without a reason in its name', () => {
    const silent = testFiles.filter((file) =>
      /skipIf\(process\.|skipIf\(on[A-Z]/.test(readFileSync(join(root, file), 'utf8')),
    );
    expect(silent.filter((file) => file !== 'test/support/here.test.ts')).toEqual([]);
  });

  it('is checked by the suite of all attacks', () => {
    const suite = readFileSync(join(root, 'test/attacks/attacks.redis.test.ts'), 'utf8');
    for (const fact of ['procFiles', 'callers']) expect(suite).toContain(`${fact}.areMissing`);
  });
});
