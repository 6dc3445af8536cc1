import { describe, expect, it } from 'vitest';
import { representations } from './reply.ts';

const sizeOf = (rows: number, isTight: boolean): number => {
  const words = ['late', 'fee', 'quote', 'client', 'invoice', 'deposit', 'tax', 'total'];
  const row = (_: unknown, at: number) =>
    `<li class="${words[at % 8]}">${words[(at * 5) % 7]} ${(at * 7919) % 1009} ${words[(at * 3) % 8]}</li>`;
  const body = Array.from({ length: rows }, row).join('\n');
  return representations({ type: 'text/html', body, isTight }, ({ bytes }) => bytes.length)('br');
};

describe('a compressed page', () => {
  it('is smaller with the slowest setting', () => {
    expect(sizeOf(400, true)).toBeLessThan(sizeOf(400, false) * 0.95);
  });

  it('is compressed with a faster setting if it is so large that other requests would have to wait', () => {
    expect(sizeOf(5_000, true)).toBe(sizeOf(5_000, false));
  });
});
