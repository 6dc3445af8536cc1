import { beforeEach, describe, expect, it } from 'vitest';
import { AxeBuilder, type Page } from '../../tools/browser/index.ts';
import { executablePath, pagesUnderTest } from '../support/pages-under-test.ts';

const QUOTE = 'items.description=Hedge&items.quantity=2&items.unit_price=40';
const CHOICE = 'Remember my business on this device';

describe.skipIf(executablePath === undefined)('the own business, on forms and on documents', () => {
  const pages = pagesUnderTest({ viewport: { width: 360, height: 740 } });
  let page: Page;

  beforeEach(async () => {
    page = await pages.open();
  });

  /** Opens a path in a tab of its own: another address behind the # would be the same page. */
  const visit = async (path: string) => {
    await page.close();
    page = await page.context().newPage();
    await page.goto(`${pages.url}${path}`);
  };
  const paper = () => page.locator('.paper');
  const unfold = () => page.locator('.letterhead > summary').click();
  const writeLetterhead = async () => {
    await visit(`/quote#${QUOTE}`);
    await unfold();
    await page.getByLabel('Your business').fill('Bright Studio');
    await page.getByLabel('Your address, phone and email').fill('1 High Street\nhello@bright.example');
    await page.getByLabel('Your client: name and address').fill('Acme Ltd');
  };

  it('is remembered in one place when its owner wishes: written on a document, it stands in the form of a letter', async () => {
    await writeLetterhead();
    await page.getByLabel(CHOICE).check();
    expect((await new AxeBuilder({ page }).include('.letterhead').analyze()).violations).toEqual([]);
    await visit('/late-fee-reminder');
    expect(await page.locator('[name="business_name"]').inputValue()).toBe('Bright Studio');
    expect(await page.getByLabel(CHOICE).isChecked()).toBe(true);
    await page.locator('[name="business_name"]').fill('Brighter Studio');
    await page.locator('[name="business_name"]').blur();
    await visit(`/quote#${QUOTE}`);
    await expect.poll(() => paper().textContent()).toContain('Brighter Studio1 High Street');
    expect(await paper().textContent()).not.toContain('Acme');
    // What is on the paper is in its link as well.
    await expect.poll(() => page.url()).toContain('paper.business=Brighter+Studio');
  });

  it('is forgotten everywhere when the tick is taken away, and never kept without one', async () => {
    await writeLetterhead();
    expect(await page.evaluate('localStorage.length')).toBe(0);
    await page.getByLabel(CHOICE).check();
    await visit('/quote-pack');
    await page.getByLabel(CHOICE).uncheck();
    expect(await page.evaluate('localStorage.length')).toBe(0);
    await visit(`/quote#${QUOTE}`);
    await expect.poll(() => paper().textContent()).toContain('Hedge');
    expect(await paper().textContent()).not.toContain('Bright Studio');
  });

  it('is not put on a document that somebody else sent', async () => {
    await writeLetterhead();
    await page.getByLabel(CHOICE).check();
    await visit(`/quote#${QUOTE}&paper.client=Me&paper.issued_on=2026-11-02`);
    await expect.poll(() => paper().textContent()).toContain('2 November 2026');
    expect(await paper().textContent()).not.toContain('Bright Studio');
  });
});
