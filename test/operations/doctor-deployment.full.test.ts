import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type RequestListener, type Server } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeAll, describe, expect, it } from 'vitest';
import { readConfig } from '../../src/config/config.ts';
import { envFile } from '../../src/doctor/examine.ts';
import { createLog } from '../../src/platform/log.ts';
import { type Service, startService } from '../../src/service/service.ts';
import { sharedChain } from '../support/chain.ts';
import { mine } from '../support/chain-actions.ts';
import { relayerKey } from '../support/config.ts';
import { fileModes } from '../support/here.ts';
import { freePort } from '../support/listening.ts';
import { SELLER } from '../support/payments.ts';
import { startRpcProxy } from '../support/rpc-proxy.ts';
import { examined } from './doctor.ts';

const production = {
  PUBLIC_BASE_URL: 'https://localhost:9',
  NODE_ENV: 'production',
  RELAYER_KEY: relayerKey,
};
const OTHER = '0x00000000000000000000000000000000000000bb';

describe("the doctor's check of PUBLIC_BASE_URL", () => {
  const chain = sharedChain();
  const services: Service[] = [];
  const proxies: Server[] = [];
  let origin: string;

  beforeAll(async () => {
    await mine(chain());
  });
  afterEach(async () => {
    for (const proxy of proxies.splice(0)) {
      proxy.closeAllConnections();
      await new Promise((resolve) => proxy.close(resolve));
    }
    for (const service of services.splice(0)) await service.stop();
  });

  const settings = (changes: Record<string, string>) => ({
    NODE_ENV: 'development',
    SETTLERS: 'local',
    RPC_URLS: chain().rpcUrl,
    RELAYER_KEY: chain().relayerKey,
    PAY_TO: SELLER,
    ...changes,
  });

  async function serve(changes: Record<string, string> = {}): Promise<void> {
    const port = await freePort();
    origin = `http://127.0.0.1:${port}`;
    const reading = readConfig(settings({ PORT: String(port), PUBLIC_BASE_URL: origin, ...changes }));
    if (!reading.ok) throw new Error(JSON.stringify(reading.faults));
    services.push(await startService(reading.config, createLog({ level: 'silent', write: () => {} })));
  }

  /** A server between the callers and the service, with its own address. */
  async function between(forward: RequestListener): Promise<string> {
    const proxy = createServer({ maxHeaderSize: 65_536 }, forward).listen(0, '127.0.0.1');
    proxies.push(proxy);
    await new Promise((resolve) => proxy.once('listening', resolve));
    return `http://127.0.0.1:${(proxy.address() as { port: number }).port}`;
  }
  const pass = async (request: IncomingMessage, headers: Record<string, string>) =>
    fetch(`${origin}${request.url}`, { headers });

  const look = (changes: Record<string, string> = {}) =>
    examined(settings({ PUBLIC_BASE_URL: origin, ...changes }));
  const deployment = (at = origin) => `PUBLIC_BASE_URL ${at}, deployment`;
  const headers = (at = origin) => `PUBLIC_BASE_URL ${at}, headers`;
  const callers = (at = origin) => `PUBLIC_BASE_URL ${at}, callers`;

  it('finds this deployment with its payee, its network and its address', async () => {
    await serve();
    const { line, wrong, text } = await look();
    expect(wrong, text).toEqual([]);
    expect(line(deployment())).toBe(
      `ok    ${deployment()}: asks for 0.01 USD, to be paid to PAY_TO on eip155:8453.`,
    );
    expect(line(headers())).toBe(`ok    ${headers()}: a payment of 12288 characters arrives.`);
    expect(line(callers())).toBe(`ok    ${callers()}: the X-Forwarded-For of a caller is ignored.`);
  });

  it('reports that the deployment has another payee', async () => {
    await serve({ PAY_TO: OTHER });
    const { wrong, line } = await look();
    expect(wrong).toEqual([deployment()]);
    expect(line(deployment())).toMatch(/is another deployment: its payee is 0x0{38}[bB]{2}\. /);
  });

  it('reports that the answers contain another address', async () => {
    await serve({ PUBLIC_BASE_URL: 'https://calc.example' });
    const { wrong, line } = await look();
    expect(wrong).toEqual([deployment()]);
    expect(line(deployment())).toContain('is another deployment: its address is https://calc.example. ');
  });

  it('reports a proxy that removes the price', async () => {
    await serve();
    const at = await between(async (request, response) => {
      const { status, headers: got, ...answer } = await pass(request, {});
      void answer;
      response.writeHead(got.has('payment-required') ? 402 : status, { 'content-type': 'application/json' });
      response.end(request.url === '/healthz' ? '{"status":"ok","payments":"ok","version":"2.0.0"}' : '{}');
    });
    const { wrong, line } = await look({ PUBLIC_BASE_URL: at });
    expect(wrong).toEqual([deployment(at)]);
    expect(line(deployment(at))).toContain(
      'gives an invalid answer. Check that the proxy passes on PAYMENT-REQUIRED',
    );
  });

  it('warns if payments there are unavailable, even if the reasons are hidden', async () => {
    await serve();
    const at = await between((_request, response) => {
      response.writeHead(200, { 'content-type': 'application/json' });
      response.end(JSON.stringify({ status: 'degraded', payments: 'unavailable', version: '2.0.0' }));
    });
    const { line } = await look({ PUBLIC_BASE_URL: at });
    expect(line(`PUBLIC_BASE_URL ${at}`)).toMatch(
      /^warn .*: answers; payments there are unavailable\. If the service did not start just now, /,
    );
  });

  it('reports that long payments do not arrive', async () => {
    const at = await between(async (request, response) => {
      if (String(request.headers['payment-signature'] ?? '').length > 4_000) {
        response.writeHead(400).end('<html>Request Header Or Cookie Too Large</html>');
        return;
      }
      const { status, headers: got } = await pass(request, {});
      response.writeHead(status, Object.fromEntries(got));
      response.end(request.url === '/healthz' ? '{"status":"ok","payments":"ok","version":"2.0.0"}' : '{}');
    });
    await serve({ PUBLIC_BASE_URL: at });
    const { line } = await look({ PUBLIC_BASE_URL: at });
    expect(line(headers(at))).toMatch(/^FAIL .* a payment of 12288 characters gets 400 from/);
  });

  it('warns that callers can choose the address under which they are counted, unless it runs on a proxy', async () => {
    await serve({ TRUSTED_PROXIES: '127.0.0.1/32' });
    const { wrong, line } = await look({ TRUSTED_PROXIES: '127.0.0.1/32' });
    expect(wrong).toEqual([]);
    expect(line(callers())).toMatch(
      /^warn .*a caller can choose the counted address .* on one of these proxies/,
    );
  });

  it('warns of a proxy in front of the service if no proxy is trusted', async () => {
    await serve();
    const { warned, line } = await examined(settings(production));
    expect(warned).toContain('TRUSTED_PROXIES');
    expect(line('TRUSTED_PROXIES')).toContain('share');
  });

  it('warns of production without Redis, and of nodes without TLS', async () => {
    const { line } = await examined(settings(production));
    expect(line('REDIS_URL')).toMatch(/^warn .*none, so a restart loses the paid answers/);
    const meant = { RPC_URLS: 'http://rpc.internal:9/SECRET' };
    const plain = await examined(settings({ ...production, ...meant, TRUSTED_PROXIES: '10.0.0.1' }));
    expect(plain.line('TLS')).toMatch(/^warn .*http:\/\/rpc\.internal:9 without TLS/);
    expect(plain.text).not.toContain('SECRET');
  });

  it("warns if instances share a Redis but no secret for their callers' names", async () => {
    const shared = { REDIS_URL: 'redis://127.0.0.1:9' };
    const without = await examined(settings({ ...production, ...shared }));
    expect(without.line('RECEIPT_KEYS')).toMatch(/^warn .*each process counts callers’ requests separately/);
    const sharing = await examined(
      settings({ ...production, ...shared, RECEIPT_KEYS: `0x${'2b'.repeat(32)}` }),
    );
    expect(sharing.warned).not.toContain('RECEIPT_KEYS');
  });

  it('says how long a node did not answer', { timeout: 30_000 }, async () => {
    const proxy = await startRpcProxy(chain().rpcUrl);
    proxy.fail('*', 'slow', { delayMs: 60_000 });
    const { line } = await look({ RPC_URLS: proxy.url });
    await proxy.stop();
    expect(line(`RPC 1 ${proxy.url}`)).toContain('does not answer within 5 s');
  });
});

describe("the doctor's check of this machine", () => {
  it.skipIf(fileModes.areMissing)(fileModes.named('warns of a .env that others can read'), () => {
    const folder = mkdtempSync(join(tmpdir(), 'env-mode-'));
    const file = join(folder, '.env');
    expect(envFile(file)).toBeNull();
    writeFileSync(file, 'A=b\n', { mode: 0o644 });
    chmodSync(file, 0o644);
    expect(envFile(file)).toEqual({
      verdict: 'warn',
      says: 'others on this machine can read it (mode 644). It holds keys: chmod 600 .env',
    });
    chmodSync(file, 0o600);
    expect(envFile(file)).toEqual({ verdict: 'ok', says: 'only its owner can read it' });
    rmSync(folder, { recursive: true });
  });
});
