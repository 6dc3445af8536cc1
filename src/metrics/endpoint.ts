import { createServer } from 'node:http';
import { bearerOf } from '../platform/bearer.ts';
import { addressOf, listen } from '../platform/http-server.ts';
import { CONTENT_TYPE } from './exposition.ts';

export type MetricsEndpoint = { readonly url: string; close(): void };

export type EndpointOptions = {
  readonly port: number;
  readonly host: string;
  /** The required bearer token. If null, everybody who can connect may read. */
  readonly token: string | null;
  readonly text: () => string | Promise<string>;
};

const MAX_HEADER_BYTES = 8_192;
const MAX_CONNECTIONS = 16;
const REQUEST_MS = 5_000;

/** Serves `GET /metrics` on its own port, so that no proxy in front of the service exposes it by mistake. */
export async function serveMetrics({ port, host, token, text }: EndpointOptions): Promise<MetricsEndpoint> {
  const isBearer = token === null ? () => true : bearerOf(token);
  const server = createServer({ maxHeaderSize: MAX_HEADER_BYTES }, (request, response) => {
    const { method = '', url = '', headers } = request;
    request.resume();
    const end = (status: number, more: Record<string, string>, body = '') =>
      response.writeHead(status, { 'cache-control': 'no-store', ...more }).end(method === 'HEAD' ? '' : body);
    if (!isBearer(headers.authorization)) return void end(401, { 'www-authenticate': 'Bearer' });
    if (url.split('?', 1)[0] !== '/metrics') return void end(404, {});
    if (method !== 'GET' && method !== 'HEAD') return void end(405, { allow: 'GET, HEAD' });
    void Promise.resolve(text()).then((shown) => end(200, { 'content-type': CONTENT_TYPE }, shown));
  });
  server.requestTimeout = REQUEST_MS;
  server.headersTimeout = REQUEST_MS;
  server.maxConnections = MAX_CONNECTIONS;
  await listen(server, { port, host, settings: { port: 'METRICS_ADDRESS', host: 'METRICS_ADDRESS' } });
  return {
    url: addressOf(server),
    close() {
      server.close();
      server.closeAllConnections();
    },
  };
}
