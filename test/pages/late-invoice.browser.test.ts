import { beforeEach, describe, expect, it } from 'vitest';
import type { Page } from '../../tools/browser/index.ts';
import { answerTo } from '../letters/notices.ts';
import { barriersOf, executablePath, pagesUnderTest } from '../support/pages-under-test.ts';
import { keepPdf, pagesOf } from './artefacts.ts';

const PHONE = { width: 390, height: 844 };
const LINK = 'amount=1250&due_date=2026-11-04&paid_date=2026-11-21';

describe.skipIf(executablePath === undefined)('the page of a late invoice', () => {
  const pages = pagesUnderTest({ viewport: PHONE, locale: 'en-GB' });
  let page: Page;

  beforeEach(async () => {
    page = await pages.open();
  });

  const open = async (path = '/late-invoice', options?: Parameters<typeof pages.open>[0]) => {
    if (options !== undefined) page = await pages.open(options);
    await page.goto(`${pages.url}${path}`);
    if (options?.javaScriptEnabled !== false) await page.locator('#form[novalidate]').waitFor();
  };
  const field = (name: string) => page.locator(`#f-${name}`);
  const total = () => page.locator('#total').textContent();
  const bottom = async () => {
    const { y, height } = (await page.locator('#total').boundingBox()) ?? { y: PHONE.height, height: 0 };
    return y + height;
  };
  const says = () => page.locator('.figure-says').textContent();
  const chip = (name: string | RegExp) => page.locator('.chip > summary', { hasText: name });
  const button = (name: string | RegExp) => page.getByRole('button', { name });
  const isKept = (text: string) =>
    expect.poll(() => page.evaluate<string>('localStorage["draft.late-invoice"] ?? ""')).toContain(text);
  const overhang = () => page.evaluate('document.documentElement.scrollWidth - innerWidth');

  it('shows the fee after two fields without a button, in view on a phone, and sends nothing', async () => {
    await page.clock.setFixedTime('2026-11-21T10:00:00Z');
    await open();
    const before = pages.asked.length;
    await field('amount').fill('1250');
    await field('due_date').fill('2026-11-04');
    await expect.poll(total).toBe('£1,260.63');
    await expect.poll(says).toBe('£10.63 late fee · 17 days late · £0.63 a day');
    await expect.poll(bottom).toBeLessThan(PHONE.height / 2);
    await expect.poll(() => page.evaluate('scrollY')).toBe(0);
    await expect
      .poll(() => page.locator('.figure-steps').evaluate((folded) => folded.hasAttribute('open')))
      .toBe(false);
    await page.getByText('How it adds up').click();
    await expect
      .poll(() => page.locator('.figure-steps').textContent())
      .toContain('1250.00 x 1.5% x 17 / 30 = 10.63');
    expect(await barriersOf(page)).toEqual([]);
    expect(pages.asked.slice(before)).toEqual([]);
  });

  it('offers terms, date, statutory interest, payments and other invoices as buttons that open fields', async () => {
    await open(`/late-invoice#${LINK}&currency=GBP`);
    await chip('1.5% a month').click();
    await field('rate_type').selectOption('flat');
    await field('rate').fill('£40');
    await expect.poll(total).toBe('£1,290.00');
    await chip('£40.00 fee').click();
    await chip('Part payments').click();
    await field('amount_paid').fill('250');
    await expect.poll(total).toBe('£1,040.00');
    await chip('More invoices').click();
    await field('more_invoices').fill('500 due 2026-11-10 as INV-8');
    await expect.poll(total).toBe('£1,580.00');
    await chip('Interest by law').click();
    await field('jurisdiction').selectOption('GB');
    await page.getByText('How it adds up').click();
    await expect.poll(() => page.locator('.figure-steps').textContent()).toContain('interest by law');
    await page.evaluate("for (const folded of document.querySelectorAll('details')) folded.open = true");
    expect(await barriersOf(page)).toEqual([]);
    await expect.poll(overhang).toBeLessThanOrEqual(0);
  });

  it.each([
    ['en-GB', '£1,250 quid', '£1,250.00'],
    ['de-DE', '1.250', '€1,250.00'],
    ['en-IN', '₹1,00,000', '₹1,00,000.00'],
  ])('reads an amount in the number format of the locale %s: %s', async (locale, written, sum) => {
    await open('/late-invoice', { locale });
    await field('amount').fill(written);
    await field('due_date').fill('2999-11-04');
    await expect.poll(total).toBe(sum);
    await expect.poll(says).toBe('Not overdue yet · no late fee');
  });

  it('shows the fee of a letter about an invoice that was paid late in parts', async () => {
    const asked = {
      amount: '1000',
      currency: 'GBP',
      due_date: '2026-09-01',
      payments: '400 on 2026-09-20',
      more_invoices: '500 due 2026-09-10',
      paid_on: '2026-10-10',
    };
    await open(`/late-invoice#${new URLSearchParams(asked)}`);
    const { late_fee: fee } = answerTo({ ...asked, invoice_number: '' }).fee;
    await expect.poll(says).toContain(`£${fee.toFixed(2)} late fee`);
  });

  it('reads a number with the word "days", and asks about an amount with two meanings', async () => {
    await open(`/late-invoice#${LINK}&currency=GBP`);
    await chip('1.5% a month').click();
    await field('grace_days').fill('7 days');
    await expect.poll(says).toContain('£6.25 late fee');
    await field('amount').fill('12 50');
    await field('due_date').focus();
    await expect.poll(() => page.locator('#f-amount-fault').textContent()).toContain('could be 12.5 or 1250');
    expect(await barriersOf(page)).toEqual([]);
    await button('1250').click();
    await expect.poll(() => page.locator('#f-amount-fault').textContent()).toBe('');
    await expect.poll(() => field('amount').inputValue()).toBe('1250');
  });

  it('keeps the fee while another field has an error, and shows the error when that field loses focus', async () => {
    await open(`/late-invoice#${LINK}&currency=GBP`);
    await expect.poll(total).toBe('£1,260.63');
    await chip('1.5% a month').click();
    await field('rate').fill('one and a half');
    await expect.poll(() => page.locator('.unfinished').count()).toBe(1);
    await expect.poll(total).toBe('£1,260.63');
    await expect.poll(() => page.locator('#f-rate-fault').textContent()).toBe('');
    await field('amount').focus();
    await expect.poll(() => page.locator('#f-rate-fault').textContent()).toMatch(/not a number/);
    await isKept('one and a half');
    await page.reload();
    await expect.poll(() => field('rate').inputValue()).toBe('one and a half');
  });

  it('shows all errors at once on request, and links to them', async () => {
    await open();
    await field('amount').fill('twelve');
    await page.keyboard.press('Enter');
    await expect.poll(() => field('due_date').evaluate((input) => input.matches(':focus'))).toBe(true);
    await expect.poll(() => page.locator('#faults li').count()).toBe(0);
    await page.keyboard.press('Enter');
    await expect
      .poll(() => page.locator('#faults li').allTextContents())
      .toEqual([
        '“Amount” is not a number that we can read: enter it like 1250.00',
        '“Due date” is required',
      ]);
    await expect.poll(() => field('amount').evaluate((input) => input.matches(':focus'))).toBe(true);
    expect(await barriersOf(page)).toEqual([]);
    await page.locator('#faults a').last().click();
    await expect.poll(() => field('due_date').evaluate((input) => input.matches(':focus'))).toBe(true);
  });

  it('says before any price that an invoice is not late yet, and when the letter can be bought', async () => {
    await open('/late-invoice#amount=1250&due_date=2999-11-04&currency=GBP');
    await page.getByText('You can get the letter from 5 November 2999.').waitFor();
    await expect.poll(() => page.locator('#buy').count()).toBe(0);
    await field('due_date').fill('2026-11-04');
    await page.locator('#buy').waitFor();
  });

  it('puts the cursor into the first field of a section that is opened', async () => {
    await open();
    await chip('Part payments').click();
    const isInChip = `document.activeElement.matches('.chip[open] :is(input, textarea)')`;
    await expect.poll(() => page.evaluate(isInChip)).toBe(true);
  });

  it('shares the link to a result on a phone that supports sharing', async () => {
    page = await pages.open({ viewport: PHONE, locale: 'en-GB', hasTouch: true, isMobile: true });
    await page.addInitScript(
      'navigator.share = (shared) => { window.shared = shared; return Promise.resolve(); }',
    );
    await open(`/late-invoice#${LINK}&currency=GBP`);
    await button('Share').click();
    await expect.poll(() => page.evaluate('window.shared?.url')).toContain('amount=1250');
  });

  it('announces the fee to screen readers as soon as typing has paused', async () => {
    await page.clock.install({ time: '2026-11-21T10:00:00Z' });
    await open();
    await page.clock.pauseAt('2026-11-21T11:00:00Z');
    await field('due_date').fill('2026-11-04');
    await field('amount').pressSequentially('1250');
    await page.clock.runFor(900);
    await expect.poll(total).toBe('£1,260.63');
    await expect.poll(() => page.locator('#status').textContent()).toBe('');
    await page.clock.runFor(200);
    await expect.poll(() => page.locator('#status').textContent()).toBe('Owed £1,260.63');
  });

  it('stores its values on the device across reloads and tabs, and can restore them after “New”', async () => {
    await open();
    await field('amount').fill('1250');
    await field('due_date').fill('2026-11-04');
    await field('client_name').fill('Acme Ltd');
    await isKept('Acme Ltd');
    await page.reload();
    await expect.poll(() => field('client_name').inputValue()).toBe('Acme Ltd');
    const other = await page.context().newPage();
    await other.goto(`${pages.url}/late-invoice`);
    await expect.poll(() => other.locator('#f-amount').inputValue()).toBe('1250');
    await other.close();
    await button('New').click();
    await expect.poll(() => field('amount').inputValue()).toBe('');
    expect(await barriersOf(page)).toEqual([]);
    await button('Undo').click();
    await expect.poll(() => field('client_name').inputValue()).toBe('Acme Ltd');
  });

  it('replaces the draft with the values of a link, and can restore the draft', async () => {
    await open();
    await field('amount').fill('77');
    await isKept('77');
    await open(`/late-invoice?utm_source=mail#${LINK}&currency=EUR`);
    await expect.poll(total).toBe('€1,260.63');
    await expect.poll(() => new URL(page.url()).hash).toBe('');
    await button('Undo').click();
    await expect.poll(() => field('amount').inputValue()).toBe('77');
    expect(pages.asked.filter((one) => one.includes('1250'))).toEqual([]);
  });

  it('is reached from its earlier addresses, which keep the values in the query and after the #', async () => {
    for (const path of ['/late-fee', '/late-fee-reminder', '/late-fee-calculator', '/late-fee-letter']) {
      const moved = await fetch(`${pages.url}${path}?amount=1250`, { redirect: 'manual' });
      expect([path, moved.status, moved.headers.get('location')]).toEqual([
        path,
        308,
        '/late-invoice?amount=1250',
      ]);
    }
    await open(`/late-fee#${LINK}&currency=GBP`);
    await expect.poll(total).toBe('£1,260.63');
    await open(`/late-fee-reminder?${LINK}&currency=EUR`);
    await expect.poll(total).toBe('€1,260.63');
  });

  it('gives a free statement of the amount owed, on paper, as text and as a link', async () => {
    await open(`/late-invoice#${LINK}&currency=GBP`, { permissions: ['clipboard-read', 'clipboard-write'] });
    await field('client_name').fill('Acme Ltd');
    await field('business_name').fill('Green Gardens');
    await chip('Invoice number').click();
    await field('invoice_number').fill('INV-1042');
    const copied = () => page.evaluate<string>('navigator.clipboard.readText()');
    await button('Copy as text').click();
    await expect.poll(() => page.locator('#status').textContent()).toBe('Copied');
    const text = await copied();
    for (const part of ['Green Gardens', 'Acme Ltd', 'INV-1042', 'Total due: £1,260.63', '1250.00 x 1.5%'])
      expect(text).toContain(part);
    await button('Copy link').click();
    await expect
      .poll(copied)
      .toBe(`${pages.url}/late-invoice#paid_date=2026-11-21&${LINK.replace(/&paid.*/, '')}&currency=GBP`);
    await page.emulateMedia({ media: 'print' });
    for (const hidden of ['#form', 'header', 'footer', '.below'])
      await expect
        .poll(async () => [hidden, await page.locator(hidden).first().isVisible()])
        .toEqual([hidden, false]);
    const pdf = await page.pdf({ format: 'A4' });
    keepPdf('late-invoice.pdf', pdf);
    expect(pagesOf(pdf)).toBe(1);
  });

  it('shows its document next to the form on a wide screen, without a scrolling box', async () => {
    await open('/late-invoice', { viewport: { width: 1280, height: 900 } });
    await field('amount').fill('1250');
    await field('due_date').fill('2026-11-04');
    const form = await page.locator('#form').boundingBox();
    const sheet = await page.locator('.sheet').boundingBox();
    expect(sheet?.x).toBeGreaterThan((form?.x ?? 0) + (form?.width ?? 0));
    expect(form?.x).toBe((await page.locator('.top .name').boundingBox())?.x);
    const scrollers =
      await page.evaluate(`[...document.querySelectorAll('main :is(div, section, form, table)')].filter((one) =>
      one.scrollHeight > one.clientHeight + 1 && /auto|scroll/.test(getComputedStyle(one).overflowY)).map((one) => one.className)`);
    expect(scrollers).toEqual([]);
    expect(await barriersOf(page)).toEqual([]);
  });

  it('works without JavaScript as a plain form whose address contains no values', async () => {
    await open('/late-invoice', { javaScriptEnabled: false });
    await field('amount').fill('1,250');
    await field('due_date').fill('2026-11-04');
    await chip('Up to today').click();
    await field('paid_date').fill('2026-11-21');
    await field('client_name').fill('Acme Ltd');
    await button('Work out').last().click();
    await expect.poll(total).toBe('$1,260.63');
    await expect.poll(() => page.locator('.sheet').textContent()).toContain('Acme Ltd');
    await expect.poll(() => page.url()).toBe(`${pages.url}/late-invoice#sent`);
    const addresses = pages.asked.map((one) => one.split(' ')[0]);
    expect(addresses.filter((one) => /1250|1%2C250|2026-11|Acme/.test(one ?? ''))).toEqual([]);
    await expect.poll(() => field('client_name').inputValue()).toBe('Acme Ltd');
    await expect.poll(bottom).toBeLessThan(PHONE.height);
    await field('amount').fill('12,50,1');
    await button('Work out').last().click();
    await expect.poll(() => page.locator('#faults li').count()).toBe(1);
    // The browser reports a page with an error status as a failure.
    pages.complaints.length = 0;
  });

  it('continues with values that were sent before its script had loaded', async () => {
    await open();
    await page.locator('[name="amount"]').fill('1250');
    await page.locator('[name="due_date"]').fill('2026-11-04');
    await page.evaluate('document.querySelector("#form").submit()');
    await page.waitForURL('**/late-invoice');
    await page.locator('#form[novalidate]').waitFor();
    await expect.poll(() => field('amount').inputValue()).toBe('1250');
    await page.reload();
    await expect.poll(() => field('amount').inputValue()).toBe('1250');
  });

  it('offers a prompt for an assistant to buy the letter with these values', async () => {
    await open(`/late-invoice#${LINK}&currency=GBP&client_name=Acme+Ltd`, {
      permissions: ['clipboard-read', 'clipboard-write'],
    });
    await expect
      .poll(() => page.locator('.late-letter').textContent())
      .toContain('crypto wallet with USDC on Base');
    await button('Let your assistant buy it').click();
    await button('Copied: paste it to your assistant').waitFor();
    const prompt = await page.evaluate<string>('navigator.clipboard.readText()');
    for (const part of ['/mcp', 'late_fee_notice', '"amount": "1250"', '"client_name": "Acme Ltd"'])
      expect(prompt).toContain(part);
  });
});
