import type { IncomingMessage } from 'node:http';

// A reply over its limit is read and dropped up to here, which costs less than a new connection.
const MAX_PASSED_BYTES = 4 * 1024 * 1024;

/** The text of a reply; null if it is longer than `mostBytes`. Rejects if the connection breaks. */
export const collect = (incoming: IncomingMessage, mostBytes: number): Promise<string | null> =>
  new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let size = 0;
    incoming.on('data', (chunk: Buffer) => {
      size += chunk.length;
      if (size <= mostBytes) chunks.push(chunk);
      else {
        chunks.length = 0;
        resolve(null);
        if (size > MAX_PASSED_BYTES) incoming.destroy();
      }
    });
    incoming.on('end', () => resolve(Buffer.concat(chunks).toString('utf8')));
    incoming.on('error', reject);
    incoming.on('close', () => reject(new Error('reply cut off')));
  });

/** The JSON in a text; undefined if it is not JSON. */
export function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
