import { describe, expect, it } from 'vitest';
import { requestedBy } from '../../../test/support/in-memory.ts';
import { readJson } from './input.ts';

type Sent = { headers?: Record<string, string>; body?: Uint8Array | ReadableStream | null };
type Read = { bytes: number } | { refusal: string };

/** The result of reading a request: the number of its bytes, or the code of its refusal. */
async function read({ headers = {}, body = null }: Sent): Promise<Read> {
  const init = { method: 'POST', headers, body, duplex: 'half' } as RequestInit;
  const result = await readJson(requestedBy(new Request('http://localhost/', init)));
  return 'refusal' in result ? result : { bytes: result.bytes.length };
}
const typed = (type: string) => read({ headers: { 'content-type': type }, body: Buffer.from('{}') });
const JSON_TYPE = { 'content-type': 'application/json' };
const UNSUPPORTED = { refusal: 'unsupported_media_type' };

describe('the content type of a body', () => {
  it.each([
    'application/json',
    'APPLICATION/JSON',
    'application/json; charset=utf-8',
    'application/json;charset="UTF-8"',
    'application/json; charset=utf8',
    'application/json; odd=1; charset=utf-8',
    'application/vnd.api+json',
    'application/problem+json',
  ])('may be %s', async (type) => {
    expect(await typed(type)).toEqual({ bytes: 2 });
  });

  it.each([
    'text/plain',
    'text/json',
    'application/x-www-form-urlencoded',
    'multipart/form-data; boundary=x',
    'application/json, text/plain',
    'application/jsonp',
    'application/json-seq',
    'application/xml+json+xml',
    'json',
    '',
    'application/json; charset=utf-16',
    'application/json; charset=iso-8859-1',
  ])('must not be %j', async (type) => {
    expect(await typed(type)).toEqual(UNSUPPORTED);
  });

  it('may be missing only together with the body', async () => {
    expect(await read({ body: Buffer.from('{}') })).toEqual(UNSUPPORTED);
    expect(await read({ headers: { 'content-length': '2' }, body: Buffer.from('{}') })).toEqual(UNSUPPORTED);
    expect(await read({})).toEqual({ bytes: 0 });
    expect(await read({ headers: { 'content-length': '0' } })).toEqual({ bytes: 0 });
  });

  it('must not name a compression', async () => {
    for (const coding of ['gzip', 'br', 'deflate', 'zstd', 'gzip, identity', 'x']) {
      const headers = { ...JSON_TYPE, 'content-encoding': coding };
      expect(await read({ headers, body: Buffer.from('{}') })).toEqual(UNSUPPORTED);
    }
    const headers = { ...JSON_TYPE, 'content-encoding': 'Identity' };
    expect(await read({ headers, body: Buffer.from('{}') })).toEqual({ bytes: 2 });
  });
});

/** A stream that counts the chunks read from it. */
function chunks(count: number, bytes: number) {
  const taken = { count: 0 };
  const stream = new ReadableStream<Uint8Array>(
    {
      pull(controller) {
        if (taken.count === count) return controller.close();
        taken.count += 1;
        controller.enqueue(new Uint8Array(bytes).fill(32));
      },
    },
    { highWaterMark: 0 },
  );
  return { stream, taken };
}

describe('the size of a body', () => {
  it('is at most 65536 bytes', async () => {
    const sized = (size: number) => read({ headers: JSON_TYPE, body: new Uint8Array(size) });
    expect(await sized(65_536)).toEqual({ bytes: 65_536 });
    expect(await sized(65_537)).toEqual({ refusal: 'payload_too_large' });
  });

  it('is refused by its length before anything is read, regardless of its type', async () => {
    for (const headers of [JSON_TYPE, { 'content-type': 'text/plain' }]) {
      const { stream, taken } = chunks(1, 10);
      const sent = { headers: { ...headers, 'content-length': '65537' }, body: stream };
      expect(await read(sent)).toEqual({ refusal: 'payload_too_large' });
      expect(taken.count).toBe(0);
    }
  });

  it('is counted if no length is given, and reading stops at once', async () => {
    const endless = chunks(1_000, 16_384);
    expect(await read({ headers: JSON_TYPE, body: endless.stream })).toEqual({
      refusal: 'payload_too_large',
    });
    expect(endless.taken.count).toBe(5);
    expect(await read({ headers: JSON_TYPE, body: chunks(4, 16_384).stream })).toEqual({ bytes: 65_536 });
  });
});

describe('a disconnecting caller', () => {
  it.each([undefined, '100'])(
    'is not reported as a fault of the service (content-length %s)',
    async (length) => {
      const body = new ReadableStream({ pull: (controller) => controller.error(new Error('hung up')) });
      const headers = { ...JSON_TYPE, ...(length !== undefined && { 'content-length': length }) };
      expect(await read({ headers, body })).toEqual({ refusal: 'invalid_input' });
    },
  );
});
