import { beforeEach, describe, expect, it } from 'vitest';
import type { Page } from '../../tools/browser/index.ts';
import { executablePath, pagesUnderTest } from '../support/pages-under-test.ts';

type Locator = ReturnType<Page['locator']>;

const MINUTE = 60_000;

/**
 * A florist on a phone, who begins on the home page. Every tap on a field, a link or a button counts as one, and a
 * choice from a list as two; typing and scrolling do not count.
 */
describe.skipIf(executablePath === undefined)('a florist with a phone', { timeout: 2 * MINUTE }, () => {
  const pages = pagesUnderTest({
    viewport: { width: 360, height: 740 },
    hasTouch: true,
    isMobile: true,
    locale: 'en-GB',
  });
  let page: Page;
  let taps: number;

  beforeEach(async () => {
    page = await pages.open();
    taps = 0;
    await page.goto(pages.url);
  });

  const tap = async (target: Locator) => {
    taps += 1;
    await target.tap();
  };
  const write = async (target: Locator, text: string) => {
    await tap(target);
    // A day is chosen; everything else is typed.
    if ((await target.getAttribute('type')) === 'date') await target.fill(text);
    else await page.keyboard.type(text);
  };
  const link = (name: string | RegExp) => page.getByRole('link', { name });
  const button = (name: string | RegExp) => page.getByRole('button', { name });
  const seen = async (target: Locator): Promise<boolean> => {
    await target.waitFor();
    const { y, height } = (await target.boundingBox()) ?? { y: -1, height: 0 };
    return y >= 0 && y + height <= 740;
  };
  const scrolled = () => page.evaluate('scrollY');
  /** The main figure, if it is visible without scrolling. */
  const figureInView = async (): Promise<string | null> => {
    for (const place of [page.locator('.dock strong'), page.locator('.figure-sum')])
      if ((await place.isVisible()) && (await seen(place))) return place.textContent();
    return null;
  };
  /** Requests the price; the browser logs the 402 that contains it as an error. */
  const seePrice = async () => {
    await tap(button(/^Get the letter|^See the price/));
    await button(/^Pay /).waitFor();
    await expect.poll(() => pages.complaints).toEqual([expect.stringContaining('402')]);
    pages.complaints.length = 0;
  };
  const fee = async () => {
    await tap(link('See the late fee'));
    await write(page.locator('#f-amount'), '1250');
    await write(page.locator('#f-due_date'), '2026-09-01');
  };
  const quote = async () => {
    await tap(link('Start a quote'));
    const lines = [
      ['Roses', '40', '2.50'],
      ['Vases', '10', '8'],
      ['Delivery', '1', '15'],
    ] as const;
    for (const [index, [what, quantity, price]] of lines.entries()) {
      await write(page.locator('[name="items.description"]').nth(index), what);
      await write(page.locator('[name="items.quantity"]').nth(index), quantity);
      await write(page.locator('[name="items.unit_price"]').nth(index), price);
    }
  };

  it('gets a late fee in at most five taps without scrolling', async () => {
    await fee();
    await expect.poll(figureInView).toMatch(/^£1,[23]\d\d\.\d\d$/);
    await expect.poll(scrolled).toBe(0);
    expect(taps).toBeLessThanOrEqual(5);
  });

  it('gets the price of a letter with the names of sender and client in at most nine taps', async () => {
    await fee();
    await write(page.locator('[name="client_name"]'), 'Acme Ltd');
    await write(page.locator('[name="business_name"]'), 'Rose & Thorn');
    await seePrice();
    await expect.poll(() => seen(button(/^Pay /))).toBe(true);
    expect(taps).toBeLessThanOrEqual(9);
  });

  it('gets a quote of three items in at most twelve taps, and its three options in at most four more', async () => {
    await quote();
    await expect.poll(figureInView).toBe('£195.00');
    expect(taps).toBeLessThanOrEqual(12);
    const before = taps;
    await tap(button(/Offer 3 options/));
    // The cursor is in the new field, and the price is proposed.
    await tap(button('Add your own').first());
    await page.keyboard.type('Flowers for the cake');
    await tap(button('Add your own').last());
    await page.keyboard.type('Garlands for the top table');
    await seePrice();
    await expect.poll(() => seen(button(/^Pay /))).toBe(true);
    expect(taps - before).toBeLessThanOrEqual(4);
  });
});
