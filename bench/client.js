import { Agent, request } from 'node:http';

/**
 * An HTTP client that costs as little as Node allows, so that only the server is measured.
 * @param {number} [connections] maximum number of open connections
 */
export function httpClient(connections = 1) {
  const agent = new Agent({ keepAlive: true, maxSockets: connections });
  /** @returns {Promise<{ status: number, headers: import('node:http').IncomingHttpHeaders, body: Buffer }>} */
  const call = (url, { method = 'GET', headers = {}, body } = {}) =>
    new Promise((resolve, reject) => {
      const length = body === undefined ? {} : { 'content-length': Buffer.byteLength(body) };
      const outgoing = request(url, { method, agent, headers: { ...length, ...headers } }, (incoming) => {
        const chunks = [];
        incoming.on('data', (chunk) => chunks.push(chunk));
        incoming.on('error', reject);
        incoming.on('end', () =>
          resolve({
            status: incoming.statusCode ?? 0,
            headers: incoming.headers,
            body: Buffer.concat(chunks),
          }),
        );
      });
      outgoing.on('error', reject);
      outgoing.end(body);
    });
  return { call, close: () => agent.destroy() };
}

/** Fails the benchmark if a server gives a wrong answer, because a fast error is not a result. */
export function expectStatus({ status, body }, expected, whose) {
  if (status !== expected)
    throw new Error(`${whose} answered ${status} instead of ${expected}: ${body.toString().slice(0, 500)}`);
}

/** The JSON that an x402 header carries. */
export const headerJson = (text) => JSON.parse(Buffer.from(text, 'base64').toString('utf8'));
