import { connect, type Socket } from 'node:net';
import { expect, it } from 'vitest';
import { procFiles } from '../support/here.ts';
import { freePort } from '../support/listening.ts';
import { UNSETTLED } from '../support/unsettled.ts';
import { bytesOf, listens, processes } from './process.ts';

const start = processes();

/* All at once: every kind of request, and callers that disconnect, send a byte at a time, never read, or only stay connected. MIXED_ROUNDS=1000 makes the test long. */

/** The number of times that each caller makes each kind of request. */
const ROUNDS = Number(process.env.MIXED_ROUNDS ?? 10);
const CALLERS = 12;
const SLOW = 40;
const IDLE = 60;
const SETTINGS = {
  ...UNSETTLED,
  FREE_REQUESTS_PER_MINUTE: '1000000',
};
// This is the limit in docs/deploy.md for a thousand slow clients; there are fewer here.
const MOST_BYTES = 410_000_000;

type Kind = { readonly path: string; readonly status: number; readonly init?: RequestInit };

const FEE = '/v1/late-fee?amount=1250&due_date=2026-09-01&paid_date=2026-11-21&rate=1.5';
const items = Array.from({ length: 20 }, (_, line) => ({ description: `Line ${line}`, unit_price: 12.5 }));
const posted = (body: unknown, headers = {}): RequestInit => ({
  method: 'POST',
  headers: { 'content-type': 'application/json', ...headers },
  body: JSON.stringify(body),
});
const mcp = (method: string, params: unknown): RequestInit =>
  posted({ jsonrpc: '2.0', id: 1, method, params }, { accept: 'application/json, text/event-stream' });
const KINDS: readonly Kind[] = [
  { path: FEE, status: 200 },
  { path: FEE, status: 200, init: { method: 'HEAD' } },
  { path: '/v1/quote', status: 200, init: posted({ items }) },
  { path: '/v1/quote', status: 400, init: posted({ items: [{ unit_price: 'none' }] }) },
  { path: '/v1/quote', status: 400, init: { ...posted(null), body: '{"items":[' } },
  { path: '/v1/late-fee?amount=x', status: 400 },
  { path: '/v1/late-fee-notice?amount=1250&due_date=2026-09-01&paid_date=2026-11-21', status: 402 },
  { path: '/v1/tools', status: 200 },
  { path: '/openapi.json', status: 200 },
  { path: '/', status: 200, init: { headers: { accept: 'text/html' } } },
  { path: '/quote?items.unit_price=5', status: 200 },
  { path: '/nowhere', status: 404 },
  { path: FEE, status: 405, init: { method: 'DELETE' } },
  { path: '/mcp', status: 200, init: mcp('tools/list', {}) },
  { path: '/mcp', status: 200, init: mcp('tools/call', { name: 'late_fee', arguments: {} }) },
];

const megabytes = (bytes: number): number => Math.round(bytes / 1_000_000);
it.skipIf(procFiles.areMissing)(
  procFiles.named('all kinds of requests and callers at once are answered correctly, in bounded memory'),
  { timeout: 60_000 + ROUNDS * 10_000 },
  async () => {
    const service = start({ ...SETTINGS, PORT: String(await freePort()) });
    await listens(service);
    const sockets = strangers(Number(new URL(service.url).port));
    const odd: string[] = [];
    let answers = 0;
    let hungUp = 0;
    let mostBytes = 0;

    /** Makes one kind of request after another, beginning with its own kind. Every tenth time, it disconnects. */
    async function caller(first: number): Promise<void> {
      for (let turn = first; turn < first + ROUNDS * KINDS.length; turn += 1) {
        const { path, status, init } = KINDS[turn % KINDS.length] as Kind;
        const hangsUp = turn % 10 === 0;
        const signal = hangsUp ? AbortSignal.timeout(turn % 5) : null;
        const answered = await fetch(service.url + path, { ...init, signal }).catch(() => null);
        await answered?.arrayBuffer().catch(() => null);
        if (answered !== null && answered.status === status) answers += 1;
        else if (hangsUp && answered === null) hungUp += 1;
        else odd.push(`${answered?.status ?? 'no answer'} of ${path}`);
      }
    }

    const watching = setInterval(() => {
      mostBytes = Math.max(mostBytes, bytesOf(service));
    }, 50);
    await Promise.all(Array.from({ length: CALLERS }, (_, first) => caller(first * 4)));
    clearInterval(watching);
    if (process.env.MIXED_ROUNDS) console.log(`${answers} answers, ${megabytes(mostBytes)} MB`);
    expect(odd).toEqual([]);
    expect(answers + hungUp).toBe(CALLERS * ROUNDS * KINDS.length);
    expect(service.logged('fault')).toEqual([]);
    expect(mostBytes).toBeLessThan(MOST_BYTES);
    for (const socket of sockets) socket.destroy();
    service.child.kill('SIGTERM');
    expect(await service.ended).toBe(0);
  },
);

/** Callers that send a byte at a time, never read, or send nothing. */
function strangers(port: number): readonly Socket[] {
  return Array.from({ length: SLOW + IDLE }, (_, index) => {
    const socket = connect(port, '127.0.0.1');
    socket.on('error', () => undefined);
    if (index >= SLOW) return socket;
    if (index % 2 === 0) {
      socket.pause();
      socket.write('GET /openapi.json HTTP/1.1\r\nHost: x\r\n\r\n'.repeat(4));
      return socket;
    }
    const text = `GET ${FEE} HTTP/1.1\r\nHost: x\r\nX-Slow: `;
    let sent = 0;
    const byte = setInterval(() => socket.write(text[sent++] ?? 'a'), 100);
    socket.once('close', () => clearInterval(byte));
    return socket;
  });
}
