import { createMcpHandler, McpServer } from '@modelcontextprotocol/server';
import { Hono } from 'hono';
import { z } from 'zod';
import { inputSchema } from '../../dist/catalog/schema.js';
import { loadDirectory } from '../../dist/directory/load.js';
import { utcDay } from '../../dist/domain/calendar.js';
import { exampleAnswer } from '../../dist/exchange/validate.js';
import { createCatalog } from '../../dist/operations/catalog.js';

const today = utcDay(Date.UTC(2026, 10, 21));

// The tools of our catalog as plain Zod objects, created once; their answers are constant, so this side does less work.
const tools = createCatalog(loadDirectory())
  .filter(({ tool }) => tool)
  .map((operation) => ({
    name: operation.name,
    declared: {
      title: operation.title,
      description: operation.description,
      inputSchema: z.fromJSONSchema(inputSchema(operation)),
      outputSchema: operation.output,
    },
    answer: exampleAnswer(operation, { today }),
  }));

/** The official SDK set up as in its documentation: tools registered in a factory, both eras in one handler. */
export function mcpApp() {
  const handler = createMcpHandler(() => {
    const server = new McpServer({ name: 'peer', version: '1.0.0' });
    for (const { name, declared, answer } of tools)
      server.registerTool(name, declared, async () => ({
        content: [{ type: 'text', text: JSON.stringify(answer) }],
        structuredContent: answer,
      }));
    return server;
  });
  const app = new Hono();
  app.all('/mcp', (context) => handler.fetch(context.req.raw));
  return app;
}
