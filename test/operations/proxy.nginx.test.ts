import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ownService, send } from '../http/service.ts';
import { fakePayment } from '../support/app.ts';
import { callers, procFiles } from '../support/here.ts';
import { type Nginx, startNginx } from './nginx.ts';

const nginx = process.env.NGINX_PATH;
const NOTICE = '/v1/late-fee-notice?amount=1250&due_date=2026-09-01&paid_date=2026-11-21';
const FREE = '/v1/late-fee?amount=100&due_date=2026-09-01&paid_date=2026-11-21';

type Listed = { result: { tools: { name: string }[] } };

/** Local ports with open connections to the given port, as the kernel reports them. */
function clientPorts(port: number): string[] {
  const local = `:${port.toString(16).toUpperCase().padStart(4, '0')}`;
  return readFileSync('/proc/net/tcp', 'utf8')
    .split('\n')
    .map((line) => line.trim().split(/\s+/))
    .filter(([, from = '', , state]) => from.endsWith(local) && state === '01')
    .map(([, , to = '']) => to)
    .sort();
}

// The suite reads the open connections in /proc, and callers need addresses of their own.
describe.skipIf(nginx === undefined || procFiles.areMissing || callers.areMissing)(
  procFiles.named(callers.named('behind nginx with the block from docs/proxy.md')),
  () => {
    const service = ownService({ TRUSTED_PROXIES: '127.0.0.1/32', FREE_REQUESTS_PER_MINUTE: '3' });
    let proxy: Nginx;
    let url: string;

    beforeAll(async () => {
      proxy = await startNginx([new URL(service().url).host]);
      url = proxy.url;
    });
    afterAll(() => proxy.stop());

    it('a challenge passes unchanged', async () => {
      const { status, headers } = await send(`${url}${NOTICE}`);
      expect(status).toBe(402);
      const challenge = Buffer.from(headers['payment-required'] ?? '', 'base64').toString();
      expect(JSON.parse(challenge)).toMatchObject({ x402Version: 2 });
    });

    it("the longest payment passes, and one byte more gets the service's own 400", async () => {
      const validBefore = Math.floor(Date.now() / 1000) + 100;
      const short = fakePayment({ validBefore });
      // Pads the JSON with spaces; four characters of base64 hold three of them.
      const filled = (length: number) => {
        const json = Buffer.from(short, 'base64').toString();
        return Buffer.from(json.padEnd((length / 4) * 3)).toString('base64');
      };
      const pay = (payment: string) => send(`${url}${NOTICE}`, { headers: { 'payment-signature': payment } });
      const longest = await pay(filled(12_288));
      expect([longest.status, JSON.parse(longest.text).code]).toEqual([503, 'settlement_unavailable']);
      const longer = await pay(filled(12_292));
      expect([longer.status, JSON.parse(longer.text).code]).toEqual([400, 'invalid_payment']);
    });

    const mcp = (method: string, params: object, headers = {}) =>
      fetch(`${url}/mcp`, {
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          accept: 'application/json, text/event-stream',
          ...headers,
        },
        body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
      });

    it('MCP lists its tools and states a price to programs, but not to pages of other sites', async () => {
      const listed = await mcp('tools/list', {});
      expect(listed.status).toBe(200);
      const names = ((await listed.json()) as Listed).result.tools.map(({ name }) => name);
      expect(names).toContain('late_fee_notice');
      const priced = await mcp('tools/call', {
        name: 'late_fee_notice',
        arguments: { amount: 1250, due_date: '2026-09-01' },
      });
      expect(await priced.json()).toMatchObject({
        result: { isError: true, structuredContent: { x402Version: 2, accepts: [{ amount: '10000' }] } },
      });
      expect((await mcp('tools/list', {}, { origin: 'https://evil.example' })).status).toBe(403);
    });

    it('a payment over MCP passes', async () => {
      const validBefore = Math.floor(Date.now() / 1000) + 100;
      const payment = JSON.parse(Buffer.from(fakePayment({ validBefore, nonce: '77' }), 'base64').toString());
      const paid = await mcp('tools/call', {
        name: 'late_fee_notice',
        arguments: { amount: 1250, due_date: '2026-09-01' },
        _meta: { 'x402/payment': payment },
      });
      expect(await paid.json()).toMatchObject({
        result: { structuredContent: { code: 'settlement_unavailable' } },
      });
    });

    it('a connection is reused for the next POST, and the service keeps it longer than the proxy does', async () => {
      const quote = () =>
        fetch(`${url}/v1/quote-pack`, {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body: '{"items":[{"unit_price":1}]}',
        });
      const { port } = new URL(service().url);
      expect((await quote()).status).toBe(402);
      const before = clientPorts(Number(port));
      expect(before.length).toBeGreaterThan(0);
      expect((await quote()).status).toBe(402);
      expect(clientPorts(Number(port))).toEqual(before);
      // nginx closes an idle connection after 60 s. If the service closed it first, a POST could be lost.
      const { headers } = await fetch(`${service().url}/healthz`);
      const [, seconds] = /^timeout=(\d+)$/.exec(headers.get('keep-alive') ?? '') ?? [];
      expect(Number(seconds)).toBeGreaterThan(60);
    });

    it('callers are counted by their own address, whatever they claim', async () => {
      const call = async (from: string, spoofed: string) =>
        (await send(`${url}${FREE}`, { from, headers: { 'x-forwarded-for': spoofed } })).status;
      const first: number[] = [];
      for (const spoofed of ['198.51.100.1', '198.51.100.2', '198.51.100.3', '198.51.100.4'])
        first.push(await call('127.0.0.2', spoofed));
      expect(first).toEqual([200, 200, 200, 429]);
      expect(await call('127.0.0.3', '198.51.100.1')).toBe(200);
    });
  },
);
