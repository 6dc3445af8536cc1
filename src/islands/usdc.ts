const MILLIONTHS = 1_000_000n;

/** "0.01" of 10000 millionths, with the cents at least. */
export function usdcText(millionths: bigint): string {
  const fraction = String(millionths % MILLIONTHS)
    .padStart(6, '0')
    .replace(/0{1,4}$/, '');
  return `${millionths / MILLIONTHS}.${fraction}`;
}
