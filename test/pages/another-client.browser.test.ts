import { beforeEach, describe, expect, it } from 'vitest';
import { injectWallet } from './browser-wallet.ts';
import { ASK, executablePath, payingBench } from './paying-bench.ts';

describe.skipIf(executablePath === undefined)('what was written for one client', () => {
  const bench = payingBench();
  const { press, isBought, result } = bench;

  beforeEach(async () => {
    await injectWallet(bench.page, { key: bench.buyer.privateKey });
  });

  const open = (path: string) => bench.page.goto(`${bench.url}${path}`);
  const value = (name: string) => bench.page.locator(`[name="${name}"]`).first().inputValue();
  const values = async (...names: readonly string[]) =>
    Object.fromEntries(await Promise.all(names.map(async (name) => [name, await value(name)])));
  const fill = async (written: Readonly<Record<string, string>>) => {
    for (const [name, text] of Object.entries(written))
      await bench.page.locator(`[name="${name}"]`).first().fill(text);
  };
  /** What is written on a paid page is kept in the tab a moment later. */
  const isKept = (text: string) =>
    expect.poll(() => bench.page.evaluate('JSON.stringify(sessionStorage)')).toContain(text);
  const follow = async (name: string | RegExp, path: string) => {
    await bench.page.getByRole('main').getByRole('link', { name }).first().click();
    await bench.page.waitForURL(`**${path}#*`);
  };
  const menu = async (name: string | RegExp, path: string) => {
    await bench.page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name }).click();
    await bench.page.waitForURL(new RegExp(`${path}(#.*)?$`));
  };
  const toPack = () => follow(/\b3 options\b/, '/quote-pack');

  it('is said where the form does not show it, can be left out, and ends with the purchase', async () => {
    const LETTERHEAD = 'paper.client=Alpha+Ltd%0A1+Alpha+Rd&paper.number=Q-A&paper.about=Alpha+wedding';
    await open(`/quote#items.description=Lawn&items.quantity=2&items.unit_price=80&${LETTERHEAD}`);
    await bench.page.locator('#form[novalidate]').waitFor();
    await toPack();
    const note = bench.page.locator('form .note');
    expect(await note.textContent()).toContain('Alpha Ltd, 1 Alpha Rd; Q-A; Alpha wedding');
    expect(await bench.barriers()).toEqual([]);
    await press(ASK);
    await press('Pay 0.05 USDC');
    await isBought('Your quote pack');
    expect(await result().locator('.sheet').textContent()).toContain('Alpha Ltd');
    expect(await note.count()).toBe(0);
    await fill({ 'items.description': 'Hedge' });
    await press(ASK);
    await press('Pay 0.05 USDC');
    await result().getByText('Hedge').first().waitFor();
    expect(await result().locator('.sheet').first().textContent()).not.toContain('Alpha');

    await open('/legal');
    await open(`/quote#items.description=Pond&items.quantity=2&items.unit_price=80&${LETTERHEAD}`);
    await bench.page.locator('#form[novalidate]').waitFor();
    await toPack();
    await press('Leave that out');
    expect(await note.count()).toBe(0);
    await bench.page.reload();
    expect(await value('items.description')).toBe('Pond');
    expect(await note.count()).toBe(0);
  });

  it('is never an example', async () => {
    await open('/quote-pack');
    await bench.page.getByRole('link', { name: 'Fill in an example' }).click();
    await isKept('Green+Gardens');
    await menu('Quote', '/quote');
    await bench.page.locator('#form[novalidate]').waitFor();
    expect(await value('items.unit_price')).toBe('');
    await fill({ 'items.description': 'Gamma hedge', 'items.unit_price': '70' });
    await toPack();
    expect(await values('items.description', 'tax_percent', 'deposit_percent', 'business_name')).toEqual({
      'items.description': 'Gamma hedge',
      tax_percent: '',
      deposit_percent: '',
      business_name: '',
    });
  });
});
