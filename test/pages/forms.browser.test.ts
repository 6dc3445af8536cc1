import { describe, expect, it } from 'vitest';
import type { Page } from '../../tools/browser/index.ts';
import { barriersOf, executablePath, pagesUnderTest } from '../support/pages-under-test.ts';

const PHONE = { width: 360, height: 740 };

describe.skipIf(executablePath === undefined)('a form that speaks to owners', () => {
  const pages = pagesUnderTest({ viewport: { width: 1280, height: 900 }, locale: 'en-GB' });
  let page: Page;

  const open = async (path: string, options?: Parameters<typeof pages.open>[0]) => {
    page = await pages.open(options);
    await page.goto(`${pages.url}${path}`);
  };
  const main = () => page.locator('#result .figures .strong dd').textContent();
  const amount = () => page.getByLabel('Amount of the invoice');
  const due = () => page.getByLabel('It was due on');

  it('shows what it understood of a sum as people write it', async () => {
    await open('/late-fee#due_date=2026-11-04&paid_date=2026-11-21');
    for (const [written, read, total] of [
      ['£1,250', '= £1,250.00', '£1,260.63'],
      ['1 250,00', '= £1,250.00', '£1,260.63'],
      ['1250', '', '£1,260.63'],
      ['€99,5', '= €99.50', '€100.35'],
    ] as const) {
      await open('/late-fee');
      await due().fill('2026-11-04');
      await page.getByLabel('Work it out to').fill('2026-11-21');
      await amount().fill(written);
      await expect.poll(main).toBe(total);
      expect((await page.locator('#f-amount-read').allTextContents()).join('')).toBe(read);
    }
  });

  it.each([
    ['en-GB', '1,250', '£1,250.00'],
    ['de-DE', '1.250', '€1,250.00'],
    ['fr-FR', '1 250,00', '€1,250.00'],
    ['de-CH', '1’250', "CHF 1'250.00"],
    ['en-IN', '₹1,00,000', '₹1,00,000.00'],
  ])(
    'reads a sum as a reader in %s writes it, in the money of that place',
    async (locale, written, invoice) => {
      await open('/late-fee', { locale });
      await amount().fill(written);
      await due().fill('2026-11-04');
      await expect
        .poll(() => page.locator('#result .figures div', { hasText: 'Invoice' }).locator('dd').textContent())
        .toBe(invoice);
      // Whoever opens the link reads the same, wherever they are.
      await expect.poll(() => page.url()).toMatch(/amount=(?:1250(?:\.00)?|100000)&/);
      const first = await page
        .getByLabel('Currency')
        .evaluate((select) => [...(select as unknown as { options: { value: string }[] }).options][1]?.value);
      expect(page.url()).toContain(`currency=${first}`);
    },
  );

  it.each([
    ['de', 'EUR'],
    ['pl', 'PLN'],
    ['ja', 'JPY'],
  ])(
    'proposes the money of the main country of a language without a region: %s',
    async (locale, currency) => {
      for (const path of ['/late-fee', '/quote', '/quote-pack']) {
        await open(path, { locale });
        await expect.poll(() => page.getByLabel('Currency').inputValue(), { message: path }).toBe(currency);
      }
    },
  );

  it.each(['/late-fee', '/quote', '/quote-pack'])(
    'writes money in one form on %s, whatever the reader’s own is',
    async (path) => {
      await open(path, { locale: 'de-DE' });
      const money = path === '/late-fee' ? amount() : page.getByLabel('Price of one, line 1');
      await money.fill('1.250,00');
      if (path === '/late-fee') await due().fill('2026-11-04');
      else await page.getByLabel('Quantity, line 1').fill('1.000');
      const read = path === '/late-fee' ? ['= €1,250.00'] : ['= 1000', '= €1,250.00'];
      await expect.poll(() => page.locator('.understood:not(:empty)').allTextContents()).toEqual(read);
      expect(await page.getByRole('main').textContent()).not.toMatch(/\d\.\d{3},\d|\d,\d{2}(?!\d)/);
      await money.fill('1,250');
      await page.getByLabel(path === '/quote' ? 'Your business' : 'Currency').focus();
      await expect.poll(() => page.locator('.fault .choice').allTextContents()).toEqual(['1.25', '1250']);
    },
  );

  it('asks where it could be two sums, when the field is left, and takes the answer by one tap', async () => {
    await open('/late-fee', { viewport: PHONE });
    await amount().fill('1.250');
    await page.waitForTimeout(100);
    expect(await page.locator('.fault:not(:empty)').count()).toBe(0);
    await due().fill('2026-11-04');
    await expect
      .poll(() => page.locator('#f-amount-fault span').textContent())
      .toBe('could be 1.25 or 1250: which one?');
    expect(await barriersOf(page)).toEqual([]);
    await page.getByRole('button', { name: '1250' }).click();
    await expect.poll(() => page.locator('#f-amount-fault').textContent()).toBe('');
    expect(await amount().inputValue()).toBe('1250');
    await expect.poll(main).toMatch(/^£1,2\d\d\.\d\d$/);
  });

  it('keeps the last good result while something is written, and finds no fault before it is left', async () => {
    await open('/late-fee#amount=12&due_date=2026-11-04&paid_date=2026-11-21&currency=GBP');
    await expect.poll(main).toBe('£12.10');
    await amount().press('End');
    await page.keyboard.type('.');
    await page.waitForTimeout(200);
    expect([await main(), await page.locator('#result.stale').count()]).toEqual(['£12.10', 0]);
    await page.keyboard.type('x');
    await expect.poll(() => page.locator('#result.stale').count()).toBe(1);
    expect(await main()).toBe('£12.10');
    expect(await page.locator('.fault:not(:empty)').count()).toBe(0);
    expect(await page.locator('.example').isVisible()).toBe(false);
    expect(await barriersOf(page)).toEqual([]);
    await due().focus();
    await expect.poll(() => page.locator('#f-amount-fault').textContent()).toMatch(/not a number/);
    expect(
      await page.evaluate<string>(`getComputedStyle(document.querySelector('#f-amount')).borderTopWidth`),
    ).toBe('2px');
    await amount().fill('12.50');
    await expect.poll(() => page.locator('#f-amount-fault').textContent()).toBe('');
    await expect.poll(main).toBe('£12.61');
  });

  it('shows the result beside the form on a wide screen, in view without scrolling', async () => {
    await open('/late-fee');
    await amount().fill('1250');
    await due().fill('2026-11-04');
    const [form, result] = [
      await page.locator('#form').boundingBox(),
      await page.locator('#result .strong').boundingBox(),
    ];
    expect(result?.x).toBeGreaterThan((form?.x ?? 0) + (form?.width ?? 0));
    expect((result?.y ?? 0) + (result?.height ?? 0)).toBeLessThan(900);
  });

  it('keeps the figure in view on a phone, above a bar that leads to the whole', async () => {
    await open('/late-fee', { viewport: PHONE, hasTouch: true, isMobile: true });
    await amount().fill('1250');
    await due().fill('2026-11-04');
    const bar = page.locator('.bar');
    await expect.poll(() => bar.isVisible()).toBe(true);
    expect(await bar.textContent()).toMatch(/^Total due£1,2\d\d\.\d\d$/);
    const box = await bar.boundingBox();
    expect((box?.y ?? 0) + (box?.height ?? 0)).toBeLessThanOrEqual(PHONE.height + 1);
    expect(await barriersOf(page)).toEqual([]);
    const { hash } = new URL(page.url());
    await bar.tap();
    await expect.poll(() => bar.isVisible()).toBe(false);
    expect((await page.locator('#result .strong').boundingBox())?.y).toBeLessThan(PHONE.height);
    expect(new URL(page.url()).hash).toBe(hash);
    expect(await page.evaluate<boolean>('document.documentElement.scrollWidth > innerWidth')).toBe(false);
  });

  it('says what to do with a result right after it, then how it was reached', async () => {
    await open('/late-fee#amount=1250&due_date=2026-11-04&paid_date=2026-11-21&currency=GBP');
    await expect.poll(main).toBe('£1,260.63');
    const letter = page.getByRole('link', { name: 'Make the letter (USD 0.01)' });
    expect(await letter.getAttribute('href')).toBe(
      '/late-fee-reminder#amount=1250&due_date=2026-11-04&paid_date=2026-11-21&currency=GBP',
    );
    const order = (await page.locator('#result').textContent()) ?? '';
    const places = ['£1,260.63', 'Make the letter', 'How it was reached', 'Good to know'].map((text) =>
      order.indexOf(text),
    );
    expect(places).toEqual(places.toSorted((one, other) => one - other));
    expect(places.every((place) => place >= 0)).toBe(true);
  });

  it('calls the rate what it is, and asks for a fee that nobody wrote', async () => {
    await open('/late-fee#amount=1250&due_date=2026-11-04');
    await page.getByLabel('What you charge').selectOption('One fixed fee');
    await page.getByRole('button', { name: 'Work it out' }).click();
    await expect
      .poll(() => page.locator('#faults li').allTextContents())
      .toEqual(['“The fee, as a sum” is needed: how much is the fee?']);
    await page.getByLabel('The fee, as a sum').fill('£40');
    await expect
      .poll(() => page.locator('#result .figures div', { hasText: 'Late fee' }).locator('dd').textContent())
      .toBe('£40.00');
  });

  it('says of the rate that it may be left empty only where it may', async () => {
    await open('/late-fee');
    const optional = page.locator('label[for="f-rate"] .optional');
    const hint = page.locator('#f-rate-hint');
    for (const [way, isOptional, said] of [
      ['Interest per day', false, 'As in your terms.'],
      ['One fixed fee', false, 'As in your terms.'],
      ['Interest per month', true, 'As in your terms. Left empty, 1.5% a month is used.'],
      ['Interest per year', false, 'As in your terms.'],
    ] as const) {
      await page.getByLabel('What you charge').selectOption({ label: way });
      await expect.poll(() => hint.textContent()).toBe(said);
      expect(await optional.isVisible(), way).toBe(isOptional);
    }
  });

  it('shows what was understood, and asks, where a purchase begins', async () => {
    await open('/quote-pack');
    await page.getByLabel('Price of one, line 1').fill('1.250');
    await page.getByLabel('Quantity, line 1').fill('2');
    await expect.poll(() => page.locator('#f-items-0-unit_price-fault button').count()).toBe(2);
    await page.locator('#f-items-0-unit_price-fault button').nth(1).click();
    await expect.poll(() => page.locator('.line-total').first().textContent()).toBe('£2,500.00');
    await page.getByLabel('Name of the middle option').waitFor({ state: 'attached' });
    expect(await barriersOf(page)).toEqual([]);
  });

  it('stays within 320 pixels, also with many lines and choices open', async () => {
    await open('/quote#items.unit_price=5', { viewport: { width: 320, height: 640 } });
    await page.locator('#form[novalidate]').waitFor();
    for (const summary of await page.locator('#quote summary').all()) await summary.click();
    expect(await page.evaluate<boolean>('document.documentElement.scrollWidth > innerWidth')).toBe(false);
    expect(await barriersOf(page)).toEqual([]);
  });
});
