import { Agent, get as httpGet } from 'node:http';
import { connect, type Socket } from 'node:net';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { until } from '../../test/support/until.ts';
import { type HttpServer, serve } from './http-server.ts';

const MOST = 4;
const SLOW_BODY = 'POST /body HTTP/1.1\r\nHost: x\r\nContent-Length: 9\r\n\r\na';
const HELD = 'GET /held HTTP/1.1\r\nHost: x\r\n\r\n';

let server: HttpServer;
let begun: number;
let release: () => void;
/** The address that the next connection is counted under. */
let peer: string | null;
let sockets: Socket[];

beforeEach(async () => {
  begun = 0;
  sockets = [];
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  server = await serve(
    async ({ method, url }, response) => {
      begun += 1;
      if (method === 'POST') return;
      if (url === '/held') await held;
      response.end('whole');
    },
    { port: 0, host: '127.0.0.1', unreadable: () => '', maxConnections: MOST, peerOf: () => peer },
  );
});
afterEach(() => {
  release();
  server.close();
  for (const socket of sockets) socket.destroy();
});

/** Sends bytes from an address, and resolves once the service has started to process them. */
async function hold(address: string | null, bytes: string): Promise<Socket> {
  const before = begun;
  peer = address;
  const socket = connect(Number(new URL(server.url).port), '127.0.0.1');
  socket.on('error', () => undefined);
  sockets.push(socket);
  socket.write(bytes);
  await until(() => begun > before, 'a request is begun');
  return socket;
}

/** Returns the status of an answer, or how the connection ended. */
function ask(address: string | null, agent: Agent | false = false): Promise<string> {
  peer = address;
  return new Promise((resolve) => {
    httpGet(server.url, { agent }, (incoming) =>
      incoming.resume().on('end', () => resolve(String(incoming.statusCode))),
    ).on('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? ''));
  });
}

const closed = (all: readonly Socket[]) => all.map((socket) => socket.closed);

it('idle connections are closed to make room for a new one', async () => {
  const agent = new Agent({ keepAlive: true });
  const one = () => ask('a', agent);
  expect(await Promise.all([one(), one(), one(), one()])).toEqual(['200', '200', '200', '200']);
  expect(await ask('a')).toBe('200');
  agent.destroy();
});

it('a new connection replaces the oldest slow body of the address that has the most connections', async () => {
  const other = await hold('b', SLOW_BODY);
  const slow = [await hold('a', SLOW_BODY), await hold('a', SLOW_BODY), await hold('a', SLOW_BODY)];
  expect(await ask('c')).toBe('200');
  await until(() => slow[0]?.closed === true, 'the oldest connection is closed');
  expect(closed([...slow, other])).toEqual([true, false, false, false]);
});

it('an address that already has its share of connections replaces none', async () => {
  const slow = [];
  for (const address of ['a', 'a', 'b', 'b']) slow.push(await hold(address, SLOW_BODY));
  expect(await ask('a')).toBe('ECONNRESET');
  expect(await ask('b')).toBe('ECONNRESET');
  expect(closed(slow)).toEqual([false, false, false, false]);
});

it('a complete request keeps its connection while its address has slow ones', async () => {
  const working = await hold('a', HELD);
  const slow = [await hold('a', SLOW_BODY), await hold('a', SLOW_BODY), await hold('a', SLOW_BODY)];
  expect(await ask('b')).toBe('200');
  await until(() => slow[0]?.closed === true, 'the oldest slow body is closed');
  expect(closed([working, ...slow])).toEqual([false, true, false, false]);
});

it('a trusted proxy has no share: it loses no connection, and gets a new one while any address has several', async () => {
  const ours = [await hold(null, SLOW_BODY), await hold(null, SLOW_BODY)];
  const slow = [await hold('a', SLOW_BODY), await hold('a', SLOW_BODY)];
  expect(await ask('b')).toBe('200');
  await until(() => slow[0]?.closed === true, 'the oldest connection is closed');
  await hold('a', SLOW_BODY);
  expect(await ask(null)).toBe('200');
  expect(closed(ours)).toEqual([false, false]);
});

it('a new connection is closed if all connections are taken and no address has two', async () => {
  for (const address of ['a', 'b', 'c', 'd']) await hold(address, SLOW_BODY);
  expect(await ask('e')).toBe('ECONNRESET');
});
