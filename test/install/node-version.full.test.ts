import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';

const root = fileURLToPath(new URL('../..', import.meta.url));

/** The exit of a program on Node.js with this version. */
function endOn(version: string, program: string): { status: number | null; stdout: string; stderr: string } {
  const claim = `data:text/javascript,Object.defineProperty(process.versions,'node',{value:'${version}'})`;
  const { status, stdout, stderr } = spawnSync(process.execPath, ['--import', claim, `${root}${program}`], {
    encoding: 'utf8',
    // A program that passes the version check stops at its settings.
    env: { PATH: process.env.PATH, PORT: 'x' },
  });
  return { status, stdout, stderr };
}

describe.each([
  'scripts/build.js',
  'scripts/test.js',
  'scripts/check.js',
  'scripts/soak.js',
  'scripts/attacks.js',
  'scripts/tool.js',
  'scripts/complete-lock.js',
  'bench/run.js',
  'dist/bin/main.js',
  'dist/bin/doctor.js',
  'dist/demo/demo.js',
  'dist/demo/buy.js',
])('the program %s', (program) => {
  it.each(['20.18.3', '18.20.8'])('exits with one sentence on Node.js %s', (version) => {
    expect(endOn(version, program)).toEqual({
      status: 1,
      stdout: '',
      stderr: `Node.js ${version} is too old: this needs 20.19 or newer, and 26 is recommended (https://nodejs.org).\n`,
    });
  });
});

it.each(['20.19.0', '22.12.0', '24.0.0', '26.10.0', '30.0.0'])('Node.js %s is not too old', (version) => {
  expect(endOn(version, 'dist/bin/main.js').status).toBe(78);
});

it('the engines field names the accepted versions', () => {
  const { engines } = JSON.parse(readFileSync(`${root}package.json`, 'utf8')) as { engines: object };
  expect(engines).toEqual({ node: '^20.19.0 || ^22.12.0 || >=24.0.0' });
});
