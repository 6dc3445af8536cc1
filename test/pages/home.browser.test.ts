import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Page } from '../../tools/browser/index.ts';
import { barriersOf, executablePath, pagesUnderTest } from '../support/pages-under-test.ts';
import { pagesOf } from './artefacts.ts';

describe.skipIf(executablePath === undefined)('the way through the pages', () => {
  const pages = pagesUnderTest({ viewport: { width: 360, height: 740 } });
  const { asked } = pages;
  let page: Page;

  const open = async (options?: Parameters<typeof pages.open>[0]) => {
    page = await pages.open(options);
  };
  beforeEach(() => open());
  afterEach(() => expect(asked.filter((one) => one.includes('1250'))).toEqual([]));

  const visit = (path: string) => page.goto(`${pages.url}${path}`);

  it('begins with a late fee that is worked out in the first screen, and leads to the letter with all of it', async () => {
    await visit('/');
    expect(await page.locator('.example .strong dd').textContent()).toMatch(/1,260\.63/);
    await page.locator('#f-amount').fill('1250');
    await page.locator('#f-due_date').fill('2026-09-01');
    await expect.poll(() => page.locator('#result .strong dd').textContent()).toMatch(/^\$1,[23]\d\d\.\d\d$/);
    expect(await page.locator('.example').isVisible()).toBe(false);
    expect(await page.locator('#result svg').getAttribute('aria-label')).toMatch(
      /\b1 September 2026, \$[\d.,]+ /,
    );
    expect(await barriersOf(page)).toEqual([]);
    await page.locator('#result a[href^="/late-invoice"]').first().click();
    await page.waitForURL(/late-invoice/);
    await expect.poll(() => page.locator('#f-amount').inputValue()).toBe('1250');
    expect(await page.locator('#f-due_date').inputValue()).toBe('2026-09-01');
  });

  it('keeps the currency that was typed or is of the place, into the letter', async () => {
    for (const [locale, written, sign, currency] of [
      ['en-GB', '£1,250', '£', 'GBP'],
      ['en-GB', '1250', '£', 'GBP'],
      ['en-GB', '€1,250', '€', 'EUR'],
      ['ro-RO', '1250', 'RON ', 'RON'],
    ] as const) {
      await open({ locale });
      await visit('/');
      await page.locator('#f-amount').fill(written);
      await page.locator('#f-due_date').fill('2026-09-01');
      const total = () => page.locator('#result .strong dd').textContent();
      await expect
        .poll(async () => (await total())?.replace(/[\d.,]/g, '').replace('\u00A0', ' '))
        .toBe(sign);
      await expect.poll(() => page.url()).toContain(`currency=${currency}`);
      await page.locator('#result a[href^="/late-invoice"]').first().click();
      await page.waitForURL(/late-invoice/);
      await expect.poll(() => page.locator('#f-amount').inputValue()).toBe('1250');
      expect(await page.locator('#f-currency').inputValue()).toBe(currency);
    }
  });

  it('prints the late fee alone, on one page', async () => {
    await visit('/#amount=1250&due_date=2026-09-01');
    await page.locator('#result .figures').waitFor();
    await page.emulateMedia({ media: 'print' });
    for (const hidden of ['#form', '.toolbar', '.card', '.band', '.door', 'header', 'footer'])
      expect([hidden, await page.locator(hidden).first().isVisible()]).toEqual([hidden, false]);
    expect(pagesOf(await page.pdf({ format: 'A4' }))).toBe(1);
  });

  it('takes a quote along to its three options, line by line', async () => {
    await visit('/quote#items.description=Lawn&items.quantity=2&items.unit_price=40.5&tax_percent=10');
    await page.locator('#form[novalidate]').waitFor();
    await page
      .getByRole('navigation', { name: 'Main' })
      .getByRole('link', { name: /Three options/ })
      .click();
    await page.waitForURL('**/quote-pack#*');
    expect(await page.locator('[name="items.description"]').first().inputValue()).toBe('Lawn');
    expect(await page.locator('[name="items.unit_price"]').first().inputValue()).toBe('40.5');
    expect(await page.locator('#f-tax_percent').inputValue()).toBe('10');
  });

  it('begins with a link past the head, and marks where one is', async () => {
    await visit('/late-invoice');
    await page.keyboard.press('Tab');
    expect(await page.evaluate('document.activeElement.textContent.trim()')).toBe('Skip to the content');
    await page.keyboard.press('Enter');
    expect(await page.evaluate('document.activeElement.id')).toBe('main');
    expect(await page.locator('[aria-current="page"]').allTextContents()).toEqual(['Late invoice']);
    await visit('/tools/loyverse');
    expect(await page.locator('[aria-current="true"]').allTextContents()).toEqual(['Free software']);
  });

  /** The categories whose number is not that of the tools shown below them. */
  const miscounted = () =>
    page.evaluate<string[]>(`[...document.querySelectorAll('.group:not([hidden])')]
      .filter((one) => Number(one.querySelector('.tag').textContent) !== one.querySelectorAll('.tools > li:not([hidden])').length)
      .map((one) => one.querySelector('h2').textContent)`);

  it('finds a tool in the page, and sends nothing of what is looked for', async () => {
    await visit('/tools');
    const before = asked.length;
    await page.getByLabel('Search').fill('newsletter');
    await page.getByLabel('Where it runs').selectOption('On your own server');
    await expect.poll(() => page.locator('#found').textContent()).toMatch(/^[1-9]\d? tools? suit/);
    const shown = await page.locator('.tools > li:visible h3').allTextContents();
    expect(shown.join()).toContain('listmonk');
    expect(asked.slice(before)).toEqual([]);
    expect(await barriersOf(page)).toEqual([]);
    await page.reload();
    await expect.poll(() => page.locator('.tools > li:visible h3').allTextContents()).toEqual(shown);
    expect(await miscounted()).toEqual([]);
    await page.getByLabel('Search').fill('');
    await page.getByLabel('Where it runs').selectOption('Any');
    expect(await page.locator('.group:visible').count()).toBeGreaterThan(20);
    expect(await miscounted()).toEqual([]);
    await page.getByLabel('Search').fill('no such thing');
    await expect.poll(() => page.locator('#found').textContent()).toMatch(/^Nothing is listed/);
  });

  it('finds the same without script, by the form', async () => {
    const wish = 'words=newsletter&runs=self_hosted&country=DE';
    await visit(`/tools#${wish}`);
    await expect.poll(() => page.locator('#found').textContent()).toMatch(/suit/);
    const names = async () => (await page.locator('.tools > li:visible h3 a').allTextContents()).sort();
    const inPage = await names();
    await open({ javaScriptEnabled: false });
    await visit('/tools');
    await page.getByLabel('Search').fill('newsletter');
    await page.getByLabel('Where it runs').selectOption('self_hosted');
    await page.getByLabel('Your country').selectOption('DE');
    await page.getByRole('button', { name: 'Find' }).click();
    expect(await names()).toEqual(inPage);
    expect(inPage.length).toBeGreaterThan(0);
    const counts = await page.locator('#found, summary .tag').allTextContents();
    expect(counts).toEqual([expect.stringContaining(`${inPage.length} tool`)]);
  });

  it('sets three tools side by side', async () => {
    await visit('/tools#words=newsletter');
    await expect.poll(() => page.locator('.tools > li:visible').count()).toBeGreaterThan(2);
    const boxes = page.locator('.tools > li:visible input');
    for (const index of [0, 1, 2]) await boxes.nth(index).check();
    const names = await page.locator('.tools > li:visible h3 a').allTextContents();
    await page.getByRole('button', { name: 'Compare' }).click();
    await page.waitForURL('**/tools/compare?*');
    expect(await page.locator('thead th').allTextContents()).toEqual(['About', ...names.slice(0, 3)]);
    expect(await page.locator('tbody th').first().textContent()).toBe('Price');
    await page.setViewportSize({ width: 1000, height: 900 });
    const widths = await page.evaluate<number[]>(
      `[...document.querySelectorAll('thead th')].map((one) => Math.round(one.getBoundingClientRect().width))`,
    );
    expect(widths.slice(1)).toEqual([widths[1], widths[1], widths[1]]);
    expect(widths[0]).toBeLessThan(widths[1] ?? 0);
    expect(await barriersOf(page)).toEqual([]);
  });

  it('names the tools that were ticked and do not fit side by side', async () => {
    await open();
    const ids = ['activepieces', 'wave-starter', 'zoho-invoice-free', 'brevo', 'listmonk'];
    await visit(`/tools/compare?${ids.map((id) => `id=${id}`).join('&')}`);
    expect(await page.locator('thead th').count()).toBe(4);
    expect(await page.locator('.note').textContent()).toContain('Left out here: Brevo, listmonk.');
    await visit('/tools/compare?id=brevo&id=listmonk');
    expect(await page.locator('.note').count()).toBe(0);
  });

  it('is 60 KB at most until the first result is there, on every calculator', async () => {
    const invoice = { '#f-amount': '1300', '#f-due_date': '2026-09-01' };
    for (const [path, fields] of [
      ['/', invoice],
      ['/late-invoice', invoice],
      ['/quote', { '#f-items-0-unit_price': '450' }],
    ] as const) {
      await open();
      const sizes: Promise<number>[] = [];
      page.on('response', (response) => {
        if (response.url().includes('/favicon')) return;
        sizes.push(
          response
            .request()
            .sizes()
            .then(({ responseBodySize }) => responseBodySize),
        );
      });
      await visit(path);
      await page.waitForLoadState('networkidle');
      const bytes = (await Promise.all(sizes)).reduce((sum, size) => sum + size, 0);
      expect(bytes, path).toBeGreaterThan(15_000);
      expect(bytes, path).toBeLessThan(60 * 1024);
      // That is enough for a result: whatever the page asks for from now on never comes.
      await page.route('**/*', () => {});
      for (const [field, value] of Object.entries(fields)) await page.locator(field).fill(value);
      await expect
        .poll(() => page.locator('#result .strong dd, #total').textContent())
        .toMatch(/1,3\d\d|450/);
    }
  });
});
