import { afterAll, afterEach, beforeAll, beforeEach, expect } from 'vitest';
import { type DevAccount, devAccounts } from '../../src/devnet/chain-accounts.ts';
import { usdcBalance } from '../../src/devnet/usdc.ts';
import type { Browser, BrowserContext, Locator, Page, Route } from '../../tools/browser/index.ts';
import { type BuiltService, startBuilt } from '../support/built-service.ts';
import { barriersOf, closeContext, executablePath, launched } from '../support/pages-under-test.ts';
import { injectWallet } from './browser-wallet.ts';

export { executablePath };

const PAID_PAGES: readonly string[] = ['/late-invoice', '/plan', '/quote'];

/** The button that requests a price. */
export const ASK = /Get the letter/;

// The first account is the relayer; each of the next nine has a thousand dollars of play money.
const [, ...buyers] = devAccounts(13);

/** Its account has no money. */
export const poor = buyers[11] as DevAccount;
/** The account of the built-in play-money wallet. */
export const newcomer = buyers[0] as DevAccount;

const LIMIT_MS = 30_000;

/** The number of signature requests that a wallet received. */
export const signatures = (asked: readonly string[]): number =>
  asked.filter((method) => method === 'eth_signTypedData_v4').length;

/** A service with play money and a new browser page for each test of a suite; `page` and `buyer` belong to the test. */
export function payingBench() {
  let service: BuiltService;
  let browser: Browser;
  let next = 0;
  const complaints: string[] = [];
  const bench = {
    url: '',
    rpcUrl: '',
    page: null as unknown as Page,
    buyer: newcomer,
    newPage,
    newTab: () => prepared(bench.page.context(), 'real'),
    openWithPlayMoney,
    result: () => bench.page.locator('#result'),
    panel: () => bench.page.locator('#pay'),
    press: (name: string | RegExp) => bench.page.getByRole('button', { name }).click(),
    // Two sentences of the sheet may match, for example before and after a reply was lost.
    shows: (text: string | RegExp) =>
      bench.panel().getByText(text).first().waitFor({ state: 'visible', timeout: LIMIT_MS }),
    isBought: (heading: string) =>
      bench.result().getByRole('heading', { name: heading }).first().waitFor({ timeout: LIMIT_MS }),
    runAhead,
    barriers: () => barriersOf(bench.page),
    spentIn,
    askForReminder,
    writeReminder,
    buyReminder,
    loseReplies,
  };

  beforeAll(async () => {
    service = await startBuilt({ SETTLERS: 'embedded' });
    bench.rpcUrl = service.chainUrl;
    bench.url = service.url;
    browser = await launched();
  });
  afterAll(async () => {
    await browser?.close();
    service?.stop();
  });
  beforeEach(async () => {
    bench.buyer = buyers[next++ % 9] as DevAccount;
    complaints.length = 0;
    bench.page = await newPage();
  });
  afterEach(async () => {
    await closeContext(bench.page.context());
    // No script may have failed, nothing may have violated the policy, and no other server may have been called.
    expect(complaints).toEqual([]);
  });

  /** Opens a page in a new browser; with `real` money, the page is as a service on a public chain serves it. */
  async function newPage(money: 'real' | 'play' = 'real'): Promise<Page> {
    return prepared(await browser.newContext(), money);
  }

  async function prepared(context: BrowserContext, money: 'real' | 'play'): Promise<Page> {
    const made = await context.newPage();
    made.on('pageerror', (error) => complaints.push(String(error)));
    made.on('console', (message) => {
      if (message.type() === 'error' && !/^Failed to load resource/.test(message.text()))
        complaints.push(message.text());
    });
    made.on('request', (request) => {
      if (!request.url().startsWith(bench.url)) complaints.push(`asked for ${request.url()}`);
    });
    if (money === 'real')
      await made.route(
        ({ pathname }) => PAID_PAGES.includes(pathname),
        async (route) => {
          const response = await route.fetch();
          const html = await response.text();
          const body = html
            .replaceAll(/ data-play-money-\w+="[^"]*"/g, '')
            .replaceAll('"isPlayMoney":true', '"isPlayMoney":false')
            .replaceAll(/<script type="module" src="\/islands\/play-money[^>]*><\/script>/g, '');
          if (html === body || body.includes('islands/play-money'))
            throw new Error('The page is not as expected');
          return route.fulfill({ response, body });
        },
      );
    return made;
  }

  /**
   * Opens a page as the play-money service serves it. The returned function gives the requests that real-money
   * wallets received there.
   */
  async function openWithPlayMoney(): Promise<() => readonly string[]> {
    await closeContext(bench.page.context());
    bench.page = await bench.newPage('play');
    const announced = await injectWallet(bench.page, { key: poor.privateKey, name: 'MetaMask' });
    const injected = await injectWallet(bench.page, { key: poor.privateKey, name: 'Old', announced: false });
    return () => [...announced.asked, ...injected.asked];
  }

  async function spentIn(work: () => Promise<void>): Promise<bigint> {
    const before = await usdcBalance(bench.rpcUrl, bench.buyer.address);
    await work();
    return before - (await usdcBalance(bench.rpcUrl, bench.buyer.address));
  }

  async function writeReminder(clientName: string, page = bench.page): Promise<void> {
    await page.locator('#form[novalidate]').waitFor();
    await page.fill('#f-amount', '1250');
    await page.fill('#f-due_date', '2026-11-04');
    if (!(await page.locator('#f-paid_date').isVisible()))
      await page.locator('.chip > summary', { hasText: 'Up to' }).click();
    await page.fill('#f-paid_date', '2026-11-21');
    await page.fill('#f-client_name', clientName);
  }

  /**
   * Moves the installed clock of the page ahead until an element is there. One move may not be enough: if a request was
   * under way, the page pauses after it. Moves that follow at once would end the next request.
   */
  async function runAhead(end: Locator): Promise<void> {
    const moved = async () => {
      await bench.page.clock.fastForward(30_000);
      return end
        .first()
        .waitFor({ timeout: 3_000 })
        .then(
          () => true,
          () => false,
        );
    };
    await expect.poll(moved, { timeout: 60_000 }).toBe(true);
  }

  /** Requests a reminder as a user does, up to its price. */
  async function askForReminder(clientName: string): Promise<void> {
    await bench.page.goto(`${bench.url}/late-invoice`);
    await writeReminder(clientName);
    await bench.press(ASK);
    await bench.shows('Your document is ready to buy');
  }

  /** Continues on the open page, up to the letter. */
  async function buyReminder(clientName: string): Promise<void> {
    await writeReminder(clientName);
    await bench.press(ASK);
    await bench.press('Pay 0.01 USDC');
    await bench.result().getByText(`Hello ${clientName},`).first().waitFor({ timeout: LIMIT_MS });
  }

  /** Passes every payment of the page to the service, but drops the first `count` replies. */
  async function loseReplies(count: number): Promise<Record<string, string>[]> {
    const sent: Record<string, string>[] = [];
    await bench.page.route('**/v1/**', async (route: Route) => {
      const headers = route.request().headers();
      if (headers['payment-signature'] === undefined) return route.continue();
      sent.push(headers);
      if (sent.length > count) return route.continue();
      // The test may be over before the service replies.
      await route.fetch().catch(() => undefined);
      return route.abort().catch(() => undefined);
    });
    return sent;
  }

  return bench;
}
