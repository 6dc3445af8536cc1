import type { IncomingMessage } from 'node:http';
import { PassThrough } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { collect, jsonOf } from './collect.ts';

/** A reply that arrives in chunks. */
function reply() {
  const stream = new PassThrough();
  return { stream, incoming: stream as unknown as IncomingMessage };
}

describe("a node's reply", () => {
  it('is read as text even if a letter is split between two chunks', async () => {
    const { stream, incoming } = reply();
    const bytes = Buffer.from('{"é":1}');
    stream.write(bytes.subarray(0, 3));
    stream.end(bytes.subarray(3));
    expect(await collect(incoming, 100)).toBe('{"é":1}');
  });

  it('may have exactly the maximum number of bytes', async () => {
    const [full, long] = [reply(), reply()];
    full.stream.end('x'.repeat(100));
    long.stream.end('x'.repeat(101));
    expect(await collect(full.incoming, 100)).toBe('x'.repeat(100));
    expect(await collect(long.incoming, 100)).toBeNull();
  });

  it('is read and discarded up to 4 MiB if it is too long, and cut off beyond that', async () => {
    const { stream, incoming } = reply();
    const collected = collect(incoming, 100);
    const [closed, MIB] = [new Promise((resolve) => stream.on('close', resolve)), 1024 * 1024];
    stream.write(Buffer.alloc(4 * MIB));
    expect(await collected).toBeNull();
    expect(stream.destroyed).toBe(false);
    stream.write(Buffer.alloc(1));
    await closed;
    expect(stream.destroyed).toBe(true);
  });

  it('counts as no reply if the connection breaks', async () => {
    const [cut, broken] = [reply(), reply()];
    const ends = [collect(cut.incoming, 100), collect(broken.incoming, 100)];
    cut.stream.destroy();
    broken.stream.destroy(new Error('reset'));
    await expect(ends[0]).rejects.toThrow('reply cut off');
    await expect(ends[1]).rejects.toThrow('reset');
  });
});

it('jsonOf returns undefined for a text that is not JSON', () => {
  expect([jsonOf('{"a":1}'), jsonOf('null'), jsonOf('<html>')]).toEqual([{ a: 1 }, null, undefined]);
});
