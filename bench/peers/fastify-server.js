import { z } from 'zod';
import { fastify } from '../../tools/bench-peers/frameworks.js';
import { lateFee, quote } from '../samples.js';
import { lateFeeInput, quoteInput } from './bare-app.js';
import { workedLateFee, workedQuote } from './worked.js';

// Fastify 5 with the same schemas as JSON Schema, which it compiles, and big.js.
const plain = (schema) => {
  const { $schema: _dialect, ...rest } = z.toJSONSchema(schema, { io: 'input', target: 'draft-7' });
  return rest;
};
const app = fastify();
app.post(quote.path, { schema: { body: plain(quoteInput) } }, async ({ body }) => workedQuote(body));
app.get(lateFee.path, { schema: { querystring: plain(lateFeeInput) } }, async ({ query }) =>
  workedLateFee(query),
);
const origin = await app.listen({ port: 0, host: '127.0.0.1' });
process.stdout.write(`${JSON.stringify({ event: 'listening', origin })}\n`);
