import { beforeEach, describe, expect, it } from 'vitest';
import { injectWallet } from './browser-wallet.ts';
import { executablePath, payingBench, signatures } from './paying-bench.ts';

/** Everything that a link of the last release, or from a program, can contain for a pack. */
const LINK = {
  currency: 'GBP',
  tax_percent: '20',
  deposit_percent: '25',
  better_markup_percent: '10',
  best_markup_percent: '20',
  good_name: 'Plain',
  better_name: 'Lively',
  best_name: 'Lavish',
  better_adds: 'Flowers for the cake; A corsage for each mother',
  best_adds: 'Garlands for the top table',
  round_unit_to: '5',
  recommended: 'best',
  client_name: 'Harrow & Finch',
  business_name: 'Bloom & Co',
  job: 'Wedding at St Mary',
  quote_number: 'Q-118',
  start: '12 June',
  payment_stages: 'Half on the day; Half after',
  exclusions: 'Vases',
  warranty: 'Fresh for a day',
  extra_terms: 'Flowers may be swapped by season',
  price_per: 'visit',
  trade: 'Florist',
};
const LINES = [
  { description: 'Bridal bouquet', quantity: '1', unit_price: '185', tier: '', markup: 'false' },
  { description: 'Table flowers', quantity: '8', unit_price: '45', tier: 'better', markup: '' },
  { description: 'Arch', quantity: '1', unit_price: '300', tier: 'best', markup: '' },
];
const queryOf = (
  fields: Readonly<Record<string, string>>,
  lines: readonly Readonly<Record<string, string>>[],
) =>
  String(
    new URLSearchParams([
      ...Object.entries(fields),
      ...lines.flatMap((line) => Object.entries(line).map(([name, value]) => [`items.${name}`, value])),
    ] as [string, string][]),
  );

