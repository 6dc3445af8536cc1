import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { LETTERHEAD_LABELS } from '../../src/surfaces/pages/form-texts.ts';
import type { Page } from '../../tools/browser/index.ts';
import { barriersOf, executablePath, pagesUnderTest } from '../support/pages-under-test.ts';
import { keepPdf, pagesOf } from './artefacts.ts';

const QUOTE = [
  'items.description=Garden+design&items.quantity=2&items.unit_price=450&items.tax_percent=',
  'items.description=Plants&items.quantity=40&items.unit_price=7.25&items.tax_percent=',
  'tax_percent=20&discount_percent=5&deposit_percent=25&currency=GBP',
  'paper.business=Green+Gardens&paper.client=Acme+Ltd%0A4+Park+Row&paper.number=Q-118&paper.tax=VAT',
].join('&');

/** A quote of the usual length: six lines, a four-line address, a two-line note. */
const SIX = [
  'items.description=Bridal+bouquet,+garden+roses+and+eucalyptus&items.unit_price=145',
  'items.description=Bridesmaids’+bouquets&items.quantity=4&items.unit_price=65',
  'items.description=Buttonholes&items.quantity=12&items.unit_price=9.5',
  'items.description=Pedestal+arrangement+for+the+church+door,+with+delivery+and+collection+the+day+after&items.quantity=2&items.unit_price=220',
  'items.description=Table+centres&items.quantity=14&items.unit_price=38.75',
  'items.description=Delivery+and+set-up&items.unit_price=120',
  'tax_percent=20&discount_percent=5&deposit_percent=25&currency=GBP',
  'paper.business=Rose+and+Thorn+Florists&paper.contact=12+Mill+Lane%0ALeeds+LS1+4AB%0A0113+496+0000%0Ahello@rose.example',
  'paper.client=Acme+Events+Ltd%0A4+Park+Row%0ALeeds+LS1+5HD&paper.number=Q-118&paper.tax=VAT',
  'paper.about=Wedding+of+A.+Baker+and+J.+Singh,+12+June+2027',
  'paper.note=Flowers+are+bought+to+order;+colours+may+vary+with+the+season.%0AThe+balance+is+due+14+days+before+the+day.',
].join('&');

