import { beforeEach, describe, expect, it } from 'vitest';
import type { Page } from '../../tools/browser/index.ts';
import { barriersOf, executablePath, pagesUnderTest } from '../support/pages-under-test.ts';

const QUOTE = 'items.description=Garden+design&items.unit_price=450&paper.business=Green+Gardens';

/**
 * Notes what a screen reader hears: text that comes into a live region that was in the page a moment before. A region
 * that comes with its text is often not read.
 */
const HEARD = `
  globalThis.heard = [];
  const known = new Set(document.querySelectorAll('[role="status"]'));
  new MutationObserver((changes) => {
    for (const { target } of changes) {
      const region = target.nodeType === 1 ? target.closest('[role="status"]') : target.parentElement?.closest('[role="status"]');
      if (region && known.has(region)) globalThis.heard.push(region.textContent);
    }
    for (const region of document.querySelectorAll('[role="status"]')) known.add(region);
  }).observe(document.body, { subtree: true, childList: true, characterData: true });`;

describe.skipIf(executablePath === undefined)('a page that loses its connection', () => {
  const pages = pagesUnderTest({ viewport: { width: 360, height: 740 }, locale: 'en-GB' });
  let page: Page;

  beforeEach(async () => {
    page = await pages.open();
  });

  const sheet = () => page.locator('.sheet');
  const again = () => page.getByRole('button', { name: 'Try again' });
  const connect = (isOn: boolean) => page.context().setOffline(!isOn);
  const write = (price: string) => page.getByLabel('Price of one, line 1').fill(price);
  /** The scripts of documents never arrive, though the browser believes that there is a connection. */
  const loseScripts = async () => {
    await page.route('**/*', (route) =>
      /paper/.test(route.request().url()) || route.request().method() === 'HEAD'
        ? route.abort()
        : route.continue(),
    );
    return () => page.unroute('**/*');
  };
  /** What a browser says of each request that failed. */
  const forgiven = () => {
    expect(pages.complaints.filter((one) => !/Failed to load|dynamically imported/.test(one))).toEqual([]);
    pages.complaints.length = 0;
  };

  it('says that a document is missing, and shows it as soon as the connection is back', async () => {
    await page.goto(`${pages.url}/quote`);
    await page.evaluate(HEARD);
    await page.locator('.line-total').first().waitFor({ state: 'attached' });
    await connect(false);
    await write('450');
    await page.getByText(/\bnot here yet\b/).waitFor();
    expect(await page.evaluate('globalThis.heard.join()')).toMatch(/\bnot here yet\b/);
    expect(await page.locator('#result .strong dd').textContent()).toBe('£450.00');
    expect(await barriersOf(page)).toEqual([]);
    await write('500');
    await connect(true);
    await sheet().waitFor();
    await expect.poll(() => sheet().textContent()).toContain('£500.00');
    expect(await page.getByText(/\bnot here yet\b/).count()).toBe(0);
    forgiven();
  });

  it('tries again when it is asked to, says when that was in vain, and keeps what was written', async () => {
    const find = await loseScripts();
    await page.goto(`${pages.url}/quote#${QUOTE}`);
    await page.evaluate(HEARD);
    await again().click();
    await page.getByRole('button', { name: 'Still no connection' }).waitFor();
    expect(await page.evaluate('globalThis.heard.join()')).toContain('Still no connection');
    await again().waitFor();
    await find();
    await again().click();
    await sheet().waitFor();
    expect(await sheet().textContent()).toContain('Green Gardens');
    expect(await page.locator('#document').evaluate((place) => place.matches(':focus'))).toBe(true);
    forgiven();
  });

  it('says so to whoever was sent a document, too, and then shows it read-only', async () => {
    const find = await loseScripts();
    await page.goto(`${pages.url}/quote#${QUOTE}&paper.issued_on=2026-11-21`);
    await again().waitFor();
    expect(await page.locator('#form').isVisible()).toBe(false);
    await find();
    await again().click();
    await page.getByRole('heading', { name: 'Quote from Green Gardens', level: 1 }).waitFor();
    expect(await page.getByText('It holds until').isVisible()).toBe(true);
    forgiven();
  });
});
