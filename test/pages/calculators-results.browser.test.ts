import { beforeEach, describe, expect, it } from 'vitest';
import type { Page } from '../../tools/browser/index.ts';
import { barriersOf, executablePath } from '../support/pages-under-test.ts';
import { calculatorPages } from './calculator-pages.ts';

describe.skipIf(executablePath === undefined)('the pages for people in a browser', () => {
  let page: Page;
  const { pages, open, visit } = calculatorPages(() => page);
  const { asked } = pages;

  beforeEach(async () => {
    page = await open();
  });

  /** Opens a page whose timers run only by `page.clock.runFor`, however busy the machine is. */
  async function visitWithHeldClock(path: string): Promise<void> {
    await page.clock.install({ time: '2026-11-21T10:00:00Z' });
    await visit(path);
    // The timers that the page sets at its start must run.
    await page.clock.pauseAt('2026-11-21T11:00:00Z');
  }

  it('refuse too many lines instead of omitting some', async () => {
    const lines = Array.from({ length: 150 }, () => 'items.unit_price=1').join('&');
    await visit(`/quote#${lines}`);
    await expect
      .poll(() => page.locator('#faults li').allTextContents())
      .toEqual(['“What you quote for” must have 1 to 100 lines']);
    expect(await page.locator('#total').textContent()).toBe('$0.00');
  });

  it('fill in an example without leaving the page', async () => {
    for (const [path, shown, value] of [
      ['/late-invoice', '#figure', '10.63'],
      ['/quote', '#total', '$1,223.77'],
    ] as const) {
      page = await open();
      await visitWithHeldClock(path);
      const before = asked.length;
      await page.getByRole('link', { name: 'Fill in an example' }).click();
      expect(await page.locator(shown).textContent()).toContain(value);
      await page.clock.runFor(5_000);
      expect(asked.slice(before)).toEqual([]);
    }
  });

  it('show input as text', async () => {
    const hostile = '<img src=x onerror=alert(1)>';
    const link = new URLSearchParams([
      ['items.description', hostile],
      ['items.quantity', '1'],
      ['items.unit_price', '5'],
    ]);
    await visit(`/quote#${link}`);
    await expect.poll(() => page.locator('#total').textContent()).toBe('$5.00');
    expect(await page.locator('.steps tbody th').first().textContent()).toBe(hostile);
    await expect.poll(() => page.locator('.sheet tbody th').first().textContent()).toBe(hostile);
    expect(await page.locator('img').count()).toBe(0);
  });

  it('work without JavaScript by sending the form to its own page', async () => {
    page = await open({ javaScriptEnabled: false });
    await visit('/quote');
    await page.getByLabel('What, line 1').fill('Lawn');
    await page.getByLabel('Price, line 1').fill('40.50');
    await page.getByRole('button', { name: 'Add lines' }).click();
    await expect.poll(() => page.locator('.quote-line').count()).toBe(6);
    expect(await page.getByLabel('What, line 1').inputValue()).toBe('Lawn');
    await page.getByRole('button', { name: 'Work it out' }).click();
    expect(await page.locator('#total').textContent()).toBe('$40.50');
  });

  // The other suites scan the home page, the directory and the pages with a result, with everything unfolded.
  const PATHS = [
    '/late-invoice',
    '/quote',
    '/plan',
    '/tools/how-checked',
    '/tools/activepieces',
    '/developers',
    '/docs',
    '/legal',
    '/problems/invalid-input',
  ];

  it.each(PATHS)(
    'are accessible at %s: axe finds no barrier in light or dark colors, and nothing is hidden on a phone',
    async (path) => {
      await visit(path);
      expect(await barriersOf(page)).toEqual([]);
      await page.setViewportSize({ width: 320, height: 640 });
      const wide = await page.evaluate<boolean>('document.documentElement.scrollWidth > innerWidth');
      expect(wide).toBe(false);
    },
    60_000,
  );
});
