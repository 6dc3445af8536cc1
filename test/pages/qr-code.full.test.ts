import readCode from 'qr/decode.js';
import { expect, it } from 'vitest';
import { testApp } from '../support/app.ts';

const SCALE = 4;

/** Returns the picture of a code as a camera sees it: one path, with a square for each dark module. */
function photo(svg: string) {
  const side = Number(/viewBox="0 0 (\d+) /.exec(svg)?.[1]) * SCALE;
  const data = new Uint8Array(side * side * 4).fill(255);
  let [x, y] = [0, 0];
  for (const [, move, right, down] of svg.matchAll(/([Mm])(-?\d+)[ ,]?(-?\d+)h1v1/g)) {
    x = Number(right) + (move === 'M' ? 0 : x);
    y = Number(down) + (move === 'M' ? 0 : y);
    for (let dot = 0; dot < SCALE * SCALE; dot += 1) {
      const row = y * SCALE + Math.floor(dot / SCALE);
      const column = x * SCALE + (dot % SCALE);
      data.fill(0, (row * side + column) * 4, (row * side + column) * 4 + 3);
    }
  }
  return { width: side, height: side, data };
}

it.each(['/late-invoice', '/quote', '/plan'])(
  'a phone can read the address of %s from its QR code',
  async (path) => {
    const code = await testApp().get(`${path}/qr.svg`);
    expect(readCode(photo(await code.text()))).toBe(`https://calc.example${path}`);
  },
);
