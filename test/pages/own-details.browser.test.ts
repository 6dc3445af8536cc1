import { beforeEach, describe, expect, it } from 'vitest';
import { LETTERHEAD_LABELS, REMEMBER } from '../../src/surfaces/pages/form-texts.ts';
import type { Page } from '../../tools/browser/index.ts';
import { executablePath, pagesUnderTest } from '../support/pages-under-test.ts';

const QUOTE = 'items.description=Hedge&items.quantity=2&items.unit_price=40';
const CHOICE = REMEMBER;

describe.skipIf(executablePath === undefined)('the owner’s business on forms and documents', () => {
  const pages = pagesUnderTest({ viewport: { width: 360, height: 740 } });
  let page: Page;

  beforeEach(async () => {
    page = await pages.open();
  });

  /** Opens a path in a new tab, because an address that differs only after the # would be the same page. */
  const visit = async (path: string) => {
    await page.close();
    page = await page.context().newPage();
    await page.goto(`${pages.url}${path}`);
  };
  const paper = () => page.locator('.sheet');
  const opened = () => page.locator('#form[novalidate]').waitFor();
  const business = () => page.getByLabel('Your business').first();
  /** A quote on which the owner enters the business details. */
  const writeLetterhead = async () => {
    await visit('/quote');
    await opened();
    await page.getByLabel('Price, line 1').fill('40');
    await business().fill('Bright Studio');
    await page.getByLabel(LETTERHEAD_LABELS.contact).fill('1 High Street\nhello@bright.example');
    await page.getByLabel(LETTERHEAD_LABELS.client).fill('Acme Ltd');
  };

  it('is stored once: the name on a quote appears in the form of a letter', async () => {
    await writeLetterhead();
    await page.getByText('More', { exact: true }).click();
    await expect.poll(() => page.getByLabel(CHOICE).isChecked()).toBe(true);
    await page.getByLabel(LETTERHEAD_LABELS.pay).fill('buy.stripe.com/abc');
    await visit('/late-invoice');
    await expect.poll(() => page.locator('[name="business_name"]').inputValue()).toBe('Bright Studio');
    await expect.poll(() => page.getByLabel(CHOICE).isChecked()).toBe(true);
    await page.locator('[name="business_name"]').fill('Brighter Studio');
    await page.locator('[name="business_name"]').blur();
    await visit(`/quote#${QUOTE}`);
    await expect.poll(() => paper().textContent()).toContain('Brighter Studio1 High Street');
    await expect.poll(() => paper().textContent()).toContain('at buy.stripe.com:https://buy.stripe.com/abc');
    await expect.poll(() => paper().textContent()).not.toContain('Acme');
  });

  it('is deleted everywhere if the box is unchecked, and is not stored again', async () => {
    await writeLetterhead();
    await visit('/late-invoice');
    await opened();
    await page.getByLabel(CHOICE).uncheck();
    await expect.poll(() => page.evaluate('localStorage["own-details"]')).toBe('null');
    await visit(`/quote#${QUOTE}`);
    await expect.poll(() => paper().textContent()).toContain('Hedge');
    await expect.poll(() => paper().textContent()).not.toContain('Bright Studio');
    await page.getByText('More', { exact: true }).click();
    await expect.poll(() => page.getByLabel(CHOICE).isChecked()).toBe(false);
    await page.getByRole('button', { name: 'Start a new quote' }).click();
    await business().fill('Bright Studio');
    await expect.poll(() => page.evaluate('localStorage["own-details"]')).toBe('null');
  });

  it('keeps its currency on every form, even if other details change', async () => {
    const currency = () => page.locator('[name="currency"]').inputValue();
    await visit('/late-invoice');
    await opened();
    await page.locator('.chip > summary', { hasText: /^In / }).click();
    await page.locator('[name="currency"]').selectOption('EUR');
    await page.getByLabel(CHOICE).check();
    for (const path of ['/late-invoice', '/quote']) {
      await visit(path);
      await expect.poll(currency, { message: path }).toBe('EUR');
    }
    await visit('/late-invoice#amount=1250&due_date=2026-09-01&currency=GBP');
    await expect.poll(currency).toBe('GBP');
    await page.locator('[name="business_name"]').fill('Bright Studio');
    await page.locator('[name="business_name"]').blur();
    await visit('/quote');
    await expect.poll(() => business().inputValue()).toBe('Bright Studio');
    await expect.poll(currency).toBe('EUR');
    await page.locator('.chip > summary', { hasText: /^In / }).click();
    await page.locator('[name="currency"]').selectOption('SEK');
    await visit('/late-invoice#amount=1250&due_date=2026-09-01');
    await expect.poll(currency).toBe('SEK');
  });

  it('is not added to a document that somebody else sent', async () => {
    await writeLetterhead();
    await visit(`/quote#${QUOTE}&paper.client=Me&paper.issued_on=2026-11-02`);
    await expect.poll(() => paper().textContent()).toContain('November 2, 2026');
    await expect.poll(() => paper().textContent()).not.toContain('Bright Studio');
  });

  it('is not added below the name of another business when its quote is copied', async () => {
    await writeLetterhead();
    await visit(`/quote#${QUOTE}&paper.business=Other+Works&paper.issued_on=2026-11-02`);
    await page.getByRole('button', { name: 'Edit a copy' }).click();
    await opened();
    await expect.poll(() => business().inputValue()).toBe('Other Works');
    await expect.poll(() => page.getByLabel(LETTERHEAD_LABELS.contact).inputValue()).toBe('');
    await expect.poll(() => paper().textContent()).not.toContain('High Street');
    // Corrections on that page do not become the owner's details either.
    await page.getByLabel(LETTERHEAD_LABELS.contact).fill('2 Other Street');
    await business().fill('Other Works Ltd');
    await page.reload();
    await opened();
    await page.getByLabel(LETTERHEAD_LABELS.contact).fill('3 Other Street');
    await visit('/late-invoice');
    await expect.poll(() => page.locator('[name="business_name"]').inputValue()).toBe('Bright Studio');
    await visit(`/quote#${QUOTE}`);
    await expect.poll(() => paper().textContent()).toContain('Bright Studio1 High Street');
  });

  it('has bank details only below its own name, and one checkbox for all tabs', async () => {
    await visit('/late-invoice');
    await opened();
    await page.locator('[name="business_name"]').fill('Bright Studio');
    await page.locator('.chip > summary', { hasText: 'How to pay you' }).click();
    await page.locator('[name="payment_details"]').fill('IBAN BRIGHT');
    await visit('/late-invoice#business_name=Other+Works&amount=100&due_date=2026-09-01');
    await expect.poll(() => page.locator('[name="business_name"]').inputValue()).toBe('Other Works');
    await expect.poll(() => page.locator('[name="payment_details"]').inputValue()).toBe('');
    await page.getByRole('button', { name: 'New' }).click();
    await expect.poll(() => page.locator('[name="payment_details"]').inputValue()).toBe('IBAN BRIGHT');
    // The owner's name is not added to the content of a link without a name either, and the page shows this.
    await visit('/late-invoice#amount=100&due_date=2026-09-01&payment_details=IBAN+EVIL');
    const bank = page.locator('[name="payment_details"]');
    await expect.poll(() => bank.inputValue()).toBe('IBAN EVIL');
    await expect.poll(() => bank.isVisible()).toBe(true);
    await expect.poll(() => page.locator('[name="business_name"]').inputValue()).toBe('');
    for (const brought of ['paper.contact=evil@example.com', 'paper.note=IBAN+EVIL']) {
      await visit(`/quote#${QUOTE}&${brought}`);
      await expect.poll(() => paper().textContent()).toMatch(/evil/i);
      await expect.poll(() => paper().textContent()).not.toContain('Bright Studio');
    }
    // A link that has the owner's name does not get the other business details below somebody else's payment page.
    await visit(`/quote#${QUOTE}&paper.business=Bright+Studio&paper.pay=https://evil.example/pay`);
    await expect.poll(() => paper().textContent()).toContain('at evil.example:');
    await expect.poll(() => page.getByLabel(LETTERHEAD_LABELS.pay).isVisible()).toBe(true);
    await page.getByLabel(LETTERHEAD_LABELS.pay).fill('https://evil.example/other');
    await visit('/late-invoice#business_name=Bright+Studio&amount=100&payment_details=IBAN+EVIL');
    const details = page.locator('[name="payment_details"]');
    await expect.poll(() => details.inputValue()).toBe('IBAN EVIL');
    await details.fill('IBAN EVIL 2');
    await expect.poll(() => page.evaluate('localStorage["own-details"]')).not.toMatch(/evil/i);
    await visit(`/quote#${QUOTE}`);
    await expect.poll(() => paper().textContent()).toContain('Bright Studio');
    await expect.poll(() => paper().textContent()).not.toContain('evil');
    const other = await page.context().newPage();
    await other.goto(`${pages.url}/quote`);
    await other.locator('#form[novalidate]').waitFor();
    await other.getByText('More', { exact: true }).click();
    await other.getByLabel(CHOICE).uncheck();
    await other.close();
    await visit(`/quote#${QUOTE}`);
    await expect.poll(() => paper().textContent()).toContain('Hedge');
    await expect.poll(() => paper().textContent()).not.toContain('Bright Studio');
  });

  it('is not mixed with the values that a page was opened with, and the draft can be restored', async () => {
    await writeLetterhead();
    const own = () => page.evaluate<string>('localStorage["own-details"]');
    const attack = 'paper.business=Bright+Studio&paper.pay=https://evil.example/pay';
    await visit(`/quote?${QUOTE}&${attack}`);
    await expect.poll(() => paper().textContent()).toContain('at evil.example:');
    const link = page.getByLabel(LETTERHEAD_LABELS.pay);
    await expect.poll(() => link.isVisible()).toBe(true);
    await link.fill('https://evil.example/other');
    await page.getByRole('button', { name: 'Undo' }).click();
    await expect.poll(() => page.getByLabel(LETTERHEAD_LABELS.client).inputValue()).toBe('Acme Ltd');
    await visit(
      '/late-invoice?business_name=Bright+Studio&amount=100&due_date=2026-09-01&payment_details=IBAN+EVIL',
    );
    const details = page.locator('[name="payment_details"]');
    await expect.poll(() => details.inputValue()).toBe('IBAN EVIL');
    await expect.poll(() => details.isVisible()).toBe(true);
    await details.fill('IBAN EVIL 2');
    await visit(`/quote#${QUOTE}&paper.business=Bright+Studio&paper.contact=evil@x.example`);
    const contact = page.getByLabel(LETTERHEAD_LABELS.contact);
    await expect.poll(() => contact.inputValue()).toBe('evil@x.example');
    await contact.fill('evil@y.example');
    await expect.poll(own).not.toMatch(/evil/i);
  });
});
