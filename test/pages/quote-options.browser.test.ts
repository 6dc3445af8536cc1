import { describe, expect, it } from 'vitest';
import { injectWallet } from './browser-wallet.ts';
import { executablePath, payingBench, signatures } from './paying-bench.ts';

const QUOTE =
  '/quote#items.description=Bridal+bouquet&items.quantity=1&items.unit_price=185&items.description=Table+flowers&items.quantity=8&items.unit_price=45&currency=GBP&tax_percent=20&paper.business=Bloom+%26+Co&paper.client=Harrow+%26+Finch%0A1+Mill+Lane&paper.number=Q-118&paper.about=Wedding+at+St+Mary&paper.note=Half+on+the+day';

const amountOf = (text = ''): number => Number(text.replace(/[^\d.]/g, ''));

describe.skipIf(executablePath === undefined)('three options of a quote', () => {
  const bench = payingBench();
  const { press, shows, barriers, spentIn, loseReplies } = bench;
  const bought = () => bench.page.locator('#bought');
  const steps = () => bench.page.locator('#options');
  const priceOf = async (): Promise<void> => {
    await press(/^See the price/);
    await shows('Your document is ready to buy');
  };
  /** Opens a finished quote with an addition in each more expensive option, and goes on to the price. */
  async function askForOptions(): Promise<void> {
    await bench.page.goto(bench.url + QUOTE);
    await press(/^Offer 3 options/);
    await steps().getByLabel('Your trade').fill('Florist');
    await steps().getByLabel('Flowers for the cake').check();
    await steps().getByLabel('Garlands for the top table').check();
    await priceOf();
  }

  it('reach their price in four taps if the lines show the trade, with nothing selected in advance', async () => {
    await bench.page.goto(bench.url + QUOTE);
    let taps = 0;
    const tap = async (act: () => Promise<void>): Promise<void> => {
      taps += 1;
      await act();
    };
    await tap(() => press(/^Offer 3 options/));
    await expect.poll(() => steps().getByLabel('Your trade').inputValue()).toBe('Florist');
    expect(await steps().locator('.additions :checked').count()).toBe(0);
    expect(await barriers()).toEqual([]);
    await tap(() => steps().getByLabel('Flowers for the cake').check());
    await tap(() => steps().getByLabel('Garlands for the top table').check());
    await tap(priceOf);
    expect(taps).toBe(4);
    const panel = () => bench.panel().textContent();
    await expect.poll(panel).toContain('Three options for Harrow & Finch');
    await expect.poll(panel).toContain('The quote lacks an email address');
    expect(await barriers()).toEqual([]);
  });

  it('give a person without a wallet the quote itself', async () => {
    await askForOptions();
    await press('Pay 0.05 USDC');
    await shows('No wallet found');
    await press('Send the quote as is (free)');
    await bench.page.locator('dialog#send[open]').waitFor();
    await expect.poll(() => bench.panel().isVisible()).toBe(false);
  });

  it('cannot be bought while an option costs the same as the option before it', async () => {
    const wallet = await injectWallet(bench.page, { key: bench.buyer.privateKey });
    await bench.page.goto(bench.url + QUOTE);
    await press(/^Offer 3 options/);
    const ask = steps().getByRole('button', { name: /^See the price/ });
    const says = () => steps().locator('#options-same').textContent();
    await expect.poll(() => ask.isDisabled()).toBe(true);
    await expect
      .poll(says)
      .toBe('All three options cost the same. Select or enter what Enhanced and Premium add, with a price.');
    await steps().getByLabel('Your trade').fill('Florist');
    await steps().getByLabel('Flowers for the cake').check();
    await expect
      .poll(says)
      .toBe('Premium costs the same as Enhanced. Select or enter what it adds, with a price.');
    await expect.poll(() => ask.isDisabled()).toBe(true);
    expect(await barriers()).toEqual([]);
    await steps().getByLabel('Garlands for the top table').check();
    await expect.poll(() => ask.isEnabled()).toBe(true);
    await expect.poll(says).toBe('');
    expect(wallet.asked).toEqual([]);
  });

  it('show an error next to a price that cannot be read, and totals without that price', async () => {
    await bench.page.goto(bench.url + QUOTE);
    await press(/^Offer 3 options/);
    await steps().getByLabel('Your trade').fill('Florist');
    await steps().getByLabel('Flowers for the cake').check();
    await steps().getByLabel('Garlands for the top table').check();
    const price = steps().getByLabel('Price of Garlands for the top table');
    await price.fill('seventy');
    const row = steps()
      .locator('.addition')
      .filter({ has: bench.page.locator('[aria-invalid]') });
    await expect
      .poll(() => row.locator('.fault').textContent())
      .toContain('is not a number that we can read');
    const totals = async () => {
      const shown = await steps().locator('.option-card > strong').allTextContents();
      return shown.map(amountOf);
    };
    await expect.poll(async () => (await totals())[2]).toBe((await totals())[1]);
    expect((await totals())[1]).toBeGreaterThan((await totals())[0] ?? Number.NaN);
    await press(/^See the price/);
    await expect.poll(() => price.evaluate((input) => input === document.activeElement)).toBe(true);
    await expect.poll(() => bench.panel().isVisible()).toBe(false);
    // A price with more than one meaning is a question, as on the lines of the quote.
    await price.fill('1.250');
    await steps().getByRole('button', { name: '1250', exact: true }).click();
    await expect.poll(() => price.inputValue()).toBe('1250');
    await expect.poll(() => row.count()).toBe(0);
    expect(await barriers()).toEqual([]);
  });

  it('keep the owner’s price of a suggestion that is unchecked and checked again', async () => {
    await bench.page.goto(bench.url + QUOTE);
    await press(/^Offer 3 options/);
    await steps().getByLabel('Your trade').fill('Florist');
    const tick = steps().getByRole('checkbox', { name: 'Flowers for the cake' });
    const price = steps().getByLabel('Price of Flowers for the cake');
    await tick.check();
    await price.fill('1250.50');
    await tick.uncheck();
    await expect.poll(() => price.count()).toBe(0);
    await tick.check();
    await expect.poll(() => price.inputValue()).toBe('1250.50');
    // The whole price is visible in its box.
    for (const width of [320, 390, 1280]) {
      await bench.page.setViewportSize({ width, height: 844 });
      await expect
        .poll(() => price.evaluate((input) => input.scrollWidth - input.clientWidth))
        .toBeLessThanOrEqual(0);
    }
  });

  it('add the owner’s own text at once, and list in each card only what that option adds', async () => {
    await bench.page.goto(
      `${bench.url}/quote#step=options&items.description=Mowing&items.quantity=2&items.unit=hour&items.unit_price=40&items.tier=&items.description=Hedge&items.quantity=1&items.unit=&items.unit_price=60&items.tier=best&currency=GBP&price_per=week`,
    );
    await steps().getByText('Add your own').first().click();
    await bench.page.keyboard.type('A tidy edge');
    await bench.page.keyboard.press('Tab');
    await bench.page.keyboard.insertText('15');
    await expect.poll(() => steps().getByLabel('What Enhanced adds').inputValue()).toBe('A tidy edge');
    const card = (place: number) => steps().locator('.option-card').nth(place);
    await expect.poll(() => card(0).locator('strong').textContent()).toMatch(/^£80.00/);
    await expect
      .poll(() => steps().locator('.option-card > strong').allTextContents())
      .toEqual(['£80.00', '£95.00', '£155.00'].map((total) => `${total} per week`));
    await expect.poll(() => card(0).locator('li').allTextContents()).toEqual(['Mowing, 2 hours']);
    await expect.poll(() => card(1).locator('li').allTextContents()).toEqual([]);
    await expect.poll(() => card(2).locator('li').allTextContents()).toEqual(['Hedge']);
    await steps().getByRole('button', { name: 'Remove A tidy edge' }).click();
    await expect.poll(() => bench.page.evaluate('document.activeElement.textContent')).toBe('Add your own');
  });

  it('close the payment panel when a link replaces the quote', async () => {
    await askForOptions();
    await bench.page.evaluate(`location.hash = ${JSON.stringify(QUOTE.slice(7).replace('=185', '=190'))}`);
    await expect.poll(() => bench.panel().isVisible()).toBe(false);
  });

  it('mark the prices up by 25 percent if the owner says so, although additions have prices', async () => {
    await bench.page.goto(bench.url + QUOTE);
    await press(/^Offer 3 options/);
    await steps().getByLabel('Your trade').fill('Florist');
    await steps().getByLabel('Flowers for the cake').check();
    await steps().getByLabel('Garlands for the top table').check();
    const totals = () => steps().locator('.option-card strong').allTextContents();
    const plain = await totals();
    expect(plain[0]).toBe('£654.00');
    await steps().locator('.options-more summary').first().click();
    await steps().getByLabel('Markup of the middle option').fill('25');
    await expect.poll(totals).not.toEqual(plain);
    const [, better = '', best = ''] = await totals();
    expect(amountOf(better)).toBeCloseTo(amountOf(plain[1]) * 1.25, 2);
    expect(amountOf(best)).toBeCloseTo(amountOf(plain[2]) * 1.5, 2);
  });

  it('name an addition that has a price but no name, in words of the page', async () => {
    await bench.page.goto(bench.url + QUOTE);
    await press(/^Offer 3 options/);
    await steps().getByText('Add your own').first().click();
    await steps().getByLabel('Price of this addition in GBP').fill('99');
    await steps().getByText('Add your own').last().click();
    await steps().getByLabel('What Premium adds').fill('Garlands');
    await press(/^See the price/);
    await expect
      .poll(() => steps().getByRole('alert').textContent())
      .toBe('An addition has a price but no name.');
  });

  it('become a document with the selected additions as separate lines, and the client reads the document through a link', async () => {
    await injectWallet(bench.page, { key: bench.buyer.privateKey });
    await bench.page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    const spent = await spentIn(async () => {
      await askForOptions();
      await press('Pay 0.05 USDC');
      await bought().locator('.sheet').waitFor();
    });
    expect(spent).toBe(50_000n);
    const paper = bought().locator('.sheet');
    const text = await paper.textContent();
    for (const said of [
      ...['Bloom & Co', 'Harrow & Finch', '1 Mill Lane', 'Q-118', 'Wedding at St Mary', 'Half on the day'],
      ...['Flowers for the cake', 'Garlands for the top table'],
    ])
      expect(text).toContain(said);
    // Prices that the owner has not confirmed are marked for the client.
    expect(text).toContain('Flowers for the cake (estimate)');
    // Suggestions that are not selected appear in no document.
    expect(text).not.toContain('A corsage for each mother');
    await expect.poll(() => bench.page.inputValue('#f-items-0-description')).toBe('Bridal bouquet');
    expect(await barriers()).toEqual([]);
    await bought().getByRole('button', { name: 'Copy a link for your client' }).click();
    await bought().getByRole('button', { name: 'Copied' }).waitFor();
    const link = await bench.page.evaluate<string>('navigator.clipboard.readText()');
    const client = await bench.newTab();
    await client.goto(link);
    await client.locator('.sheet').waitFor();
    await expect.poll(() => client.locator('.sheet').textContent()).toBe(text);
    await expect
      .poll(() => client.getByRole('link', { name: 'Accept Enhanced by email' }).getAttribute('href'))
      .toMatch(/^mailto:/);
    // The recommended option stands out.
    await expect
      .poll(() => client.locator('a.button:not(.quiet)').allTextContents())
      .toEqual(['Accept Enhanced by email']);
    await expect.poll(() => client.getByText('do not know them').isVisible()).toBe(true);
    await expect.poll(() => client.locator('.sheet .logo').count()).toBe(0);

    // The browser's own print command prints the document in front.
    await bench.page.evaluate(
      `addEventListener('beforeprint', () => { window.printing = document.body.dataset.printing; })`,
    );
    await paper.scrollIntoViewIfNeeded();
    await bench.page.pdf();
    await expect.poll(() => bench.page.evaluate('window.printing')).toBe('bought');
    await bench.page.evaluate('scrollTo(0, 0)');
    await bench.page.pdf();
    await expect.poll(() => bench.page.evaluate('window.printing')).toBeUndefined();

    // As for a quote, the client must know who the options are from.
    const name = bought().locator('.letterhead [id$="-business"]');
    await bought().locator('.letterhead summary').click();
    await name.fill('');
    await bought().getByRole('button', { name: 'Copy a link for your client' }).click();
    await expect.poll(() => name.getAttribute('aria-invalid')).toBe('true');
    await expect.poll(() => name.evaluate((input) => input === document.activeElement)).toBe(true);
    await name.fill('Bloom & Co');
    await expect.poll(() => name.getAttribute('aria-invalid')).toBeNull();

    // The link contains the logo as soon as the owner agrees.
    await bench.page.evaluate(`{
      const logo = document.createElement('canvas').toDataURL();
      localStorage['own-details'] = JSON.stringify({ business_name: 'Bloom & Co', logo });
    }`);
    await bench.page.reload();
    await bought().getByLabel('Show my logo to my client').check();
    await bought().getByRole('button', { name: 'Copy a link for your client' }).click();
    await bought().getByRole('button', { name: 'Copied' }).waitFor();
    await client.goto('about:blank');
    await client.goto(await bench.page.evaluate<string>('navigator.clipboard.readText()'));
    await client.locator('.sheet .logo').waitFor();

    await client.clock.setFixedTime(Date.now() + 60 * 86_400_000);
    await client.reload();
    await client.getByText('This quote expired on').waitFor();
    await expect.poll(() => client.getByRole('link', { name: /^Accept/ }).count()).toBe(0);
  });

  it('come with a question about whether a proposed price is right, and the owner’s answer counts', async () => {
    await bench.page.goto(bench.url + QUOTE);
    await press(/^Offer 3 options/);
    await steps().getByLabel('Your trade').fill('Florist');
    await steps().getByLabel('Flowers for the cake').check();
    const guess = steps().getByText('These prices are guesses');
    await guess.waitFor();
    await steps().getByRole('button', { name: 'Use these prices' }).click();
    await expect.poll(() => guess.count()).toBe(0);
    await steps().getByLabel('Garlands for the top table').check();
    await guess.waitFor();
    await steps().getByLabel('Price of Garlands for the top table').fill('70');
    await expect.poll(() => guess.count()).toBe(0);
    // Each option shows its total with 20 % tax: the quote, then the quote plus the proposed price, then 70 more.
    const totals = steps().locator('.option-card > strong');
    const price = await steps().getByLabel('Price of Flowers for the cake').inputValue();
    const better = 545 + Number(price);
    const inPounds = (sum: number): string => `£${(sum * 1.2).toFixed(2)}`;
    await expect
      .poll(() => totals.allTextContents())
      .toEqual([inPounds(545), inPounds(better), inPounds(better + 70)]);
    await expect
      .poll(() => steps().locator('.option-card.recommended h3').textContent())
      .toBe('Enhanced Recommended');
  });

  it('are paid for once if the reply is lost and the page is reloaded', async () => {
    const wallet = await injectWallet(bench.page, { key: bench.buyer.privateKey });
    bench.page.on('dialog', (dialog) => void dialog.accept());
    const sent = await loseReplies(1_000);
    const spent = await spentIn(async () => {
      await askForOptions();
      await press('Pay 0.05 USDC');
      await shows(/\bcharged twice\b/);
      await bench.page.unroute('**/v1/**');
      await bench.page.reload();
      await bought().locator('.sheet').waitFor();
    });
    expect(spent).toBe(50_000n);
    expect(sent.length).toBeGreaterThan(0);
    expect(signatures(wallet.asked)).toBe(1);
    // The purchase is shown again after another reload, and the same request is not sold twice by mistake.
    await bench.page.reload();
    await bought().locator('.sheet').waitFor();
    await press(/^Offer 3 options/);
    await priceOf();
    await shows(/\bbought exactly this before\b/);
  });
});
