import { connect } from 'node:net';
import { describe, expect, it } from 'vitest';
import { ownService } from '../http/service.ts';
import { fakePayment } from '../support/app.ts';

const ID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
const NOTICE = '/v1/late-fee-notice?amount=1250&due_date=2026-09-01&paid_date=2026-11-21';
const FREE = '/v1/late-fee?amount=100&due_date=2026-09-01&paid_date=2026-11-21';

describe('the ID of a request', () => {
  const service = ownService();
  const json = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' };
  const call = { jsonrpc: '2.0', id: 1, method: 'tools/call' };
  const late = { amount: 100, due_date: '2026-09-01', paid_date: '2026-11-21' };

  it.each<[string, RequestInit]>([
    [FREE, {}],
    [FREE, { method: 'HEAD' }],
    [NOTICE, {}],
    ['/v1/late-fee?amount=x', {}],
    ['/v1/tools', {}],
    ['/', {}],
    ['/late-invoice?amount=1', {}],
    ['/docs', { headers: { 'accept-encoding': 'gzip' } }],
    ['/style.css', {}],
    ['/openapi.json', {}],
    ['/healthz', {}],
    ['/nowhere', {}],
    ['/v1/quote', { method: 'DELETE' }],
    ['/v1/quote', { method: 'OPTIONS' }],
    ['/mcp', { method: 'POST', headers: json, body: '{' }],
    [
      '/mcp',
      {
        method: 'POST',
        headers: json,
        body: JSON.stringify({ ...call, params: { name: 'late_fee', arguments: late } }),
      },
    ],
  ])('is in the answer to %s %j, is made by the service, and differs each time', async (path, init) => {
    const ids = new Set<string | null>();
    for (let count = 0; count < 2; count += 1) {
      const headers = { ...init.headers, 'x-request-id': 'MARK-4712' };
      const response = await fetch(`${service().url}${path}`, { ...init, headers });
      await response.arrayBuffer();
      ids.add(response.headers.get('x-request-id'));
    }
    expect([...ids].map((id) => ID.test(id ?? ''))).toEqual([true, true]);
    expect(service().lines.join('')).not.toContain('4712');
  });

  it('is also in the answer to bytes that are not a request', async () => {
    const heard: string[] = [];
    for (let count = 0; count < 2; count += 1)
      heard.push(
        await new Promise<string>((resolve) => {
          let text = '';
          const socket = connect(service().port, '127.0.0.1', () => socket.end('NO REQUEST\r\n\r\n'));
          socket.on('data', (part) => {
            text += part;
          });
          socket.on('close', () => resolve(text));
        }),
      );
    const ids = heard.map((text) => /^x-request-id: (\S+)\r$/im.exec(text)?.[1] ?? '');
    expect([new Set(ids).size, ids.every((id) => ID.test(id))]).toEqual([2, true]);
  });

  it('is in the log lines about a request, over HTTP and MCP', async () => {
    const validBefore = Math.floor(Date.now() / 1000) + 100;
    const paid = { 'payment-signature': fakePayment({ validBefore }) };
    const params = { name: 'late_fee', arguments: late };
    const answers = [
      await fetch(`${service().url}${FREE}`),
      await fetch(`${service().url}${NOTICE}`, { headers: paid }),
      await fetch(`${service().url}/mcp`, {
        method: 'POST',
        headers: json,
        body: JSON.stringify({ ...call, params }),
      }),
    ];
    for (const answer of answers) {
      const id = answer.headers.get('x-request-id');
      const events = () =>
        service()
          .lines.filter((line) => line.includes(`"request_id":"${id}"`))
          .map((line) => JSON.parse(line).event);
      await expect.poll(events).toEqual(['request']);
    }
  });
});
