import { beforeEach, describe, expect, it } from 'vitest';
import type { Page } from '../../tools/browser/index.ts';
import { barriersOf, executablePath, pagesUnderTest } from '../support/pages-under-test.ts';

const PHONE = { width: 390, height: 844 };
const LINES = [
  ['Bridal bouquet', '1', '185'],
  ['Table centrepieces', '12', '42.50'],
  ['Delivery and setting up', '1', '120'],
] as const;

describe.skipIf(executablePath === undefined)('a quote that is written on its paper', () => {
  const pages = pagesUnderTest({ viewport: PHONE, locale: 'en-GB' });
  let page: Page;

  beforeEach(async () => {
    page = await pages.open();
  });

  const open = async (path = '/quote') => {
    await page.goto(`${pages.url}${path}`);
    await page.locator('#form[novalidate]').waitFor();
  };
  const total = () => page.locator('#total').textContent();
  const amounts = async () => (await page.locator('.quote-line .amount').allTextContents()).filter(Boolean);
  const input = (line: number, part: string) => page.locator(`#f-items-${line - 1}-${part}`);
  const words = (line: number) => input(line, 'description').inputValue();
  const chip = (name: string | RegExp) => page.locator('.chip > summary', { hasText: name });
  const writeLines = async () => {
    for (const [index, [what, quantity, price]] of LINES.entries()) {
      await input(index + 1, 'description').fill(what);
      await input(index + 1, 'quantity').fill(quantity);
      await input(index + 1, 'unit_price').fill(price);
    }
  };
  const menu = (line: number) => page.getByLabel(`More for line ${line}`);
  const isKept = (text: string) =>
    expect.poll(() => page.evaluate<string>('localStorage["draft.quote"] ?? ""')).toContain(text);

  it('shows three lines with tax and deposit within 900 pixels of a phone, after 14 taps and fields', async () => {
    await open();
    await writeLines();
    await chip('Add VAT').click();
    await page.locator('#f-tax_percent').fill('20');
    await chip('Ask for a deposit').click();
    await page.locator('#f-deposit_percent').fill('25');
    await chip('Deposit 25%').click();
    await expect.poll(total).toBe('£978.00');
    await expect.poll(amounts).toEqual(['£185.00', '£510.00', '£120.00']);
    await expect
      .poll(() => page.locator('.quote-sums').textContent())
      .toContain('£244.50 now, £733.50 later');
    const boxOf = async (place: string) =>
      (await page.locator(place).boundingBox()) ?? { y: PHONE.height, height: 900 };
    await expect.poll(async () => (await boxOf('.quote-paper')).height).toBeLessThan(900);
    const bottom = async () => {
      const { y, height } = await boxOf('.dock');
      return y + height;
    };
    await expect.poll(bottom).toBeLessThanOrEqual(PHONE.height);
    expect(await barriersOf(page)).toEqual([]);
  });

  it('stays on the device with its client and total after it has been sent and a new quote begins', async () => {
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    await open();
    await writeLines();
    await page.getByLabel('Your business').fill('Bloom & Stem');
    await page.getByLabel('Client’s name and address').fill('Harrow & Finch\n1 Mill Lane');
    const copy = async () => {
      await page.getByRole('button', { name: 'Send' }).click();
      await page.getByRole('button', { name: 'Copy as text' }).click();
      await page.getByRole('button', { name: 'Copied' }).waitFor();
      await page.getByRole('button', { name: 'Close' }).click();
    };
    await copy();
    await input(3, 'unit_price').fill('150');
    // A corrected version replaces the first one.
    await copy();
    await page.getByText('More', { exact: true }).click();
    await page.getByRole('button', { name: 'Start a new quote' }).click();
    await input(1, 'unit_price').fill('5');
    await copy();
    const device = await page.context().newPage();
    await device.goto(`${pages.url}/on-this-device`);
    const sent = device.locator('.device-list li', { hasText: 'Quote, sent' });
    await expect.poll(() => sent.count()).toBe(2);
    await expect.poll(() => sent.nth(0).textContent()).toContain('£5.00');
    await expect.poll(() => sent.nth(1).textContent()).toMatch(/Harrow & Finch, .*20\d\d, £845\.00/);
    expect(await barriersOf(device)).toEqual([]);
    await sent.nth(1).getByRole('link').click();
    await device.locator('.sheet').waitFor();
    await expect.poll(() => device.locator('.sheet').textContent()).toContain('ForHarrow & Finch1 Mill Lane');
    await device.getByRole('button', { name: 'Edit a copy' }).click();
    await expect.poll(() => device.locator('#f-items-2-unit_price').inputValue()).toBe('150');
    await device.goto(`${pages.url}/on-this-device`);
    await sent
      .nth(1)
      .getByRole('button', { name: /^Remove/ })
      .click();
    await expect.poll(() => sent.count()).toBe(1);
    await expect.poll(() => sent.textContent()).toContain('£5.00');
    await device.close();
  });

  it('is stored on the device across reloads and tabs until a new quote begins', async () => {
    await open();
    await writeLines();
    await chip('Add VAT').click();
    await page.locator('#f-tax_percent').fill('twenty');
    await page.reload();
    await expect.poll(() => words(3)).toBe('Delivery and setting up');
    await expect.poll(() => page.locator('#f-tax_percent').inputValue()).toBe('twenty');
    const other = await page.context().newPage();
    await other.goto(`${pages.url}/quote`);
    await expect.poll(() => other.locator('#f-items-1-quantity').inputValue()).toBe('12');
    await other.close();
    await chip('More').click();
    await page.getByRole('button', { name: 'Start a new quote' }).click();
    await expect.poll(() => words(1)).toBe('');
    await expect.poll(() => page.evaluate('localStorage["draft.quote"]')).toBeUndefined();
    await page.getByRole('button', { name: 'Undo' }).click();
    await expect.poll(() => words(3)).toBe('Delivery and setting up');
    await isKept('centrepieces');
  });

  it('is replaced by the quote of a link, and can be restored', async () => {
    await open();
    await writeLines();
    await isKept('Delivery');
    await page.goto(`${pages.url}/legal`);
    await open('/quote#items.description=Lawn&items.unit_price=80&currency=GBP');
    await expect.poll(total).toBe('£80.00');
    // The link is used only once: later input is not in the address.
    await expect.poll(() => page.url()).toBe(`${pages.url}/quote`);
    await page.getByRole('button', { name: 'Undo' }).click();
    await expect.poll(total).toBe('£815.00');
    await page.evaluate(`location.hash = 'items.description=Hedge&items.unit_price=40'`);
    await expect.poll(() => words(1)).toBe('Hedge');
  });

  it('has lines that can be moved and removed by keyboard, and a removal can be undone', async () => {
    await open();
    await writeLines();
    await menu(3).focus();
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: 'Move up' }).press('Enter');
    await expect
      .poll(async () => [await words(1), await words(2), await words(3)])
      .toEqual([LINES[0][0], LINES[2][0], LINES[1][0]]);
    await expect.poll(() => page.getByRole('status').textContent()).toBe('Line 3 is line 2 now.');
    await expect.poll(() => page.evaluate('document.activeElement.dataset.act')).toBe('up');
    expect(await barriersOf(page)).toEqual([]);
    await page.getByRole('button', { name: 'Remove line 2' }).press('Enter');
    await expect.poll(amounts).toEqual(['£185.00', '£510.00']);
    await expect.poll(() => page.evaluate('document.activeElement.id')).toBe('f-items-1-description');
    await page.getByRole('button', { name: 'Undo' }).click();
    await expect.poll(amounts).toEqual(['£185.00', '£120.00', '£510.00']);
  });

  it('moves a line that is dragged', async () => {
    await open();
    await writeLines();
    const middle = async (line: number) => {
      const box = await page
        .locator('.grip')
        .nth(line - 1)
        .boundingBox();
      return [(box?.x ?? 0) + 5, (box?.y ?? 0) + 10] as const;
    };
    await page.mouse.move(...(await middle(1)));
    await page.mouse.down();
    await page.mouse.move(...(await middle(2)), { steps: 4 });
    await page.mouse.move(...(await middle(3)), { steps: 4 });
    await page.mouse.up();
    await expect
      .poll(async () => [await words(1), await words(2), await words(3)])
      .toEqual([LINES[1][0], LINES[2][0], LINES[0][0]]);
    await page.mouse.move(...(await middle(1)));
    await expect.poll(() => words(1)).toBe(LINES[1][0]);
  });

  it('adds up the complete lines, and shows all errors before it is sent', async () => {
    await open();
    await writeLines();
    await input(2, 'quantity').fill('a dozen');
    await expect.poll(total).toBe('£305.00');
    await expect.poll(() => page.locator('#total').getAttribute('class')).toBe('unfinished');
    await expect.poll(() => page.locator('.fault:not(:empty)').count()).toBe(0);
    await page.getByRole('button', { name: 'Send' }).click();
    await expect
      .poll(() => page.locator('#faults li').allTextContents())
      .toEqual(['Line 2, “Quantity” is not a number that we can read: enter it like 12']);
    await expect.poll(() => page.evaluate('document.activeElement.id')).toBe('f-items-1-quantity');
    await expect.poll(() => page.locator('#send').isVisible()).toBe(false);
    expect(await barriersOf(page)).toEqual([]);
    await input(2, 'quantity').fill('12');
    await expect.poll(total).toBe('£815.00');
    await expect.poll(() => page.locator('#faults').textContent()).toBe('');
  });

  it('does not judge a field in which the owner is typing if the field before it loses focus late', async () => {
    await open();
    await writeLines();
    const faults = () => page.locator('.fault:not(:empty)').count();
    // Both events happen in one task, so the check of the first field runs while the second one is half written.
    await page.evaluate(`{
      const quantity = document.querySelector('#f-items-1-quantity');
      document.querySelector('#f-items-0-unit_price').focus();
      quantity.focus();
      quantity.value = 'a doz';
      quantity.dispatchEvent(new Event('input', { bubbles: true }));
    }`);
    await page.evaluate('new Promise((done) => setTimeout(() => requestAnimationFrame(done)))');
    await expect.poll(async () => [await total(), await faults()]).toEqual(['£305.00', 0]);
    await input(3, 'quantity').focus();
    await expect.poll(faults).toBe(1);
  });

  it('moves on Enter to the next field and the next line, without an error', async () => {
    await open();
    await input(1, 'description').focus();
    const typed = ['Roses', '40', '2.50', 'Vases', '10', '8', 'Delivery', '1', '15', 'Ribbon'];
    for (const [index, text] of typed.entries()) {
      if (index > 0) await page.keyboard.press('Enter');
      await page.keyboard.type(text);
    }
    await expect.poll(total).toBe('£195.00');
    await expect.poll(() => input(4, 'description').inputValue()).toBe('Ribbon');
    await page.getByLabel('Your business').fill('Green Gardens');
    await page.getByLabel('Your business').press('Enter');
    await expect.poll(() => page.getByLabel('Your business').inputValue()).toBe('Green Gardens');
    await expect.poll(() => page.locator('#faults li').count()).toBe(0);
  });

  it('reads a price and its unit from one field', async () => {
    await open();
    await input(1, 'quantity').fill('3');
    await input(1, 'unit_price').fill('£12.50 per day');
    await expect.poll(total).toBe('£37.50');
    await expect.poll(() => page.locator('.sheet tbody').first().textContent()).toContain('day');
  });

  it('asks about a price whose unit differs from the unit of its line', async () => {
    await open('/quote#items.unit_price=12&items.unit=day&currency=GBP');
    await input(1, 'unit_price').fill('12/hr');
    await page.getByRole('button', { name: 'Send' }).click();
    await expect
      .poll(() => page.locator('#faults li').textContent())
      .toContain('Line 1, “Price” is not a number');
  });

  it('has fields and choices that are large enough for a finger, and shows a long business name completely', async () => {
    await open();
    await page.getByLabel('Your business').fill('Green Gardens and Landscapes of Leeds and Bradford');
    const small =
      await page.evaluate(`[...document.querySelectorAll('.quote-paper :is(input, textarea, .line-menu > summary)')]
      .filter((one) => one.getClientRects().length > 0 && one.getBoundingClientRect().height < 44).map((one) => one.id)`);
    expect(small).toEqual([]);
    const cut = await page.evaluate(
      `(({ scrollWidth, clientWidth, scrollHeight, clientHeight }) => [scrollWidth - clientWidth, scrollHeight - clientHeight])(document.querySelector('#f-paper-business'))`,
    );
    expect(cut).toEqual([0, 0]);
  });

  it('asks about a number with two meanings, and accepts the answer with one tap', async () => {
    await open();
    await input(1, 'unit_price').fill('1.250');
    await input(1, 'description').focus();
    await expect.poll(() => page.locator('.fault .choice').allTextContents()).toEqual(['1.25', '1250']);
    await page.getByRole('button', { name: '1250' }).click();
    await expect.poll(total).toBe('£1,250.00');
    await input(1, 'unit_price').fill('€99,5');
    await expect.poll(() => page.locator('.understood').allTextContents()).toEqual(['= €99.50']);
    await expect.poll(total).toBe('€99.50');
  });

  it.each([
    ['GBP', 'VAT 20%'],
    ['AUD', 'GST 20%'],
    ['USD', 'Tax 20%'],
  ])('uses the name of the tax that is usual for %s', async (currency, name) => {
    await open(`/quote#items.unit_price=100&tax_percent=20&currency=${currency}`);
    await expect.poll(() => chip(name).count()).toBe(1);
    await expect.poll(() => page.locator('.sheet .totals').textContent()).toContain(name);
  });

  it('shows the value of an API field that has no place of its own under "More"', async () => {
    await open('/quote#items.unit_price=100&items.tax_percent=5');
    await menu(1).click();
    await expect.poll(() => input(1, 'tax_percent').inputValue()).toBe('5');
    await page.getByText('How each figure was reached').click();
    await expect.poll(() => page.locator('.steps').textContent()).toContain('100.00 x 5% = 5.00');
  });
});
