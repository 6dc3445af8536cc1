import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { outputOf } from '../../scripts/output-of.js';

const program = fileURLToPath(new URL('node_modules/agentcash/dist/esm/index.js', import.meta.url));
const internet = fileURLToPath(new URL('internet.js', import.meta.url));

/**
 * Returns the output of the command. Before it pays, the command asks its vendor's server one question, whose answer
 * is replaced here.
 */
async function agentcash(words, { key }) {
  const env = { ...process.env, X402_PRIVATE_KEY: key };
  return (await outputOf(['--import', internet, program, ...words, '--yes'], { env })).text;
}

export const clients = [
  {
    name: 'agentcash fetch',
    of: 'agentcash',
    note: "asks its vendor's server for the balance; the run answers in its place",
    async run(parts) {
      for (const { path, init, has } of parts.products) {
        const body =
          init.body === undefined
            ? []
            : ['-m', 'POST', '-b', init.body, '-H', 'Content-Type: application/json'];
        const text = await agentcash(['fetch', `${parts.url}${path}`, '-p', 'x402', ...body], parts);
        parts.assert.match(text, new RegExp(`"${has}"`), text.slice(0, 300));
      }
    },
  },
  {
    name: 'agentcash discover and check',
    of: 'agentcash',
    spends: 0,
    async run(parts) {
      const found = await agentcash(['discover', parts.url], parts);
      for (const path of ['late-fee-notice', 'quote-pack', 'stack-report'])
        parts.assert.match(found, new RegExp(path));
      const checked = await agentcash(['check', `${parts.url}/v1/quote-pack`], parts);
      parts.assert.match(checked, /unit_price/);
    },
  },
  {
    name: 'agentcash add',
    of: 'agentcash',
    spends: 0,
    async run(parts) {
      const told = await agentcash(['add', parts.url], parts);
      const skills = readdirSync(parts.home, { recursive: true }).filter((path) => path.endsWith('SKILL.md'));
      parts.assert.equal(skills.length, 1, told.slice(0, 300));
      const written = readFileSync(join(parts.home, skills[0]), 'utf8');
      // agentcash writes the description into YAML unchanged.
      parts.assert.match(written, /^description: Quotes, late fees(?:(?!: | #).)+$/m);
    },
  },
  {
    name: '@agentcash/discovery',
    of: '@agentcash/discovery',
    spends: 0,
    async run({ url, assert }) {
      const { checkEndpointSchema, discoverOriginSchema } = await import('@agentcash/discovery');
      const { found, endpoints } = await discoverOriginSchema({ target: url });
      assert.equal(found, true);
      const paid = endpoints.filter(({ authMode }) => authMode === 'paid').map(({ path }) => path);
      assert.deepEqual([...new Set(paid)].sort(), [
        '/v1/late-fee-notice',
        '/v1/quote-pack',
        '/v1/stack-report',
      ]);
      const checked = await checkEndpointSchema({ url: `${url}/v1/quote-pack`, probe: true });
      assert.equal(checked.found, true);
    },
  },
  {
    name: 'agentcash as an MCP server',
    of: 'agentcash',
    note: "asks its vendor's server for the balance; the run answers in its place",
    async run(parts) {
      const { Client } = await import('@modelcontextprotocol/client');
      const { StdioClientTransport } = await import('@modelcontextprotocol/client/stdio');
      const client = new Client({ name: 'agent', version: '1.0.0' });
      const env = { ...process.env, X402_PRIVATE_KEY: parts.key };
      const args = ['--import', internet, program, 'server'];
      await client.connect(
        new StdioClientTransport({ command: process.execPath, args, env, stderr: 'ignore' }),
      );
      for (const { path, init, has } of parts.products) {
        const body = init.body === undefined ? {} : { body: JSON.parse(init.body) };
        const input = { url: `${parts.url}${path}`, method: init.method, paymentProtocol: 'x402', ...body };
        const result = JSON.stringify(await client.callTool({ name: 'fetch', arguments: input }));
        parts.assert.match(result, new RegExp(has), result.slice(0, 300));
      }
      await client.close();
    },
  },
];
