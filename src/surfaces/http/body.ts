import type { Context } from 'hono';
import type { ProblemCode } from '../problem.ts';

/** What a body is read from: a part of Hono's context. */
export type BodySource = {
  readonly req: {
    header(name: string): string | undefined;
    arrayBuffer(): Promise<ArrayBuffer | Uint8Array<ArrayBuffer>>;
    readonly raw: { readonly body: ReadableStream<Uint8Array> | null };
  };
};

/** The longest request body, in bytes. */
export const MAX_BODY_BYTES = 65_536;

/** Reads a JSON body of bounded size, or none at all. What its headers already refuse is never read. */
export async function readBody({
  req,
}: BodySource): Promise<{ bytes: Uint8Array } | { refusal: ProblemCode }> {
  const length = req.header('content-length');
  if (length !== undefined && Number(length) > MAX_BODY_BYTES) return { refusal: 'payload_too_large' };
  const type = req.header('content-type');
  // No body has no type: what is missing from it is then said field by field.
  const untyped = type === undefined && (length === undefined || length === '0');
  if (!untyped && !isJson(type)) return { refusal: 'unsupported_media_type' };
  const coding = req.header('content-encoding');
  if (coding !== undefined && coding.toLowerCase() !== 'identity')
    return { refusal: 'unsupported_media_type' };
  // Without a length the body is counted while it arrives; building that stream costs more than reading at once.
  try {
    const read = length === undefined ? await readCounted(req.raw.body) : await req.arrayBuffer();
    const bytes = read instanceof ArrayBuffer ? new Uint8Array(read) : read;
    if (bytes === null) return { refusal: 'payload_too_large' };
    return untyped && bytes.length > 0 ? { refusal: 'unsupported_media_type' } : { bytes };
  } catch {
    // The caller hung up or broke the framing: no fault of ours, and nobody left to tell.
    return { refusal: 'invalid_input' };
  }
}

/**
 * Reads a form as browsers send it, of bounded size: its pairs in order. Another type
 * and too much are refused.
 */
export async function readForm(
  context: Context,
): Promise<{ pairs: readonly (readonly [string, string])[] } | { refusal: ProblemCode }> {
  const length = context.req.header('content-length');
  if (length !== undefined && Number(length) > MAX_BODY_BYTES) return { refusal: 'payload_too_large' };
  const [media = ''] = (context.req.header('content-type') ?? '').split(';');
  if (media.trim().toLowerCase() !== 'application/x-www-form-urlencoded')
    return { refusal: 'unsupported_media_type' };
  try {
    const bytes = await readCounted(context.req.raw.body);
    if (bytes === null) return { refusal: 'payload_too_large' };
    return { pairs: [...new URLSearchParams(Buffer.from(bytes).toString())] };
  } catch {
    return { refusal: 'invalid_input' };
  }
}

/** application/json, or another JSON type, in UTF-8. */
function isJson(type: string | undefined): boolean {
  if (type === undefined) return false;
  const [media = '', ...parameters] = type.split(';').map((part) => part.trim().toLowerCase());
  if (!/^application\/(?:[a-z0-9.-]+\+)?json$/.test(media)) return false;
  const charset = parameters.find((parameter) => parameter.startsWith('charset='));
  return charset === undefined || /^charset="?utf-?8"?$/.test(charset);
}

/** Every byte of a stream, or null as soon as there are too many. */
async function readCounted(stream: ReadableStream<Uint8Array> | null): Promise<Uint8Array | null> {
  if (stream === null) return new Uint8Array();
  const chunks: Uint8Array[] = [];
  let size = 0;
  const reader = stream.getReader();
  for (let part = await reader.read(); !part.done; part = await reader.read()) {
    size += part.value.length;
    if (size > MAX_BODY_BYTES) {
      await reader.cancel();
      return null;
    }
    chunks.push(part.value);
  }
  return Buffer.concat(chunks);
}
