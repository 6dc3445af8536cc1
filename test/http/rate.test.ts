import { describe, expect, it } from 'vitest';
import { proves } from '../spec/clauses.ts';
import { callers } from '../support/here.ts';
import { ownService, type Reply, send } from './service.ts';

const FREE = '/v1/late-fee?amount=5&due_date=2020-01-01';
const QUOTE = {
  method: 'POST',
  headers: { 'content-type': 'application/json' },
  body: '{"items":[{"unit_price":1}]}',
};
const repeat = async (times: number, work: () => Promise<Reply>) => {
  const seen: number[] = [];
  for (let count = 0; count < times; count += 1) seen.push((await work()).status);
  return seen;
};

describe.skipIf(callers.areMissing)(callers.named('the 30 free requests a minute'), () => {
  const service = ownService();
  const get = (path: string, from: string, headers = {}) =>
    send(`${service().url}${path}`, { from, headers });

  it(
    proves(
      ['8-rate', '7-429'],
      'are answered for one address, and the 31st gets a 429 that says when to try again',
    ),
    async () => {
      const from = '127.0.0.2';
      expect(await repeat(30, () => get(FREE, from))).toEqual(Array(30).fill(200));
      const { status, headers, text } = await get(FREE, from);
      expect(status).toBe(429);
      expect(headers['content-type']).toBe('application/problem+json');
      expect(headers['ratelimit-policy']).toBe('"free";q=30;w=60');
      expect(headers.ratelimit).toMatch(/^"free";r=0;t=([1-9]|[1-5][0-9]|60)$/);
      const seconds = Number(headers['retry-after']);
      expect(seconds).toBeGreaterThan(0);
      expect(seconds).toBeLessThanOrEqual(60);
      expect(JSON.parse(text)).toMatchObject({
        status: 429,
        code: 'rate_limited',
        charged: false,
        detail: expect.stringMatching(new RegExp(`\\b30\\b.* ${seconds} s\\.$`)),
        'violated-policies': ['free'],
      });
    },
  );

  it('are counted down in a header', async () => {
    const from = '127.0.0.3';
    const remaining = async () => (await get(FREE, from)).headers.ratelimit?.replace(/;t=.*/, '');
    expect([await remaining(), await remaining()]).toEqual(['"free";r=29', '"free";r=28']);
  });

  it('are shared by all free operations, and are used up by invalid requests, too', async () => {
    const from = '127.0.0.4';
    await repeat(10, () => get(FREE, from));
    await repeat(10, () => get('/v1/late-fee', from));
    await repeat(5, () => send(`${service().url}/v1/quote`, { ...QUOTE, from }));
    await repeat(5, () => send(`${service().url}${FREE}`, { method: 'HEAD', from }));
    expect((await get(FREE, from)).status).toBe(429);
    expect((await send(`${service().url}/v1/quote`, { ...QUOTE, from })).status).toBe(429);
  });

  it('are exactly 30 if they all come at the same moment', async () => {
    const replies = await Promise.all(Array.from({ length: 40 }, () => get(FREE, '127.0.0.5')));
    expect(replies.filter(({ status }) => status === 200).length).toBe(30);
  });

  it('do not increase for a caller that pretends to have another address', async () => {
    const from = '127.0.0.6';
    await repeat(30, () => get(FREE, from));
    for (const name of ['x-forwarded-for', 'forwarded', 'x-real-ip', 'cf-connecting-ip', 'true-client-ip'])
      for (const value of ['198.51.100.9', 'for=198.51.100.9', '127.0.0.9'])
        expect((await get(FREE, from, { [name]: value })).status).toBe(429);
  });

  it('have no effect on paid operations, documents and health when they are used up', async () => {
    const from = '127.0.0.7';
    await repeat(31, () => get(FREE, from));
    expect((await get(FREE, from)).status).toBe(429);
    expect(await repeat(40, () => get(FREE.replace('fee', 'fee-notice'), from))).toEqual(Array(40).fill(402));
    expect((await get('/healthz', from)).status).toBe(200);
    expect((await get('/problems/rate-limited', from)).status).toBe(200);
    expect((await get('/nothing', from)).status).toBe(404);
    expect((await send(`${service().url}${FREE}`, { method: 'OPTIONS', from })).status).toBe(204);
    expect((await send(`${service().url}${FREE}`, { method: 'PUT', from })).status).toBe(405);
  });

  it('are counted separately for each address', async () => {
    await repeat(31, () => get(FREE, '127.0.0.8'));
    expect((await get(FREE, '127.0.0.9')).headers.ratelimit).toMatch(/r=29/);
  });
});

describe.skipIf(callers.areMissing)(callers.named('behind a trusted proxy, the limit'), () => {
  const service = ownService({ TRUSTED_PROXIES: '127.0.0.2/32' });
  const get = (forwarded: string, from = '127.0.0.2') =>
    send(`${service().url}${FREE}`, { from, headers: { 'x-forwarded-for': forwarded } });
  const remaining = async (forwarded: string, from?: string) =>
    Number(/r=(\d+)/.exec((await get(forwarded, from)).headers.ratelimit ?? '')?.[1]);

  it('applies to the last address that is not ours', async () => {
    expect(await remaining('198.51.100.1')).toBe(29);
    expect(await remaining('198.51.100.2')).toBe(29);
    expect(await remaining('203.0.113.9, 198.51.100.2')).toBe(28);
    expect(await remaining('198.51.100.2, 127.0.0.2')).toBe(27);
  });

  it('is shared by all addresses of one IPv6 /64', async () => {
    expect(await remaining('2001:db8:1:2::1')).toBe(29);
    expect(await remaining('2001:db8:1:2:ffff::5')).toBe(28);
    expect(await remaining('[2001:0db8:0001:0002::7]:443')).toBe(27);
    expect(await remaining('2001:db8:1:3::1')).toBe(29);
  });

  it("applies to a caller's own address if the caller bypasses the proxy", async () => {
    expect(await remaining('198.51.100.50', '127.0.0.3')).toBe(29);
    expect(await remaining('198.51.100.51', '127.0.0.3')).toBe(28);
  });
});

describe('over IPv6, the limit', () => {
  const service = ownService({}, { host: '::1' });

  it("applies to the caller's /64, whatever the caller claims", async () => {
    const get = (forwarded: string) =>
      send(`${service().url}${FREE}`, { headers: { 'x-forwarded-for': forwarded } });
    expect((await get('198.51.100.1')).headers.ratelimit).toMatch(/r=29/);
    expect((await get('198.51.100.2')).headers.ratelimit).toMatch(/r=28/);
  });
});
