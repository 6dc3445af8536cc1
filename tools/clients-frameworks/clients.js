// MCP clients of frameworks. None of them pays, so the price of a paid tool must reach the user.

const address = ({ url }) => `${url}/mcp`;

const framework = (of, use, name = of) => ({ name, of, spends: 0, run: use });

const json = (value) => (typeof value === 'string' ? value : JSON.stringify(value));

export const clients = [
  framework('@ai-sdk/mcp', async (parts) => {
    const { createMCPClient } = await import('@ai-sdk/mcp');
    const client = await createMCPClient({ transport: { type: 'http', url: address(parts) } });
    const tools = await client.tools();
    await parts.useTools({
      list: async () => Object.keys(tools),
      call: (name, input) => tools[name].execute(input, { toolCallId: '1', messages: [] }),
    });
    await client.close();
  }),
  framework(
    'ai-5',
    async (parts) => {
      const { experimental_createMCPClient: createMCPClient } = await import('ai-5');
      const { StreamableHTTPClientTransport } = await import('sdk-1.20/client/streamableHttp.js');
      const client = await createMCPClient({
        transport: new StreamableHTTPClientTransport(new URL(address(parts))),
      });
      const tools = await client.tools();
      await parts.useTools({
        list: async () => Object.keys(tools),
        call: (name, input) => tools[name].execute(input, { toolCallId: '1', messages: [] }),
      });
      await client.close();
    },
    'ai, its own MCP client',
  ),
  framework('@langchain/mcp-adapters', async (parts) => {
    const { MultiServerMCPClient } = await import('@langchain/mcp-adapters');
    const client = new MultiServerMCPClient({
      mcpServers: { shop: { url: address(parts), transport: 'http' } },
    });
    const tools = await client.getTools();
    await parts.useTools({
      list: async () => tools,
      call: (name, input) => tools.find((tool) => tool.name.endsWith(name)).invoke(input),
    });
    await client.close();
  }),
  framework('@openai/agents', async (parts) => {
    const { MCPServerStreamableHttp } = await import('@openai/agents');
    const server = new MCPServerStreamableHttp({ url: address(parts), name: 'shop' });
    await server.connect();
    await parts.useTools({
      list: () => server.listTools(),
      call: (name, input) => server.callTool(name, input),
    });
    await server.close();
  }),
  framework(
    '@openai/agents',
    async (parts) => {
      const { MCPServerStreamableHttp, RunContext, mcpToFunctionTool } = await import('@openai/agents');
      const server = new MCPServerStreamableHttp({ url: address(parts), name: 'shop' });
      await server.connect();
      const listed = await server.listTools();
      const tools = listed.map((each) => mcpToFunctionTool(each, server, true));
      const named = (name) => tools.find((tool) => tool.name === name);
      // Strict tools require every field, so a model sends null to omit one.
      const nulls = ({ parameters }) =>
        Object.fromEntries(Object.keys(parameters.properties).map((field) => [field, null]));
      await parts.useTools({
        list: async () => tools,
        call: async (name, input) => {
          const tool = named(name);
          const asked = JSON.stringify({ ...nulls(tool), ...input });
          return json(await tool.invoke(new RunContext(), asked));
        },
      });
      await server.close();
    },
    '@openai/agents with convertSchemasToStrict',
  ),
  framework('mcp-use', async (parts) => {
    const { MCPClient } = await import('mcp-use/client');
    const client = MCPClient.fromDict({ mcpServers: { shop: { url: address(parts) } } });
    const session = await client.createSession('shop');
    await parts.useTools({
      list: () => session.listTools(),
      call: (name, input) => session.callTool(name, input),
    });
    await client.closeAllSessions();
  }),
  framework('@mastra/mcp', async (parts) => {
    const { MCPClient } = await import('@mastra/mcp');
    const client = new MCPClient({ servers: { shop: { url: new URL(address(parts)) } } });
    const tools = await client.listTools();
    const named = (name) => Object.entries(tools).find(([key]) => key.endsWith(name))[1];
    await parts.useTools({
      list: async () => Object.keys(tools),
      call: async (name, input) => json(await named(name).execute(input, {})),
    });
    await client.disconnect();
  }),
  framework('@google/genai', async (parts) => {
    const { mcpToTool } = await import('@google/genai');
    const { Client } = await import('@modelcontextprotocol/sdk/client/index.js');
    const { StreamableHTTPClientTransport } = await import(
      '@modelcontextprotocol/sdk/client/streamableHttp.js'
    );
    const client = new Client({ name: 'client', version: '1.0.0' });
    await client.connect(new StreamableHTTPClientTransport(new URL(address(parts))));
    const callable = mcpToTool(client);
    const { functionDeclarations } = await callable.tool();
    await parts.useTools({
      list: async () => functionDeclarations,
      call: async (name, args) => json(await callable.callTool([{ name, args }])),
    });
  }),
];
