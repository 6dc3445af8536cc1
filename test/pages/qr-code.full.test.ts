import { expect, it } from 'vitest';
import { qrSvg } from '../../src/surfaces/pages/qr-code.ts';
import { readCode } from '../../tools/qr/index.ts';

const SCALE = 4;

/** The picture that a camera would take of a code. */
function photo(svg: string) {
  const side = Number(/viewBox="0 0 (\d+) /.exec(svg)?.[1]) * SCALE;
  const data = new Uint8Array(side * side * 4).fill(255);
  for (const [, x, y] of svg.matchAll(/M(\d+) (\d+)h1v1h-1z/g))
    for (let dot = 0; dot < SCALE * SCALE; dot += 1) {
      const row = Number(y) * SCALE + Math.floor(dot / SCALE);
      const column = Number(x) * SCALE + (dot % SCALE);
      data.fill(0, (row * side + column) * 4, (row * side + column) * 4 + 3);
    }
  return { width: side, height: side, data };
}

const LONG = 'https://calculator.example/late-fee-reminder?é='.padEnd(105, 'aB9%-');

it('a phone reads what was written, whatever its length', () => {
  const read = Array.from({ length: LONG.length }, (_, index) => LONG.slice(0, index + 1)).map((text) => {
    const svg = qrSvg(text);
    return svg === null ? null : readCode(photo(svg)) === text;
  });
  expect(read).toEqual(Array(LONG.length).fill(true));
});

it('there is no code for what is longer than it holds', () => {
  expect(qrSvg('x'.repeat(106))).not.toBeNull();
  expect(qrSvg('x'.repeat(107))).toBeNull();
});
