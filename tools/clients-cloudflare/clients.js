export const clients = [
  {
    name: 'agents withX402Client',
    of: 'agents',
    note: 'its limit of USD 0.10 refuses the report until maxPaymentValue is raised, as every user must do',
    async run({ url, key, products, assert }) {
      const { withX402Client } = await import('agents/x402');
      const { Client, StreamableHTTPClientTransport } = await import('@modelcontextprotocol/client');
      const { privateKeyToAccount } = await import('viem/accounts');
      const connected = async (options) => {
        const client = new Client({ name: 'buyer', version: '1.0.0' });
        await client.connect(new StreamableHTTPClientTransport(new URL(`${url}/mcp`)));
        return withX402Client(client, {
          network: 'eip155:8453',
          account: privateKeyToAccount(key),
          ...options,
        });
      };
      const careful = await connected({});
      const capped = await careful.callTool(null, {
        name: products[2].tool,
        arguments: products[2].arguments,
      });
      assert.match(JSON.stringify(capped), /exceeds client cap/);
      const buyer = await connected({ maxPaymentValue: 1_000_000n });
      for (const { tool, arguments: input, has } of products) {
        const result = await buyer.callTool(null, { name: tool, arguments: input });
        assert.ok(has in (result.structuredContent ?? {}), JSON.stringify(result).slice(0, 300));
      }
    },
  },
];
