import type { Socket } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { sendSlowly, startUpstream, type Upstream } from '../support/upstream.ts';
import { type Caddy, startCaddy } from './caddy.ts';

const SLOW = 20;

describe.skipIf(process.env.SKIP_CADDY !== undefined)('Caddy with deploy/Caddyfile', () => {
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

  it('passes a body on when it has come whole, so that slow ones reach no instance', async () => {
    slow = await Promise.all(Array.from({ length: SLOW }, () => sendSlowly(caddy.url)));
    const whole = await fetch(`${caddy.url}/v1/quote-pack`, { method: 'POST', body: '{}' });
    expect(whole.status).toBe(200);
    expect(upstream.reached).toEqual(['POST']);
  });
});
