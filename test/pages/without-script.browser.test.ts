import { describe, expect, it } from 'vitest';
import type { Page } from '../../tools/browser/index.ts';
import { executablePath, pagesUnderTest } from '../support/pages-under-test.ts';

describe.skipIf(executablePath === undefined)('a form that is sent', () => {
  const pages = pagesUnderTest({ viewport: { width: 360, height: 740 }, locale: 'en-GB' });
  const open = async (path: string, options?: Parameters<typeof pages.open>[0]): Promise<Page> => {
    const page = await pages.open(options);
    await page.goto(`${pages.url}${path}`);
    return page;
  };
  const _figure = (page: Page) => page.locator('.figure-sum').textContent();
  /** The addresses that a server and all proxies before it may log. */
  const addresses = () => pages.asked.map((one) => one.split(' ')[0]);

  it('without JavaScript has a note that a quote sent as a link needs a script', async () => {
    // Chromium does not show <noscript> content if a test merely switches scripts off.
    const without = async (path: string) => {
      const html = await (await fetch(pages.url + path)).text();
      return /<noscript><p class="note">(.*?)<\/p><\/noscript>/.exec(html)?.[1];
    };
    expect(await without('/quote')).toContain('Did someone send you a quote with this link?');
    expect(await without('/plan')).toBeUndefined();
  });

  /** Whether the whole element is visible without scrolling. */
  const isInView = async (page: Page, place: string): Promise<boolean> => {
    const box = await page.locator(place).boundingBox();
    return box !== null && box.y >= 0 && box.y + box.height <= 740;
  };

  it('without JavaScript with an error shows the error in view', async () => {
    const page = await open('/late-invoice', { javaScriptEnabled: false });
    await page.getByLabel('Amount').fill('12,50,1');
    await page.getByRole('button', { name: 'Work out' }).click();
    await expect.poll(() => isInView(page, '#faults')).toBe(true);
    await expect.poll(() => page.locator('#faults li').count()).toBe(2);
    await page.locator('#faults a').first().click();
    await expect.poll(() => isInView(page, '#f-amount')).toBe(true);
    // The browser reports a page with an error status as a failure.
    pages.complaints.length = 0;
  });

  it('without JavaScript from the quote-pack page is calculated as a quote, with the names on its paper', async () => {
    const page = await open('/quote-pack', { javaScriptEnabled: false });
    const written = {
      'items.unit_price': '5',
      'items.tier': 'better',
      client_name: 'Acme Ltd',
      better_adds: 'Lights',
    };
    const inputs = Object.entries(written).map(([name, value]) => `<input name="${name}" value="${value}">`);
    await page.setContent(
      `<form method="post" action="${pages.url}/quote-pack#sent">${inputs.join('')}<button>Send</button></form>`,
    );
    await page.getByRole('button', { name: 'Send' }).click();
    await page.locator('#total').waitFor();
    await expect.poll(() => page.locator('#total').textContent()).toBe('$5.00');
    await expect.poll(() => page.locator('#f-paper-client').inputValue()).toBe('Acme Ltd');
    await expect.poll(() => page.url()).toBe(`${pages.url}/quote?step=options#sent`);
    expect(addresses().filter((one) => /Acme|Lights/.test(one ?? ''))).toEqual([]);
  });

  it('before its script had loaded is a quote that the script continues', async () => {
    const page = await open('/quote');
    await page.locator('#f-items-0-unit_price').fill('1250');
    await page.locator('#f-paper-client').fill('Acme Ltd');
    await page.evaluate('document.querySelector("#form").submit()');
    await page.locator('#form[novalidate]').waitFor();
    await expect.poll(() => page.locator('#total').textContent()).toBe('£1,250.00');
    await expect.poll(() => page.locator('#f-paper-client').inputValue()).toBe('Acme Ltd');
    await expect.poll(() => page.url()).toBe(`${pages.url}/quote`);
    await page.reload();
    await expect.poll(() => page.locator('#total').textContent()).toBe('£1,250.00');
  });
});

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
    await expect
      .poll(() => page.evaluate(`[${room}.visibility, ${room}.content.length > 40]`))
      .toEqual(['hidden', true]);
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
      await expect
        .poll(async () => [path, await page.evaluate('globalThis.moved ?? []')])
        .toEqual([path, []]);
    }
  });
});
