import { get, type IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { sendSlowly, startUpstream, type Upstream } from '../support/upstream.ts';
import { filesMadeIn, filesWith } from '../support/written.ts';
import { type Nginx, startNginx } from './nginx.ts';

const SLOW = 20;
const MARKER = 'Marker4711';

const nginx = process.env.NGINX_PATH;

describe.skipIf(nginx === undefined)('nginx with the block from docs/proxy.md', () => {
  let upstream: Upstream;
  let proxy: Nginx;
  let slow: readonly Socket[] = [];
  beforeEach(async () => {
    upstream = await startUpstream();
    proxy = await startNginx([upstream.host]);
  });
  afterEach(async () => {
    for (const socket of slow) socket.destroy();
    upstream.stop();
    await proxy.stop();
  });

  it('forwards a body only when it is complete, so that slow bodies reach no instance', async () => {
    slow = await Promise.all(Array.from({ length: SLOW }, () => sendSlowly(proxy.url)));
    const whole = await fetch(`${proxy.url}/v1/quote-pack`, { method: 'POST', body: '{}' });
    expect(whole.status).toBe(200);
    expect(upstream.reached).toEqual(['POST']);
  });

  it('writes nothing that callers send into any file, whether an instance answers or not', async () => {
    const ask = async () => {
      const headers = { referer: `https://calc.example/${MARKER}`, 'user-agent': MARKER };
      const path = `${proxy.url}/v1/late-fee?name=${MARKER}`;
      // A client that escapes the question mark sends its input as part of the path.
      await fetch(`${proxy.url}/v1/late-fee%3Fname=${MARKER}`, { headers });
      const body = JSON.stringify({ name: MARKER.repeat(6_000) });
      return [
        (await fetch(path, { headers })).status,
        (await fetch(path, { method: 'POST', headers, body })).status,
      ];
    };
    expect(await ask()).toEqual([200, 200]);
    upstream.stop();
    expect(await ask()).toEqual([502, 502]);
    expect(filesWith(proxy.folder, MARKER)).toEqual([]);
    expect(proxy.logged()).toMatch(/ 200 GET .* 502 POST /s);
  });

  it('keeps bodies and answers in memory, even for clients that read slowly', async () => {
    const made = filesMadeIn(['client_body', 'proxy'].map((name) => join(proxy.folder, name)));
    const body = MARKER.repeat(6_000);
    expect((await fetch(`${proxy.url}/v1/quote-pack`, { method: 'POST', body })).status).toBe(200);
    const answer = await new Promise<IncomingMessage>((resolve) => get(`${proxy.url}/long`, resolve));
    // nginx has time to read ahead for a client while it answers others.
    for (let count = 0; count < 20; count += 1) await fetch(`${proxy.url}/v1/late-fee`);
    let length = 0;
    for await (const part of answer) length += part.length;
    expect(length).toBe(16_000_000);
    expect(await made()).toEqual([]);
  });
});
