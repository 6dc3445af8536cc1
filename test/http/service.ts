import { request } from 'node:http';
import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll } from 'vitest';
import type { Config } from '../../src/config/config.ts';
import type { Service } from '../../src/service/service.ts';
import { BASE_URL } from '../support/app.ts';
import { serviceWith } from '../support/own-service.ts';
import { UNSETTLED } from '../support/unsettled.ts';
import { expectAllowed } from '../support/validating-proxy/through.ts';

/** A service on its own port whose chain does not answer. Everything except settling is real. */
export type Running = { readonly port: number; readonly url: string; readonly lines: readonly string[] };

const ENVIRONMENT = {
  ...UNSETTLED,
  PUBLIC_BASE_URL: BASE_URL,
  LOG_LEVEL: 'debug',
};

/**
 * Starts the service for the test file that calls this at its top level. The returned function gives tests the
 * running service.
 */
export function ownService(env: Record<string, string> = {}, changes: Partial<Config> = {}): () => Running {
  let service: Service | undefined;
  let lines: string[] = [];
  beforeAll(async () => {
    ({ service, lines } = await serviceWith({ ...ENVIRONMENT, ...env }, changes));
  });
  afterAll(() => service?.stop());
  return () => {
    if (!service) throw new Error('The service runs only inside tests and hooks');
    return { url: service.url, port: Number(new URL(service.url).port), lines };
  };
}

type Sent = { method?: string; headers?: Record<string, string>; body?: string; from?: string };
export type Reply = { status: number; headers: Record<string, string | undefined>; text: string };

/**
 * Sends one HTTP request over its own connection, from the local address `from`. The document must allow the answer.
 */
export async function send(url: string, sent: Sent = {}): Promise<Reply> {
  const { pathname, search } = new URL(url);
  let reply: Reply | undefined;
  await expectAllowed({ method: sent.method ?? 'GET', target: `${pathname}${search}` }, async () => {
    reply = await exchange(url, sent);
    const { status, headers, text } = reply;
    return { status, headers: ofContent(headers), body: Buffer.from(text) };
  });
  return reply as unknown as Reply;
}

/** Keeps the headers that describe a body, and the service's own, but not those of the connection. */
const ofContent = (headers: Record<string, string | undefined>): Record<string, string> =>
  Object.fromEntries(
    Object.entries(headers).flatMap(([name, value]) =>
      value === undefined || ['connection', 'keep-alive', 'transfer-encoding'].includes(name)
        ? []
        : [[name, value]],
    ),
  );

function exchange(url: string, { method = 'GET', headers = {}, body, from }: Sent): Promise<Reply> {
  return new Promise((resolve, reject) => {
    const options = { method, headers, agent: false, ...(from !== undefined && { localAddress: from }) };
    const outgoing = request(url, options, (incoming) => {
      const parts: Buffer[] = [];
      incoming.on('data', (part: Buffer) => parts.push(part));
      incoming.on('end', () =>
        resolve({
          status: incoming.statusCode ?? 0,
          headers: incoming.headers as Reply['headers'],
          text: Buffer.concat(parts).toString(),
        }),
      );
      incoming.on('error', reject);
    });
    outgoing.on('error', reject);
    outgoing.end(body);
  });
}

/**
 * Writes bytes to a connection unchanged, and pauses for the given milliseconds. Returns the complete reply once it
 * contains `enough`, the connection is closed, or twenty seconds pass in silence.
 */
export async function talk(
  port: number,
  script: readonly (string | number)[],
  enough?: RegExp,
): Promise<string> {
  const socket = connect(port, '127.0.0.1');
  let heard = '';
  const over = new Promise<void>((resolve) => {
    socket.setTimeout(20_000, resolve);
    socket.on('close', () => resolve());
    socket.on('error', () => resolve());
    socket.on('data', (part) => {
      heard += part.toString('latin1');
      if (enough?.test(heard)) resolve();
    });
  });
  for (const step of script) {
    if (typeof step === 'number') await sleep(step);
    else if (socket.writable) socket.write(step, 'latin1');
  }
  await over;
  socket.destroy();
  await expectSaidAllowed(script, heard);
  return heard;
}

/** Checks a reply against the document if it is one complete, readable answer to one request. */
async function expectSaidAllowed(script: readonly (string | number)[], heard: string): Promise<void> {
  const asked = /^([A-Z]+) (\/[\w\-./?=&%;~]*) HTTP\/1\.1\r\n/.exec(
    script.filter((step) => typeof step === 'string').join(''),
  );
  const said = /^HTTP\/1\.1 (\d{3}) [^\r]*\r\n(.*?)\r\n\r\n(.*)$/s.exec(heard);
  if (asked === null || said === null || heard.lastIndexOf('HTTP/1.1 ') > 0) return;
  const [, method = '', target = ''] = asked;
  const [, status, head = '', body = ''] = said;
  const headers = Object.fromEntries(
    head
      .split('\r\n')
      .map((line) => [
        line.slice(0, line.indexOf(':')).toLowerCase(),
        line.slice(line.indexOf(':') + 1).trim(),
      ]),
  );
  await expectAllowed({ method, target }, async () => ({
    status: Number(status),
    headers: ofContent(headers),
    body: Buffer.from(body, 'latin1'),
  }));
}
