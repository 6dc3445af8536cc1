import { createServer } from 'node:http';
import { say } from './listen.js';

// The least that Node.js itself can do: constant bytes of the given length.
const body = Buffer.alloc(Number(process.env.BODY_BYTES), 'x');
const headers = { 'content-type': 'application/json', 'content-length': String(body.length) };
say(createServer((_request, response) => response.writeHead(200, headers).end(body)));
