import { createServer, request } from 'node:http';
import type { TestProject } from 'vitest/node';
import { riddle } from '../../http/riddle.ts';
import { catalog, testApp } from '../app.ts';
import { opened, stopped } from '../listening.ts';
import { EXCHANGE_HEADER } from './exchange-header.ts';
import { startPrism } from './prism.ts';

declare module 'vitest' {
  export interface ProvidedContext {
    /** The address of the validating proxy, for projects that run behind it. */
    validatingProxy?: string;
  }
}

/**
 * Puts Prism, which validates against the service's document, between the tests of a project and the service. There
 * is one proxy for all test files, and behind it a switchboard that passes each request to its own file. If Prism is
 * unavailable, this is reported as skipped, and the tests call the service directly.
 */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  if (process.env.SKIP_OPENAPI !== undefined) return async () => {};
  const switchboard = createServer((incoming, outgoing) => {
    const [port, number] = String(incoming.headers[EXCHANGE_HEADER]).split('/');
    const onward = request({ host: '127.0.0.1', port, path: `/${number}`, agent: false }, (answer) => {
      outgoing.writeHead(answer.statusCode ?? 500, answer.headers);
      answer.pipe(outgoing);
    });
    onward.on('error', () => outgoing.destroy());
    onward.end();
  });
  const upstream = await opened(switchboard);
  // Operations that exist only in tests are described like all others.
  const app = testApp({ operations: [...catalog, riddle] });
  const document = await (await app.get('/openapi.json')).json();
  const prism = await startPrism(document, upstream);
  project.provide('validatingProxy', prism.url);
  return async () => {
    await prism.stop();
    await stopped(switchboard);
  };
}
