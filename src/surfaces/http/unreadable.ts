import { STATUS_CODES } from 'node:http';
import { newRequestId, REQUEST_ID_HEADER } from '../../platform/request-id.ts';
import { type ProblemCode, problem } from '../problem.ts';
import { problemReply, responseOf } from './reply.ts';

/**
 * What a connection is told whose bytes never became a request: the whole HTTP response for an error code of Node.js'
 * parser. Written without the app, which has no request to answer.
 */
export function unreadableReply(baseUrl: string): (errorCode: string | undefined) => string {
  const replies = new Map<ProblemCode, readonly [head: string, rest: string]>();
  const named = ([head, rest]: readonly [string, string]) =>
    `${head}${REQUEST_ID_HEADER}: ${newRequestId()}\r\n${rest}`;
  return (errorCode) => {
    const code = codes[errorCode ?? ''] ?? 'malformed_request';
    const known = replies.get(code);
    if (known !== undefined) return named(known);
    const body = problem(baseUrl, code);
    const text = JSON.stringify(body);
    const headers = [
      ...responseOf(problemReply(body)).headers,
      ['connection', 'close'],
      ['content-length', String(Buffer.byteLength(text))],
    ];
    const lines = headers.map(([name, value]) => `${name}: ${value}\r\n`).join('');
    const reply = [
      `HTTP/1.1 ${body.status} ${STATUS_CODES[body.status]}\r\n`,
      `${lines}\r\n${text}`,
    ] as const;
    replies.set(code, reply);
    return named(reply);
  };
}

const codes: Readonly<Record<string, ProblemCode>> = {
  HPE_HEADER_OVERFLOW: 'headers_too_large',
  ERR_HTTP_REQUEST_TIMEOUT: 'request_timeout',
};
