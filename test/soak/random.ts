/** Choices that are the same for the same seed. */
export type Random = {
  /** In [0, 1). */
  next(): number;
  /** A whole number from `least` to `most`, both possible. */
  whole(least: number, most: number): number;
  chance(likely: number): boolean;
  pick<Value>(from: readonly Value[]): Value;
  hex(bytes: number): `0x${string}`;
};

/** Mulberry32. Streams of one seed with different names do not depend on how far the others were read. */
export function randomOf(seed: number, stream: string): Random {
  let state = seed;
  for (const character of stream) state = Math.imul(state ^ character.charCodeAt(0), 0x01000193);
  const next = (): number => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const whole = (least: number, most: number) => least + Math.floor(next() * (most - least + 1));
  return {
    next,
    whole,
    chance: (likely) => next() < likely,
    pick: <Value>(from: readonly Value[]) => from[whole(0, from.length - 1)] as Value,
    hex: (bytes) =>
      `0x${Array.from({ length: bytes }, () => whole(0, 255).toString(16).padStart(2, '0')).join('')}`,
  };
}
