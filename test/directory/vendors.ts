import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Network } from '../../tools/directory/refresh-address.ts';

type Visit = {
  readonly host: string;
  readonly path: string;
  readonly agent: string;
};
type Page = (response: ServerResponse, request: IncomingMessage) => void;

export const page =
  (body: string | Buffer, headers: Record<string, string> = {}): Page =>
  (response) => {
    response.writeHead(200, { 'content-type': 'text/html; charset=utf-8', ...headers });
    response.end(body);
  };

export const status =
  (code: number, headers: Record<string, string> = {}): Page =>
  (response) => {
    response.writeHead(code, headers);
    response.end();
  };

export const redirect = (location: string, code = 301) => status(code, { location });

/**
 * One server that plays every vendor: a page is found by host and path ('vendor.test/pricing'); every other address is
 * 404. `privateHosts` resolve to an address of an office network.
 */
export async function openVendors(pages: Record<string, Page>, privateHosts: readonly string[] = []) {
  const visits: Visit[] = [];
  const server: Server = createServer((request, response) => {
    const host = request.headers.host ?? '';
    const path = request.url ?? '';
    visits.push({ host, path, agent: request.headers['user-agent'] ?? '' });
    (pages[`${host}${path}`] ?? status(404))(response, request);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const network: Network = {
    resolve: async (host) => [{ address: privateHosts.includes(host) ? '10.0.0.7' : '127.0.0.1', family: 4 }],
    loopbackPort: (server.address() as AddressInfo).port,
  };
  const close = () => {
    server.closeAllConnections();
    return new Promise((resolve) => server.close(resolve));
  };
  return { network, visits, close, visited: (host: string) => visits.filter((visit) => visit.host === host) };
}
