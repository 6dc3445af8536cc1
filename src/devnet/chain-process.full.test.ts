import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, test, vi } from 'vitest';
import { scripts, signals } from '../../test/support/here.ts';
import { StartFault } from '../platform/start-fault.ts';
import { runAnvil } from './chain-process.ts';

afterEach(() => {
  vi.unstubAllEnvs();
});

test.skipIf(signals.areMissing)(signals.named('a crash of anvil is reported, not ignored'), async () => {
  const anvil = await runAnvil(0);
  process.kill(anvil.pid, 'SIGABRT');
  expect(await anvil.closed).toEqual({ crashed: true, detail: 'ended by SIGABRT' });
});

test.skipIf(signals.areMissing)(
  signals.named('without a shell, the process that runs anvil stops anvil when told to stop'),
  async () => {
    const anvil = await runAnvil(0, null);
    process.kill(anvil.pid, 'SIGTERM');
    expect(await anvil.closed).toMatchObject({ crashed: true });
  },
);

// `undefined` means that the machine's shell is used, if there is one.
test.each([undefined, null])(
  'a requested stop does not count as a crash, and a second stop is harmless (shell %s)',
  async (shell) => {
    const anvil = await runAnvil(0, shell);
    await anvil.stop();
    await anvil.stop();
    expect((await anvil.closed).crashed).toBe(false);
  },
);

test.each([undefined, null])(
  'a port in use is reported in one sentence with the fix (shell %s)',
  async (shell) => {
    const other = createServer();
    await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve));
    const { port } = other.address() as AddressInfo;
    await expect(runAnvil(port, shell)).rejects.toThrow(
      new StartFault(
        `Port ${port} of 127.0.0.1 is in use: stop the program that uses it, or start the chain on another port.`,
      ),
    );
    await new Promise((resolve) => other.close(resolve));
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
      const fault = await runAnvil(0, shell).then(
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

test.skipIf(scripts.areMissing).each([undefined, null])(
  scripts.named('a port that this user may not open is reported in one sentence (shell %s)'),
  async (shell) => {
    const folder = mkdtempSync(join(tmpdir(), 'refused-'));
    try {
      const file = join(folder, 'anvil');
      writeFileSync(file, "#!/bin/sh\necho 'Error: Permission denied (os error 13)' >&2\nexit 1\n");
      chmodSync(file, 0o755);
      vi.stubEnv('ANVIL_PATH', file);
      await expect(runAnvil(80, shell)).rejects.toThrow(
        new StartFault(
          'This user may not listen on port 80 of 127.0.0.1: start the chain on a port above 1023.',
        ),
      );
    } finally {
      rmSync(folder, { recursive: true });
    }
  },
);