describe.skipIf(executablePath === undefined)('a quote document', () => {
  const pages = pagesUnderTest({ viewport: { width: 1280, height: 900 }, locale: 'en-GB' });
  let page: Page;

  beforeEach(async () => {
    page = await pages.open();
  });
  afterEach(() => expect(pages.asked.filter((one) => /Green|Acme|Q-118|7\.25/.test(one))).toEqual([]));

  const sheet = () => page.locator('.sheet');
  const button = (name: string | RegExp) => page.getByRole('button', { name });
  const open = async (query = QUOTE) => {
    await page.goto(`${pages.url}/quote#${query}`);
    await sheet().waitFor({ state: 'attached' });
  };
  const send = () => button('Send').click();

  it('has the text from the paper, and sends none of it to the service', async () => {
    await page.goto(`${pages.url}/quote`);
    await page.getByLabel('Price, line 1').fill('450');
    await page.getByLabel('Your business').fill('Green Gardens');
    await page.getByLabel(LETTERHEAD_LABELS.client).fill('Acme Ltd\n4 Park Row');
    await page.getByLabel('Quote number').fill('Q-118');
    await page.getByText('More', { exact: true }).click();
    await page.getByLabel('What it is for').fill('Garden at 4 Park Row');
    await send();
    await expect.poll(() => sheet().locator('.business').textContent()).toBe('Green Gardens');
    await expect.poll(() => sheet().locator('.to').textContent()).toBe('ForAcme Ltd4 Park Row');
    await expect.poll(() => sheet().textContent()).toContain('£450.00');
    expect(await barriersOf(page)).toEqual([]);
    await button('Close').click();
    await page.getByLabel('Price, line 1').fill('500');
    await expect.poll(() => sheet().textContent()).toContain('£500.00');
    await page.reload();
    await expect.poll(() => sheet().textContent()).toContain('Garden at 4 Park Row');
  });

  it('is shared read-only, as of the day of the link, without our menu', async () => {
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    await open();
    await send();
    await button(/\blink for your client\b/).click();
    await button('Copied').waitFor();
    const link = await page.evaluate<string>('navigator.clipboard.readText()');
    const today = new Date().toISOString().slice(0, 10);
    expect(new URL(link).hash).toContain(`paper.issued_on=${today}`);
    expect(new URL(link).search).toBe('');

    const later = await page.context().newPage();
    await later.goto(link.replace(today, '2025-11-21'));
    await later.getByText('This quote expired on 21 December 2025.').waitFor();
    await expect
      .poll(() => later.getByRole('heading', { level: 1 }).textContent())
      .toBe('Quote Q-118 from Green Gardens');
    await expect.poll(() => later.locator('.sheet .what').textContent()).toContain('21 November 2025');
    await expect.poll(() => later.locator('#form').count()).toBe(0);
    await expect.poll(() => later.getByRole('navigation', { name: 'Main' }).isVisible()).toBe(false);
    await expect.poll(() => later.getByRole('link', { name: 'Accept by email' }).count()).toBe(0);
    await expect.poll(() => later.title()).toBe('Quote Q-118 from Green Gardens');
    expect(await barriersOf(later)).toEqual([]);

    await later.getByRole('button', { name: 'Edit a copy' }).click();
    await expect.poll(() => later.getByLabel('Price, line 2').inputValue()).toBe('7.25');
    await expect.poll(() => later.url()).not.toContain('issued_on');
  });

  it("is shared with the phone's share menu if there is one, and is stored as sent", async () => {
    page = await pages.open({ hasTouch: true, isMobile: true, locale: 'en-GB' });
    await page.addInitScript(
      'navigator.share = (shared) => { window.shared = shared; return Promise.resolve(); }',
    );
    await open();
    await send();
    await button('Send a link to your client').click();
    await expect.poll(() => page.evaluate('window.shared?.title')).toBe('Quote Q-118 from Green Gardens');
    await expect.poll(() => page.evaluate('window.shared.url')).toContain('paper.issued_on=');
    await expect.poll(() => page.evaluate('localStorage["sent-quotes"]')).toContain('Acme Ltd');
  });

  it('names the file that the browser prints, and then restores the page title', async () => {
    await open();
    const before = await page.title();
    await page.evaluate(`addEventListener('beforeprint', () => { window.printed = document.title; })`);
    await page.pdf();
    await expect.poll(() => page.evaluate('window.printed')).toBe('Quote Q-118 from Green Gardens');
    await expect.poll(() => page.title()).toBe(before);
  });

  it('can be accepted by an email to its sender', async () => {
    const contact = 'paper.contact=12+Mill+Lane%0Ahello@green.example';
    const day = new Date().toISOString().slice(0, 10);
    await open(`${QUOTE}&${contact}&paper.issued_on=${day}`);
    const email = await page.getByRole('link', { name: 'Accept by email' }).getAttribute('href');
    expect(decodeURIComponent(email ?? '')).toMatch(
      /^mailto:hello@green\.example\?subject=Accepted: quote Q-118 of .*&body=I accept quote Q-118 of .* for a total of £1,356\.60\.$/,
    );
  });

  it("shows its client the whole address of the sender’s payment page, as the sender's and not as our button", async () => {
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    await page.goto(`${pages.url}/quote#${QUOTE}`);
    await page.locator('#form[novalidate]').waitFor();
    await page.getByText('More', { exact: true }).click();
    const field = page.getByLabel('Your payment link');
    await field.fill('http://me:word@127.0.0.1/pay');
    await send();
    await expect
      .poll(() => page.locator('#faults li').allTextContents())
      .toEqual([
        '“Your payment link” must begin with https://',
        '“Your payment link” must not contain a user name or password',
        '“Your payment link” must have a plain site name without a port, such as https://buy.stripe.com/…',
      ]);
    await expect.poll(() => page.evaluate('document.activeElement.id')).toBe('f-paper-pay');
    expect(await barriersOf(page)).toEqual([]);
    await field.fill('buy.stripe.com/abc');
    await send();
    await button(/\blink for your client\b/).click();
    await button('Copied').waitFor();
    const client = await page.context().newPage();
    await client.goto(await page.evaluate<string>('navigator.clipboard.readText()'));
    const link = client.locator('.sheet').getByRole('link', { name: 'https://buy.stripe.com/abc' });
    await expect.poll(() => link.getAttribute('href')).toBe('https://buy.stripe.com/abc');
    await expect.poll(() => link.getAttribute('rel')).toContain('noopener noreferrer');
    await expect.poll(() => link.getAttribute('class')).toBeNull();
    await expect
      .poll(() => client.locator('.payment').textContent())
      .toContain('Payment page of Green Gardens, at buy.stripe.com:');
    expect(await barriersOf(client)).toEqual([]);
    await client.emulateMedia({ media: 'print' });
    await expect.poll(() => link.isVisible()).toBe(true);
  });

  it('asks for the email address that its client replies to, and keeps it with the business', async () => {
    await page.goto(`${pages.url}/quote`);
    await page.getByLabel('Price, line 1').fill('450');
    await page.getByLabel('Your business').fill('Green Gardens');
    await page.getByLabel(LETTERHEAD_LABELS.contact).fill('12 Mill Lane');
    await send();
    await page.locator('#send-contact').fill('12 Mill Lane\nhello@green.example');
    await expect
      .poll(() => sheet().locator('.from').textContent())
      .toContain('12 Mill Lanehello@green.example');
    expect(await barriersOf(page)).toEqual([]);
    await button('Close').click();
    await send();
    await expect.poll(() => page.locator('#send-contact').count()).toBe(0);
    await expect
      .poll(() => page.evaluate('JSON.parse(localStorage["own-details"]).contact'))
      .toBe('12 Mill Lane\nhello@green.example');
  });

  it('asks for the name of its sender before a link is copied', async () => {
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    await open('items.unit_price=450');
    await send();
    await button(/\blink for your client\b/).click();
    await expect.poll(() => page.evaluate('document.activeElement.id')).toBe('send-business');
    await expect
      .poll(() => page.locator('#send-business-fault').textContent())
      .toContain('your client must know who');
    // The field for the email address, which is also missing, stays.
    await expect.poll(() => page.locator('#send-contact').isVisible()).toBe(true);
    expect(await barriersOf(page)).toEqual([]);
    await page.keyboard.type('Green Gardens');
    await button(/\blink for your client\b/).click();
    await button('Copied').waitFor();
    await expect
      .poll(() => page.evaluate<string>('navigator.clipboard.readText()'))
      .toContain('paper.business=Green+Gardens');
  });

  it('is replaced by a form with errors if a link is invalid', async () => {
    await page.goto(`${pages.url}/quote#items.unit_price=x&paper.issued_on=2026-11-21`);
    await expect.poll(() => page.locator('#faults li').count()).toBe(1);
    await expect.poll(() => page.locator('#form').isVisible()).toBe(true);
  });

  it.each(['A4', 'Letter'])('is printed on one %s sheet, without the rest of the page', async (format) => {
    await open();
    await page.emulateMedia({ media: 'print' });
    for (const hidden of ['#form', '.send-head', '#send .buttons', 'nav', 'h1', '.steps', '.below'])
      await expect
        .poll(async () => [hidden, await page.locator(hidden).first().isVisible()])
        .toEqual([hidden, false]);
    await expect.poll(() => sheet().isVisible()).toBe(true);
    const pdf = await page.pdf({ format, preferCSSPageSize: false });
    expect(pagesOf(pdf)).toBe(1);
    keepPdf(`quote-${format}.pdf`, pdf);
  });

  it.each(['A4', 'Letter'])('has room for a signature on one page of %s with six lines', async (format) => {
    await open(SIX);
    const pdf = await page.pdf({ format, preferCSSPageSize: false });
    keepPdf(`quote-six-${format}.pdf`, pdf);
    expect(pagesOf(pdf)).toBe(1);
  });

  it('also exists without JavaScript, with room for values that the page does not know', async () => {
    const other = await pages.open({ javaScriptEnabled: false });
    await other.goto(`${pages.url}/quote`);
    await other.getByLabel('Price, line 1').fill('1,250.50');
    await other.getByRole('button', { name: 'Work it out' }).click();
    await expect.poll(() => new URL(other.url()).hash).toBe('#sent');
    await expect.poll(() => other.locator('.sheet').textContent()).toContain('$1,250.50');
    await expect.poll(() => other.locator('#total').textContent()).toBe('$1,250.50');
  });

  it('is calculated and shown without a connection', async () => {
    await page.goto(`${pages.url}/quote`);
    await page.locator('#form[novalidate]').waitFor();
    await page.context().setOffline(true);
    await page.getByLabel('Price, line 1').fill('450');
    await page.getByLabel('Your business').fill('Green Gardens');
    await page.getByRole('button', { name: 'Send' }).click();
    await expect.poll(() => page.locator('.sheet').textContent()).toContain('£450.00');
    await page.context().setOffline(false);
  });
});
