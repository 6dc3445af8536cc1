import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Page } from '../../tools/browser/index.ts';
import { barriersOf, executablePath, pagesUnderTest } from '../support/pages-under-test.ts';

describe.skipIf(executablePath === undefined)('the site', () => {
  const pages = pagesUnderTest({ viewport: { width: 360, height: 740 } });
  const { asked } = pages;
  let page: Page;

  const open = async (options?: Parameters<typeof pages.open>[0]) => {
    page = await pages.open(options);
  };
  beforeEach(() => open());
  afterEach(() => expect(asked.filter((one) => one.includes('1250'))).toEqual([]));

  const visit = (path: string) => page.goto(`${pages.url}${path}`);

  it('shows both main links and the search on a phone, with few words', async () => {
    await visit('/');
    await page.setViewportSize({ width: 390, height: 844 });
    await expect.poll(() => page.evaluate('document.documentElement.scrollHeight')).toBeLessThan(2000);
    await expect.poll(() => page.evaluate(`document.body.innerText.split(/\\s+/).length`)).toBeLessThan(300);
    expect(await barriersOf(page)).toEqual([]);
    await page.getByRole('link', { name: 'See the late fee' }).click();
    await page.waitForURL('**/late-invoice');
    await visit('/');
    await page.getByRole('link', { name: 'Start a quote' }).click();
    await page.waitForURL('**/quote');
  });

  it('includes a tool search on the home page, which does not send the search words', async () => {
    await visit('/');
    const before = asked.length;
    await page.getByRole('searchbox').fill('salon booking');
    await page.getByRole('button', { name: 'Find' }).click();
    await page.waitForURL('**/tools#words=salon+booking');
    expect(asked.slice(before).filter((one) => one.includes('salon'))).toEqual([]);
    await open({ javaScriptEnabled: false });
    await visit('/');
    await page.getByRole('searchbox').fill('salon booking');
    await page.getByRole('button', { name: 'Find' }).click();
    await page.waitForURL('**/tools?words=salon+booking');
  });

  it('leads from the home page to the purchases that are stored on this device', async () => {
    await visit('/');
    await expect.poll(() => page.locator('#kept').isVisible()).toBe(false);
    await page.evaluate(`localStorage.setItem('paid.answer.quote_pack.0xab', '{}')`);
    await page.reload();
    await page.locator('#kept a').click();
    await page.waitForURL('**/on-this-device');
  });

  it('begins with a skip link, and marks the current page', async () => {
    await visit('/late-invoice');
    await page.keyboard.press('Tab');
    await expect
      .poll(() => page.evaluate('document.activeElement.textContent.trim()'))
      .toBe('Skip to the content');
    await page.keyboard.press('Enter');
    await expect.poll(() => page.evaluate('document.activeElement.id')).toBe('main');
    await expect
      .poll(() => page.locator('[aria-current="page"]').allTextContents())
      .toEqual(['Late invoice']);
    await visit('/tools/loyverse');
    await expect.poll(() => page.locator('[aria-current="true"]').allTextContents()).toEqual(['Free tools']);
  });

  const rows = () => page.locator('.tools > li h3 a').allTextContents();

  it('shows the tool that was searched for on the first screen of a phone, without sending the search', async () => {
    await open({ viewport: { width: 390, height: 844 } });
    await visit('/tools');
    const before = asked.length;
    for (const [words, first] of [
      ['salon booking', 'Square Appointments'],
      ['free invoice app', 'Zoho Invoice'],
      ['calender', 'Square Appointments'],
      ['get paid by card', 'Stripe'],
    ] as const) {
      await page.getByLabel('What do you need?').fill(words);
      await expect.poll(async () => (await rows())[0], { message: words }).toBe(first);
      const top = async () => (await page.locator('.tools > li').first().boundingBox())?.y ?? 999;
      await expect.poll(top).toBeLessThan(844 - 60);
      await expect.poll(() => page.evaluate('scrollY')).toBe(0);
      await expect.poll(() => page.locator('#found').textContent()).toMatch(/^[1-9]\d* tools?\b/);
    }
    expect(asked.slice(before)).toEqual([]);
    expect(await barriersOf(page)).toEqual([]);
  });

  it('keeps a search and its filters after a reload, and lists the needs if nothing is found', async () => {
    await visit('/tools');
    await page.getByLabel('What do you need?').fill('newsletter');
    await page.getByText('More filters').click();
    await page.getByLabel('Runs').selectOption('On your own server');
    await expect.poll(async () => (await rows()).join()).toContain('listmonk');
    const shown = await rows();
    await page.reload();
    await expect.poll(rows).toEqual(shown);
    await page.getByLabel('Runs').selectOption('Any');
    await page.getByLabel('What do you need?').fill('qqqq wwww');
    await expect.poll(() => page.locator('#found').textContent()).toMatch(/^No tool matches all of this/);
    await expect.poll(() => page.locator('.needs a').count()).toBe(41);
    expect(await barriersOf(page)).toEqual([]);
  });

  it('finds the same tools without JavaScript through the form', async () => {
    await visit('/tools#words=newsletter&need=email_marketing&business=nonprofit');
    await expect.poll(async () => (await rows()).length).toBeGreaterThan(2);
    const inPage = await rows();
    await open({ javaScriptEnabled: false });
    await visit('/tools');
    await page.getByLabel('What do you need?').fill('newsletter');
    await page.getByText('More filters').click();
    await page.getByLabel('Need', { exact: true }).selectOption('email_marketing');
    await page.getByLabel('Your business').selectOption('nonprofit');
    await page.getByRole('button', { name: 'Find' }).click();
    await expect.poll(rows).toEqual(inPage);
    await expect.poll(() => page.locator('#found').textContent()).toContain(`${inPage.length} tools`);
  });

  it('compares up to three tools as soon as two are selected, and loses nothing on the way back', async () => {
    await visit('/tools#words=newsletter');
    const boxes = page.locator('.tools > li input');
    await expect.poll(() => boxes.count()).toBeGreaterThan(3);
    const button = page.getByRole('button', { name: 'Compare' });
    await expect.poll(() => button.count()).toBe(0);
    await boxes.nth(0).check();
    await expect.poll(() => button.isEnabled()).toBe(false);
    await boxes.nth(1).check();
    await boxes.nth(2).check();
    await expect.poll(() => boxes.nth(3).isEnabled()).toBe(false);
    expect(await barriersOf(page)).toEqual([]);
    const names = await rows();
    await button.click();
    await page.waitForURL('**/tools/compare?*');
    await expect
      .poll(() => page.locator('thead th').allTextContents())
      .toEqual(['About', ...names.slice(0, 3)]);
    await page.setViewportSize({ width: 1000, height: 900 });
    const widths = await page.evaluate<number[]>(
      `[...document.querySelectorAll('thead th')].map((one) => Math.round(one.getBoundingClientRect().width))`,
    );
    expect(widths.slice(1)).toEqual([widths[1], widths[1], widths[1]]);
    expect(await barriersOf(page)).toEqual([]);
    await page.goBack();
    await expect.poll(rows).toEqual(names);
    await expect.poll(() => page.locator('.tools > li input:checked').count()).toBe(3);
  });

  it('offers other tools for comparison with a single tool', async () => {
    await visit('/tools/compare?id=setmore');
    await page.getByRole('link', { name: 'Calendly' }).click();
    await expect
      .poll(() => page.locator('thead th').allTextContents())
      .toEqual(['About', 'Setmore', 'Calendly']);
    await visit('/tools/compare');
    await expect.poll(() => page.locator('main a[href="/tools"]').count()).toBeGreaterThan(0);
  });

  it('opens the example of a trade as a quote, with and without JavaScript', async () => {
    for (const javaScriptEnabled of [true, false]) {
      await open({ javaScriptEnabled });
      await visit('/quote/florist');
      await expect.poll(() => page.locator('h1').textContent()).toBe('Quote for a florist');
      await page.getByRole('link', { name: 'Open and change it' }).click();
      await page.waitForURL('**/quote?*');
      const first = page.locator('[name="items.description"]').first();
      await expect.poll(() => first.inputValue()).toBe('Bridal bouquet');
      await expect.poll(() => page.locator('#total').textContent()).toContain('810.00');
    }
  });

  it('opens the three options of a trade with its lines and suggestions', async () => {
    await open();
    await visit('/quote/florist');
    await page.getByRole('link', { name: 'Offer three options' }).click();
    const step = page.locator('#options');
    await expect.poll(() => step.getByLabel('Your trade').inputValue()).toBe('Florist');
    await expect.poll(() => step.getByLabel('A flower arch for the ceremony').isChecked()).toBe(false);
    await expect
      .poll(() => page.locator('[name="items.description"]').first().inputValue())
      .toBe('Bridal bouquet');
  });

  it('names selected tools that do not fit side by side', async () => {
    await open();
    const ids = ['activepieces', 'wave-starter', 'zoho-invoice-free', 'brevo', 'listmonk'];
    await visit(`/tools/compare?${ids.map((id) => `id=${id}`).join('&')}`);
    await expect.poll(() => page.locator('thead th').count()).toBe(4);
    await expect
      .poll(() => page.locator('.note').first().textContent())
      .toContain('Left out here: Brevo, listmonk.');
    await visit('/tools/compare?id=brevo&id=listmonk');
    await expect.poll(() => page.getByText('Left out').count()).toBe(0);
  });

  it('downloads at most 60 KB until the first result on every calculator', async () => {
    const invoice = { '#f-amount': '1300', '#f-due_date': '2026-09-01' };
    for (const [path, fields] of [
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
      // The first result needs nothing further: later requests of the page never get a reply.
      await page.route('**/*', () => {});
      for (const [field, value] of Object.entries(fields)) await page.locator(field).fill(value);
      await expect.poll(() => page.locator('.figure-sum, #total').textContent()).toMatch(/1,3\d\d|450/);
    }
  });
});
