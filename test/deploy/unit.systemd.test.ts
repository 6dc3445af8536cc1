import { spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, describe, expect, it } from 'vitest';

const file = fileURLToPath(new URL('../../deploy/small-business-calculator.service', import.meta.url));
const program = process.env.SYSTEMD_PATH ?? 'systemd-analyze';
const version = spawnSync(program, ['--version'], { encoding: 'utf8' }).stdout ?? '';
// Earlier versions of systemd-analyze ask a running systemd and cannot read a file.
const isMissing = process.env.SKIP_SYSTEMD !== undefined || Number(/systemd (\d+)/.exec(version)?.[1]) < 250;

describe.skipIf(isMissing)('the unit for systemd', () => {
  const folder = mkdtempSync(join(tmpdir(), 'unit-'));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  it('has an exposure score of at most 1.4 out of 10', () => {
    const unit = join(folder, 'calc.service');
    cpSync(file, unit);
    const { stdout } = spawnSync(program, ['security', '--offline=true', '--no-pager', unit], {
      encoding: 'utf8',
    });
    const [, exposure] = /Overall exposure level for calc\.service: (\d+\.\d)/.exec(stdout) ?? [];
    expect(Number(exposure)).toBeLessThanOrEqual(1.4);
  });

  it('allows V8 to use memory protection keys, and Node.js to read its limits', () => {
    const unit = readFileSync(file, 'utf8');
    expect(unit).toContain('\nSystemCallFilter=@system-service @pkey\n');
    expect(unit).not.toMatch(/SystemCallFilter=~.*@resources/);
    expect(unit).toContain('\nRestartPreventExitStatus=78\n');
  });

  it('has a limit that prevents core dumps, which would contain keys and input', () => {
    const [, limit = 'unlimited'] = /^LimitCORE=(.*)$/m.exec(readFileSync(file, 'utf8')) ?? [];
    const cwd = mkdtempSync(join(folder, 'abort-'));
    const script = `ulimit -c ${limit} && exec '${process.execPath}' -e 'process.abort()'`;
    expect(spawnSync('sh', ['-c', script], { cwd }).signal).toBe('SIGABRT');
    expect([limit, readdirSync(cwd)]).toEqual(['0', []]);
  });
});
