import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { freePort } from '../scripts/served.js';

const preload = new URL('./report-usage.js', import.meta.url).href;
const ourMain = new URL('../dist/bin/main.js', import.meta.url);
const bundleMain = new URL('../dist/bundle/dist/bin/main.js', import.meta.url);
const BOOT_LIMIT_MS = 20_000;

const firstOrigin = (child) =>
  new Promise((resolve, reject) => {
    let complaints = '';
    child.stderr.setEncoding('utf8').on('data', (text) => {
      complaints = (complaints + text).slice(-2_000);
    });
    const timer = setTimeout(() => reject(new Error('A server did not listen in time')), BOOT_LIMIT_MS);
    child.once('exit', (code) => reject(new Error(`A server ended with status ${code}: ${complaints}`)));
    createInterface({ input: child.stdout }).on('line', (line) => {
      const { event, origin } = line.startsWith('{') ? JSON.parse(line) : {};
      if (event !== 'listening') return;
      clearTimeout(timer);
      resolve(origin);
    });
  });

/**
 * Starts a server in a separate process and waits until it listens; `bootMs` is the time from the spawn.
 * @param {URL} file a module that prints a JSON line with `event: "listening"` and its `origin`
 * @param {Record<string, string>} env
 * @param {readonly string[]} [flags] of Node.js
 */
export async function startServer(file, env, flags = []) {
  const startedMs = performance.now();
  const child = spawn(process.execPath, [...flags, '--import', preload, fileURLToPath(file)], {
    // Without the caller's settings and secrets.
    env: { PATH: process.env.PATH, HOME: process.env.HOME, ...env },
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  });
  const stop = async () => {
    if (child.exitCode !== null || child.signalCode !== null) return;
    child.kill('SIGKILL');
    await once(child, 'exit');
  };
  try {
    const origin = await firstOrigin(child);
    const bootMs = performance.now() - startedMs;
    const ask = async (question) => {
      child.send(question);
      const [{ answer }] = await once(child, 'message');
      return answer;
    };
    const cpuMicroseconds = () => ask('cpu');
    const residentBytes = () => ask('residentBytes');
    const liveBytes = () => ask('liveBytes');
    const uptimeMicroseconds = async () => (performance.now() - startedMs) * 1_000;
    /** Lets the process end by itself. */
    const end = async () => {
      child.kill('SIGTERM');
      await once(child, 'exit');
    };
    return {
      origin,
      bootMs,
      cpuMicroseconds,
      residentBytes,
      liveBytes,
      uptimeMicroseconds,
      end,
      stop,
    };
  } catch (error) {
    await stop();
    throw error;
  }
}

const EMPTY_KEY = `0x${'5a'.repeat(32)}`;
const SOMEBODY = '0x00000000000000000000000000000000000000aa';

/**
 * Our service as an operator runs it. Without `rpcUrl` it settles nowhere: nothing listens at that address.
 * @param {{ rpcUrl?: string, relayerKey?: string, flags?: readonly string[] }} [options]
 */
export async function startOurs({
  rpcUrl = 'http://127.0.0.1:1',
  relayerKey = EMPTY_KEY,
  flags = [],
  main = ourMain,
} = {}) {
  const env = {
    PORT: String(await freePort()),
    NODE_ENV: 'development',
    SETTLERS: 'local',
    RPC_URLS: rpcUrl,
    RELAYER_KEY: relayerKey,
    PAY_TO: SOMEBODY,
    FREE_REQUESTS_PER_MINUTE: '1000000',
  };
  return startServer(main, env, flags);
}

/** Starts our service as packaged in the image. */
export const startOursBundled = () => startOurs({ main: bundleMain });

/** Our service with its embedded chain. */
export async function startOursEmbedded() {
  return startServer(ourMain, { PORT: String(await freePort()) });
}

/** The official middleware; the options are those of our service. */
export async function startOfficial({ rpcUrl = 'http://127.0.0.1:1', relayerKey = EMPTY_KEY } = {}) {
  const env = { RPC_URL: rpcUrl, RELAYER_KEY: relayerKey, PAY_TO: SOMEBODY };
  return startServer(new URL('./peers/official-server.js', import.meta.url), env);
}

const peers = {
  bare: new URL('./peers/bare-server.js', import.meta.url),
  working: new URL('./peers/working-server.js', import.meta.url),
  fastify: new URL('./peers/fastify-server.js', import.meta.url),
  express: new URL('./peers/express-server.js', import.meta.url),
  floor: new URL('./peers/floor-server.js', import.meta.url),
  'official-express': new URL('./peers/official-express-server.js', import.meta.url),
};

/** One of the peers. @param {keyof typeof peers} name @param {Record<string, string>} [env] */
export const startPeer = (name, env = {}) => startServer(peers[name], env);

/** The official middleware of Express. */
export const startOfficialExpress = () =>
  startPeer('official-express', { RPC_URL: 'http://127.0.0.1:1', RELAYER_KEY: EMPTY_KEY, PAY_TO: SOMEBODY });
