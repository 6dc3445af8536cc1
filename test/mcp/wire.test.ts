import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import * as field from '../../src/catalog/fields.ts';
import { type Operation, operation } from '../../src/catalog/operation.ts';
import { proves } from '../spec/clauses.ts';
import { catalog, freeTools, paidTools } from '../support/app.ts';
import { BASE_URL, ERAS, legacy, MODERN, post, request, testApp } from './endpoint.ts';

const app = testApp();

describe('the MCP endpoint', () => {
  it.each(['GET', 'HEAD', 'DELETE', 'PUT', 'PATCH'])(
    'refuses %s with 405 and names POST as allowed',
    async (method) => {
      const response = await app.http.request(`${BASE_URL}/mcp`, { method });
      expect(response.status).toBe(405);
      expect(response.headers.get('allow')).toBe('POST');
      if (method !== 'HEAD')
        expect(await response.json()).toMatchObject({ jsonrpc: '2.0', id: null, error: { code: -32000 } });
    },
  );

  it.each(['text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data', ''])(
    'refuses the content type "%s" with 415',
    async (type) => {
      const { status, body } = await post(app, legacy('tools/list'), { 'content-type': type });
      expect([status, body.id, body.error?.code]).toEqual([415, null, -32600]);
    },
  );

  it('refuses a body over 64 KiB with 413, by its length alone', async () => {
    const declared = await post(app, '{}', { 'content-length': '65537' });
    expect([declared.status, declared.body.id, declared.body.error?.code]).toEqual([413, null, -32600]);
    const counted = await post(app, legacy('tools/call', { name: 'late_fee', padding: 'x'.repeat(65_536) }));
    expect([counted.status, counted.body.error?.code]).toEqual([413, -32600]);
  });

  it.each(['', '{', 'nonsense', '{"jsonrpc":"2.0",}', '\u0000'])(
    'refuses the text %j with 400',
    async (text) => {
      const { status, body } = await post(app, text);
      expect([status, body.id, body.error?.code]).toEqual([400, null, -32700]);
    },
  );

  it('refuses bytes that are not UTF-8 with 400', async () => {
    const response = await app.http.request(`${BASE_URL}/mcp`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: new Uint8Array([0x22, 0xff, 0x22]),
    });
    expect(response.status).toBe(400);
    expect(await response.json()).toMatchObject({ id: null, error: { code: -32700 } });
  });

  it.each([
    ['a batch', [legacy('tools/list')]],
    ['an empty batch', []],
    ['null', null],
    ['a number', 5],
    ['no jsonrpc', { id: 1, method: 'tools/list' }],
    ['another version of JSON-RPC', { jsonrpc: '1.0', id: 1, method: 'tools/list' }],
    ['a null id', { jsonrpc: '2.0', id: null, method: 'tools/list' }],
    ['a fractional id', { jsonrpc: '2.0', id: 1.5, method: 'tools/list' }],
    ['an object as id', { jsonrpc: '2.0', id: {}, method: 'tools/list' }],
    ['no method', { jsonrpc: '2.0', id: 1 }],
    ['a method that is not a string', { jsonrpc: '2.0', id: 1, method: 7 }],
    ['params that are a list', { jsonrpc: '2.0', id: 1, method: 'tools/list', params: [] }],
  ])('refuses %s with status 400 and code -32600', async (_case, message) => {
    const { status, body } = await post(app, message);
    expect([status, body.error?.code]).toEqual([400, -32600]);
  });

  it('answers a posted response with 202 and no body', async () => {
    const { status, text } = await post(app, { jsonrpc: '2.0', id: 1, result: {} });
    expect([status, text]).toEqual([202, '']);
  });

  it('answers notifications of all revisions with 202 and no body', async () => {
    const initialized = { jsonrpc: '2.0', method: 'notifications/initialized' };
    const cancelled = { jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 1 } };
    for (const headers of [{}, { 'mcp-protocol-version': '2025-06-18' }] as Record<string, string>[])
      for (const message of [initialized, cancelled]) {
        const { status, text } = await post(app, message, headers);
        expect([status, text]).toEqual([202, '']);
      }
    const inModern = await post(app, cancelled, { 'mcp-protocol-version': MODERN });
    expect([inModern.status, inModern.text]).toEqual([202, '']);
  });

  it('refuses a foreign Host or Origin with 403', async () => {
    for (const headers of [
      { host: 'evil.example' },
      { host: '127.0.0.1:4021', origin: 'https://evil.example' },
      { host: '127.0.0.1:4021', origin: 'null' },
    ] as Record<string, string>[]) {
      const { status, body } = await post(app, legacy('tools/list'), headers);
      expect([status, body.id, body.error?.code]).toEqual([403, null, -32600]);
    }
    const ours = await post(app, legacy('tools/list'), {
      host: 'localhost:4021',
      origin: 'http://localhost:6274',
    });
    expect(ours.status).toBe(200);
  });

  it(proves('4-mcp', 'answers with JSON that no cache keeps, whatever the client accepts'), async () => {
    for (const accept of ['*/*', 'application/json', 'text/event-stream', 'text/html'])
      for (const era of ERAS) {
        const { status, headers } = await request(app, era, 'tools/list', { headers: { accept } });
        expect([status, headers.get('content-type')]).toEqual([200, 'application/json']);
        expect(headers.get('cache-control')).toBe('no-store');
        expect(headers.get('mcp-session-id')).toBeNull();
      }
  });
});

