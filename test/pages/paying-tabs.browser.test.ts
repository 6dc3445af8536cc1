import { describe, expect, it } from 'vitest';
import { KEEP_PURCHASE } from '../../src/surfaces/pages/form-texts.ts';
import { type BrowserWallet, injectWallet } from './browser-wallet.ts';
import { ASK, executablePath, payingBench } from './paying-bench.ts';

const DAY_MS = 86_400_000;

describe.skipIf(executablePath === undefined)('a purchase stored on a device', () => {
  const bench = payingBench();
  const { result, panel, press, shows, barriers, spentIn, askForReminder, loseReplies } = bench;

  const signatures = ({ asked }: BrowserWallet): number =>
    asked.filter((method) => method === 'eth_signTypedData_v4').length;
  const buy = async (clientName: string): Promise<void> => {
    await bench.page.goto(`${bench.url}/late-invoice`);
    await bench.buyReminder(clientName);
  };

  it('is announced before payment, together with how long it is kept and how to turn storage off', async () => {
    await askForReminder('Plain Ltd');
    const text = await panel().textContent();
    expect(text).toContain(KEEP_PURCHASE);
    expect(text).toContain('Kept in this browser for 30 days, or until you delete it. We store nothing');
    await expect.poll(() => panel().getByRole('checkbox', { name: KEEP_PURCHASE }).isChecked()).toBe(true);
    expect(await barriers()).toEqual([]);
  });

  it('is mentioned before a wallet is asked if the same purchase is made again within a day', async () => {
    const wallet = await injectWallet(bench.page, { key: bench.buyer.privateKey });
    const spent = await spentIn(async () => {
      await buy('Same Ltd');
      await bench.page.reload();
      await bench.page.goto(`${bench.url}/late-invoice`);
      await bench.writeReminder('Same Ltd');
      await press(ASK);
      await shows(
        /^You have bought exactly this before, on \d+ [A-Z][a-z]+ \d{4}, \d\d:\d\d\. Buying it again may charge you again\.$/,
      );
      expect(await barriers()).toEqual([]);
      await press('Show what was bought');
      await expect.poll(() => result().textContent()).toContain('Hello Same Ltd,');
      await expect.poll(() => panel().isVisible()).toBe(false);
    });
    expect(spent).toBe(10_000n);
    expect(signatures(wallet)).toBe(1);
    // A buyer who still wants the answer is asked to sign. The service still knows the first purchase and charges
    // nothing.
    expect(
      await spentIn(async () => {
        await press(ASK);
        await press('Buy it again for 0.01 USDC');
        await expect.poll(() => signatures(wallet)).toBe(2);
        await panel().waitFor({ state: 'hidden' });
      }),
    ).toBe(0n);
    // One more word makes it a different purchase.
    await bench.page.fill('#f-client_name', 'Same Ltd.');
    await press(ASK);
    await shows('Your document is ready to buy');
  });

  it('is deleted in time: the digest after a day, the answer after thirty days', async () => {
    await injectWallet(bench.page, { key: bench.buyer.privateKey });
    await bench.page.clock.install();
    await buy('Old Ltd');
    const laterBy = async (ms: number): Promise<void> => {
      await bench.page.clock.fastForward(ms);
      await bench.page.reload();
    };
    await laterBy(DAY_MS + 1);
    const letter = result().getByText('Hello Old Ltd,').first();
    await letter.waitFor();
    expect(await barriers()).toEqual([]);
    const kept = () =>
      bench.page.evaluate(
        `Object.keys(localStorage).filter((key) => key.startsWith('paid.')).map((key) => key.slice(0, 8))`,
      );
    await expect.poll(kept).toEqual(['paid.ans']);
    await laterBy(28 * DAY_MS);
    await letter.waitFor();
    await laterBy(DAY_MS);
    await bench.page.locator('#form[novalidate]').waitFor();
    await expect.poll(() => result().getByText('Hello Old Ltd,').count()).toBe(0);
    await expect.poll(kept).toEqual([]);
  });

  it('is shown in every tab, and is deleted in all of them', async () => {
    await injectWallet(bench.page, { key: bench.buyer.privateKey });
    const other = await bench.newTab();
    await other.goto(`${bench.url}/late-invoice`);
    await buy('Everywhere Ltd');
    await other.locator('.bought-rest li', { hasText: 'Everywhere Ltd' }).waitFor();
    await press('Delete this document');
    await press('Delete it');
    await expect.poll(() => other.locator('.bought-rest').count()).toBe(0);
  });

  it('is paid for once even if tabs cannot see each other, and the page says so', async () => {
    const blind = 'Object.defineProperty(Navigator.prototype, "locks", { value: undefined })';
    await bench.page.addInitScript(blind);
    await bench.page.clock.install();
    const wallet = await injectWallet(bench.page, { key: bench.buyer.privateKey });
    const other = await bench.newTab();
    await other.addInitScript(blind);
    const held = await injectWallet(other, {
      key: bench.buyer.privateKey,
      holds: ['eth_signTypedData_v4'],
    });
    const sent = await loseReplies(1_000);
    const sentByOther: string[] = [];
    other.on('request', (request) => {
      const payment = request.headers()['payment-signature'];
      if (payment !== undefined) sentByOther.push(payment);
    });
    const spent = await spentIn(async () => {
      await askForReminder('Blind Ltd');
      await shows(/\btabs\b/);
      await other.goto(`${bench.url}/late-invoice`);
      await bench.writeReminder('Blind Ltd', other);
      await other.getByRole('button', { name: ASK }).click();
      await other.getByRole('button', { name: 'Pay 0.01' }).click();
      await expect.poll(() => signatures(held)).toBe(1);
      await press('Pay 0.01 USDC');
      await shows(/\bcharged twice\b/);
      // The other wallet signs now: its payment is in progress, and the held signature is dropped.
      held.answerHeld();
      await other.getByText('Hello Blind Ltd,').first().waitFor();
      await bench.page.unroute('**/v1/**');
      // The page retries after a pause that grows with each lost reply.
      await bench.runAhead(result().getByRole('heading', { name: 'Your reminder' }));
    });
    expect(spent).toBe(10_000n);
    expect(signatures(wallet)).toBe(1);
    expect(new Set([...sentByOther, ...sent.map((headers) => headers['payment-signature'])]).size).toBe(1);
  });
});
