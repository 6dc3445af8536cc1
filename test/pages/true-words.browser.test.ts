import { describe, expect, it } from 'vitest';
import { executablePath, pagesUnderTest } from '../support/pages-under-test.ts';

const SENT = 'What you write is sent to us for the calculation, and then forgotten.';
const HERE = 'Stays on this device. Nothing is sent to us.';
const PAGES = ['/late-invoice', '/quote'];

describe.skipIf(executablePath === undefined)('the statement about where a free calculator works', () => {
  const pages = pagesUnderTest({ viewport: { width: 360, height: 740 }, locale: 'en-GB' });
  /** Returns which of the two sentences is in the page's text, and any other promise that nothing is sent. */
  const told = async (path: string, options: Parameters<typeof pages.open>[0], isScriptLost = false) => {
    const page = await pages.open(options);
    if (isScriptLost)
      await page.route('**/*', (route) =>
        route.request().url().includes('/islands/') ? route.abort() : route.continue(),
      );
    await page.goto(pages.url + path);
    const text = (await page.locator('main').textContent()) ?? '';
    const seen = [SENT, HERE].filter((sentence) => text.includes(sentence));
    // The style reserves room for the other sentence, which must stay invisible.
    const room = `getComputedStyle(document.querySelector('.where'), '::after')`;
    expect(await page.evaluate(`[${room}.visibility, ${room}.content.length > 40]`)).toEqual([
      'hidden',
      true,
    ]);
    pages.complaints.length = 0;
    return { seen, isPromised: /never leaves|do not even send/.test(text) };
  };

  it.each(PAGES)('is correct whether the script runs, fails or is turned off: %s', async (path) => {
    expect(await told(path, {})).toEqual({ seen: [HERE], isPromised: false });
    expect(await told(path, {}, true)).toEqual({ seen: [SENT], isPromised: false });
    expect(await told(path, { javaScriptEnabled: false })).toEqual({ seen: [SENT], isPromised: false });
  });

  it('does not move when the script loads, nor does a late invoice when its draft is opened', async () => {
    const page = await pages.open({ viewport: { width: 390, height: 844 }, locale: 'en-GB' });
    await page.goto(`${pages.url}/late-invoice#amount=1250&due_date=2026-11-04&currency=GBP`);
    await expect.poll(() => page.evaluate("localStorage.getItem('draft.late-invoice')")).toMatch(/1250/);
    await page.addInitScript(`new PerformanceObserver((list) => {
      for (const { value, sources } of list.getEntries())
        // A fraction of a pixel is no movement: 0.001 is one line of text moved by a few pixels.
        if (value >= 0.001) (globalThis.moved ??= []).push([value, ...sources.map(({ node }) => node?.outerHTML?.slice(0, 80))].join(' '));
    }).observe({ type: 'layout-shift', buffered: true });`);
    for (const path of PAGES) {
      await page.goto(pages.url + path);
      await page.locator('.where', { hasText: HERE }).waitFor();
      await page.waitForTimeout(200);
      expect([path, await page.evaluate('globalThis.moved ?? []')]).toEqual([path, []]);
    }
  });
});
