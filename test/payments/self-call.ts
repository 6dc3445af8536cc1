/** A call of our own account that does not pay for other calls. */
export const call = {
  to: '0x00000000000000000000000000000000000000ff',
  data: '0x',
  gas: 21_000n,
  ceilingWei: 10n ** 16n,
} as const;
