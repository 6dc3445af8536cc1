// The built service for commands that act as callers: on a free port of this machine, until the command ends.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:net';

/** Real-money settings that cannot buy anything: nothing listens on the port of the discard protocol. */
export const REAL = {
  NODE_ENV: 'development',
  SETTLERS: 'local',
  RPC_URLS: 'http://127.0.0.1:9',
  RELAYER_KEY: `0x${'11'.repeat(32)}`,
  PAY_TO: '0x00000000000000000000000000000000000000aa',
};

export async function freePort() {
  const probe = createServer().listen(0, '127.0.0.1');
  await once(probe, 'listening');
  const { port } = probe.address();
  await new Promise((resolve) => probe.close(resolve));
  return port;
}

/** Starts the service with these settings, or with play money by default; returns its address. */
export const served = async (settings) => (await servedWithChain(settings)).url;

/** Like `served`, but also returns the address of the embedded chain. */
export async function servedWithChain(settings) {
  const port = await freePort();
  const service = spawn(process.execPath, ['dist/bin/main.js'], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { PATH: process.env.PATH, PORT: String(port), FREE_REQUESTS_PER_MINUTE: '100000', ...settings },
  });
  process.once('exit', () => service.kill('SIGKILL'));
  let log = '';
  await new Promise((resolve, reject) => {
    service.once('exit', (code) => reject(new Error(`The service ended with ${code}`)));
    service.stdout.on('data', (part) => {
      log += part;
      if (log.includes('"listening"')) resolve();
    });
  });
  const rpcUrl = /"embedded_chain".*"origin":"([^"]+)"/.exec(log)?.[1] ?? '';
  return { url: `http://127.0.0.1:${port}`, rpcUrl };
}
