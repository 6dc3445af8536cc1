import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, test, vi } from 'vitest';
import { signals } from '../../test/support/here.ts';
import { StartFault } from '../platform/start-fault.ts';
import { runAnvil } from './anvil.ts';

afterEach(() => {
  vi.unstubAllEnvs();
});

test.skipIf(signals.areMissing)(signals.named('a crash of anvil is reported, not ignored'), async () => {
  const anvil = await runAnvil();
  process.kill(anvil.pid, 'SIGABRT');
  expect(await anvil.closed).toEqual({ crashed: true, detail: 'ended by SIGABRT' });
});

test.skipIf(signals.areMissing)(
  signals.named('without a shell, the process that runs anvil stops anvil when told to stop'),
  async () => {
    const anvil = await runAnvil(null);
    process.kill(anvil.pid, 'SIGTERM');
    expect(await anvil.closed).toMatchObject({ crashed: true });
  },
);

// `undefined` means that the machine's shell is used, if there is one.
test.each([undefined, null])(
  'a requested stop does not count as a crash, and a second stop is harmless (shell %s)',
  async (shell) => {
    const anvil = await runAnvil(shell);
    await anvil.stop();
    await anvil.stop();
    expect((await anvil.closed).crashed).toBe(false);
  },
);

test.each([undefined, null])(
  'a program that does not run on this machine is reported in one sentence with the fix (shell %s)',
  async (shell) => {
    const folder = mkdtempSync(join(tmpdir(), 'no-anvil-'));
    try {
      const file = join(folder, 'anvil');
      // A program built for another C library, whose interpreter is missing.
      writeFileSync(file, '#!/nowhere/ld-musl.so\n');
      chmodSync(file, 0o755);
      vi.stubEnv('ANVIL_PATH', file);
      const fault = await runAnvil(shell).then(
        () => null,
        (error: Error) => error,
      );
      expect(fault).toBeInstanceOf(StartFault);
      expect(
        fault?.message.startsWith(`The embedded chain needs anvil, and ${file} does not run here (`),
      ).toBe(true);
      expect(fault?.message).toMatch(/\): install Foundry and put anvil on PATH or name it in ANVIL_PATH\.$/);
      expect(fault?.message).not.toMatch(/\n/);
    } finally {
      rmSync(folder, { recursive: true });
    }
  },
);
