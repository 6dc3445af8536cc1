import { type InMemory, requestOf } from '../in-memory.ts';
import { type Answered, expectAllowed } from './through.ts';

/** The same app behind the validating proxy: a call throws if the document does not allow its answer. */
export function validated(app: InMemory): InMemory {
  const fetch = async (request: Request): Promise<Response> => {
    let response: Response | undefined;
    const { pathname, search } = new URL(request.url);
    await expectAllowed({ method: request.method, target: `${pathname}${search}` }, async () => {
      response = await app.fetch(request);
      return answered(response.clone());
    });
    if (response === undefined) throw new Error('The proxy passed nothing on');
    return response;
  };
  return { fetch, request: async (input, init) => fetch(requestOf(input, init)) };
}

async function answered(response: Response): Promise<Answered> {
  return {
    status: response.status,
    headers: Object.fromEntries(response.headers),
    body: Buffer.from(await response.arrayBuffer()),
  };
}
