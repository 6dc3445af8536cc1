import { describe, expect, it } from 'vitest';
import { closeContext } from '../support/pages-under-test.ts';
import { injectWallet } from './browser-wallet.ts';
import { ASK, executablePath, payingBench, poor, signatures } from './paying-bench.ts';

describe.skipIf(executablePath === undefined)('the payment sheet of a page', () => {
  const bench = payingBench();
  const { result, panel, press, shows, isBought, barriers, spentIn, askForReminder, loseReplies } = bench;

  it('buys a reminder letter for a cent, and shows every name as text', async () => {
    const wallet = await injectWallet(bench.page, { key: bench.buyer.privateKey });
    const spent = await spentIn(async () => {
      await askForReminder('<img src=x onerror=alert(1)>');
      await expect.poll(() => panel().textContent()).toMatch(/\$0\.01\b.*\bBase\b.* 0x/);
      expect(wallet.asked).toEqual([]);
      expect(await barriers()).toEqual([]);
      await press('Pay 0.01 USDC');
      await isBought('Your reminder');
    });
    await expect.poll(() => bench.page.locator(':focus').textContent()).toBe('Your reminder');
    expect(spent).toBe(10_000n);
    expect(wallet.asked).toEqual(['eth_requestAccounts', 'eth_chainId', 'eth_call', 'eth_signTypedData_v4']);
    const text = await result().textContent();
    expect(text).toContain('Hello <img src=x onerror=alert(1)>,');
    expect(text).toContain('1250.00 x 1.5% x 17 / 30 = 10.63');
    expect(text).toMatch(/\$0\.01 in USDC on Base\. Transaction 0x[0-9a-f]{64}/);
    const receipt = result().getByRole('link', { name: /^0x/ });
    await expect
      .poll(() => receipt.getAttribute('href'))
      .toBe(`https://basescan.org/tx/${await receipt.textContent()}`);
    await expect.poll(() => receipt.getAttribute('rel')).toBe('noopener noreferrer nofollow');
    await expect.poll(() => result().locator('img').count()).toBe(0);
    const mail = await result()
      .getByRole('link', { name: /^Email/ })
      .getAttribute('href');
    expect(mail).toMatch(/^mailto:\?subject=Our%20invoice%20was%20due.*&body=Hello%20%3Cimg.*%0D%0A%0D%0A/);
    await expect.poll(() => result().getByRole('button', { name: 'Copy the letter' }).count()).toBe(1);
    await expect.poll(() => panel().isVisible()).toBe(false);
    expect(await barriers()).toEqual([]);
  });

  it("does not ask any wallet on a play-money service if the page's own wallet did not load", async () => {
    const asked = await bench.openWithPlayMoney();
    await bench.page.route('**/islands/play-money*', (route) => route.abort());
    await askForReminder('Careful Ltd');
    await press('Pay 0.01 USDC');
    await shows(/\bonly play money\b/);
    expect(asked()).toEqual([]);
  });

  it('shows an error at its field, moves the focus there, and does not ask a wallet', async () => {
    const wallet = await injectWallet(bench.page, { key: bench.buyer.privateKey });
    await bench.page.goto(`${bench.url}/late-invoice`);
    await bench.page.locator('#form[novalidate]').waitFor();
    await bench.page.fill('#f-due_date', '2026-11-04');
    await bench.page.locator('.chip > summary', { hasText: 'Up to' }).click();
    await bench.page.fill('#f-paid_date', '2026-11-01');
    await press(ASK);
    await bench.page.locator('#faults a').first().waitFor();
    await expect.poll(() => bench.page.locator('#f-amount-fault').textContent()).toContain('is required');
    await expect
      .poll(() => bench.page.locator('#f-due_date-fault').textContent())
      .toContain('the invoice is not overdue');
    await expect.poll(() => bench.page.locator('#faults li').count()).toBe(2);
    await expect.poll(() => bench.page.evaluate('document.activeElement.id')).toBe('f-amount');
    expect(wallet.asked).toEqual([]);
    await bench.page.fill('#f-amount', '1250');
    await bench.page.fill('#f-paid_date', '2026-11-21');
    await press(ASK);
    await shows('Your document is ready to buy');
    await expect.poll(() => bench.page.locator('#faults li').count()).toBe(0);
  });

  it('charges nothing if the wallet declines, and can be tried again', async () => {
    const wallet = await injectWallet(bench.page, {
      key: bench.buyer.privateKey,
      refuses: { eth_signTypedData_v4: 4001 },
    });
    const spent = await spentIn(async () => {
      await askForReminder('Declined Ltd');
      await press('Pay 0.01 USDC');
      await shows(/\bdeclined\b.*\bcharged\b/);
      expect(await barriers()).toEqual([]);
      await press('Try again');
      await expect.poll(() => signatures(wallet.asked)).toBe(2);
      await shows(/\bdeclined\b.*\bcharged\b/);
    });
    expect(spent).toBe(0n);
    await expect.poll(() => result().textContent()).not.toContain('Hello');
  });

  it('asks a wallet to switch networks, and offers to add an unknown network', async () => {
    const elsewhere = await injectWallet(bench.page, { key: bench.buyer.privateKey, chainId: '0x1' });
    await askForReminder('Elsewhere Ltd');
    await press('Pay 0.01 USDC');
    await isBought('Your reminder');
    expect(elsewhere.asked).toContain('wallet_switchEthereumChain');
    expect(elsewhere.added).toEqual([]);

    await closeContext(bench.page.context());
    bench.page = await bench.newPage();
    const wallet = await injectWallet(bench.page, {
      key: bench.buyer.privateKey,
      chainId: '0x1',
      knows: ['0x1'],
    });
    await askForReminder('Nowhere Ltd');
    await press('Pay 0.01 USDC');
    await isBought('Your reminder');
    expect(wallet.added).toEqual([
      {
        chainId: '0x2105',
        chainName: 'Base',
        nativeCurrency: { name: 'Ether', symbol: 'ETH', decimals: 18 },
        rpcUrls: ['https://mainnet.base.org'],
        blockExplorerUrls: ['https://basescan.org'],
      },
    ]);
  });

  it('says so if the wallet cannot add a network', async () => {
    await injectWallet(bench.page, {
      key: bench.buyer.privateKey,
      chainId: '0x1',
      knows: ['0x1'],
      refuses: { wallet_addEthereumChain: 4902 },
    });
    await askForReminder('Nowhere Ltd');
    await press('Pay 0.01 USDC');
    await shows(/\bBase \(chain 8453\)/);
    expect(await barriers()).toEqual([]);
  });

  it('shows the balance and the amount in the notation of the wallet before it asks for a signature', async () => {
    await injectWallet(bench.page, {
      key: bench.buyer.privateKey,
      usdc: 12_345_678n,
      holds: ['eth_signTypedData_v4'],
    });
    await askForReminder('Careful Ltd');
    await expect.poll(() => panel().textContent()).toContain('10000 = 0.01 USDC');
    await press('Pay 0.01 USDC');
    await shows(new RegExp(`${bench.buyer.address}.* 12\\.345678 USDC`));
    await shows(/\b10000 = 0\.01 USDC\b.* 0x[0-9a-fA-F]{40}\.$/);
    expect(await barriers()).toEqual([]);
  });

  it('does not ask for a signature if the balance is too low', async () => {
    const wallet = await injectWallet(bench.page, { key: poor.privateKey, usdc: 5_000n });
    await askForReminder('Nearly Ltd');
    await press('Pay 0.01 USDC');
    await shows(new RegExp(`${poor.address}.* 0\\.005 USDC.* 0\\.01 USDC`));
    expect(wallet.asked).not.toContain('eth_signTypedData_v4');
    expect(await barriers()).toEqual([]);
  });

  it('lets the buyer choose among several wallets', async () => {
    const first = await injectWallet(bench.page, { key: bench.buyer.privateKey, name: 'First' });
    const second = await injectWallet(bench.page, { key: bench.buyer.privateKey, name: 'Second <b>' });
    await askForReminder('Choosy Ltd');
    await press('Pay 0.01 USDC');
    await shows(/\bWhich wallet\b/);
    expect(await barriers()).toEqual([]);
    await press('Second <b>');
    await isBought('Your reminder');
    expect(first.asked).toEqual([]);
    expect(second.asked).toContain('eth_signTypedData_v4');
  });

  it('says so if there is no wallet, and offers the late fee as text', async () => {
    await bench.page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    await askForReminder('Walletless Ltd');
    await press('Pay 0.01 USDC');
    await shows('No wallet found');
    await shows(/Nothing was charged/);
    expect(await barriers()).toEqual([]);
    await press('Copy the late fee as text (free)');
    await shows('Copied');
    await expect.poll(() => bench.page.evaluate('navigator.clipboard.readText()')).toMatch(/late fee/i);
  });

  it('leads a person without a wallet from the plan to the free tools', async () => {
    await bench.page.goto(`${bench.url}/plan`);
    await bench.page.fill('#f-trade', 'Florist');
    await press('Make my plan');
    await press('Pay 1.00 USDC');
    await shows('No wallet found');
    await press('See the free tools');
    await bench.page.waitForURL(`${bench.url}/tools`);
  });

  it('says if the wallet has too little money, and a new attempt is the same purchase with another signature', async () => {
    await injectWallet(bench.page, { key: poor.privateKey, usdc: null });
    const sent = await loseReplies(0);
    await askForReminder('Poor Ltd');
    await press('Pay 0.01 USDC');
    await shows(/\benough USDC\b.*\bcharged\b/);
    await press('Try again');
    await press('Pay 0.01 USDC');
    await expect.poll(() => sent.length).toBe(2);
    await shows(/\benough USDC\b.*\bcharged\b/);
    expect(sent[0]?.['idempotency-key']).toMatch(/^page_[0-9a-f]{32}$/);
    expect(sent[1]?.['idempotency-key']).toBe(sent[0]?.['idempotency-key']);
    expect(sent[1]?.['payment-signature']).not.toBe(sent[0]?.['payment-signature']);
  });

  it("uses the clock of the service if the buyer's clock is wrong", async () => {
    await injectWallet(bench.page, { key: bench.buyer.privateKey });
    await bench.page.clock.install({ time: Date.now() - 3_600_000 });
    await askForReminder('Slow Clock Ltd');
    await press('Pay 0.01 USDC');
    await isBought('Your reminder');
  });
});
