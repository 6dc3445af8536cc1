import type { AddressInfo } from 'node:net';
import { createServer } from 'node:net';
import { expect, test } from 'vitest';
import { StartFault } from '../start-fault.ts';
import { runAnvil } from './chain-process.ts';

const onWindows = process.platform === 'win32';

test.skipIf(onWindows)('a crash of anvil is reported, not ignored', async () => {
  const anvil = await runAnvil(0);
  process.kill(anvil.pid, 'SIGABRT');
  expect(await anvil.closed).toEqual({ crashed: true, detail: 'ended by SIGABRT' });
});

test.skipIf(onWindows)('without a shell, what keeps anvil takes it along when told to end', async () => {
  const anvil = await runAnvil(0, null);
  process.kill(anvil.pid, 'SIGTERM');
  expect(await anvil.closed).toMatchObject({ crashed: true });
});

// Undefined: the shell where there is one.
test.each([undefined, null])(
  'a requested stop is no crash, and a second one is harmless (shell %s)',
  async (shell) => {
    const anvil = await runAnvil(0, shell);
    await anvil.stop();
    await anvil.stop();
    expect((await anvil.closed).crashed).toBe(false);
  },
);

test.each([undefined, null])('a port in use is one sentence with the remedy (shell %s)', async (shell) => {
  const other = createServer();
  await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve));
  const { port } = other.address() as AddressInfo;
  await expect(runAnvil(port, shell)).rejects.toThrow(
    new StartFault(
      `Port ${port} of 127.0.0.1 is in use: end what listens there, or set EMBEDDED_CHAIN_PORT to another one.`,
    ),
  );
  await new Promise((resolve) => other.close(resolve));
});
