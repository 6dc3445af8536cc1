import type { Hono } from 'hono';
import { type Answered, expectAllowed } from './through.ts';

/** The same app behind the validating proxy: an answer that the document does not allow throws where it was asked for. */
export function validated(app: Hono): Hono {
  const fetchThrough: Hono['fetch'] = async (request, ...rest) => {
    let response: Response | undefined;
    const { pathname, search } = new URL(request.url);
    await expectAllowed({ method: request.method, target: `${pathname}${search}` }, async () => {
      response = await app.fetch(request, ...rest);
      return answered(response.clone());
    });
    if (response === undefined) throw new Error('The proxy passed nothing on');
    return response;
  };
  const request: Hono['request'] = (input, init, ...rest) => {
    // A path may begin with two slashes, which an URL would read as a host.
    const target = typeof input === 'string' && input.startsWith('/') ? `http://localhost${input}` : input;
    return fetchThrough(new Request(target, init), ...rest);
  };
  return Object.assign(Object.create(app) as Hono, { fetch: fetchThrough, request });
}

async function answered(response: Response): Promise<Answered> {
  return {
    status: response.status,
    headers: Object.fromEntries(response.headers),
    body: Buffer.from(await response.arrayBuffer()),
  };
}
