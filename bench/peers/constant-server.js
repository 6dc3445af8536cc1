import { Hono } from 'hono';
import { listen } from './listen.js';

// The minimum cost of Hono: a route that returns a constant of the given length.
const body = 'x'.repeat(Number(process.env.BODY_BYTES));
const app = new Hono();
app.get('/constant', (context) => context.body(body, 200, { 'content-type': 'application/json' }));
listen(app);
