import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { LETTERHEAD, LETTERHEAD_LABELS } from '../../src/surfaces/pages/form-texts.ts';
import type { Page } from '../../tools/browser/index.ts';
import { barriersOf, executablePath, pagesUnderTest } from '../support/pages-under-test.ts';
import { keepPdf, pagesOf } from './artefacts.ts';

const QUOTE = [
  'items.description=Garden+design&items.quantity=2&items.unit_price=450&items.tax_percent=',
  'items.description=Plants&items.quantity=40&items.unit_price=7.25&items.tax_percent=',
  'tax_percent=20&discount_percent=5&deposit_percent=25&currency=GBP',
  'paper.business=Green+Gardens&paper.client=Acme+Ltd%0A4+Park+Row&paper.number=Q-118&paper.tax=VAT',
].join('&');

/** As much as a usual quote has: six lines, an address of four, a note of two. */
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

describe.skipIf(executablePath === undefined)('the document of a quote', () => {
  const pages = pagesUnderTest({ viewport: { width: 1280, height: 900 }, locale: 'en-GB' });
  let page: Page;

  beforeEach(async () => {
    page = await pages.open();
  });
  afterEach(() => expect(pages.asked.filter((one) => /Green|Acme|Q-118|7\.25/.test(one))).toEqual([]));

  const sheet = () => page.locator('.sheet');
  const open = async (query = QUOTE) => {
    await page.goto(`${pages.url}/quote#${query}`);
    await sheet().waitFor();
  };

  it('stands below the result, and what is written beside it goes nowhere but onto it', async () => {
    await page.goto(`${pages.url}/quote`);
    await page.getByLabel('Price of one, line 1').fill('450');
    await sheet().waitFor();
    expect(await sheet().textContent()).toContain('£450.00');
    await page.getByText(LETTERHEAD).click();
    await page.getByLabel('Your business').fill('Green Gardens');
    await page.getByLabel(LETTERHEAD_LABELS.client).fill('Acme Ltd\n4 Park Row');
    await page.getByLabel('Number of the quote').fill('Q-118');
    await page.getByLabel('What it is for').fill('Garden at 4 Park Row');
    expect(await sheet().locator('.business').textContent()).toBe('Green Gardens');
    expect(await sheet().locator('.to').textContent()).toBe('ForAcme Ltd4 Park Row');
    // It survives a change of the quote, and a reload.
    await page.getByLabel('Price of one, line 1').fill('500');
    await expect.poll(() => sheet().textContent()).toContain('£500.00');
    expect(await sheet().textContent()).toContain('Q-118');
    await expect.poll(() => page.url()).toContain('paper.number=Q-118');
    await page.reload();
    await expect.poll(() => sheet().textContent()).toContain('Garden at 4 Park Row');
    expect(await barriersOf(page)).toEqual([]);
  });

  it('is shared to be read: of the day on which the link was made, with nothing to write', async () => {
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    await open();
    await page.getByRole('button', { name: /\blink for your client\b/ }).click();
    await page.getByRole('button', { name: 'Copied' }).waitFor();
    const link = await page.evaluate<string>('navigator.clipboard.readText()');
    const today = new Date().toISOString().slice(0, 10);
    expect(new URL(link).hash).toContain(`paper.issued_on=${today}`);
    expect(new URL(link).search).toBe('');

    const later = await page.context().newPage();
    await later.goto(link.replace(today, '2025-11-21'));
    await later.getByRole('heading', { name: 'Quote from Green Gardens', level: 1 }).waitFor();
    expect(await later.getByText('This held until 21 December 2025.').isVisible()).toBe(true);
    expect(await later.locator('.sheet .what').textContent()).toContain('21 November 2025');
    expect(await later.locator('#form').isVisible()).toBe(false);
    expect(await later.title()).toBe('Quote Q-118 Green Gardens');
    expect(await barriersOf(later)).toEqual([]);

    await later.getByRole('button', { name: 'Edit a copy' }).click();
    await later.locator('#form').waitFor();
    expect(await later.getByLabel('Price of one, line 2').inputValue()).toBe('7.25');
    await expect.poll(() => later.locator('.sheet .business').textContent()).toBe('Green Gardens');
    expect(later.url()).not.toContain('issued_on');
  });

  it('asks its reader for nothing that its owner left out', async () => {
    await open('items.unit_price=450&paper.business=Green+Gardens&paper.issued_on=2026-11-21');
    await page.getByRole('heading', { name: 'Quote from Green Gardens', level: 1 }).waitFor();
    expect(await sheet().getByText('Your client').isVisible()).toBe(false);
    await page.getByRole('button', { name: 'Edit a copy' }).click();
    await expect.poll(() => sheet().getByText('Your client').isVisible()).toBe(true);
  });

  it('shows a link that is no document as a form with what is wrong', async () => {
    await page.goto(`${pages.url}/quote#items.unit_price=x&paper.issued_on=2026-11-21`);
    await expect.poll(() => page.locator('#faults li').count()).toBe(1);
    expect(await page.locator('#form').isVisible()).toBe(true);
  });

  it('is downloaded as text, as lines and as data', async () => {
    await open();
    await page.getByText('Download', { exact: true }).click();
    const file = async (name: string) => {
      const [download] = await Promise.all([
        page.waitForEvent('download'),
        page.getByRole('button', { name, exact: true }).click(),
      ]);
      const parts: Buffer[] = [];
      for await (const part of await download.createReadStream()) parts.push(part as Buffer);
      return [download.suggestedFilename(), Buffer.concat(parts).toString()] as const;
    };
    const [text, words] = await file('Text');
    expect(text).toBe('Quote Q-118 Green Gardens.txt');
    expect(words).toContain('Total: £1,356.60');
    const [csv, lines] = await file('Lines for a spreadsheet (CSV)');
    expect(csv).toBe('Quote Q-118 Green Gardens.csv');
    expect(lines).toContain('Plants,40,7.25,20,290,GBP\r\n');
    const [json, data] = await file('Data (JSON)');
    expect(json).toBe('Quote Q-118 Green Gardens.json');
    expect(JSON.parse(data)).toMatchObject({ total: 1356.6, letterhead: { number: 'Q-118' } });
  });

  it.each(['A4', 'Letter'])('is printed alone on one page of %s', async (format) => {
    await open();
    await page.emulateMedia({ media: 'print' });
    for (const hidden of ['#form', '#result', '.toolbar', 'nav', 'h1', '.rest', '.letterhead', 'h2'])
      expect([hidden, await page.locator(hidden).first().isVisible()]).toEqual([hidden, false]);
    expect(await sheet().isVisible()).toBe(true);
    const pdf = await page.pdf({ format, preferCSSPageSize: false });
    expect(pagesOf(pdf)).toBe(1);
    keepPdf(`quote-${format}.pdf`, pdf);
  });

  it.each(['A4', 'Letter'])(
    'has its signature on its one page of %s where it has six lines',
    async (format) => {
      await open(SIX);
      const pdf = await page.pdf({ format, preferCSSPageSize: false });
      keepPdf(`quote-six-${format}.pdf`, pdf);
      expect(pagesOf(pdf)).toBe(1);
    },
  );

  it('is there without script too, with room for what the page does not know', async () => {
    const other = await pages.open({ javaScriptEnabled: false });
    await other.goto(`${pages.url}/quote`);
    await other.getByLabel('Price of one, line 1').fill('1,250.50');
    await other.getByRole('button', { name: 'Work it out' }).click();
    expect(new URL(other.url()).hash).toBe('#sent');
    expect(await other.locator('.sheet').textContent()).toContain('$1,250.50');
  });
});
