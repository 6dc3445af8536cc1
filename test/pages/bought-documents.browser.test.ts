import { describe, expect, it } from 'vitest';
import { KEEP_PURCHASE, LETTERHEAD_LABELS } from '../../src/surfaces/pages/form-texts.ts';
import { keepPdf, pagesOf } from './artefacts.ts';
import { injectWallet } from './browser-wallet.ts';
import { ASK, executablePath, payingBench } from './paying-bench.ts';

/** Tables with a part that is visible only after sideways scrolling. */
const HIDDEN_SIDEWAYS = `[...document.querySelectorAll('.table, .lined')]
  .filter(({ scrollWidth, clientWidth }) => scrollWidth > clientWidth)
  .map(({ className }) => className)`;

/** The distance from the end of a figure in the last column to the right edge of its document. */
const LEFT_OVER = `(() => {
  const end = document.querySelector('#bought .sheet .lined').getBoundingClientRect().right;
  return [...document.querySelectorAll('#bought .sheet .lined tr > :last-child')]
    .map((cell) => Math.abs(end - cell.getBoundingClientRect().right));
})()`;

/** Counts the pieces into which the first word of a document's table is broken. */
const PIECES = `(() => {
  const words = [...document.querySelectorAll('.sheet tbody th bdi')].find((one) => one.checkVisibility());
  const text = words.firstChild;
  const range = document.createRange();
  range.setStart(text, 0);
  range.setEnd(text, text.data.indexOf(' '));
  return range.getClientRects().length;
})()`;

/** Broken words in a document's tables, and text that overflows its box in a drawing. */
const BROKEN = `(() => {
  const broken = [];
  for (const table of document.querySelectorAll('.sheet table')) {
    const walk = document.createTreeWalker(table, NodeFilter.SHOW_TEXT);
    for (let text = walk.nextNode(); text; text = walk.nextNode())
      for (const { index, 0: word } of text.data.matchAll(/\\S+/g)) {
        const range = document.createRange();
        range.setStart(text, index);
        range.setEnd(text, index + word.length);
        // A word with a hyphen may end a line there.
        if (range.getClientRects().length > 1 && !/[-/]/.test(word)) broken.push(word);
      }
  }
  const boxes = [...document.querySelectorAll('.sheet svg rect')].map((box) => box.getBoundingClientRect());
  for (const text of document.querySelectorAll('.sheet svg text:not(.on)')) {
    const { left, right, top } = text.getBoundingClientRect();
    const box = boxes.find((one) => one.left < left && left < one.right && one.top - 2 < top && top < one.bottom);
    if (!box || right > box.right) broken.push(text.textContent);
  }
  return broken;
})()`;

