import { beforeEach, describe, expect, it } from 'vitest';
import type { Page } from '../../tools/browser/index.ts';
import { barriersOf, executablePath } from '../support/pages-under-test.ts';
import { keepPdf, pagesOf } from './artefacts.ts';
import { calculatorPages } from './calculator-pages.ts';

const MARGINS = `[...document.styleSheets].flatMap(({ cssRules }) => [...cssRules])
  .filter((rule) => rule instanceof CSSPageRule && rule.selectorText === '').map(({ style }) => style.margin).join()`;

describe.skipIf(executablePath === undefined)('the pages for people in a browser', () => {
  let page: Page;
  const { pages, open, visit, figure } = calculatorPages(() => page);
  const { asked } = pages;

  beforeEach(async () => {
    page = await open();
  });

  /** Opens a page whose timers run only by `page.clock.runFor`, however busy the machine is. */
  async function visitWithHeldClock(path: string): Promise<void> {
    await page.clock.install({ time: '2026-11-21T10:00:00Z' });
    await visit(path);
    // The timers of the start run now.
    await page.clock.pauseAt('2026-11-21T11:00:00Z');
  }

  it('leave the address alone while nothing is written', async () => {
    await visitWithHeldClock('/late-fee');
    await page.getByLabel('Amount').focus();
    await page.getByLabel('Grace period, in days').focus();
    await page.clock.runFor(5_000);
    expect(new URL(page.url()).hash).toBe('');
    expect(await page.locator('.fault:not(:empty)').count()).toBe(0);
  });

  it('work out what was sent before the script came, also a choice', async () => {
    await visit('/late-fee?amount=1250&due_date=2026-11-04&paid_date=2026-11-21&rate_type=flat&rate=40');
    await expect.poll(() => figure('Late fee')).toBe('40.00');
    expect(await page.getByLabel('What you charge').inputValue()).toBe('flat');
    await page.reload();
    await expect.poll(() => figure('Late fee')).toBe('40.00');
  });

  it('show of a link what it holds, and nothing of what was there before', async () => {
    await visit('/late-fee#amount=1250&due_date=2026-09-01&paid_date=2026-11-21&grace_days=20&currency=EUR');
    await expect.poll(() => figure('Late fee')).toBe('€38.13');
    await page.evaluate("location.hash = 'amount=1250&due_date=2026-09-01&paid_date=2026-11-21'");
    await expect.poll(() => figure('Late fee')).toBe('50.63');
    expect(await page.getByLabel('Grace period, in days').inputValue()).toBe('');
  });

  it('open a link although what was written before is put into the address before the page hears of the link', async () => {
    await visit('/late-fee#amount=1250&due_date=2026-09-01&paid_date=2026-11-21&currency=EUR');
    await expect.poll(() => figure('Late fee')).toBe('€50.63');
    // In one task, as the timer of the page does it when it runs between the link and its event.
    await page.evaluate(`
      const before = location.href;
      location.hash = 'amount=2500&due_date=2026-09-01&paid_date=2026-11-21';
      history.replaceState(history.state, '', before);`);
    await expect.poll(() => figure('Late fee')).toBe('101.25');
    await expect.poll(() => page.url()).toContain('#amount=2500&');
  });

  it('say why a result is not new, at the field, and keep what was written through a reload', async () => {
    await visit('/late-fee#amount=1250&due_date=2026-09-01');
    await expect.poll(() => figure('Invoice')).toBe('1,250.00');
    await page.locator('#f-rate').fill('one and a half');
    await expect.poll(() => page.locator('#result.stale .figures').count()).toBe(1);
    expect(await page.locator('#f-rate-fault').textContent()).toBe('');
    await page.getByLabel('Amount').focus();
    await expect
      .poll(() => page.locator('#f-rate-fault').textContent())
      .toMatch(/not a number that we can read/);
    expect(await page.locator('#result').textContent()).toContain(
      'needs a change before there is a new result',
    );
    await expect.poll(() => page.url()).toContain('one+and+a+half');
    await page.reload();
    await expect.poll(() => page.getByLabel('Amount').inputValue()).toBe('1250');
    expect(await page.locator('#f-rate').inputValue()).toBe('one and a half');
  });

  it('tell those who hear them the main figure, once typing has paused', async () => {
    await visitWithHeldClock('/late-fee#due_date=2026-11-04&paid_date=2026-11-21&amount=1');
    const status = () => page.getByRole('status').textContent();
    expect(await status()).toBe('Total due 1.01');
    await page.getByLabel('Amount').press('End');
    await page.getByLabel('Amount').pressSequentially('250');
    await page.clock.runFor(900);
    expect(await figure('Total due')).toBe('1,260.63');
    expect(await status()).toBe('Total due 1.01');
    await page.clock.runFor(200);
    expect(await status()).toBe('Total due 1,260.63');
    expect(await page.locator('#result').getAttribute('aria-live')).toBeNull();
  });

  it('refuse more lines than there may be rather than leave some out', async () => {
    const lines = Array.from({ length: 150 }, () => 'items.unit_price=1').join('&');
    await visit(`/quote#${lines}`);
    await expect
      .poll(() => page.locator('#faults li').allTextContents())
      .toEqual(['“What you quote for” takes 1 to 100 lines']);
    expect(await page.locator('#total').textContent()).toBe('$0.00');
  });

  it('fill in an example without leaving the page', async () => {
    for (const [path, shown, value] of [
      ['/late-fee', '#result', '10.63'],
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

  it('show what somebody wrote as text', async () => {
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

  it('work without script: the form is sent to its own page', async () => {
    page = await open({ javaScriptEnabled: false });
    await visit('/late-fee');
    await page.getByLabel('Amount').fill('1250');
    await page.getByLabel('It was due on').fill('2026-11-04');
    await page.getByLabel('Work it out to').fill('2026-11-21');
    await page.getByRole('button', { name: 'Work it out' }).click();
    expect(await figure('Total due')).toBe('1,260.63');
    await visit('/quote');
    await page.getByLabel('What, line 1').fill('Lawn');
    await page.getByLabel('Price of one, line 1').fill('40.50');
    await page.getByRole('button', { name: 'Add lines' }).click();
    await expect.poll(() => page.locator('.quote-line').count()).toBe(6);
    expect(await page.getByLabel('What, line 1').inputValue()).toBe('Lawn');
    await page.getByRole('button', { name: 'Work it out' }).click();
    expect(await page.locator('#total').textContent()).toBe('$40.50');
  });

  const PATHS = [
    '/',
    '/late-fee',
    '/late-fee#amount=1250&due_date=2026-09-01',
    '/quote',
    '/quote#items.unit_price=5',
    '/late-fee-reminder',
    '/quote-pack',
    '/stack-report',
    '/tools',
    '/tools/how-checked',
    '/tools/category/invoicing',
    '/tools/activepieces',
    '/developers',
    '/docs',
    '/terms',
    '/privacy',
    '/problems/invalid-input',
  ];

  it.each(PATHS)(
    '%s is for everybody: axe finds nothing, light or dark, and nothing hides on a phone',
    async (path) => {
      await visit(path);
      expect(await barriersOf(page)).toEqual([]);
      await page.setViewportSize({ width: 320, height: 640 });
      const wide = await page.evaluate<boolean>('document.documentElement.scrollWidth > innerWidth');
      expect(wide).toBe(false);
    },
    60_000,
  );

  it('print the result alone', async () => {
    await visit('/late-fee#amount=1250&due_date=2026-11-04&paid_date=2026-11-21');
    await expect.poll(() => figure('Late fee')).toBe('10.63');
    await page.emulateMedia({ media: 'print' });
    for (const hidden of ['#form', '.toolbar', '.example', '#api', 'header', 'footer'])
      expect([hidden, await page.locator(hidden).first().isVisible()]).toEqual([hidden, false]);
    expect(await page.locator('#result').isVisible()).toBe(true);
    for (const format of ['A4', 'Letter']) {
      const pdf = await page.pdf({ format, preferCSSPageSize: false });
      keepPdf(`late-fee-${format}.pdf`, pdf);
      expect([format, pagesOf(pdf)]).toEqual([format, 1]);
    }
    // The page has margins of its own, so a browser writes no address into them, which holds what was written.
    expect(await page.evaluate(MARGINS)).toMatch(/^18mm 17mm 20mm/);
  });

  it('take a result away as text and as a link', async () => {
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    await visitWithHeldClock('/late-fee#amount=1250&due_date=2026-11-04&paid_date=2026-11-21');
    await page.getByRole('button', { name: 'Copy as text' }).click();
    // Both say so for two seconds only.
    await page.getByRole('button', { name: 'Copied' }).waitFor();
    expect(await page.getByRole('status').textContent()).toBe('Copied');
    const text = await page.evaluate<string>('navigator.clipboard.readText()');
    expect(text).toMatch(/^RESULT\n\nTotal due: 1,260\.63\n/);
    await page.getByRole('button', { name: 'Copy a link to this' }).click();
    await expect
      .poll(() => page.evaluate<string>('navigator.clipboard.readText()'))
      .toBe(`${pages.url}/late-fee#amount=1250&due_date=2026-11-04&paid_date=2026-11-21`);
  });
});
