import { describe, expect, it } from 'vitest';
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
    await expect.poll(() => result().textContent()).toContain('Hello Keys Ltd,');
  });

  it('says what the price is for, and buys what the form says at a new attempt', async () => {
    const wallet = await injectWallet(bench.page, {
      key: bench.buyer.privateKey,
      holds: ['eth_signTypedData_v4'],
      refuses: { eth_signTypedData_v4: 4001 },
    });
    await askForReminder('First Ltd');
    await expect
      .poll(() => panel().textContent())
      .toContain('It is for: Polite reminder to First Ltd, $1,260.63.');
    await press('Pay 0.01 USDC');
    await shows(/\bis asking\b/);
    wallet.answerHeld();
    await shows(/\bdeclined\b.*\bcharged\b/);
    await press('Close');
    await bench.page.fill('#f-client_name', 'Second Ltd');
    await press(ASK);
    await shows('Your document is ready to buy');
    await expect.poll(() => panel().textContent()).toContain('reminder to Second Ltd');
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
    await expect.poll(() => panel().textContent()).toContain('reminder to Second Ltd');
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
    await expect.poll(() => panel().textContent()).toMatch(/\bstopped waiting\b/);
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
    await expect.poll(() => bench.page.locator('#form').getAttribute('aria-busy')).toBe('true');
    await bench.page.clock.fastForward(15_001);
    await shows(/\bin time\b/);
    await expect.poll(() => bench.page.locator('#form').getAttribute('aria-busy')).toBe('false');
  });

  it('shows the purchase even if a campaign adds parameters to the address', async () => {
    await injectWallet(bench.page, { key: bench.buyer.privateKey });
    await bench.page.goto(`${bench.url}/late-invoice`);
    await buyReminder('Kept Ltd');
    const requests = requestsFromNow();
    await bench.page.goto(`${bench.url}/late-invoice?utm_source=mail`);
    await isBought('Your reminder');
    await expect.poll(() => new URL(bench.page.url()).search).toBe('');
    await expect.poll(() => bench.page.locator('#faults li').count()).toBe(0);
    await expect.poll(() => panel().isVisible()).toBe(false);
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
    await expect.poll(() => panel().textContent()).toContain('reminder to New Ltd');
    await expect.poll(() => result().textContent()).toContain('reminder to Kept Ltd');
    await expect.poll(() => bench.page.url()).toBe(`${bench.url}/late-invoice`);
  });

  it('asks for the choices in a form that was sent without JavaScript', async () => {
    await bench.page.goto(`${bench.url}/plan?business_type=trades&team_size=4&free_only=true`);
    await shows('Your document is ready to buy');
    await expect
      .poll(() => panel().textContent())
      .toMatch(/ keep a share of each sale\..*It is for: Trades, 4 people, free only/);
  });
});
