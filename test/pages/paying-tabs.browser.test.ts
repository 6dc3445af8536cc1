import { describe, expect, it } from 'vitest';
import {
  KEEP_PURCHASE,
  LETTERHEAD,
  LETTERHEAD_LABELS,
  SEE_PRICE,
} from '../../src/surfaces/pages/form-texts.ts';
import { type BrowserWallet, injectWallet } from './browser-wallet.ts';
import { executablePath, payingBench } from './paying-bench.ts';

const DAY_MS = 86_400_000;

describe.skipIf(executablePath === undefined)('what was bought on a device', () => {
  const bench = payingBench();
  const { result, panel, press, shows, isBought, barriers, spentIn, askForReminder, loseReplies } = bench;

  const signatures = ({ asked }: BrowserWallet): number =>
    asked.filter((method) => method === 'eth_signTypedData_v4').length;
  const buy = async (clientName: string): Promise<void> => {
    await bench.page.goto(`${bench.url}/late-fee-reminder`);
    await bench.buyReminder(clientName);
  };

  it('is said before it is bought: what is kept, for how long, and how nothing is', async () => {
    await askForReminder('Plain Ltd');
    const text = await panel().textContent();
    expect(text).toContain(KEEP_PURCHASE);
    expect(text).toMatch(
      /For 30 days, or until you delete it; and for a day, a note that you bought exactly this\..*\bin this browser\b/,
    );
    expect(text).toMatch(/\bstore nothing\b/);
    expect(await panel().getByRole('checkbox', { name: KEEP_PURCHASE }).isChecked()).toBe(true);
    expect(await barriers()).toEqual([]);
  });

  it('is told to whoever buys exactly the same within a day, before a wallet is asked', async () => {
    const wallet = await injectWallet(bench.page, { key: bench.buyer.privateKey });
    const spent = await spentIn(async () => {
      await buy('Same Ltd');
      await bench.page.reload();
      await bench.page.goto(`${bench.url}/late-fee-reminder`);
      await bench.writeReminder('Same Ltd');
      await press(new RegExp(SEE_PRICE));
      await shows(
        /^You have bought exactly this before, on \d+ [A-Z][a-z]+ \d{4}, \d\d:\d\d\. Buying it again may charge you again\.$/,
      );
      expect(await barriers()).toEqual([]);
      await press('Show what was bought');
      expect(await result().textContent()).toContain('Hello Same Ltd,');
      expect(await panel().isVisible()).toBe(false);
    });
    expect(spent).toBe(10_000n);
    expect(signatures(wallet)).toBe(1);
    // Whoever wants it all the same is asked to sign; the service still knows the first purchase, and charges nothing.
    expect(
      await spentIn(async () => {
        await press(new RegExp(SEE_PRICE));
        await press('Buy it again for 0.01 USDC');
        await expect.poll(() => signatures(wallet)).toBe(2);
        await panel().waitFor({ state: 'hidden' });
      }),
    ).toBe(0n);
    // A word more is another purchase.
    await bench.page.fill('#f-client_name', 'Same Ltd.');
    await press(new RegExp(SEE_PRICE));
    await shows('Your answer is ready');
  });

  it('is forgotten after its time: the digest after a day, the answer after thirty', async () => {
    await injectWallet(bench.page, { key: bench.buyer.privateKey });
    await bench.page.clock.install();
    await buy('Old Ltd');
    const laterBy = async (ms: number): Promise<void> => {
      await bench.page.clock.fastForward(ms);
      await bench.page.reload();
    };
    await laterBy(DAY_MS + 1);
    // It waits folded: whoever opens the page later comes for something else.
    const folded = result().locator('summary');
    expect(await folded.textContent()).toContain('Your client Old Ltd');
    expect(await bench.page.getByRole('heading', { name: 'What you get' }).isVisible()).toBe(true);
    expect(await barriers()).toEqual([]);
    const kept = () => bench.page.evaluate('Object.keys(localStorage).map((key) => key.slice(0, 8))');
    expect(await kept()).toEqual(['paid.ans']);
    await laterBy(28 * DAY_MS);
    await folded.waitFor();
    await laterBy(DAY_MS);
    expect(await result().textContent()).toBe('');
    expect(await kept()).toEqual([]);
  });

  it('shows in every tab, and is deleted in all of them', async () => {
    await injectWallet(bench.page, { key: bench.buyer.privateKey });
    const other = await bench.newTab();
    await other.goto(`${bench.url}/late-fee-reminder`);
    await buy('Everywhere Ltd');
    await other.locator('summary', { hasText: 'Everywhere Ltd' }).waitFor();
    await press('Delete this answer');
    await press('Delete it');
    await expect.poll(() => other.locator('#result').textContent()).toBe('');
  });

  const client = (page = bench.page) => page.locator('#result').getByLabel(LETTERHEAD_LABELS.client).first();
  const open = (page = bench.page) => page.locator('#result').getByText(LETTERHEAD).first().click();

  it('keeps what its owner wrote onto each document, also while another tab buys', async () => {
    await injectWallet(bench.page, { key: bench.buyer.privateKey });
    await buy('First Ltd');
    await open();
    expect(await result().textContent()).toMatch(/\bwith the answer\b/);
    await client().fill('First Ltd\n4 Park Row');
    // Another tab buys meanwhile: whoever writes goes on where they were.
    const other = await bench.newTab();
    await injectWallet(other, { key: bench.buyer.privateKey });
    await other.goto(`${bench.url}/late-fee-reminder`);
    await bench.writeReminder('Second Ltd', other);
    await other.getByRole('button', { name: new RegExp(SEE_PRICE) }).click();
    await other.getByRole('button', { name: 'Pay 0.01' }).click();
    await other.getByText('Hello Second Ltd,').first().waitFor();
    await result().locator('summary', { hasText: 'Second Ltd' }).waitFor();
    await bench.page.keyboard.type(', Leeds');
    expect(await client().inputValue()).toBe('First Ltd\n4 Park Row, Leeds');
    await open(other);
    await client(other).fill('');
    // Each is as it was left, also the field that was emptied.
    await bench.page.reload();
    await isBought('Your reminder');
    // What the other tab wrote comes to this one a moment later.
    await expect.poll(() => client().inputValue()).toBe('');
    await result().locator('summary', { hasText: 'First Ltd' }).click();
    await press('Show it above');
    expect(await client().inputValue()).toBe('First Ltd\n4 Park Row, Leeds');
    expect(await result().locator('.sheet .to').first().textContent()).toContain('4 Park Row, Leeds');
  });

  it('deletes what was written onto a document with it, and all of that with everything', async () => {
    await injectWallet(bench.page, { key: bench.buyer.privateKey });
    const stored = () => bench.page.evaluate<string>('Object.keys(localStorage).join()');
    for (const name of ['First Ltd', 'Second Ltd']) {
      await buy(name);
      await open();
      await client().fill(`${name}\n4 Park Row`);
    }
    expect((await stored()).match(/letterhead/g)).toHaveLength(2);
    await press('Delete this answer');
    await press('Delete it');
    await expect.poll(() => client().inputValue()).toBe('First Ltd\n4 Park Row');
    expect((await stored()).match(/letterhead/g)).toHaveLength(1);
    await press(/^Delete everything\b/);
    await press('Delete everything');
    await expect.poll(stored).not.toMatch(/letterhead|answer/);
  });

  it('is for everybody where an earlier answer is open below the last one', async () => {
    await injectWallet(bench.page, { key: bench.buyer.privateKey });
    await buy('First Ltd');
    await buy('Second Ltd');
    await result().locator('summary', { hasText: 'First Ltd' }).click();
    await result().getByText('Hello First Ltd,').first().waitFor();
    expect(await barriers()).toEqual([]);
  });

  it('keeps what two tabs write onto one document, and lets who writes in an older one go on', async () => {
    await injectWallet(bench.page, { key: bench.buyer.privateKey });
    const field = (label: string, page = bench.page) => page.locator('#result').getByLabel(label).first();
    await buy('One Ltd');
    const other = await bench.newTab();
    await injectWallet(other, { key: bench.buyer.privateKey });
    await other.goto(`${bench.url}/late-fee-reminder`);
    await open();
    await open(other);
    await field(LETTERHEAD_LABELS.client, other).fill('One Ltd\n4 Park Row');
    await expect.poll(() => field(LETTERHEAD_LABELS.client).inputValue()).toBe('One Ltd\n4 Park Row');
    await field(LETTERHEAD_LABELS.contact).fill('12 Mill Lane');
    await other.reload();
    await expect.poll(() => field(LETTERHEAD_LABELS.contact, other).inputValue()).toBe('12 Mill Lane');
    expect(await field(LETTERHEAD_LABELS.client, other).inputValue()).toBe('One Ltd\n4 Park Row');
    // An older answer that is open below: another tab buys, and who writes there goes on.
    await buy('Two Ltd');
    await result().locator('summary', { hasText: 'One Ltd' }).click();
    const below = result().locator('.bought-rest').getByLabel(LETTERHEAD_LABELS.client);
    await below.fill('One Ltd\n5 Park Row');
    await bench.writeReminder('Three Ltd', other);
    await other.getByRole('button', { name: new RegExp(SEE_PRICE) }).click();
    await other.getByRole('button', { name: 'Pay 0.01' }).click();
    await other.getByText('Hello Three Ltd,').first().waitFor();
    await bench.page.keyboard.type(', Leeds');
    expect(await below.inputValue()).toBe('One Ltd\n5 Park Row, Leeds');
    await bench.page.locator('#f-client_name').focus();
    await result().locator('summary', { hasText: 'Three Ltd' }).waitFor();
  });

  it('says so where keeping was switched off after an answer was kept', async () => {
    await injectWallet(bench.page, { key: bench.buyer.privateKey });
    await buy('Kept Ltd');
    await bench.page.evaluate("sessionStorage.setItem('paid.off', '')");
    await bench.page.reload();
    await isBought('Your reminder');
    expect(await result().textContent()).toMatch(/\bforgotten\b/);
    await result().getByText(LETTERHEAD).first().click();
    await result().getByLabel(LETTERHEAD_LABELS.client).first().fill('Kept Ltd, Leeds');
    expect(await bench.page.evaluate('JSON.stringify(localStorage)')).not.toContain('Leeds');
  });

  it('is paid for once where tabs know nothing of each other, and the page says so', async () => {
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
      await other.goto(`${bench.url}/late-fee-reminder`);
      await bench.writeReminder('Blind Ltd', other);
      await other.getByRole('button', { name: new RegExp(SEE_PRICE) }).click();
      await other.getByRole('button', { name: 'Pay 0.01' }).click();
      await expect.poll(() => signatures(held)).toBe(1);
      await press('Pay 0.01 USDC');
      await shows(/\bcharged twice\b/);
      // The other wallet signs now: a payment is under way, and what it signs is dropped for that one.
      held.answerHeld();
      await other.getByText('Hello Blind Ltd,').first().waitFor();
      await bench.page.unroute('**/v1/**');
      // The page asks again after a pause that grows with each reply that was lost.
      await bench.page.clock.fastForward(30_000);
      await isBought('Your reminder');
    });
    expect(spent).toBe(10_000n);
    expect(signatures(wallet)).toBe(1);
    expect(new Set([...sentByOther, ...sent.map((headers) => headers['payment-signature'])]).size).toBe(1);
  });
});
