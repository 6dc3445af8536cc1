import { AxeBuilder } from '@axe-core/playwright';
import { type Browser, chromium, type Page, type Route } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type DevAccount, devAccounts } from '../../src/devnet/chain-accounts.ts';
import { usdcBalance } from '../../src/devnet/usdc.ts';
import { type BuiltService, startBuilt } from '../support/built-service.ts';
import { freePort } from '../support/listening.ts';
import { injectWallet } from './browser-wallet.ts';

const executablePath = process.env.CHROMIUM_PATH;

describe.skipIf(executablePath === undefined)('paying in the page', () => {
  let service: BuiltService;
  let browser: Browser;
  let page: Page;
  let url = '';
  let rpcUrl = '';
  // The first is the relayer; each of the next has a thousand dollars of play money.
  const [, ...buyers] = devAccounts(13);
  let next = 0;
  let buyer: DevAccount;
  const complaints: string[] = [];

  beforeAll(async () => {
    const chainPort = await freePort();
    rpcUrl = `http://127.0.0.1:${chainPort}`;
    service = await startBuilt({ SETTLERS: 'embedded', EMBEDDED_CHAIN_PORT: String(chainPort) });
    url = service.url;
    browser = await chromium.launch({
      ...(executablePath !== undefined && { executablePath }),
      args: ['--no-sandbox'],
    });
  });
  afterAll(async () => {
    await browser?.close();
    service.stop();
  });

  /** A page in a browser that was never here; the wallet that play money brings along has a test of its own. */
  const newPage = async (): Promise<Page> => {
    const made = await (await browser.newContext()).newPage();
    await made.route('**/islands/play-money.js*', (route) => route.abort());
    return made;
  };

  beforeEach(async () => {
    // Nine accounts hold money, and most tests spend little of it.
    buyer = buyers[next++ % 9] as DevAccount;
    complaints.length = 0;
    page = await newPage();
    page.on('pageerror', (error) => complaints.push(String(error)));
    page.on('console', (message) => {
      if (message.type() === 'error' && !/^Failed to load resource/.test(message.text()))
        complaints.push(message.text());
    });
    page.on('request', (request) => {
      if (!request.url().startsWith(url)) complaints.push(`asked for ${request.url()}`);
    });
  });
  afterEach(async () => {
    await page.context().close();
    // No script failed, nothing broke the policy, and nobody else was asked for anything.
    expect(complaints).toEqual([]);
  });

  const result = () => page.locator('#result');
  const panel = () => page.locator('#pay');
  const press = (name: string | RegExp) => page.getByRole('button', { name }).click();
  const shows = (text: string | RegExp) =>
    panel().getByText(text).waitFor({ state: 'visible', timeout: 15_000 });
  const isBought = (heading: string) =>
    result().getByRole('heading', { name: heading }).waitFor({ timeout: 15_000 });

  /** What keeps people from using the page as it is now. */
  async function barriers(): Promise<string[]> {
    const { violations } = await new AxeBuilder({ page }).analyze();
    return violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html}`));
  }

  async function spentIn(work: () => Promise<void>): Promise<bigint> {
    const before = await usdcBalance(rpcUrl, buyer.address);
    await work();
    return before - (await usdcBalance(rpcUrl, buyer.address));
  }

  /** A reminder as somebody would ask for it, up to its price. */
  async function askForReminder(clientName: string): Promise<void> {
    await page.goto(`${url}/late-fee-reminder`);
    await page.fill('#f-amount', '1250');
    await page.fill('#f-due_date', '2026-11-04');
    await page.fill('#f-paid_date', '2026-11-21');
    await page.fill('#f-client_name', clientName);
    await press(/see the price/);
    await shows('Your answer is ready');
  }

  it('buys a reminder: a cent, the letter to take away, every name as text', async () => {
    const wallet = await injectWallet(page, { key: buyer.privateKey });
    const spent = await spentIn(async () => {
      await askForReminder('<img src=x onerror=alert(1)>');
      expect(await panel().textContent()).toContain('It costs USD 0.01, paid in USDC on Base to 0x');
      expect(wallet.asked).toEqual([]);
      expect(await barriers()).toEqual([]);
      await press('Pay USD 0.01 in USDC');
      await isBought('Your reminder');
    });
    expect(spent).toBe(10_000n);
    expect(wallet.asked).toEqual(['eth_requestAccounts', 'eth_chainId', 'eth_signTypedData_v4']);
    const text = await result().textContent();
    expect(text).toContain('Hello <img src=x onerror=alert(1)>,');
    expect(text).toContain('1250.00 x 1.5% x 17 / 30 = 10.63');
    expect(text).toMatch(/Paid: USD 0\.01 in USDC on Base\. Transaction 0x[0-9a-f]{64}/);
    expect(await result().locator('img').count()).toBe(0);
    expect(await page.locator(':focus').textContent()).toBe('Your reminder');
    const mail = await result()
      .getByRole('link', { name: 'Open in your email program' })
      .getAttribute('href');
    expect(mail).toMatch(/^mailto:\?subject=Reminder.*&body=Hello%20%3Cimg.*%0D%0A%0D%0A/);
    expect(await result().getByRole('button', { name: 'Copy the letter' }).count()).toBe(1);
    expect(await panel().isVisible()).toBe(false);
    expect(await barriers()).toEqual([]);
  });

  it('buys with play money where the service has nothing else, without any wallet', async () => {
    await page.unroute('**/islands/play-money.js*');
    buyer = buyers[0] as DevAccount;
    const spent = await spentIn(async () => {
      await askForReminder('Newcomer Ltd');
      await press('Pay USD 0.01 in USDC');
      await isBought('Your reminder');
    });
    expect(spent).toBe(10_000n);
    expect(await page.getByText('You can pay with that: no wallet is needed.').isVisible()).toBe(true);
    expect(await result().textContent()).toContain('Hello Newcomer Ltd,');
    expect(await barriers()).toEqual([]);
  });

  it('buys a quote pack with as many lines as were added', async () => {
    await injectWallet(page, { key: buyer.privateKey, announced: false });
    const spent = await spentIn(async () => {
      await page.goto(`${url}/quote-pack`);
      await press('Add lines');
      for (const [row, price] of ['450', '7.25', '12', '30'].entries())
        await page.fill(`#f-items-${row}-unit_price`, price);
      await page.fill('#f-items-0-description', 'Garden design');
      await press(/see the price/);
      await press('Pay USD 0.05 in USDC');
      await isBought('Your quote pack');
    });
    expect(spent).toBe(50_000n);
    const text = await result().textContent();
    expect(text).toContain('Garden design');
    expect(text).toContain('1 x 562.5 = 562.50 USD');
    expect(text).toContain('499.25 USD');
  });

  it('buys a report', async () => {
    await injectWallet(page, { key: buyer.privateKey });
    const spent = await spentIn(async () => {
      await page.goto(`${url}/stack-report`);
      await page.selectOption('#f-business_type', 'trades');
      await page.fill('#f-team_size', '4');
      await press(/see the price/);
      await press('Pay USD 1.00 in USDC');
      await isBought('Your report');
    });
    expect(spent).toBe(1_000_000n);
    expect(await result().textContent()).toContain('Business type: trades, for 4 people.');
    expect(await result().locator('blockquote').count()).toBeGreaterThan(10);
  });

  it('shows what is wrong at its field, takes the reader there, and asks no wallet', async () => {
    const wallet = await injectWallet(page, { key: buyer.privateKey });
    await page.goto(`${url}/late-fee-reminder`);
    await page.fill('#f-due_date', '2026-11-04');
    await page.fill('#f-paid_date', '2026-11-01');
    await press(/see the price/);
    await page.locator('#faults a').first().waitFor();
    expect(await page.locator('#f-amount-fault').textContent()).toContain('is required');
    expect(await page.locator('#f-due_date-fault').textContent()).toContain('the invoice is not overdue');
    expect(await page.locator('#faults li').count()).toBe(2);
    expect(await page.locator(':focus').textContent()).toMatch(/^Amount is required/);
    expect(wallet.asked).toEqual([]);
    await page.fill('#f-amount', '1250');
    await page.fill('#f-paid_date', '2026-11-21');
    await press(/see the price/);
    await shows('Your answer is ready');
    expect(await page.locator('#faults li').count()).toBe(0);
  });

  it('charges nothing when the wallet declines, and can be tried again', async () => {
    const wallet = await injectWallet(page, {
      key: buyer.privateKey,
      refuses: { eth_signTypedData_v4: 4001 },
    });
    const spent = await spentIn(async () => {
      await askForReminder('Declined Ltd');
      await press('Pay USD 0.01 in USDC');
      await shows('You declined in your wallet. Nothing was charged.');
      await press('Try again');
      await expect
        .poll(() => wallet.asked.filter((method) => method === 'eth_signTypedData_v4').length)
        .toBe(2);
      await shows('You declined in your wallet. Nothing was charged.');
    });
    expect(spent).toBe(0n);
    expect(await result().textContent()).toBe('');
  });

  it('asks a wallet on another network to change, and names the network that it does not know', async () => {
    const wallet = await injectWallet(page, { key: buyer.privateKey, chainId: '0x1' });
    await askForReminder('Elsewhere Ltd');
    await press('Pay USD 0.01 in USDC');
    await isBought('Your reminder');
    expect(wallet.asked).toContain('wallet_switchEthereumChain');

    const other = await newPage();
    await page.context().close();
    page = other;
    await injectWallet(page, {
      key: buyer.privateKey,
      chainId: '0x1',
      refuses: { wallet_switchEthereumChain: 4902 },
    });
    await askForReminder('Nowhere Ltd');
    await press('Pay USD 0.01 in USDC');
    await shows(/does not know the network Base \(chain 8453\) yet/);
  });

  it('lets the person choose among several wallets', async () => {
    const first = await injectWallet(page, { key: buyer.privateKey, name: 'First' });
    const second = await injectWallet(page, { key: buyer.privateKey, name: 'Second <b>' });
    await askForReminder('Choosy Ltd');
    await press('Pay USD 0.01 in USDC');
    await shows('Which wallet shall pay?');
    await press('Second <b>');
    await isBought('Your reminder');
    expect(first.asked).toEqual([]);
    expect(second.asked).toContain('eth_signTypedData_v4');
  });

  it('says so when there is no wallet', async () => {
    await askForReminder('Walletless Ltd');
    await press('Pay USD 0.01 in USDC');
    await shows('No wallet found');
    await shows(/Nothing was charged/);
    expect(await panel().getByRole('link', { name: 'how they do' }).getAttribute('href')).toBe(
      '/docs#getLateFeeNotice',
    );
  });

  it('tells a buyer without money so; tried again it is the same purchase with another signature', async () => {
    const poor = buyers[11] as DevAccount;
    await injectWallet(page, { key: poor.privateKey });
    const sent = await loseReplies(0);
    await askForReminder('Poor Ltd');
    await press('Pay USD 0.01 in USDC');
    await shows('This account holds less USDC on that network than the price. Nothing was charged.');
    await press('Try again');
    await press('Pay USD 0.01 in USDC');
    await expect.poll(() => sent.length).toBe(2);
    await shows('This account holds less USDC on that network than the price. Nothing was charged.');
    expect(sent[0]?.['idempotency-key']).toMatch(/^page_[0-9a-f]{32}$/);
    expect(sent[1]?.['idempotency-key']).toBe(sent[0]?.['idempotency-key']);
    expect(sent[1]?.['payment-signature']).not.toBe(sent[0]?.['payment-signature']);
  });

  it('pays by the clock of the service when that of the reader is wrong', async () => {
    await injectWallet(page, { key: buyer.privateKey });
    await page.clock.install({ time: Date.now() - 3_600_000 });
    await askForReminder('Slow Clock Ltd');
    await press('Pay USD 0.01 in USDC');
    await isBought('Your reminder');
  });

  /** Lets the service have every payment of the page, but the page no reply to the first `count` of them. */
  async function loseReplies(count: number): Promise<Record<string, string>[]> {
    const sent: Record<string, string>[] = [];
    await page.route('**/v1/**', async (route: Route) => {
      const headers = route.request().headers();
      if (headers['payment-signature'] === undefined) return route.continue();
      sent.push(headers);
      if (sent.length > count) return route.continue();
      await route.fetch();
      return route.abort();
    });
    return sent;
  }

  it('repeats the same payment when its reply is lost, and is charged once', async () => {
    const wallet = await injectWallet(page, { key: buyer.privateKey });
    const sent = await loseReplies(1);
    const spent = await spentIn(async () => {
      await askForReminder('Lost Ltd');
      await press('Pay USD 0.01 in USDC');
      await shows(/you will not be charged twice/);
      await isBought('Your reminder');
    });
    expect(spent).toBe(10_000n);
    expect(sent).toHaveLength(2);
    for (const name of ['payment-signature', 'idempotency-key'])
      expect(sent[1]?.[name]).toBe(sent[0]?.[name]);
    expect(wallet.asked.filter((method) => method === 'eth_signTypedData_v4')).toHaveLength(1);
  });

  it('waits as told while the end is not known or payments cannot be taken', async () => {
    await injectWallet(page, { key: buyer.privateKey });
    const replies = [
      { status: 409, code: 'waiting' },
      { status: 503, code: 'settlement_unavailable' },
    ];
    const times: number[] = [];
    await page.route('**/v1/**', async (route) => {
      if (route.request().headers()['payment-signature'] === undefined) return route.continue();
      times.push(Date.now());
      const reply = replies.shift();
      if (reply === undefined) return route.continue();
      return route.fulfill({
        status: reply.status,
        headers: { 'content-type': 'application/problem+json', 'retry-after': '1' },
        body: JSON.stringify(reply),
      });
    });
    const spent = await spentIn(async () => {
      await askForReminder('Patient Ltd');
      await press('Pay USD 0.01 in USDC');
      await isBought('Your reminder');
    });
    expect(spent).toBe(10_000n);
    expect(times).toHaveLength(3);
    for (const later of [1, 2]) {
      const pause = (times[later] ?? 0) - (times[later - 1] ?? 0);
      expect(pause).toBeGreaterThanOrEqual(900);
    }
  });

  it('warns who leaves meanwhile, and goes on after a reload without another signature', async () => {
    const wallet = await injectWallet(page, { key: buyer.privateKey });
    const warnings: string[] = [];
    page.on('dialog', (dialog) => {
      warnings.push(dialog.type());
      void dialog.accept();
    });
    const sent = await loseReplies(1_000);
    const spent = await spentIn(async () => {
      await askForReminder('Reloaded Ltd');
      await press('Pay USD 0.01 in USDC');
      await shows(/you will not be charged twice/);
      await page.unroute('**/v1/**');
      await page.reload();
      await isBought('Your reminder');
    });
    expect(warnings).toEqual(['beforeunload']);
    expect(sent.length).toBeGreaterThanOrEqual(1);
    expect(spent).toBe(10_000n);
    expect(await result().textContent()).toContain('Hello Reloaded Ltd,');
    expect(wallet.asked.filter((method) => method === 'eth_signTypedData_v4')).toHaveLength(1);
    // Another reload shows what was bought, and asks nobody for it.
    const requests: string[] = [];
    page.on('request', (request) => requests.push(request.url()));
    await page.reload();
    await isBought('Your reminder');
    expect(await panel().isVisible()).toBe(false);
    expect(requests.filter((requested) => requested.includes('/v1/'))).toEqual([]);
    // Forgotten, it is gone for good.
    await press('Forget it');
    expect(await result().textContent()).toBe('');
    await page.reload();
    expect(await result().textContent()).toBe('');
  });

  it('never pays anew by itself: when the end stays unknown it says so and can be asked again', async () => {
    const wallet = await injectWallet(page, { key: buyer.privateKey });
    await page.clock.install();
    const sent = await loseReplies(1_000);
    const spent = await spentIn(async () => {
      await askForReminder('Unknown Ltd');
      await press('Pay USD 0.01 in USDC');
      await shows(/you will not be charged twice/);
      // Two minutes to pay and five more.
      await page.clock.fastForward(421_000);
      await shows(/We could not find out how the payment ended\. Please do not pay anew/);
      // Whoever asks with the form goes on with the same payment, too.
      await press(/see the price/);
      await shows(/We could not find out how the payment ended/);
      await page.unroute('**/v1/**');
      await press('Ask again');
      await isBought('Your reminder');
    });
    expect(spent).toBe(10_000n);
    expect(new Set(sent.map((headers) => headers['payment-signature'])).size).toBe(1);
    expect(wallet.asked.filter((method) => method === 'eth_signTypedData_v4')).toHaveLength(1);
  });
});
