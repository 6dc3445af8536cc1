/*
 * A QR code (ISO/IEC 18004) of an address: byte mode, level M, versions 1 to 6, always mask 0, which every reader reads.
 * That is less code than a package would bring.
 */

type Version = ReturnType<typeof version>;

const version = (number: number, blocks: number, dataInBlock: number, checksInBlock: number) => ({
  size: 17 + 4 * number,
  blocks,
  dataInBlock,
  checksInBlock,
  /** Where the centre of the alignment pattern is; null for the smallest, which has none. */
  alignment: number === 1 ? null : 10 + 4 * number,
});

// Blocks, codewords of data in each and of error correction in each, for level M.
const VERSIONS: readonly Version[] = [
  version(1, 1, 16, 10),
  version(2, 1, 28, 16),
  version(3, 1, 44, 26),
  version(4, 2, 32, 18),
  version(5, 2, 43, 24),
  version(6, 4, 27, 16),
];

/** As SVG, dark on light whatever the page is; null for what is longer than such a code holds (106 bytes). */
export function qrSvg(text: string): string | null {
  const bytes = new TextEncoder().encode(text);
  // Four bits say that bytes follow, eight how many.
  const fitting = VERSIONS.find(({ blocks, dataInBlock }) => bytes.length + 2 <= blocks * dataInBlock);
  if (fitting === undefined) return null;
  const modules = drawn(fitting, codewords(bytes, fitting));
  const side = fitting.size + 8;
  const path = modules
    .flatMap((row, y) => row.map((isDark, x) => (isDark ? `M${x + 4} ${y + 4}h1v1h-1z` : '')))
    .join('');
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${side} ${side}" shape-rendering="crispEdges"><rect width="${side}" height="${side}" fill="#fff"/><path d="${path}"/></svg>`;
}

/** Data and error correction, in the order in which they are drawn. */
function codewords(bytes: Uint8Array, { blocks, dataInBlock, checksInBlock }: Version): readonly number[] {
  const bits = [0b0100, bytes.length, ...bytes].flatMap((value, index) => bitsOf(value, index === 0 ? 4 : 8));
  const data = Array.from({ length: blocks * dataInBlock }, (_, index) => {
    const own = bits.slice(8 * index, 8 * index + 8);
    if (own.length > 0) return own.reduce((value, bit) => 2 * value + bit, 0) << (8 - own.length);
    return (index - Math.ceil(bits.length / 8)) % 2 === 0 ? 0xec : 0x11;
  });
  const parts = Array.from({ length: blocks }, (_, block) =>
    data.slice(block * dataInBlock, (block + 1) * dataInBlock),
  );
  const checks = parts.map((part) => checksOf(part, checksInBlock));
  const turned = (lists: readonly (readonly number[])[]): number[] =>
    (lists[0] ?? []).flatMap((_, index) => lists.map((list) => list[index] ?? 0));
  return [...turned(parts), ...turned(checks)];
}

const bitsOf = (value: number, count: number): number[] =>
  Array.from({ length: count }, (_, index) => (value >> (count - 1 - index)) & 1);

/** Reed-Solomon over GF(256) with the polynomial 0x11d. */
function checksOf(data: readonly number[], count: number): readonly number[] {
  let generator = [1];
  for (let power = 0, root = 1; power < count; power += 1, root = times(root, 2)) {
    const grown = [...generator, 0];
    for (const [index, factor] of generator.entries())
      grown[index + 1] = (grown[index + 1] ?? 0) ^ times(factor, root);
    generator = grown;
  }
  const rest: number[] = Array(count).fill(0);
  for (const value of data) {
    const factor = value ^ (rest.shift() ?? 0);
    rest.push(0);
    for (const [index, term] of generator.slice(1).entries())
      rest[index] = (rest[index] ?? 0) ^ times(term, factor);
  }
  return rest;
}

function times(one: number, other: number): number {
  let product = 0;
  for (let bit = 7; bit >= 0; bit -= 1) {
    product = (product << 1) ^ (product & 0x80 ? 0x11d : 0);
    if ((other >> bit) & 1) product ^= one;
  }
  return product;
}

type Grid = (boolean | null)[][];

function drawn({ size, alignment }: Version, words: readonly number[]): Grid {
  const grid: Grid = Array.from({ length: size }, () => Array<boolean | null>(size).fill(null));
  const set = (x: number, y: number, isDark: boolean): void => {
    const row = grid[y];
    if (row !== undefined && x >= 0 && x < size) row[x] = isDark;
  };
  for (let at = 0; at < size; at += 1) {
    set(at, 6, at % 2 === 0);
    set(6, at, at % 2 === 0);
  }
  const square = (centreX: number, centreY: number, reach: number, light: readonly number[]): void => {
    for (let dy = -reach; dy <= reach; dy += 1)
      for (let dx = -reach; dx <= reach; dx += 1)
        set(centreX + dx, centreY + dy, !light.includes(Math.max(Math.abs(dx), Math.abs(dy))));
  };
  for (const [x, y] of [
    [3, 3],
    [size - 4, 3],
    [3, size - 4],
  ] as const)
    square(x, y, 4, [2, 4]);
  if (alignment !== null) square(alignment, alignment, 2, [1]);
  drawFormat(set, size);
  drawWords(grid, words);
  return grid;
}

// Level M with mask 0, with its check bits, as the standard's table has it.
const FORMAT = 0b101010000010010;

function drawFormat(set: (x: number, y: number, isDark: boolean) => void, size: number): void {
  for (let bit = 0; bit < 15; bit += 1) {
    const isDark = ((FORMAT >> bit) & 1) === 1;
    // Past the timing pattern in row and column 6.
    const near = bit < 6 ? bit : bit < 8 ? bit + 1 : 14 - bit + (bit < 9 ? 1 : 0);
    if (bit < 8) set(8, near, isDark);
    else set(near, 8, isDark);
    if (bit < 8) set(size - 1 - bit, 8, isDark);
    else set(8, size - 15 + bit, isDark);
  }
  set(8, size - 8, true);
}

/** In columns of two from the right, up and down in turn, past the vertical timing pattern. */
function drawWords(grid: Grid, words: readonly number[]): void {
  const size = grid.length;
  const bits = words.flatMap((word) => bitsOf(word, 8));
  let next = 0;
  for (let column = size - 1, isUp = true; column > 0; column -= column === 8 ? 3 : 2, isUp = !isUp)
    for (let step = 0; step < size; step += 1) {
      const y = isUp ? size - 1 - step : step;
      for (const x of [column, column - 1]) {
        const row = grid[y];
        if (row === undefined || row[x] !== null) continue;
        const isMasked = (x + y) % 2 === 0;
        row[x] = (bits[next] === 1) !== isMasked;
        next += 1;
      }
    }
}
