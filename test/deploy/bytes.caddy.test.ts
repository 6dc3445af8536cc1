import type { Socket } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { until } from '../support/until.ts';
import { sendSlowly, startUpstream, type Upstream } from '../support/upstream.ts';
import { filesWith } from '../support/written.ts';
import { type Caddy, startCaddy } from './caddy.ts';

const SLOW = 20;
const MARKER = 'Marker4711';

const isMissing = process.env.SKIP_CADDY !== undefined;

describe.skipIf(isMissing)('Caddy with deploy/Caddyfile', () => {
  let upstream: Upstream;
  let caddy: Caddy;
  let slow: readonly Socket[] = [];
  beforeEach(async () => {
    upstream = await startUpstream();
    caddy = await startCaddy([upstream.host]);
  });
  afterEach(async () => {
    for (const socket of slow) socket.destroy();
    upstream.stop();
    await caddy.stop();
  });

  it('forwards a body only when it is complete, so that slow bodies reach no instance', async () => {
    slow = await Promise.all(Array.from({ length: SLOW }, () => sendSlowly(caddy.url)));
    const whole = await fetch(`${caddy.url}/v1/quote-pack`, { method: 'POST', body: '{}' });
    expect(whole.status).toBe(200);
    expect(upstream.reached).toEqual(['POST']);
  });

  it('writes nothing that callers send into any file, whether an instance answers or not', async () => {
    const ask = async () => {
      const headers = { referer: `https://calc.example/${MARKER}`, 'user-agent': MARKER };
      const path = `${caddy.url}/v1/late-fee?name=${MARKER}`;
      // A client that escapes the question mark sends its input as part of the path.
      await fetch(`${caddy.url}/v1/late-fee%3Fname=${MARKER}`, { headers });
      const body = JSON.stringify({ name: MARKER.repeat(6_000) });
      return [
        (await fetch(path, { headers })).status,
        (await fetch(path, { method: 'POST', headers, body })).status,
      ];
    };
    expect(await ask()).toEqual([200, 200]);
    upstream.stop();
    // Caddy logs every failed request: 502 at first, and 503 once it knows that the instance is down.
    for (const status of await ask()) expect([502, 503]).toContain(status);
    await until(() => filesWith(caddy.home, '"status":50').length > 0, 'Caddy says that it failed');
    expect(filesWith(caddy.home, MARKER)).toEqual([]);
  });
});
