import { describe, expect, it } from 'vitest';
import { KEEP_PURCHASE } from '../../src/surfaces/pages/form-texts.ts';
import type { Locator } from '../../tools/browser/index.ts';
import { injectWallet } from './browser-wallet.ts';
import { ASK, executablePath, payingBench, signatures } from './paying-bench.ts';

describe.skipIf(executablePath === undefined)('the page of a purchase', () => {
  const bench = payingBench();
  const { result, panel, press, shows, isBought, barriers, askForReminder, writeReminder, buyReminder } =
    bench;

  /** Every later request for a price and every later payment. */
  function requestsFromNow(): string[] {
    const requests: string[] = [];
    bench.page.on('request', (request) => {
      if (request.url().includes('/v1/')) requests.push(request.url());
    });
    return requests;
  }

  it('works with only the keyboard', async () => {
    await injectWallet(bench.page, { key: bench.buyer.privateKey });
    await bench.page.goto(`${bench.url}/late-invoice`);
    const tabTo = async (target: Locator) => {
      for (let stop = 0; stop < 60; stop += 1) {
        await bench.page.keyboard.press('Tab');
        if (await target.evaluate((element) => element.matches(':focus-visible'))) return;
      }
      throw new Error('No stop of the Tab key shows that it leads there');
    };
    for (const [field, keys] of Object.entries({
      amount: '1250',
      due_date: '11042026',
      client_name: 'Keys Ltd',
    })) {
      await tabTo(bench.page.locator(`#f-${field}`));
      await bench.page.keyboard.type(keys);
    }
    await tabTo(bench.page.getByRole('button', { name: ASK }));
    await bench.page.keyboard.press('Enter');
    await shows('Your document is ready to buy');
    await tabTo(bench.page.getByRole('button', { name: 'Pay 0.01 USDC' }));
    await bench.page.keyboard.press('Enter');
    await isBought('Your reminder');
    await tabTo(result().getByRole('button', { name: 'Copy the letter' }));
    expect(await result().textContent()).toContain('Hello Keys Ltd,');
  });

  it('says what the price is for, and buys what the form says at a new attempt', async () => {
    const wallet = await injectWallet(bench.page, {
      key: bench.buyer.privateKey,
      holds: ['eth_signTypedData_v4'],
      refuses: { eth_signTypedData_v4: 4001 },
    });
    await askForReminder('First Ltd');
    expect(await panel().textContent()).toContain('It is for: Polite reminder to First Ltd, $1,260.63.');
    await press('Pay 0.01 USDC');
    await shows(/\bis asking\b/);
    wallet.answerHeld();
    await shows(/\bdeclined\b.*\bcharged\b/);
    await press('Close');
    await bench.page.fill('#f-client_name', 'Second Ltd');
    await press(ASK);
    await shows('Your document is ready to buy');
    expect(await panel().textContent()).toContain('reminder to Second Ltd');
    expect(signatures(wallet.asked)).toBe(1);
  });

  it('offers what the form currently says after a refusal', async () => {
    await injectWallet(bench.page, { key: bench.buyer.privateKey });
    let answerPaid = () => {};
    const held = new Promise<void>((resolve) => {
      answerPaid = resolve;
    });
    await bench.page.route('**/v1/**', async (route) => {
      if (route.request().headers()['payment-signature'] === undefined) return route.continue();
      await held;
      const body = JSON.stringify({ code: 'payment_required', charged: false, error: 'insufficient_funds' });
      return route.fulfill({ status: 402, body });
    });
    await askForReminder('First Ltd');
    await press('Pay 0.01 USDC');
    await shows(/\bkeep this page open\b/);
    await press('Close');
    await bench.page.fill('#f-client_name', 'Second Ltd');
    answerPaid();
    await shows(/does not have enough USDC/);
    await press('Try again');
    await shows('Your document is ready to buy');
    expect(await panel().textContent()).toContain('reminder to Second Ltd');
  });

  it('stops waiting for a wallet that does not respond, and ignores its later signature', async () => {
    const wallet = await injectWallet(bench.page, {
      key: bench.buyer.privateKey,
      holds: ['eth_signTypedData_v4'],
    });
    await askForReminder('Silent Ltd');
    const requests = requestsFromNow();
    await press('Pay 0.01 USDC');
    await shows(/\bis asking\b/);
    expect(await barriers()).toEqual([]);
    await press('Stop waiting');
    await shows(/\bwill not use a signature\b/);
    await expect.poll(() => signatures(wallet.asked)).toBe(1);
    wallet.answerHeld();
    // This is long enough for a signature to be made and sent.
    await bench.page.waitForTimeout(500);
    expect(requests).toEqual([]);
    expect(await panel().textContent()).toMatch(/\bstopped waiting\b/);
    await press('Try again');
    await isBought('Your reminder');
    expect(requests).toHaveLength(1);
  });

  it('asks a wallet for nothing more once the buyer has stopped', async () => {
    const wallet = await injectWallet(bench.page, {
      key: bench.buyer.privateKey,
      holds: ['eth_requestAccounts'],
    });
    await askForReminder('Locked Ltd');
    await press('Pay 0.01 USDC');
    await press('Stop waiting');
    wallet.answerHeld();
    await bench.page.waitForTimeout(500);
    expect(wallet.asked).toEqual(['eth_requestAccounts']);
  });

  it('says that it is checking, and reports if no answer comes in time', async () => {
    await bench.page.clock.install();
    await bench.page.route('**/v1/**', () => {});
    await bench.page.goto(`${bench.url}/late-invoice`);
    await writeReminder('Late Ltd');
    await press(ASK);
    await shows('Checking…');
    expect(await bench.page.locator('#form').getAttribute('aria-busy')).toBe('true');
    await bench.page.clock.fastForward(15_001);
    await shows(/\bin time\b/);
    expect(await bench.page.locator('#form').getAttribute('aria-busy')).toBe('false');
  });

  it('shows the purchase even if a campaign adds parameters to the address', async () => {
    await injectWallet(bench.page, { key: bench.buyer.privateKey });
    await bench.page.goto(`${bench.url}/late-invoice`);
    await buyReminder('Kept Ltd');
    const requests = requestsFromNow();
    await bench.page.goto(`${bench.url}/late-invoice?utm_source=mail`);
    await isBought('Your reminder');
    expect(new URL(bench.page.url()).search).toBe('');
    expect(await bench.page.locator('#faults li').count()).toBe(0);
    expect(await panel().isVisible()).toBe(false);
    expect(requests).toEqual([]);
  });

  it('names the price of a form that was sent without JavaScript, stores the purchase, and removes names from the address', async () => {
    await injectWallet(bench.page, { key: bench.buyer.privateKey });
    await bench.page.goto(`${bench.url}/late-invoice`);
    await buyReminder('Kept Ltd');
    await bench.page.goto(
      `${bench.url}/late-invoice?amount=99&due_date=2026-11-04&paid_date=2026-11-21&client_name=New+Ltd`,
    );
    await press(ASK);
    await shows('Your document is ready to buy');
    expect(await panel().textContent()).toContain('reminder to New Ltd');
    expect(await result().textContent()).toContain('reminder to Kept Ltd');
    expect(bench.page.url()).toBe(`${bench.url}/late-invoice`);
  });

  it('asks for the choices in a form that was sent without JavaScript', async () => {
    await bench.page.goto(`${bench.url}/plan?business_type=trades&team_size=4&free_only=true`);
    await shows('Your document is ready to buy');
    expect(await panel().textContent()).toMatch(
      / keep a share of each sale\..*It is for: Trades, 4 people, free only/,
    );
  });

  it('keeps typed text after a reload or a visit to another page if storage is allowed, but never in the address', async () => {
    await askForReminder('Draft Ltd');
    const client = () => bench.page.inputValue('#f-client_name');
    await bench.page.reload();
    expect([await client(), await bench.page.inputValue('#f-due_date')]).toEqual(['Draft Ltd', '2026-11-04']);
    await bench.page.goto(`${bench.url}/legal`);
    await bench.page.goto(`${bench.url}/late-invoice`);
    expect(await client()).toBe('Draft Ltd');
    expect(bench.page.url()).toBe(`${bench.url}/late-invoice`);
    await bench.page.goto(`${bench.url}/late-invoice#amount=99&client_name=Newer+Ltd`);
    // The open page reads the new value.
    await expect.poll(client).toBe('Newer Ltd');
    await bench.page.reload();
    expect(await client()).toBe('Newer Ltd');
    await bench.page.fill('#f-due_date', '2026-11-04');
    await press(ASK);
    await shows('Your document is ready to buy');
    await bench.page.getByLabel(KEEP_PURCHASE).uncheck();
    expect(
      await bench.page.evaluate('[...Object.values(sessionStorage), ...Object.values(localStorage)].join()'),
    ).not.toContain('Ltd');
  });

  it('keeps earlier answers below the latest one, and can delete one of them or all', async () => {
    await injectWallet(bench.page, { key: bench.buyer.privateKey });
    await bench.page.goto(`${bench.url}/late-invoice`);
    await buyReminder('One Ltd');
    await buyReminder('Two Ltd');
    await bench.page.reload();
    await isBought('Your reminder');
    const earlier = result().locator('.letters');
    expect(await earlier.textContent()).toMatch(
      /Polite reminder to One Ltd.*\d+ [A-Z][a-z]+ \d{4}, \d\d:\d\d/,
    );
    expect(await result().textContent()).toContain('Hello Two Ltd,');
    expect(await barriers()).toEqual([]);
    await press(/reminder to One Ltd/);
    expect(await result().textContent()).toContain('Hello One Ltd,');
    expect(await earlier.textContent()).toContain('Two Ltd');
    await result().getByText('For you only').click();
    await press('Delete the letter');
    await bench.page.reload();
    expect(await result().textContent()).not.toContain('One Ltd');
    await press('Delete all');
    expect(await earlier.count()).toBe(0);
    expect(
      await bench.page.evaluate(`Object.keys(localStorage).filter((key) => key.startsWith('paid.'))`),
    ).toEqual([]);
  });

  it('prints a letter without the parts that are only for the screen', async () => {
    await injectWallet(bench.page, { key: bench.buyer.privateKey });
    await bench.page.goto(`${bench.url}/late-invoice`);
    await buyReminder('Folded Ltd');
    await buyReminder('Paper Ltd');
    await bench.page.emulateMedia({ media: 'print' });
    const main = bench.page.getByRole('main');
    expect(await main.getByText('Hello Paper Ltd,').isVisible()).toBe(true);
    // Screen readers find only what is printed, so elements are searched by role.
    expect(await main.getByRole('button').allTextContents()).toEqual([]);
    expect(await main.getByRole('link').allTextContents()).toEqual([]);
    for (const text of ['Folded Ltd', 'Delete', 'Paid: $0.01'])
      expect(await main.getByText(text).first().isVisible()).toBe(false);
  });
});
