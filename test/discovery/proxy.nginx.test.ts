import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { exampleTarget } from '../../src/surfaces/discovery/inputs.ts';
import { type Nginx, startNginx } from '../operations/nginx.ts';
import { fakePayment } from '../support/app.ts';
import { type Served, served } from './served.ts';
import { decodedHeader, paidOperations } from './support.ts';

const nginx = process.env.NGINX_PATH;

/** Every setting is the default except those needed to run next to other servers. */
const configuration = (folder: string, port: number, upstreams: readonly string[]) => `
daemon off;
pid ${folder}/nginx.pid;
error_log ${folder}/error.log;
events {}
http {
  access_log off;
  client_body_temp_path ${folder}/body;
  proxy_temp_path ${folder}/proxy;
  fastcgi_temp_path ${folder}/fastcgi;
  uwsgi_temp_path ${folder}/uwsgi;
  scgi_temp_path ${folder}/scgi;
  server {
    listen 127.0.0.1:${port};
    location / { proxy_pass http://${upstreams[0]}; }
  }
}
`;

describe.skipIf(nginx === undefined)('behind an nginx with its default settings', () => {
  let service: Served;
  let proxy: Nginx;
  let proxyUrl: string;

  beforeAll(async () => {
    service = await served({
      // The name is as long as a public address may be.
      baseUrl: 'https://small-business-calculator.eu-central.services.calc.example',
      end: ({ payment }) => ({
        state: 'settled',
        transaction: `0x${'ab'.repeat(32)}`,
        payer: payment.authorization.from,
      }),
    });
    proxy = await startNginx([new URL(service.url).host], configuration);
    proxyUrl = proxy.url;
  });
  afterAll(async () => {
    await proxy?.stop();
    await service.stop();
  });

  it.each(paidOperations)('the challenge of $name and the paid request pass through', async (operation) => {
    const { method = 'GET' } = operation.route ?? {};
    const body = method === 'POST' ? JSON.stringify(operation.example) : null;
    const url = `${proxyUrl}${exampleTarget(operation)}`;
    const headers = { 'content-type': 'application/json' };
    const unpaid = await fetch(url, { method, body, headers });
    expect(unpaid.status).toBe(402);
    const required = decodedHeader(unpaid, 'payment-required');
    const nonce = String(paidOperations.indexOf(operation) + 1);
    const fake = JSON.parse(
      Buffer.from(fakePayment({ value: operation.price?.atomic ?? '', nonce }), 'base64').toString(),
    );
    // Clients send the whole challenge back, so a payment is longer than its challenge.
    const { resource, extensions, accepts } = required;
    const payment = { ...fake, accepted: accepts[0], resource, extensions };
    const signature = Buffer.from(JSON.stringify(payment)).toString('base64');
    expect(signature.length).toBeGreaterThan(3_000);
    const paid = await fetch(url, { method, body, headers: { ...headers, 'payment-signature': signature } });
    expect(paid.status).toBe(200);
    expect(decodedHeader(paid, 'payment-response')).toMatchObject({ success: true });
  });

  it('MCP works even though the proxy sends its own Host', async () => {
    const answer = await fetch(`${proxyUrl}/mcp`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: '{"jsonrpc":"2.0","id":1,"method":"tools/list"}',
    });
    expect(answer.status).toBe(200);
  });

  it('a long document passes compressed and with a conditional request', async () => {
    const answer = await fetch(`${proxyUrl}/openapi.json`);
    expect(answer.status).toBe(200);
    expect(answer.headers.get('content-encoding')).toMatch(/br|gzip/);
    const etag = answer.headers.get('etag') ?? '';
    const again = await fetch(`${proxyUrl}/openapi.json`, { headers: { 'if-none-match': etag } });
    expect(again.status).toBe(304);
  });
});
