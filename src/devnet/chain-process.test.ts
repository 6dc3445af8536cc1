import type { AddressInfo } from 'node:net';
import { createServer } from 'node:net';
import { expect, test } from 'vitest';
import { findAnvil, runAnvil } from './chain-process.ts';

test('a crash of anvil is reported, not ignored', async () => {
  const anvil = await runAnvil(0);
  process.kill(anvil.pid, 'SIGABRT');
  expect(await anvil.closed).toEqual({ crashed: true, detail: 'ended by SIGABRT' });
});

test('a requested stop is no crash, and a second stop is harmless', async () => {
  const anvil = await runAnvil(0);
  await anvil.stop();
  await anvil.stop();
  expect((await anvil.closed).crashed).toBe(false);
});

test('a taken port is an error that says so', async () => {
  const other = createServer();
  await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve));
  const { port } = other.address() as AddressInfo;
  await expect(runAnvil(port)).rejects.toThrow(/anvil did not start: .*in use/is);
  await new Promise((resolve) => other.close(resolve));
});

test('anvil is the packaged one, else ANVIL_PATH, else the one on PATH', () => {
  const shell = '/bin/sh';
  expect(findAnvil({ ANVIL_PATH: '/bin/cat' }, [shell])).toBe(shell);
  expect(findAnvil({ ANVIL_PATH: shell, PATH: '/nowhere' }, [])).toBe(shell);
  expect(findAnvil({ ANVIL_PATH: '/nowhere/anvil', PATH: '/nowhere' }, [shell])).toBe(shell);
});

test('without anvil the error says what to install and where to name it', () => {
  expect(() => findAnvil({ PATH: '/nowhere' }, [])).toThrow(
    /--include=optional.*@foundry-rs\/anvil-linux-amd64.*Foundry.*ANVIL_PATH\.$/,
  );
  expect(() => findAnvil({ ANVIL_PATH: '/nowhere/anvil', PATH: '' }, [])).toThrow(
    'ANVIL_PATH is set, but there is no program at /nowhere/anvil',
  );
});
