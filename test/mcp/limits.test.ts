import { describe, expect, it } from 'vitest';
import { BASE_URL, callTool, ERAS, legacy, post, request, testApp } from './endpoint.ts';

const LATE = { name: 'late_fee', arguments: { amount: 100, due_date: '2026-01-01' } };
const NOTICE = { name: 'late_fee_notice', arguments: LATE.arguments };

describe('the limit for free calls', () => {
  it('counts free calls of all MCP revisions and over HTTP together, and nothing else', async () => {
    const app = testApp({ freeRequestsPerMinute: 3 });
    for (let round = 0; round < 5; round += 1) {
      await post(app, legacy('ping'));
      for (const era of ERAS) {
        await request(app, era, 'tools/list');
        await request(app, era, 'tools/call', { params: { name: 'nonsense' } });
        expect(await callTool(app, era, NOTICE.name, NOTICE)).toMatchObject({
          structuredContent: { x402Version: 2 },
        });
      }
    }
    for (const era of ERAS) expect((await callTool(app, era, 'late_fee', LATE)).isError).toBeUndefined();
    expect((await app.http.request(`${BASE_URL}/v1/late-fee?amount=1&due_date=2026-01-01`)).status).toBe(200);
    for (const era of ERAS) expect((await callTool(app, era, 'late_fee', LATE)).isError).toBe(true);
    expect((await app.http.request(`${BASE_URL}/v1/late-fee?amount=1&due_date=2026-01-01`)).status).toBe(429);
  });

  it('counts a call with bad arguments', async () => {
    const app = testApp({ freeRequestsPerMinute: 1 });
    await callTool(app, 'legacy', 'late_fee', { arguments: {} });
    expect(await callTool(app, 'legacy', 'late_fee', LATE)).toMatchObject({
      structuredContent: { code: 'rate_limited' },
    });
  });

  it('tells a model and its client how long to wait', async () => {
    const app = testApp({ freeRequestsPerMinute: 1 });
    for (const era of ERAS) {
      await callTool(app, era, 'late_fee', LATE);
      const { status, headers, body } = await request(app, era, 'tools/call', { params: LATE });
      expect(status).toBe(200);
      const wait = Number(headers.get('retry-after'));
      expect(wait).toBeGreaterThanOrEqual(1);
      expect(wait).toBeLessThanOrEqual(60);
      expect(headers.get('ratelimit')).toBe(`"free";r=0;t=${wait}`);
      expect(headers.get('ratelimit-policy')).toBe('"free";q=1;w=60');
      expect(body.result).toMatchObject({
        isError: true,
        content: [
          {
            text: expect.stringMatching(new RegExp(`\\b1\\b.* ${wait} s\\b.*\\bpaid calls\\b`)),
          },
        ],
        structuredContent: { code: 'rate_limited', retry_after_seconds: wait },
      });
    }
  });

  it('is shown with the remaining calls in every free answer', async () => {
    const app = testApp({ freeRequestsPerMinute: 30 });
    const { headers } = await request(app, 'modern', 'tools/call', { params: LATE });
    expect(headers.get('ratelimit')).toBe('"free";r=29;t=60');
  });
});

describe('the limit against floods', () => {
  it('answers 429 to every POST after 300 a minute, and still 405 to a GET', async () => {
    const app = testApp({ freeRequestsPerMinute: 30 });
    for (let count = 0; count < 300; count += 1) expect((await post(app, legacy('ping'))).status).toBe(200);
    for (const message of [legacy('ping'), legacy('tools/call', NOTICE), 'no JSON']) {
      const { status, headers, body } = await post(app, message);
      expect([status, body.id, body.error?.code]).toEqual([429, null, 42900]);
      const wait = Number(headers.get('retry-after'));
      expect(wait).toBeGreaterThanOrEqual(1);
      expect(body.error?.message).toContain(`Try again in ${wait} s.`);
    }
    expect((await app.http.request(`${BASE_URL}/mcp`)).status).toBe(405);
  });

  it('does not count GET requests or requests for other hosts', async () => {
    const app = testApp({ freeRequestsPerMinute: 30 });
    for (let count = 0; count < 301; count += 1) {
      await app.http.request(`${BASE_URL}/mcp`);
      await post(app, legacy('ping'), { host: 'evil.example' });
    }
    expect((await post(app, legacy('ping'))).status).toBe(200);
  });
});
