import { beforeEach, describe, expect, it } from 'vitest';
import type { Page } from '../../tools/browser/index.ts';
import { executablePath, pagesUnderTest } from '../support/pages-under-test.ts';

describe.skipIf(executablePath === undefined)('typed text', () => {
  const pages = pagesUnderTest({ viewport: { width: 360, height: 740 }, locale: 'en-GB' });
  let page: Page;

  beforeEach(async () => {
    page = await pages.open();
  });

  const open = (path: string) => page.goto(`${pages.url}${path}`);

  /** Waits until the input is stored: in the address, in the tab or on the device. */
  const isKept = (text: string) =>
    expect
      .poll(() =>
        page.evaluate('location.hash + JSON.stringify(sessionStorage) + JSON.stringify(localStorage)'),
      )
      .toContain(text);
  /** Waits until the script has opened a quote. */
  const opened = () => page.locator('#form[novalidate]').waitFor();

  it('with an error is focused by the link in the error message, even below an empty line', async () => {
    await open('/quote');
    await opened();
    await page.getByLabel('Item, line 3').fill('Hedge');
    await page.getByRole('button', { name: 'Send' }).click();
    const link = page.locator('#faults a').first();
    await expect
      .poll(async () => [await link.textContent(), await link.getAttribute('href')])
      .toEqual(['Line 3, “Price” is required', '#f-items-2-unit_price']);
    await link.click();
    await expect.poll(() => page.evaluate('document.activeElement.id')).toBe('f-items-2-unit_price');
  });

  it.each([
    ['/late-invoice', { 'f-amount': '1250', 'f-due_date': '2026-11-04' }],
    ['/quote', { 'f-items-0-description': 'Hedge', 'f-items-0-unit_price': '70' }],
    ['/plan', { 'f-trade': 'Florist', 'f-team_size': '4' }],
  ] as const)('on %s is kept if it was typed before the script had loaded', async (path, written) => {
    let release = (): void => {};
    const released = new Promise<void>((resolve) => (release = resolve));
    await page.route('**/*.js', async (route) => {
      await released;
      await route.continue();
    });
    await page.goto(`${pages.url}${path}`, { waitUntil: 'commit' });
    for (const [id, text] of Object.entries(written)) await page.locator(`#${id}`).fill(text);
    release();
    await isKept(Object.values(written)[0] ?? '');
    for (const [id, text] of Object.entries(written))
      await expect.poll(() => page.locator(`#${id}`).inputValue()).toBe(text);
  });

  it('survives a reload after a link within the page has been followed', async () => {
    await open('/late-invoice');
    await opened();
    await page.locator('#f-amount').fill('1250');
    await isKept('1250');
    await page.locator('.skip').focus();
    await page.keyboard.press('Enter');
    await expect.poll(() => page.evaluate('document.activeElement.id')).toBe('main');
    await page.reload();
    await expect.poll(() => page.locator('#f-amount').inputValue()).toBe('1250');
  });

  const value = (name: string) => page.locator(`[name="${name}"]`).first().inputValue();

  it('is kept if the page is left right after typing', async () => {
    await open('/late-invoice');
    await opened();
    await page.locator('#f-amount').fill('1250');
    await page.reload();
    await expect.poll(() => value('amount')).toBe('1250');
  });

  it('survives a reload of a document that was sent as a link', async () => {
    await open('/quote#items.description=Lawn&items.unit_price=80&paper.issued_on=2026-11-21');
    await page.locator('.sheet').waitFor();
    await page.locator('.skip').focus();
    await page.keyboard.press('Enter');
    await page.reload();
    await page.locator('.sheet').waitFor();
    await expect.poll(() => page.locator('.sheet').textContent()).toContain('Lawn');
  });
});