describe('the MCP endpoint in revisions with and without a handshake', () => {
  it.each(ERAS)('answers an unknown tool with -32602 and the names of the tools (%s)', async (era) => {
    for (const name of ['nonsense', 'constructor', '__proto__', 'toString', 'get_tool']) {
      const { status, body } = await request(app, era, 'tools/call', { params: { name } });
      expect([status, body.error?.code]).toEqual([200, -32602]);
      expect(body.error?.message).toContain(` ${[...freeTools, ...paidTools].toSorted().join(', ')}.`);
    }
  });

  it.each(ERAS)('answers params of another shape with -32602 in our own words (%s)', async (era) => {
    for (const [method, params] of [
      ['tools/call', { name: 'late_fee', arguments: 'text' }],
      ['tools/call', { name: 'late_fee', arguments: [] }],
      ['tools/call', { name: 'late_fee', arguments: 5 }],
      ['tools/list', { cursor: 5 }],
      ['tools/list', { cursor: 'next' }],
    ] as const) {
      const { status, body, text } = await request(app, era, method, { params });
      expect([method, status, body.error?.code]).toEqual([method, 200, -32602]);
      expect(text).not.toContain('expected');
    }
    const nameless = await post(app, legacy('tools/call', { arguments: {} }));
    expect(nameless.body.error?.code).toBe(-32602);
  });

  it.each(ERAS)('answers a bug of the service with -32603 without a detail (%s)', async (era) => {
    const broken = operation({
      name: 'broken',
      operationId: 'broken',
      title: 'Broken',
      summary: 'Breaks',
      description: 'Breaks.',
      route: null,
      price: null,
      input: { on: field.text({ describe: 'When to break.', maxCodePoints: 9, default: undefined }) },
      output: z.object({}),
      example: {},
      run: ({ on }) => {
        if (on !== undefined) throw new Error('the secret of /etc/passwd');
        return { kind: 'answer', body: {} };
      },
    }) as Operation;
    const sick = testApp({ operations: [...catalog, broken] });
    const { status, text } = await request(sick, era, 'tools/call', {
      params: { name: 'broken', arguments: { on: 'call' } },
    });
    expect(status).toBe(200);
    expect(JSON.parse(text)).toEqual({
      jsonrpc: '2.0',
      id: 1,
      error: { code: -32603, message: 'Internal error' },
    });
    expect(sick.bugs).toHaveLength(1);
  });
});
