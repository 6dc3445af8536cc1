import { describe, expect, it } from 'vitest';
import { utcDay } from '../../src/domain/calendar.ts';
import { exampleAnswer } from '../../src/exchange/validate.ts';
import { catalog, NOON } from '../support/app.ts';
import { injectWallet } from './browser-wallet.ts';
import { executablePath, payingBench } from './paying-bench.ts';

/** Returns the storage of a purchase that was made with the previous release. */
function keptBefore(operationName: string, about: string): readonly [string, string] {
  const operation = catalog.find(({ name }) => name === operationName);
  if (operation === undefined) throw new Error(`No ${operationName}`);
  const name = `page_${'0f'.repeat(16)}`;
  const body = exampleAnswer(operation, { today: utcDay(NOON) });
  const answer = { name, body, transaction: `0x${'ab'.repeat(32)}`, about, boughtMs: Date.now() - 3_600_000 };
  return [`paid.answer.${operationName}.${name}`, JSON.stringify(answer)];
}

describe.skipIf(executablePath === undefined)('the page of a software plan', () => {
  const bench = payingBench();
  const { press, shows, isBought, barriers, result } = bench;
  const written = () => bench.page.inputValue('#f-trade');

  it('asks a florist two questions before the price, and keeps the answers after the purchase', async () => {
    await injectWallet(bench.page, { key: bench.buyer.privateKey });
    await bench.page.goto(`${bench.url}/plan`);
    // The trade determines the business type.
    await bench.page.fill('#f-trade', 'Florist');
    await expect.poll(() => bench.page.locator('#f-business_type').count()).toBe(0);
    expect(await barriers()).toEqual([]);
    await press('Make my plan');
    await shows('Your document is ready to buy');
    expect(await barriers()).toEqual([]);
    await press('Pay 1.00 USDC');
    await isBought('Your software plan');
    await expect.poll(() => result().locator('.sheet').textContent()).toMatch(/For\s*Florist/);
    await expect.poll(written).toBe('Florist');
    await bench.page.reload();
    await isBought('Your software plan');
    await expect.poll(written).toBe('Florist');
  });

  it('opens an address of the previous release with its values, and restores the draft with one button', async () => {
    await bench.page.goto(`${bench.url}/plan`);
    await bench.page.fill('#f-trade', 'Plumber');
    await bench.page.goto(`${bench.url}/stack-report#trade=Bakery&team_size=3`);
    await expect.poll(written).toBe('Bakery');
    await expect
      .poll(() => new URL(bench.page.url()).pathname + new URL(bench.page.url()).hash)
      .toBe('/plan');
    await expect.poll(() => bench.page.inputValue('#f-team_size')).toBe('3');
    await press('Undo');
    await expect.poll(written).toBe('Plumber');
    await bench.page.goto(`${bench.url}/stack-report?business_type=trades&team_size=4`);
    await shows('Your document is ready to buy');
    await expect.poll(() => bench.page.url()).toBe(`${bench.url}/plan`);
  });

  it('keeps the country of the browser for a link that names only the trade, and prints what is collapsed on the screen', async () => {
    await injectWallet(bench.page, { key: bench.buyer.privateKey });
    await bench.page.addInitScript("Object.defineProperty(navigator, 'languages', { value: ['en-GB'] })");
    await bench.page.setViewportSize({ width: 390, height: 844 });
    await bench.page.goto(`${bench.url}/plan#trade=Florist`);
    await expect.poll(written).toBe('Florist');
    await expect.poll(() => bench.page.inputValue('#f-country')).toBe('GB');
    await press('Make my plan');
    await press('Pay 1.00 USDC');
    await isBought('Your software plan');
    const more = result().locator('.step-more').first();
    const costs = more.getByText('Then', { exact: true });
    await expect.poll(() => costs.isVisible()).toBe(false);
    await expect
      .poll(() => bench.page.evaluate("document.querySelector('.sheet').scrollHeight"))
      .toBeLessThan(4_500);
    await bench.page.emulateMedia({ media: 'print' });
    await expect.poll(() => costs.isVisible()).toBe(true);
    await bench.page.emulateMedia({ media: 'screen' });
  });

  it('asks at its own field for the business type of an unknown trade', async () => {
    await bench.page.goto(`${bench.url}/plan`);
    await bench.page.fill('#f-trade', 'Zzyzx');
    await press('Make my plan');
    await bench.page.locator('#faults a').waitFor();
    await expect
      .poll(() => bench.page.locator('#f-business_type-fault').textContent())
      .toMatch(/\brequired\b/);
    expect(await barriers()).toEqual([]);
  });
});

describe.skipIf(executablePath === undefined)('the list of items that are stored on a device', () => {
  const bench = payingBench();
  const { press, barriers } = bench;

  it('has drafts and purchases, even those of the previous release, and lets the owner delete them', async () => {
    await bench.page.goto(`${bench.url}/on-this-device`);
    await bench.page.getByText('Nothing is stored on this device yet').waitFor();
    const before = [
      keptBefore('small_business_stack_report', 'Trades, 4 people'),
      keptBefore('quote_pack', 'Garden design'),
      keptBefore('late_fee_notice', 'Amount of the invoice 1250'),
    ];
    await bench.page.evaluate((all) => {
      for (const [key, value] of all) localStorage.setItem(key, value);
      localStorage.setItem('draft.plan', JSON.stringify({ fields: { trade: 'Florist' } }));
      localStorage.setItem('own-details', JSON.stringify({ business_name: 'Bright Studio', logo: '' }));
      // Broken entries are skipped.
      const sent = { at: 1, client: 'Acme', about: 'Acme, £40.00', query: 'items.unit_price=40' };
      localStorage.setItem('sent-quotes', JSON.stringify([null, { at: 'x' }, sent]));
    }, before);
    await bench.page.reload();
    const entries = bench.page.locator('.device-list li');
    await expect.poll(() => entries.count()).toBe(6);
    for (const words of [/plan.*Florist/, /business.*Bright Studio/, /sent.*Acme, £40/])
      await expect.poll(() => entries.allTextContents()).toContainEqual(expect.stringMatching(words));
    for (const [what, words] of [
      ['quote pack', 'Garden design'],
      ['plan', 'Software plan'],
      ['reminder', /invoice/],
    ] as const) {
      await bench.page.locator('.device-list').getByRole('button', { name: what }).click();
      await bench.page.locator('.sheet').getByText(words).first().waitFor();
    }
    expect(await barriers()).toEqual([]);
    await press('Delete everything on this device');
    await press('Delete everything');
    await bench.page.getByText('Nothing is stored on this device yet').waitFor();
    await expect.poll(() => bench.page.evaluate('Object.keys(localStorage)')).toEqual([]);
  });
});
