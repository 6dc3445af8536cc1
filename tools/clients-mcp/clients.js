import { fileURLToPath } from 'node:url';
import { outputOf } from '../../scripts/output-of.js';

const inFolder = (path) => fileURLToPath(new URL(`node_modules/${path}`, import.meta.url));
const info = { name: 'client', version: '1.0.0' };

const useWith = (client, { useTools }) =>
  useTools({
    list: async () => (await client.listTools()).tools,
    call: (name, input) => client.callTool({ name, arguments: input }),
  });

/** An SDK of the first generation. */
const sdk = (of) => ({
  name: '@modelcontextprotocol/sdk',
  of,
  spends: 0,
  async run(parts) {
    const { Client } = await import(`${of}/client/index.js`);
    const { StreamableHTTPClientTransport } = await import(`${of}/client/streamableHttp.js`);
    const client = new Client(info);
    await client.connect(new StreamableHTTPClientTransport(new URL(`${parts.url}/mcp`)));
    await useWith(client, parts);
  },
});

const client2 = (mode) => ({
  name: `@modelcontextprotocol/client, ${typeof mode === 'string' ? mode : mode.pin}`,
  of: 'client-2.4',
  spends: 0,
  async run(parts) {
    const { Client, StreamableHTTPClientTransport } = await import('client-2.4');
    const client = new Client(info, { versionNegotiation: { mode } });
    await client.connect(new StreamableHTTPClientTransport(new URL(`${parts.url}/mcp`)));
    await useWith(client, parts);
  },
});

const printed = async (words) => (await outputOf(words)).text;

/** A program that connects to the service for a client that has only standard input and output. */
const mcpRemote = (...options) => ({
  name: ['mcp-remote (stdio)', ...options].join(' '),
  of: 'mcp-remote',
  spends: 0,
  async run(parts) {
    const { Client } = await import('sdk-1.32/client/index.js');
    const { StdioClientTransport } = await import('sdk-1.32/client/stdio.js');
    const client = new Client(info);
    const proxy = inFolder('mcp-remote/dist/proxy.js');
    const args = [proxy, `${parts.url}/mcp`, '--allow-http', ...options];
    await client.connect(new StdioClientTransport({ command: process.execPath, args, env: process.env }));
    await useWith(client, parts);
    await client.close();
  },
});

/** This client has only the transport of 2024: a stream by GET, which current servers reject with 405. */
const SSE_ALONE = {
  name: '@modelcontextprotocol/sdk',
  of: 'sdk-1.0',
  spends: 0,
  fault: 'has only SSE and gets 405, Allow: POST; streamable HTTP came with 1.10',
  async run({ url, assert }) {
    const { EventSource } = await import('eventsource');
    globalThis.EventSource = EventSource;
    const { Client } = await import('sdk-1.0/client/index.js');
    const { SSEClientTransport } = await import('sdk-1.0/client/sse.js');
    const client = new Client(info, { capabilities: {} });
    await assert.rejects(client.connect(new SSEClientTransport(new URL(`${url}/mcp`))), /405/);
    const told = await fetch(`${url}/mcp`, { headers: { accept: 'text/event-stream' } });
    assert.deepEqual([told.status, /POST/.test(told.headers.get('allow'))], [405, true]);
  },
};

export const clients = [
  SSE_ALONE,
  sdk('sdk-1.10.0'),
  sdk('sdk-1.10'),
  sdk('sdk-1.12'),
  sdk('sdk-1.20'),
  sdk('sdk-1.25'),
  sdk('sdk-1.32'),
  client2('legacy'),
  client2('auto'),
  client2({ pin: '2026-07-28' }),
  {
    name: 'Inspector --cli',
    of: '@modelcontextprotocol/inspector',
    spends: 0,
    async run(parts) {
      const inspector = inFolder('@modelcontextprotocol/inspector/clients/launcher/build/index.js');
      const ask = (...words) =>
        printed([inspector, '--cli', `${parts.url}/mcp`, '--transport', 'http', ...words]);
      const list = await ask('--method', 'tools/list');
      const names = [...list.matchAll(/^ {6}"name": "(\w+)"/gm)].map(([, name]) => name);
      const named = (name, value) => `${name}=${typeof value === 'object' ? JSON.stringify(value) : value}`;
      await parts.useTools({
        list: async () => names,
        call: (name, input) =>
          ask(
            '--method',
            'tools/call',
            '--tool-name',
            name,
            ...Object.entries(input).flatMap((entry) => ['--tool-arg', named(...entry)]),
          ),
      });
    },
  },
  mcpRemote(),
  mcpRemote('--transport', 'http-only'),
];
