import { afterEach, describe, expect, it, vi } from 'vitest';

describe('the sent quotes on a device', () => {
  afterEach(() => {
    vi.useRealTimers();
    vi.unstubAllGlobals();
  });

  it('leave room for purchases: only the newest are kept, up to 500,000 characters', async () => {
    const stored = new Map<string, string>();
    vi.stubGlobal('addEventListener', () => {});
    vi.stubGlobal('localStorage', {
      getItem: (key: string) => stored.get(key) ?? null,
      setItem: (key: string, text: string) => stored.set(key, text),
    });
    const { keepSent, sentQuotes } = await import('./sent-quotes.ts');
    vi.useFakeTimers();
    for (let index = 0; index < 8; index += 1) {
      vi.setSystemTime(index + 1);
      keepSent(undefined, { client: `Client ${index}`, about: '', query: 'q'.repeat(100_000) });
    }
    expect(sentQuotes().map(({ client }) => client)).toEqual(
      [7, 6, 5, 4, 3].map((index) => `Client ${index}`),
    );
  });
});
