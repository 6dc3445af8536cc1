import type { Answering, Requested } from '../../src/surfaces/http/listener.ts';

/** An app that is called with a Request, without a connection. */
export type InMemory = {
  fetch(request: Request): Promise<Response>;
  /** Requests an address, or a path of http://localhost. */
  request(input: string | Request, init?: RequestInit): Promise<Response>;
};

/** Converts a Request to a Requested. */
export function requestedBy(request: Request): Requested {
  const { pathname, search, host } = new URL(request.url);
  return {
    method: request.method,
    path: pathname,
    query: search.slice(1),
    header: (name) => request.headers.get(name) ?? (name === 'host' ? host : undefined),
    socketAddress: undefined,
    requestId: null,
    body: (limit) => counted(request.body, limit),
  };
}

export function inMemory({ answer }: Pick<Answering, 'answer'>): InMemory {
  const fetch: InMemory['fetch'] = async (request) => {
    const reply = await answer(requestedBy(request));
    return new Response(request.method === 'HEAD' ? null : reply.body, reply);
  };
  return { fetch, request: async (input, init) => fetch(requestOf(input, init)) };
}

/** A path may begin with two slashes, which a URL would read as a host. */
export const requestOf = (input: string | Request, init?: RequestInit): Request =>
  new Request(typeof input === 'string' && input.startsWith('/') ? `http://localhost${input}` : input, init);

async function counted(stream: ReadableStream<Uint8Array> | null, limit: number): Promise<Uint8Array | null> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of stream ?? []) {
    size += chunk.length;
    if (size > limit) return null;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}
