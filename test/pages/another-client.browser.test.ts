import { beforeEach, describe, expect, it } from 'vitest';
import { SEE_PRICE } from '../../src/surfaces/pages/form-texts.ts';
import { injectWallet } from './browser-wallet.ts';
import { executablePath, payingBench } from './paying-bench.ts';

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
  const toLetter = () => follow('Make the letter', '/late-fee-reminder');
  const toPack = () => follow(/\b3 options\b/, '/quote-pack');
  const ALPHA = { client_name: 'Alpha Ltd', invoice_number: 'INV-A1' };
  const NOBODY = { client_name: '', invoice_number: '' };
  const namesOf = () => values('client_name', 'invoice_number');

  it('does not join what is begun anew for another, bought or not', async () => {
    for (const isBoughtFirst of [false, true]) {
      await open('/late-fee');
      await fill({ amount: '1000', due_date: '2026-09-01' });
      await toLetter();
      await fill(ALPHA);
      await isKept('INV-A1');
      if (isBoughtFirst) {
        await press(new RegExp(SEE_PRICE));
        await press('Pay 0.01 USDC');
        await result().getByText('Hello Alpha Ltd,').first().waitFor();
      }
      await open('/terms');
      await open('/late-fee');
      await fill({ amount: '1000', due_date: '2026-09-01' });
      await toLetter();
      expect(await namesOf()).toEqual(NOBODY);
      expect(await value('amount')).toBe('1000');
    }
  });

  it('ends with its purchase, also where one goes back to the same calculator', async () => {
    await open('/late-fee');
    await fill({ amount: '1000', due_date: '2026-09-01' });
    await toLetter();
    await fill(ALPHA);
    await press(new RegExp(SEE_PRICE));
    await press('Pay 0.01 USDC');
    await result().getByText('Hello Alpha Ltd,').first().waitFor();
    await bench.page.goBack();
    await bench.page.waitForURL('**/late-fee#*');
    await fill({ amount: '2000', due_date: '2026-10-01' });
    await toLetter();
    expect(await namesOf()).toEqual(NOBODY);
    expect(await value('amount')).toBe('2000');
    await bench.page.reload();
    expect(await value('amount')).toBe('2000');
    // Nor does the menu of a page with a bought answer take its figures along, until its form is written in again.
    await press(new RegExp(SEE_PRICE));
    await press('Pay 0.01 USDC');
    await result().getByText('2,000.00').first().waitFor();
    await menu('Late fee', '/late-fee');
    expect(await value('amount')).toBe('');
    await bench.page.goBack();
    await fill({ amount: '3000', due_date: '2026-10-01' });
    await menu('Late fee', '/late-fee');
    await expect.poll(() => value('amount')).toBe('3000');
  });

  it('has the amount that came along last, however one comes back', async () => {
    await open('/late-fee');
    await fill({ amount: '1000', due_date: '2026-09-01' });
    await toLetter();
    await fill(ALPHA);
    await isKept('INV-A1');
    await bench.page.goBack();
    await fill({ amount: '2000' });
    await toLetter();
    expect(await value('amount')).toBe('2000');
    await open('/terms');
    await menu(/Letter|Reminder/i, '/late-fee-reminder');
    expect({ ...(await namesOf()), amount: await value('amount') }).toEqual({ ...ALPHA, amount: '2000' });
  });

  it('does not join another client’s figures where its owner says so', async () => {
    await open('/late-fee');
    await fill({ amount: '1000', due_date: '2026-09-01' });
    await toLetter();
    await fill(ALPHA);
    await menu('Late fee', '/late-fee');
    await fill({ amount: '250', due_date: '2026-10-01' });
    await toLetter();
    expect(await namesOf()).toEqual(ALPHA);
    expect(await bench.barriers()).toEqual([]);
    await press(/\bfor another\b/);
    await expect.poll(namesOf).toEqual(NOBODY);
    expect(await value('amount')).toBe('250');
    expect(await bench.page.locator('form .note').count()).toBe(0);
    // From now on both pages are at the other's job.
    await fill({ client_name: 'Beta Ltd' });
    await bench.page.goBack();
    await fill({ amount: '260' });
    await toLetter();
    expect({ ...(await namesOf()), amount: await value('amount') }).toEqual({
      client_name: 'Beta Ltd',
      invoice_number: '',
      amount: '260',
    });
    // Said for as long as it is so.
    await bench.page.reload();
    expect(await bench.page.locator('form .note').count()).toBe(1);
    await press(new RegExp(SEE_PRICE));
    await press('Pay 0.01 USDC');
    await result().getByText('Hello Beta Ltd,').first().waitFor();
    expect(await bench.page.locator('form .note').count()).toBe(0);
  });

  it('is said where the form does not show it, can be left out, and ends with the purchase', async () => {
    const LETTERHEAD = 'paper.client=Alpha+Ltd%0A1+Alpha+Rd&paper.number=Q-A&paper.about=Alpha+wedding';
    await open(`/quote#items.description=Lawn&items.quantity=2&items.unit_price=80&${LETTERHEAD}`);
    await bench.page.locator('#form[novalidate]').waitFor();
    await toPack();
    const note = bench.page.locator('form .note');
    expect(await note.textContent()).toContain('Alpha Ltd, 1 Alpha Rd; Q-A; Alpha wedding');
    expect(await bench.barriers()).toEqual([]);
    await press(new RegExp(SEE_PRICE));
    await press('Pay 0.05 USDC');
    await isBought('Your quote pack');
    expect(await result().locator('.sheet').textContent()).toContain('Alpha Ltd');
    expect(await note.count()).toBe(0);
    await fill({ 'items.description': 'Hedge' });
    await press(new RegExp(SEE_PRICE));
    await press('Pay 0.05 USDC');
    await result().getByText('Hedge').first().waitFor();
    expect(await result().locator('.sheet').first().textContent()).not.toContain('Alpha');

    await open('/terms');
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
    await open('/late-fee-reminder');
    await bench.page.getByRole('link', { name: 'Fill in an example' }).click();
    await isKept('INV-1042');
    await bench.page.reload();
    expect(await value('invoice_number')).toBe('INV-1042');
    await menu('Late fee', '/late-fee');
    await fill({ amount: '300', due_date: '2026-10-01' });
    await toLetter();
    expect(await values('client_name', 'invoice_number', 'business_name', 'paid_date')).toEqual({
      ...NOBODY,
      business_name: '',
      paid_date: '',
    });
  });

  it('is there however one comes back to it: after a reload, by the history, beside that of another', async () => {
    await open('/late-fee');
    await fill({ amount: '1000', due_date: '2026-09-01' });
    await toLetter();
    await fill(ALPHA);
    await bench.page.goBack();
    await bench.page.waitForURL('**/late-fee#*');
    await fill({ amount: '2000' });
    await expect.poll(() => bench.page.url()).toContain('amount=2000');
    await bench.page.reload();
    await toLetter();
    expect({ ...(await namesOf()), amount: await value('amount') }).toEqual({ ...ALPHA, amount: '2000' });
    expect(await bench.page.locator('form .note').textContent()).toMatch(/\bwrote here before\b/);
    // The entry before, which came with 1000.
    await menu('Late fee', '/late-fee');
    await bench.page.goBack();
    await bench.page.waitForURL('**/late-fee-reminder#*');
    await fill({ amount: '2100' });
    await open('/terms');
    await bench.page.goBack();
    expect({ ...(await namesOf()), amount: await value('amount') }).toEqual({ ...ALPHA, amount: '2100' });
    // Another client's, with the same values, begun meanwhile.
    await open('/terms');
    await open('/late-fee');
    await fill({ amount: '2100', due_date: '2026-09-01' });
    await expect.poll(() => bench.page.url()).toContain('due_date');
    await bench.page.reload();
    await toLetter();
    expect(await namesOf()).toEqual(NOBODY);
    await fill({ client_name: 'Beta Ltd' });
    for (const path of ['/late-fee', '/terms', '/late-fee-reminder']) {
      await bench.page.goBack();
      await bench.page.waitForURL(({ pathname }) => pathname === path);
    }
    await expect.poll(() => value('client_name')).toBe('Alpha Ltd');
  });

  it('takes nothing from a link that came from elsewhere', async () => {
    await open('/late-fee-reminder');
    await fill({ amount: '1000', due_date: '2026-09-01', client_name: 'Alpha Ltd' });
    await isKept('Alpha');
    await open('/late-fee-reminder#payment_details=IBAN+OF+SOMEBODY');
    await expect.poll(() => value('payment_details')).toBe('IBAN OF SOMEBODY');
    expect(await values('amount', 'client_name')).toEqual({ amount: '', client_name: '' });
    // In the page that is open, too.
    await fill({ client_name: 'Beta Ltd' });
    await bench.page.evaluate(`location.hash = 'amount=77&due_date=2026-09-02'`);
    await expect.poll(() => value('amount')).toBe('77');
    expect(await value('client_name')).toBe('');
    await bench.page.goBack();
    await expect.poll(() => value('client_name')).toBe('Beta Ltd');
    // What came from elsewhere, and nobody wrote on, is no draft.
    await bench.page.goBack();
    await expect.poll(() => value('client_name')).toBe('Alpha Ltd');
    expect(await values('amount', 'payment_details')).toEqual({ amount: '1000', payment_details: '' });
  });
});
