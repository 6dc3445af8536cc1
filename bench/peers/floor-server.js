import { createServer } from 'node:http';
import { say } from './listen.js';

// The minimum cost of Node.js itself: constant bytes of the given length.
const body = Buffer.alloc(Number(process.env.BODY_BYTES), 'x');
const headers = { 'content-type': 'application/json', 'content-length': String(body.length) };
say(createServer((_request, response) => response.writeHead(200, headers).end(body)));
