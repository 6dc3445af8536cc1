/** Waits until a condition holds, by default for at most 30 seconds. */
export async function until(
  isSo: () => boolean | Promise<boolean>,
  what: string,
  limitMs = 30_000,
): Promise<void> {
  const end = Date.now() + limitMs;
  while (!(await isSo())) {
    if (Date.now() > end) throw new Error(`Not within ${limitMs / 1_000} s: ${what}`);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}