describe.skipIf(executablePath === undefined)('the address of the quote pack', () => {
  const bench = payingBench();
  const { press, shows } = bench;
  const steps = () => bench.page.locator('#options');
  const bought = () => bench.page.locator('#bought');
  const asked: Record<string, unknown>[] = [];

  beforeEach(() => {
    asked.length = 0;
    bench.page.on('request', (request) => {
      if (request.url().endsWith('/v1/quote-pack')) asked.push(request.postDataJSON());
    });
  });
  const open = (path: string) => bench.page.goto(bench.url + path);
  const value = (id: string) => bench.page.locator(`#f-${id}`).inputValue();

  /** Everything in the link appears on the document or in the step, and is part of the purchase. */
  async function isAllThere(): Promise<void> {
    await steps().getByRole('heading', { name: 'Three options' }).waitFor();
    await expect
      .poll(() => new URL(bench.page.url()).pathname + new URL(bench.page.url()).search)
      .toBe('/quote');
    await expect.poll(() => bench.page.locator('#total').textContent()).toBe('£1,014.00');
    await expect
      .poll(async () => [
        await value('paper-business'),
        await value('paper-client'),
        await value('paper-number'),
      ])
      .toEqual(['Bloom & Co', 'Harrow & Finch', 'Q-118']);
    await expect.poll(() => value('paper-about')).toBe('Wedding at St Mary');
    await expect.poll(() => value('trade')).toBe('Florist');
    const names = ['better_markup_percent', 'best_markup_percent', 'good_name', 'better_name', 'best_name'];
    const texts = ['round_unit_to', 'recommended', 'start', 'payment_stages', 'exclusions', 'warranty'];
    for (const name of [...names, ...texts, 'extra_terms', 'price_per'] as (keyof typeof LINK)[]) {
      const input = steps().locator(`#f-${name}`);
      await expect
        .poll(async () => [name, await input.inputValue(), await input.isVisible()])
        .toEqual([name, LINK[name], true]);
    }
    await expect
      .poll(() => steps().getByLabel('Flowers for the cake', { exact: true }).isChecked())
      .toBe(true);
    const ticked = (line: string) =>
      steps()
        .getByRole('group', { name: line })
        .locator('label:has(:checked)')
        .allTextContents()
        .then((labels) => labels.map((label) => label.trim()));
    await expect
      .poll(() => ticked('Bridal bouquet'))
      .toEqual(['Plain', 'Lively', 'Lavish', 'Same price in every option']);
    await expect.poll(() => ticked('Table flowers')).toEqual(['Lively', 'Lavish']);
    await expect.poll(() => ticked('Arch')).toEqual(['Lavish']);
    await press(/^See the price/);
    await shows('Your document is ready to buy');
    const phrases = ({ better_adds, best_adds, ...rest }: typeof LINK) => ({
      ...rest,
      better_adds: better_adds.split('; '),
      best_adds: best_adds.split('; '),
    });
    const [first, second, third] = LINES.map(({ description, quantity, unit_price }) => ({
      description,
      quantity,
      unit_price,
    }));
    expect(asked[0]).toEqual({
      ...phrases(LINK),
      items: [
        { ...first, markup: false },
        { ...second, tiers: ['better', 'best'] },
        { ...third, tiers: ['best'] },
      ],
    });
  }

  it('opens the quote with all values of its link at the step of three options', async () => {
    await open(`/quote-pack#${queryOf(LINK, LINES)}`);
    await isAllThere();
    expect(await bench.barriers()).toEqual([]);
    // The values from the link are stored with the rest of the quote.
    await bench.page.reload();
    await press(/^Offer 3 options/);
    await press(/^See the price/);
    await shows('Your document is ready to buy');
    expect(asked[1]).toEqual(asked[0]);
  });

  it('opens the same step for a filled form from the previous release', async () => {
    await bench.page.setContent(
      `<form method="post" action="${bench.url}/quote-pack#sent">${[
        ...new URLSearchParams(queryOf(LINK, LINES)),
      ]
        .map(
          ([name, text]) =>
            `<input name="${name}" value="${text.replaceAll('&', '&amp;').replaceAll('"', '&quot;')}">`,
        )
        .join('')}</form>`,
    );
    await bench.page.evaluate('document.forms[0].submit()');
    await isAllThere();
  });

  it('shows the cost and the margin that a program sends instead of a price, and buys with them', async () => {
    await open(
      '/quote#step=options&items.description=Hedge&items.unit_cost=80&items.margin_percent=20&better_adds=Pond&best_adds=Path&better_markup_percent=10&currency=USD',
    );
    await steps().getByRole('heading', { name: 'Three options' }).waitFor();
    await expect
      .poll(() => bench.page.locator('.line-costs').textContent())
      .toContain('Cost 80, Margin in percent 20');
    await expect.poll(() => bench.page.locator('#total').textContent()).toBe('$100.00');
    await press(/^See the price/);
    await shows('Your document is ready to buy');
    expect(asked[0]).toMatchObject({ items: [{ unit_cost: '80', margin_percent: '20' }] });
    await bench.panel().getByRole('button', { name: 'Close' }).click();
    await press('Enter a price instead');
    await expect.poll(() => bench.page.locator('.line-costs').count()).toBe(0);
  });

  it('collects and shows the answer of a payment from the previous release, without a second payment', async () => {
    const { page } = bench;
    const wallet = await injectWallet(page, { key: bench.buyer.privateKey });
    page.on('dialog', (dialog) => void dialog.accept());
    await open(`/quote#${queryOf(LINK, LINES)}`);
    const spent = await bench.spentIn(async () => {
      const sent = await bench.loseReplies(1_000);
      await press(/^See the price/);
      await press('Pay 0.05 USDC');
      await expect.poll(() => sent.length).toBeGreaterThan(0);
      // The storage of release ed422df, whose form named a job and whose page had no options.
      await page.evaluate(`{
        const order = JSON.parse(localStorage.getItem('paid.payment.quote_pack'));
        localStorage.clear();
        localStorage.setItem('paid.payment.quote_pack', JSON.stringify({ ...order, job: '0.25' }));
        addEventListener('pagehide', () => localStorage.removeItem('draft.quote'));
      }`);
      await page.unroute('**/v1/**');
      await open('/legal');
      await open('/quote-pack');
      await bought().locator('.sheet').waitFor();
    });
    // The answer is collected with the payment whose reply was lost.
    expect(spent).toBe(50_000n);
    expect(signatures(wallet.asked)).toBe(1);
    for (const said of ['Bridal bouquet', 'Lavish', 'Harrow & Finch'])
      await expect.poll(() => bought().textContent()).toContain(said);
    // A purchased answer of release ed422df, under its names.
    await page.evaluate(`{
      const key = Object.keys(localStorage).find((name) => name.startsWith('paid.answer.quote_pack.'));
      const { name, body, transaction, about, boughtMs } = JSON.parse(localStorage.getItem(key));
      localStorage.clear();
      localStorage.setItem(key, JSON.stringify({ name, body, transaction, about, boughtMs: boughtMs - 86_400_000 }));
    }`);
    await open('/quote-pack');
    await bought()
      .getByRole('button', { name: /Harrow & Finch/ })
      .first()
      .click();
    await bought().locator('.sheet').waitFor();
    await expect.poll(() => bought().textContent()).toContain('Bridal bouquet');
  });
});
