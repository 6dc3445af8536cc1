// The built service for what looks at its pages: on a free port, until this program ends.
import { spawn } from 'node:child_process';
import { createServer } from 'node:net';

/** Settings of real money that nothing can be bought with: nothing listens on the port of the discard protocol. */
export const REAL = {
  SETTLERS: 'local',
  RPC_URLS: 'http://127.0.0.1:9',
  RELAYER_KEY: `0x${'11'.repeat(32)}`,
  PAY_TO: '0x00000000000000000000000000000000000000aa',
};

const freePort = () =>
  new Promise((resolve) => {
    const probe = createServer().listen(0, '127.0.0.1', () => {
      const { port } = probe.address();
      probe.close(() => resolve(port));
    });
  });

/** Starts the service with these settings, and with play money where there are none; returns its address. */
export async function served(settings) {
  const port = await freePort();
  const service = spawn(process.execPath, ['dist/bin/main.js'], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { PATH: process.env.PATH, PORT: String(port), FREE_REQUESTS_PER_MINUTE: '100000', ...settings },
  });
  process.once('exit', () => service.kill('SIGKILL'));
  await new Promise((resolve, reject) => {
    service.once('exit', (code) => reject(new Error(`The service ended with ${code}`)));
    service.stdout.on('data', (part) => part.toString().includes('"listening"') && resolve());
  });
  return `http://127.0.0.1:${port}`;
}
