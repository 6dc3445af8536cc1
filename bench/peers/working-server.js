import { Hono } from 'hono';
import { lateFee, quote } from '../samples.js';
import { lateFeeInput, quoteInput } from './bare-app.js';
import { listen } from './listen.js';
import { workedLateFee, workedQuote } from './worked.js';

// Hono and Zod with big.js: routes that parse, validate and calculate the same answer.
const app = new Hono();
app.post(quote.path, async (context) =>
  context.json(workedQuote(quoteInput.parse(await context.req.json()))),
);
app.get(lateFee.path, (context) => context.json(workedLateFee(lateFeeInput.parse(context.req.query()))));
listen(app);
