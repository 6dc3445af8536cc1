// Coding agents and frameworks for agents. Without an account at a model vendor, a coding agent can only connect.
// None of them pays.
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { outputOf } from '../../scripts/output-of.js';

const modules = fileURLToPath(new URL('node_modules', import.meta.url));

/** The program of Claude Code, which npm installs for the platform. */
const claude = () => {
  const vendor = join(modules, '@anthropic-ai');
  const name = readdirSync(vendor).find((each) => existsSync(join(vendor, each, 'claude')));
  return join(vendor, name, 'claude');
};

const connects = (name, of, run) => ({
  name: `${name} mcp add, mcp list`,
  of,
  spends: 0,
  async run(parts) {
    // Gemini CLI connects only in a folder that its user trusts.
    const env = { PATH: process.env.PATH, HOME: parts.home, GEMINI_CLI_TRUST_WORKSPACE: 'true' };
    const options = { cwd: parts.home, env };
    const ask = async (...words) => (await run(['mcp', ...words], options)).text;
    const added = await ask('add', '--scope', 'user', '--transport', 'http', 'shop', `${parts.url}/mcp`);
    const text = await ask('list');
    parts.assert.match(text, /shop.*Connected/i, `${added} ${text}`.slice(0, 300));
  },
});

export const clients = [
  connects('Claude Code', '@anthropic-ai/claude-code', (words, options) =>
    outputOf(words, options, claude()),
  ),
  connects('Gemini CLI', '@google/gemini-cli', (words, options) =>
    outputOf([join(modules, '@google/gemini-cli/bundle/gemini.js'), ...words], options),
  ),
  {
    name: '@google/adk',
    of: '@google/adk',
    spends: 0,
    async run(parts) {
      const { MCPToolset } = await import('@google/adk');
      const toolset = new MCPToolset({ type: 'StreamableHTTPConnectionParams', url: `${parts.url}/mcp` });
      const tools = await toolset.getTools();
      await parts.useTools({
        list: async () => tools,
        call: (name, args) => tools.find((tool) => tool.name === name).runAsync({ args, toolContext: {} }),
      });
      await toolset.close();
    },
  },
  {
    name: '@strands-agents/sdk',
    of: '@strands-agents/sdk',
    spends: 0,
    async run(parts) {
      const { McpClient } = await import('@strands-agents/sdk');
      const { StreamableHTTPClientTransport } = await import(
        '@modelcontextprotocol/sdk/client/streamableHttp.js'
      );
      const transport = new StreamableHTTPClientTransport(new URL(`${parts.url}/mcp`));
      const client = new McpClient({ transport });
      const tools = await client.listTools();
      await parts.useTools({
        list: async () => tools,
        call: (name, input) =>
          client.callTool(
            tools.find((tool) => tool.name === name),
            input,
          ),
      });
      await client.disconnect();
    },
  },
];
