import { fetchTool } from '../../scripts/tool.js';

fetchTool('mcp-clients');
export const { Client: Client1 } = await import('@modelcontextprotocol/sdk/client/index.js');
export const { StreamableHTTPClientTransport: Transport1 } = await import(
  '@modelcontextprotocol/sdk/client/streamableHttp.js'
);
export const { Client: Client2025 } = await import('mcp-sdk-2025/client/index.js');
export const { StreamableHTTPClientTransport: Transport2025 } = await import(
  'mcp-sdk-2025/client/streamableHttp.js'
);
