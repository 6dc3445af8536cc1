import { generateKeyPairSync } from 'node:crypto';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { Secret } from '../../src/config/reading.ts';
import { facilitatorOf } from '../../src/payments/facilitator/known-facilitators.ts';
import { freePort } from '../support/listening.ts';
import { examined } from './doctor.ts';

type Answer = { status: number; body?: unknown };

const exact = (network: string) => ({ kinds: [{ x402Version: 2, scheme: 'exact', network }] });
const LISTS: Answer = { status: 200, body: exact('eip155:8453') };

const edwardsSecret = (): string => {
  const { d = '', x = '' } = generateKeyPairSync('ed25519').privateKey.export({ format: 'jwk' });
  return Buffer.concat([Buffer.from(d, 'base64url'), Buffer.from(x, 'base64url')]).toString('base64');
};

describe("the doctor's check of facilitators", () => {
  let server: Server;
  let origin: string;
  let port: number;
  let answer: (request: IncomingMessage) => Answer;
  let asked: string[];

  beforeEach(async () => {
    asked = [];
    answer = () => LISTS;
    server = createServer((request, response) => {
      asked.push(`${request.method} ${request.url}`);
      const { status, body } = answer(request);
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body ?? {}));
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    port = await freePort();
  });
  afterEach(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });

  const settings = (settlers: string, changes: Record<string, string> = {}) => ({
    NODE_ENV: 'development',
    PORT: String(port),
    SETTLERS: settlers,
    PAY_TO: '0x00000000000000000000000000000000000000aa',
    ...changes,
  });

  it('accepts a facilitator that lists "exact" on our network, and says that nothing checks it without an RPC URL', async () => {
    const { wrong, warned, line, text } = await examined(settings(`${origin}/v1/SECRET-4711`));
    expect(wrong, text).toEqual([]);
    expect(warned).toContain('RPC_URLS');
    expect(line(`facilitator_1 ${origin}`)).toBe(
      `ok    facilitator_1 ${origin}: lists scheme exact on eip155:8453.`,
    );
    expect(asked).toEqual(['GET /v1/SECRET-4711/supported']);
    expect(text).not.toContain('4711');
  });

  it.each<[string, Answer, string]>([
    ['that wants a key', { status: 401 }, 'rejects our key'],
    ['of another network', { status: 200, body: exact('eip155:84532') }, 'does not list scheme exact'],
    [
      'that is another kind of server',
      { status: 200, body: { hello: 'world' } },
      'does not list what it supports',
    ],
    ['that is broken', { status: 502 }, 'does not list what it supports'],
  ])('rejects a facilitator %s', async (_name, said, says) => {
    answer = () => said;
    const { wrong, line } = await examined(settings(origin));
    expect(wrong).toEqual([`facilitator_1 ${origin}`]);
    expect(line(`facilitator_1 ${origin}`)).toContain(says);
  });

  it('names each of several facilitators by its position', async () => {
    const gone = `http://127.0.0.1:${await freePort()}`;
    const { wrong, line } = await examined(settings(`${gone},${origin}`));
    expect(wrong).toEqual([`facilitator_1 ${gone}`]);
    expect(line(`facilitator_1 ${gone}`)).toContain('cannot be reached');
    expect(line(`facilitator_2 ${origin}`)).toMatch(/^ok /);
  });

  describe('with an API key', () => {
    const secret = edwardsSecret();
    const look = () =>
      examined(settings('cdp', { CDP_API_KEY_ID: 'key-4711', CDP_API_KEY_SECRET: secret }), {
        facilitator: (choice) => {
          const cdpApiKey = { id: new Secret('key-4711'), secret: new Secret(secret) };
          const { headers } = facilitatorOf(choice, { cdpApiKey, now: Date.now });
          return { url: `${origin}/platform/v2/x402`, ...(headers && { headers }) };
        },
      });
    const hasToken = ({ headers }: IncomingMessage) =>
      /^Bearer [\w-]+\.[\w-]+\.[\w-]+$/.test(headers.authorization ?? '');
    const verdictOnKey = async () => {
      const { line, text } = await look();
      expect(text).not.toContain('4711');
      expect(text).not.toContain(secret);
      return line(`cdp ${origin}, key`);
    };

    it('says that the key is accepted if calls without it are rejected and ours are not', async () => {
      answer = (request) => {
        if (request.url?.endsWith('/supported')) return LISTS;
        return { status: hasToken(request) ? 400 : 401 };
      };
      expect(await verdictOnKey()).toBe(`ok    cdp ${origin}, key: taken.`);
      expect(asked).toEqual([
        'GET /platform/v2/x402/supported',
        'POST /platform/v2/x402/verify',
        'POST /platform/v2/x402/verify',
      ]);
    });

    it('says that the key is not accepted', async () => {
      answer = (request) => (request.url?.endsWith('/supported') ? LISTS : { status: 403 });
      expect(await verdictOnKey()).toMatch(/^FAIL .*rejected\. Check CDP_API_KEY_ID/);
    });

    it.each([400, 500])('says that the key is unchecked if every call gets %d', async (status) => {
      answer = (request) => (request.url?.endsWith('/supported') ? LISTS : { status });
      expect(await verdictOnKey()).toMatch(/^warn .*it is not known whether the key is accepted/);
    });
  });
});
