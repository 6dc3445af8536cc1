import { Agent, type IncomingHttpHeaders, request } from 'node:http';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import type { Order } from '../../src/payments/settlement.ts';
import { serve } from '../../src/platform/http-server.ts';
import { type Ending, testApp } from '../support/app.ts';
import type { Asked } from './asked.ts';

// Headers that depend on the connection, the clock or chance.
const NOT_OURS = new Set(['connection', 'keep-alive', 'date', 'x-request-id']);
const COUNTED = new Set(['ratelimit']);

export const ending = ({ payment: { authorization } }: Order): Ending =>
  BigInt(authorization.nonce) % 5n === 0n
    ? { state: 'refused', reason: 'insufficient_funds' }
    : { state: 'settled', transaction: `0x${'ab'.repeat(32)}`, payer: authorization.from };

/** A service on its own port with a fixed clock, and a function that returns its answer to a request. */
export async function player() {
  const app = testApp({ baseUrl: 'http://127.0.0.1:4021', end: ending });
  const server = await serve(app.listener, { port: 0, host: '127.0.0.1', unreadable: () => '' });
  const agent = new Agent({ keepAlive: true });
  const stop = () => {
    agent.destroy();
    server.close();
  };
  return { answer: (asked: Asked) => answer(server.url, agent, asked), bugs: app.bugs, stop };
}

function answer(url: string, agent: Agent, { method, path, headers, body }: Asked): Promise<string> {
  return new Promise((resolve, reject) => {
    const { hostname, port } = new URL(url);
    const length = body === null || body === '' ? {} : { 'content-length': Buffer.byteLength(body) };
    const sent = { host: '127.0.0.1:4021', ...length, ...headers };
    const outgoing = request({ hostname, port, method, path, agent, headers: sent }, (incoming) => {
      const parts: Buffer[] = [];
      incoming.on('data', (part: Buffer) => parts.push(part));
      incoming.on('error', reject);
      incoming.on('end', () =>
        resolve(
          isOfToday(path, body ?? '', incoming.headers)
            ? `${incoming.statusCode}\ncontent-type: ${incoming.headers['content-type']}`
            : shown(incoming.statusCode ?? 0, incoming.headers, Buffer.concat(parts)),
        ),
      );
    });
    outgoing.on('error', reject);
    outgoing.end(body ?? undefined);
  });
}

/**
 * Whether an answer changes with a listing or with the design of a page. Only the kind of such an answer is recorded,
 * so a refresh of the directory or a new style does not change the record.
 */
const isOfToday = (path: string, body: string, headers: IncomingHttpHeaders): boolean =>
  path.startsWith('/v1/tools') ||
  /"(list_tools|get_tool|tool)"/.test(body) ||
  (headers['content-type'] ?? '').startsWith('text/html');

/**
 * Status, headers sorted by name, and body. The body is decompressed, because compressed bytes depend on the zlib
 * version.
 */
function shown(status: number, headers: IncomingHttpHeaders, body: Buffer): string {
  const coding = headers['content-encoding'];
  const plain = coding === 'br' ? brotliDecompressSync(body) : coding === 'gzip' ? gunzipSync(body) : body;
  const lines = Object.entries(headers)
    .filter(([name]) => !NOT_OURS.has(name) && !(name === 'content-length' && coding !== undefined))
    .map(([name, value]) => `${name}: ${COUNTED.has(name) ? String(value).replace(/\d+/g, 'n') : value}`)
    .sort();
  return [status, ...lines, '', plain.toString()].join('\n');
}
