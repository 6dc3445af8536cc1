import quoteOperation from '../dist/operations/quote.js';
import { cpuEach } from './load.js';
import { row } from './measure.js';
import { startOurs, startServer } from './servers.js';
import { runAlone } from './table.js';

const MODERN = '2026-07-28';
const META = {
  'io.modelcontextprotocol/protocolVersion': MODERN,
  'io.modelcontextprotocol/clientCapabilities': {},
  'io.modelcontextprotocol/clientInfo': { name: 'bench', version: '1' },
};
const JSON_OR_STREAM = {
  'content-type': 'application/json',
  accept: 'application/json, text/event-stream',
};

const { name, example } = quoteOperation;
const methods = [
  {
    method: 'tools/call',
    params: { name, arguments: example },
    more: { 'mcp-name': name },
    batch: 500,
    target: 0.25,
  },
  { method: 'tools/list', params: {}, more: {}, batch: 100, target: 0.06 },
];
const eras = {
  'with a handshake': ({ method, params }) => ({
    headers: { ...JSON_OR_STREAM, 'mcp-protocol-version': '2025-11-25' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
  }),
  [MODERN]: ({ method, params, more }) => ({
    headers: { ...JSON_OR_STREAM, 'mcp-protocol-version': MODERN, 'mcp-method': method, ...more },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params: { ...params, _meta: META } }),
  }),
};

/** Free MCP requests, against the official SDK set up as in its documentation. */
export async function benchMcp() {
  const peerFile = new URL('./peers/mcp-server.js', import.meta.url);
  const [ours, peer] = await Promise.all([startOurs(), startServer(peerFile, {})]);
  const subjects = { ours: { server: ours, path: '/mcp' }, peer: { server: peer, path: '/mcp' } };
  try {
    const rows = [];
    for (const one of methods)
      for (const [era, requestOf] of Object.entries(eras)) {
        const request = { status: 200, method: 'POST', ...requestOf(one) };
        const cpu = await cpuEach(subjects, request, { rounds: 5, batch: one.batch });
        rows.push(row({ name: `${one.method} ${era}: server CPU`, unit: 'us', target: one.target, ...cpu }));
      }
    return rows;
  } finally {
    await Promise.all([ours.stop(), peer.stop()]);
  }
}

await runAlone(import.meta.url, benchMcp);
