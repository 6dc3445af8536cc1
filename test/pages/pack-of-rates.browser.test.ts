import { describe, expect, it } from 'vitest';
import { LETTERHEAD, LETTERHEAD_LABELS } from '../../src/surfaces/pages/form-texts.ts';
import { keepPdf, pagesOf } from './artefacts.ts';
import { injectWallet } from './browser-wallet.ts';
import { executablePath, payingBench } from './paying-bench.ts';

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

describe.skipIf(executablePath === undefined)(
  'a pack with several tax rates that was bought without a name',
  () => {
    const bench = payingBench();
    const { press, barriers } = bench;
    const result = () => bench.page.locator('#bought');
    const sheet = () => result().locator('.sheet').first();

    const buy = async () => {
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
      await result().getByRole('heading', { name: 'Your quote pack' }).waitFor({ timeout: 15_000 });
      await bench.page.evaluate(`document.body.dataset.printing = 'bought'`);
    };

    it('shows the tax rate of each line, on paper and on a phone', async () => {
      await buy();
      const { page } = bench;
      expect(await sheet().locator('tbody:first-of-type td:nth-child(3)').allTextContents()).toEqual([
        '20%',
        '0%',
      ]);
      expect(await sheet().textContent()).toContain('VAT 20%£510.00on £2,550.00');
      expect(await sheet().textContent()).toContain(
        'Each total includes VAT at 20% on the lines that it applies to.',
      );
      for (const width of [1280, 360, 320]) {
        await page.setViewportSize({ width, height: 740 });
        expect([width, await page.evaluate(HIDDEN_SIDEWAYS)]).toEqual([width, []]);
        expect(Math.max(...(await page.evaluate<number[]>(LEFT_OVER)))).toBeLessThan(1);
      }
      expect(await barriers()).toEqual([]);
      await page.emulateMedia({ media: 'print' });
      for (const format of ['A4', 'Letter']) {
        const pdf = await page.pdf({ format, preferCSSPageSize: false });
        keepPdf(`pack-of-rates-${format}.pdf`, pdf);
        expect(pagesOf(pdf)).toBeLessThanOrEqual(2);
      }
      await page.emulateMedia({ media: 'screen' });
    });

    it('has a cover note with the sender and client that its owner writes onto the document', async () => {
      await buy();
      await result().getByText(LETTERHEAD).first().click();
      await result().getByLabel('Your business').first().fill('Hart Ltd');
      await result().getByLabel(LETTERHEAD_LABELS.client).fill('Jo Smith\n1 Road');
      await result().getByText('More', { exact: true }).click();
      const mail = result().getByRole('link', { name: /\bemail\b/ });
      await mail.focus();
      const address = decodeURIComponent((await mail.getAttribute('href')) ?? '');
      expect(address).toContain('subject=Your quote from Hart Ltd: three options');
      expect(address).toContain('body=Hello Jo Smith,\r\n\r\nThank you');
      expect(address).toMatch(/\r\n\r\nKind regards,\r\nHart Ltd$/);
      await bench.page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
      for (const [button, words] of [
        ['Copy the subject', 'Your quote from Hart Ltd: three options'],
        ['Copy the cover note', 'Kind regards,\nHart Ltd'],
      ] as const) {
        await result().getByRole('button', { name: button }).click();
        await expect
          .poll(() => bench.page.evaluate<string>('navigator.clipboard.readText()'))
          .toContain(words);
      }
    });
  },
);
