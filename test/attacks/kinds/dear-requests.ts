import { gzipSync } from 'node:zlib';
import type { Kind } from '../kind.ts';
import { FREE, notice, type Shop } from '../shop.ts';

/** Processor time of the service per request, over this many requests. */
async function costOf(shop: Shop, count: number, send: () => Promise<unknown>): Promise<number> {
  for (let index = 0; index < 5; index += 1) await send();
  const before = shop.seller.processorMs();
  for (let index = 0; index < count; index += 1) await send();
  return (shop.seller.processorMs() - before) / count;
}

/** Maximum cost of a single request from a stranger, as a multiple of a late-fee call. */
const MOST_TIMES_DEARER = 120;

export const dearRequestKinds: readonly Kind[] = [
  {
    name: 'forms with many rows',
    promise: 'requests for more rows count as free requests of an address',
    async run(scene) {
      const shop = await scene.shop({ settings: { FREE_REQUESTS_PER_MINUTE: '30' } });
      let served = 0;
      for (let count = 0; count < 60; count += 1) {
        const { status } = await shop.get(`/quote?rows=${100 - (count % 3)}`, { from: '127.0.8.1' });
        if (status === 200) served += 1;
      }
      scene.tried(60);
      scene.held(served <= 31, `${served} of 60 were served at a limit of 30`);
      const form = {
        method: 'POST',
        headers: { 'content-type': 'application/x-www-form-urlencoded' },
        body: 'rows=100',
        from: '127.0.8.2',
      };
      let posted = 0;
      for (let count = 0; count < 60; count += 1)
        if ((await shop.get('/quote', form)).status === 200) posted += 1;
      scene.held(posted <= 31, `${posted} of 60 forms were served at a limit of 30`);
    },
  },
  {
    name: 'long lists of faults',
    promise: 'the length of a list of faults is limited, whatever is wrong',
    async run(scene) {
      const shop = await scene.house();
      const bodies = [
        Object.fromEntries(Array.from({ length: 3_000 }, (_, index) => [`field_${index}`, index])),
        { items: Array.from({ length: 3_000 }, () => ({})) },
        {
          items: Array.from({ length: 100 }, () =>
            Object.fromEntries(Array.from({ length: 30 }, (_, index) => [`x${index}`, 1])),
          ),
        },
      ];
      for (const path of ['/v1/quote', '/v1/quote-pack'])
        for (const body of bodies) {
          const { status, text } = await shop.get(path, {
            method: 'POST',
            headers: { 'content-type': 'application/json' },
            body: JSON.stringify(body),
          });
          scene.held(status < 500 && text.length < 70_000, `${path}: ${status}, ${text.length} bytes`);
        }
    },
  },
  {
    name: 'compressed bodies',
    promise: 'a body that would grow a thousandfold is not decompressed',
    async run(scene) {
      const shop = await scene.house();
      const before = shop.seller.residentMb();
      const bomb = gzipSync(Buffer.alloc(30_000_000, 32));
      for (const path of ['/v1/quote', '/v1/quote-pack', '/mcp', '/quote'])
        for (const encoding of ['gzip', 'deflate', 'br', 'gzip, gzip', 'x']) {
          const { status } = await shop.get(path, {
            method: 'POST',
            headers: { 'content-type': 'application/json', 'content-encoding': encoding },
            body: bomb,
          });
          scene.held(status >= 400 && status < 500, `${path} ${encoding}: ${status}`);
        }
      scene.held(shop.seller.residentMb() - before < 100, `${shop.seller.residentMb() - before} MB more`);
    },
  },
  {
    name: 'expensive requests',
    promise:
      'a free or unpaid request takes at most a fixed multiple of the processor time of a late-fee call',
    alone: true,
    async run(scene) {
      const shop = await scene.shop();
      const json = { 'content-type': 'application/json' };
      const base = Math.max(await costOf(shop, 300, () => shop.get(FREE)), 0.05);
      const marks = 'a\u0301\u0323'.repeat(90);
      const requests: Record<string, () => Promise<unknown>> = {
        'combining marks': () =>
          shop.get('/v1/quote-pack', {
            method: 'POST',
            headers: json,
            body: JSON.stringify({
              business_name: marks,
              items: Array.from({ length: 100 }, () => ({
                description: marks,
                quantity: 2,
                unit_price: 450,
              })),
            }),
          }),
        'unknown fields': () =>
          shop.get('/v1/quote', {
            method: 'POST',
            headers: json,
            body: JSON.stringify(
              Object.fromEntries(Array.from({ length: 4_000 }, (_, index) => [`f${index}`, 1])),
            ),
          }),
        nesting: () =>
          shop.get('/v1/quote', {
            method: 'POST',
            headers: json,
            body: `{"items":${'['.repeat(30_000)}${']'.repeat(30_000)}}`,
          }),
        'many items': () =>
          shop.get('/v1/quote', {
            method: 'POST',
            headers: json,
            body: JSON.stringify({
              items: Array.from({ length: 2_000 }, () => ({ quantity: 1, unit_price: 1 })),
            }),
          }),
        'over MCP': () =>
          shop.mcp(
            {
              jsonrpc: '2.0',
              id: 1,
              method: 'tools/call',
              params: {
                name: 'quote_totals',
                arguments: { items: Array.from({ length: 2_000 }, () => ({ quantity: 1, unit_price: 1 })) },
              },
            },
            {},
            `127.0.9.${1 + (Date.now() % 250)}`,
          ),
        'a form': () => shop.get('/quote?rows=100'),
        'a page of tools': () => shop.get(`/tools?category=${'x'.repeat(5_000)}`),
        'a long payment': () =>
          shop.get(notice().path, { headers: { 'payment-signature': 'A'.repeat(12_000) } }),
      };
      for (const [what, send] of Object.entries(requests)) {
        const cost = await costOf(shop, 25, send);
        scene.held(
          cost <= base * MOST_TIMES_DEARER,
          `${what}: ${cost.toFixed(1)} ms, ${Math.round(cost / base)} times a late-fee call of ${base.toFixed(2)} ms`,
        );
      }
    },
  },
];