describe.skipIf(executablePath === undefined)('a bought document', () => {
  const bench = payingBench();
  const { press, isBought, barriers } = bench;
  let place = '#result';
  const result = () => bench.page.locator(place);
  const sheet = () => result().locator('.sheet').first();

  const write = async (fields: Readonly<Record<string, string>>) => {
    await result().locator('.letterhead > summary').first().click();
    for (const [label, text] of Object.entries(fields)) await result().getByLabel(label).first().fill(text);
  };

  /** Prints on both paper sizes: only the document, within its maximum number of pages. */
  const prints = async (name: string, mostPages: number) => {
    await bench.page.emulateMedia({ media: 'print' });
    const main = bench.page.getByRole('main');
    await expect.poll(() => main.getByRole('button').allTextContents()).toEqual([]);
    for (const hidden of ['h1', 'h2:not(.sheet *)', 'nav', 'form', '.notes', '.letterhead', '.toolbar'])
      for (const one of await bench.page.locator(hidden).all())
        await expect.poll(async () => [hidden, await one.isVisible()]).toEqual([hidden, false]);
    for (const text of ['Paid:', 'Transaction', 'For you only', 'Good to know'])
      await expect
        .poll(async () => [
          text,
          await bench.page.locator(`main :text("${text}"):not(.sheet *)`).first().isVisible(),
        ])
        .toEqual([text, false]);
    await expect.poll(() => sheet().isVisible()).toBe(true);
    for (const format of ['A4', 'Letter']) {
      const pdf = await bench.page.pdf({ format, preferCSSPageSize: false });
      keepPdf(`${name}-${format}.pdf`, pdf);
      expect(pagesOf(pdf)).toBeLessThanOrEqual(mostPages);
    }
    await bench.page.emulateMedia({ media: 'screen' });
  };

  it('is one page for a letter, with the addresses of the owner and the client', async () => {
    await injectWallet(bench.page, { key: bench.buyer.privateKey });
    await bench.askForReminder('Acme Ltd');
    await press('Pay 0.01 USDC');
    await isBought('Your reminder');
    await bench.page.locator('.late-letter .chip > summary', { hasText: 'More' }).click();
    await bench.page.fill('#f-paper-client', '4 Park Row\nLeeds LS1 5HD');
    await bench.page.fill('#f-paper-contact', '12 Mill Lane, Leeds LS1 4AB\nhello@green.example');
    await expect
      .poll(() => sheet().locator('.to .lines').textContent())
      .toBe('Acme Ltd4 Park RowLeeds LS1 5HD');
    expect(await barriers()).toEqual([]);
    await prints('letter', 1);
  });

  it('begins on the first screen of a phone, before the receipt, for a letter', async () => {
    await injectWallet(bench.page, { key: bench.buyer.privateKey });
    await bench.page.setViewportSize({ width: 360, height: 740 });
    await bench.askForReminder('Acme Ltd');
    await press('Pay 0.01 USDC');
    await isBought('Your reminder');
    const top = async () => (await sheet().boundingBox())?.y ?? Number.NaN;
    await expect.poll(top).toBeLessThan(600);
  });

  it('is one page even for the longest letter, with the longest names and the longest address', async () => {
    await injectWallet(bench.page, { key: bench.buyer.privateKey });
    await bench.page.goto(`${bench.url}/late-invoice`);
    await bench.writeReminder('Featherstonehaugh-Cholmondeley Estates & Partners LLP');
    await bench.page.getByLabel('Final', { exact: true }).check();
    await bench.page.fill('#f-business_name', 'Hawthorne & Ellingham Landscape Architecture Ltd');
    const chip = (name: string) => bench.page.locator('.late-letter .chip > summary', { hasText: name });
    await chip('Invoice number').click();
    await bench.page.fill('#f-invoice_number', 'INV-2026-00417');
    await chip('How to pay you').click();
    await bench.page.fill(
      '#f-payment_details',
      'Bank: Northern Bank\nSort code: 00-11-22\nAccount: 12345678\nReference: INV-2026-00417',
    );
    await chip('More').click();
    await bench.page.fill('#f-paper-client', 'The Old Rectory\nNether Wallop\nSO20 8EZ');
    await bench.page.fill('#f-paper-contact', 'Unit 4, Romsey Road\n01962 555 0148\nVAT no. GB 987 6543 21');
    await press(ASK);
    await press('Pay 0.01 USDC');
    await isBought('Your reminder');
    await prints('letter-final', 1);
  });

  it('contains the additions that the owner keeps, which are also in the cover note of a pack', async () => {
    await injectWallet(bench.page, { key: bench.buyer.privateKey });
    place = '#bought';
    const lines = [
      'items.description=Garden design&items.quantity=2&items.unit_price=450',
      'items.description=Plants&items.quantity=40&items.unit_price=7.25',
    ];
    const others =
      'tax_percent=20&currency=USD&business_name=Green Gardens&better_adds=Watering&best_adds=Mowing';
    await bench.page.goto(`${bench.url}/quote#${lines.join('&')}&${others}&better_markup_percent=20`);
    await press(/^See the price/);
    await press('Pay 0.05 USDC');
    await result().getByRole('heading', { name: 'Your quote pack' }).waitFor();
    await bench.page.evaluate(`document.body.dataset.printing = 'bought'`);
    await expect.poll(() => sheet().locator('.business').textContent()).toBe('Green Gardens');
    await write({
      'What Enhanced adds (one per line)': 'A year of watering',
      [LETTERHEAD_LABELS.client]: 'Acme Ltd\n4 Park Row',
      [LETTERHEAD_LABELS.contact]: '12 Mill Lane, Leeds LS1 4AB',
      'Quote number': 'Q-118',
      [LETTERHEAD_LABELS.tax]: 'VAT',
    });
    await expect.poll(() => sheet().textContent()).toContain('A year of watering');
    await expect.poll(() => sheet().textContent()).not.toContain('Priority when dates are agreed');
    await expect.poll(() => sheet().textContent()).not.toMatch(/arkup| 25%/);
    const mail = result().getByRole('link', { name: /^Email/ });
    await bench.page.evaluate(`(() => {
      const link = document.querySelector('#bought a[href^="mailto:"]');
      link.addEventListener('click', (event) => event.preventDefault());
      link.click();
    })()`);
    expect(decodeURIComponent((await mail.getAttribute('href')) ?? '')).toContain('A year of watering');
    expect(await barriers()).toEqual([]);
    for (const width of [360, 320]) {
      await bench.page.setViewportSize({ width, height: 740 });
      await expect.poll(() => bench.page.evaluate(HIDDEN_SIDEWAYS)).toEqual([]);
    }
    await expect.poll(() => bench.page.evaluate(PIECES)).toBe(1);
    expect(await barriers()).toEqual([]);
    await prints('pack', 2);
  });

  it("prints a report with the addresses of its tools, and keeps the report's checked boxes on the device", async () => {
    place = '#result';
    await injectWallet(bench.page, { key: bench.buyer.privateKey });
    await bench.page.goto(`${bench.url}/plan`);
    await bench.page.selectOption('#f-business_type', 'trades');
    await press('Make my plan');
    await press('Pay 1.00 USDC');
    await isBought('Your software plan');
    await result().getByText('Add your business name', { exact: true }).waitFor();
    await write({ 'Your business': 'Green Gardens' });
    expect(await barriers()).toEqual([]);
    for (const width of [320, 360, 412, 660]) {
      await bench.page.setViewportSize({ width, height: 740 });
      await expect.poll(async () => [width, await bench.page.evaluate(HIDDEN_SIDEWAYS)]).toEqual([width, []]);
      await expect.poll(async () => [width, await bench.page.evaluate(BROKEN)]).toEqual([width, []]);
    }
    expect(await barriers()).toEqual([]);
    await bench.page.setViewportSize({ width: 1280, height: 900 });
    await bench.page.emulateMedia({ media: 'print' });
    const addresses = await result().locator('.plan-steps h3').allTextContents();
    for (const step of addresses) expect(step).toMatch(/ · [a-z.]+\.[a-z]+/);
    await prints('report', 2);
    await bench.page.emulateMedia({ media: 'screen' });
    const first = result().locator('.todo-list input').first();
    await first.check();
    await bench.page.reload();
    await isBought('Your software plan');
    await expect.poll(() => first.isChecked()).toBe(true);
  });

  it('leaves none of its values in the address if the buyer declines storage', async () => {
    const { page } = bench;
    await injectWallet(page, { key: bench.buyer.privateKey });
    const carried = '#amount=777.77&due_date=2026-09-01&client_name=Acme+Ltd';
    await page.goto(`${bench.url}/late-invoice${carried}`);
    await expect.poll(() => page.inputValue('#f-amount')).toBe('777.77');
    await press(ASK);
    await page.getByLabel(KEEP_PURCHASE).uncheck();
    await expect.poll(() => page.url()).toBe(`${bench.url}/late-invoice`);
    await press('Pay 0.01 USDC');
    await isBought('Your reminder');
    // The browser asks first, because the answer is lost with the page.
    page.once('dialog', (dialog) => void dialog.accept());
    await page.reload();
    await page.getByRole('button', { name: ASK }).waitFor();
    await expect.poll(() => page.inputValue('#f-amount')).toBe('');
    // The choice applies to later pages of the tab.
    await page.goto(`${bench.url}/late-invoice`);
    await page.goto(`${bench.url}/late-invoice${carried}`);
    await expect.poll(() => page.inputValue('#f-amount')).toBe('777.77');
    await expect.poll(() => page.url()).toBe(`${bench.url}/late-invoice`);
  });

  it('prints only the visible one of several letters, under its own title', async () => {
    place = '#result';
    await bench.openWithPlayMoney();
    for (const client of ['Alpha', 'Beta']) {
      await bench.askForReminder(`${client} Ltd`);
      await press('Pay 0.01 USDC');
      await result().getByText(`Hello ${client} Ltd,`).first().waitFor();
    }
    await bench.page.evaluate(`window.print = () => { window.printed = document.title; }`);
    await bench.page.emulateMedia({ media: 'print' });
    const printed = async () => {
      // Elements that are hidden in print are clicked by the program.
      await bench.page.evaluate(`[...document.querySelectorAll('#result button')]
        .find((one) => one.textContent.startsWith('Print')).click()`);
      return bench.page.evaluate(`({
        title: window.printed,
        seen: [...document.querySelectorAll('.sheet')]
          .filter((sheet) => sheet.checkVisibility())
          .map((sheet) => /Hello (\\w+)/.exec(sheet.textContent)[1]),
      })`);
    };
    expect(await printed()).toEqual({ title: expect.stringContaining('Beta Ltd'), seen: ['Beta'] });
    await bench.page.evaluate(`document.querySelector('#result .bought-rest li button').click()`);
    await result().getByText('Hello Alpha Ltd,').first().waitFor();
    expect(await printed()).toEqual({ title: expect.stringContaining('Alpha Ltd'), seen: ['Alpha'] });
  });

  it('shows the tax rate of each line of a pack, on paper and on a phone', async () => {
    place = '#bought';
    const { page } = bench;
    await injectWallet(bench.page, { key: bench.buyer.privateKey });
    const lines = [
      'items.description=Design of the brochure&items.quantity=3&items.unit_price=850&items.tax_percent=20',
      'items.description=Leaflets&items.quantity=250&items.unit_price=0.75&items.tax_percent=0',
    ];
    await bench.page.goto(
      `${bench.url}/quote#currency=GBP&better_adds=Proof&best_adds=Courier&better_markup_percent=20&${lines.join('&')}`,
    );
    await press(/^See the price/);
    await press('Pay 0.05 USDC');
    await result().getByRole('heading', { name: 'Your quote pack' }).waitFor();
    await bench.page.evaluate(`document.body.dataset.printing = 'bought'`);
    await expect
      .poll(() => sheet().locator('tbody:first-of-type td:nth-child(3)').allTextContents())
      .toEqual(['20%', '0%']);
    await expect.poll(() => sheet().textContent()).toContain('VAT 20%£510.00on £2,550.00');
    await expect.poll(() => sheet().textContent()).toContain('Each total includes VAT at the rates shown.');
    for (const width of [1280, 360, 320]) {
      await page.setViewportSize({ width, height: 740 });
      await expect.poll(async () => [width, await page.evaluate(HIDDEN_SIDEWAYS)]).toEqual([width, []]);
      expect(Math.max(...(await page.evaluate<number[]>(LEFT_OVER)))).toBeLessThan(1);
    }
    expect(await barriers()).toEqual([]);
    await prints('pack-of-rates', 2);
  });
});
