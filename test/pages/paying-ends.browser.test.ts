import { describe, expect, it } from 'vitest';
import { KEEP_PURCHASE } from '../../src/surfaces/pages/form-texts.ts';
import { injectWallet } from './browser-wallet.ts';
import { ASK, executablePath, payingBench } from './paying-bench.ts';

const GIVEN_UP = /We do not know yet whether your payment went through\. Do not pay again/;

describe.skipIf(executablePath === undefined)('the result of a payment on a page', () => {
  const bench = payingBench();
  const { result, panel, press, shows, isBought, barriers, spentIn, askForReminder, loseReplies } = bench;

  it('is awaited for as long as the service says while the result is unknown or payments cannot be taken', async () => {
    await injectWallet(bench.page, { key: bench.buyer.privateKey });
    const replies = [
      { status: 409, code: 'waiting' },
      { status: 503, code: 'settlement_unavailable' },
    ];
    const times: number[] = [];
    await bench.page.route('**/v1/**', async (route) => {
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
      await press('Pay 0.01 USDC');
      await isBought('Your reminder');
    });
    expect(spent).toBe(10_000n);
    expect(times).toHaveLength(3);
    for (const later of [1, 2]) {
      const pause = (times[later] ?? 0) - (times[later - 1] ?? 0);
      expect(pause).toBeGreaterThanOrEqual(900);
    }
  });

  it('is awaited, also after a reload, without another signature, and the page warns before it is left', async () => {
    const wallet = await injectWallet(bench.page, { key: bench.buyer.privateKey });
    const warnings: string[] = [];
    bench.page.on('dialog', (dialog) => {
      warnings.push(dialog.type());
      void dialog.accept();
    });
    const sent = await loseReplies(1_000);
    const spent = await spentIn(async () => {
      await askForReminder('Reloaded Ltd');
      await press('Pay 0.01 USDC');
      await shows(/\bcharged twice\b/);
      await bench.page.unroute('**/v1/**');
      await bench.page.reload();
      await isBought('Your reminder');
    });
    expect(warnings).toEqual(['beforeunload']);
    expect(sent.length).toBeGreaterThanOrEqual(1);
    expect(spent).toBe(10_000n);
    await expect.poll(() => result().textContent()).toContain('Hello Reloaded Ltd,');
    expect(wallet.asked.filter((method) => method === 'eth_signTypedData_v4')).toHaveLength(1);
    // Another reload shows the purchase without any request.
    const requests: string[] = [];
    bench.page.on('request', (request) => requests.push(request.url()));
    await bench.page.reload();
    await isBought('Your reminder');
    await expect.poll(() => panel().isVisible()).toBe(false);
    expect(requests.filter((requested) => requested.includes('/v1/'))).toEqual([]);
    // A deleted answer is not shown again.
    await press('Delete this document');
    await press('Delete it');
    expect(await barriers()).toEqual([]);
    await bench.page.reload();
    await expect.poll(() => result().textContent()).not.toContain('Hello');
  });

  it('never causes a second payment by itself, even if the browser stores nothing', async () => {
    const wallet = await injectWallet(bench.page, { key: bench.buyer.privateKey });
    await bench.page.addInitScript('Storage.prototype.setItem = () => { throw new Error("full") }');
    await bench.page.clock.install();
    const sent = await loseReplies(1_000);
    const spent = await spentIn(async () => {
      await askForReminder('Unknown Ltd');
      await press('Pay 0.01 USDC');
      await shows(/\bcharged twice\b/);
      // Two minutes to pay, and five more, with the first step of runAhead.
      await bench.page.clock.fastForward(391_000);
      await bench.runAhead(panel().getByText(GIVEN_UP));
      await press('Close');
      await bench.page.fill('#f-client_name', 'Other Ltd');
      // A new request from the form also continues the same payment.
      await press(ASK);
      await shows(/\bcharged twice\b/);
      await bench.runAhead(panel().getByText(GIVEN_UP));
      await bench.page.unroute('**/v1/**');
      await press('Ask again');
      await isBought('Your reminder');
    });
    expect(spent).toBe(10_000n);
    expect(new Set(sent.map((headers) => headers['payment-signature'])).size).toBe(1);
    expect(wallet.asked.filter((method) => method === 'eth_signTypedData_v4')).toHaveLength(1);
  });

  it('is shown as possibly paid if the service remembers nothing, and a new payment is made only on request', async () => {
    await injectWallet(bench.page, { key: bench.buyer.privateKey });
    const sent: string[] = [];
    await bench.page.route('**/v1/**', async (route) => {
      const payment = route.request().headers()['payment-signature'];
      if (payment === undefined) return route.continue();
      sent.push(payment);
      if (sent.length === 1) {
        await route.fetch();
        return route.abort();
      }
      // This is the reply after a restart without memory, if the signature has expired.
      const body = JSON.stringify({
        code: 'payment_required',
        charged: false,
        error: 'invalid_exact_evm_payload_authorization_valid_before',
      });
      return route.fulfill({ status: 402, body });
    });
    const spent = await spentIn(async () => {
      await askForReminder('Forgotten Ltd');
      await press('Pay 0.01 USDC');
      await shows(/\bpay twice\b/);
      const text = await panel().textContent();
      expect(text).toMatch(/\bmay have gone through\b/);
      expect(text).toMatch(/\bpay twice\b/);
      expect(text).not.toContain('Nothing was charged');
      const header = JSON.parse(Buffer.from(sent[0] ?? '', 'base64').toString());
      const { from, nonce } = header.payload.authorization;
      expect(text).toContain(`Amount: 0.01 USDC. From: ${from}. Payment number (nonce): ${nonce}.`);
      expect(text).toContain('reminder to Forgotten Ltd');
      expect(await barriers()).toEqual([]);
      // A reload keeps the payment while its result is unknown.
      await bench.page.reload();
      await shows(/\bpay twice\b/);
      await bench.page.unroute('**/v1/**');
      await press('Ask again');
      await isBought('Your reminder');
    });
    expect(new Set(sent).size).toBe(1);
    expect(spent).toBe(10_000n);
  });

  it('can be followed, if it is in doubt, by a new payment with another signature for the current form', async () => {
    await injectWallet(bench.page, { key: bench.buyer.privateKey });
    const used = { code: 'payment_required', charged: false, error: 'invalid_exact_evm_nonce_already_used' };
    const sent: string[] = [];
    await bench.page.route('**/v1/**', (route) => {
      const payment = route.request().headers()['payment-signature'];
      if (payment !== undefined) sent.push(payment);
      return sent.length === 1 && payment !== undefined
        ? route.fulfill({ status: 402, body: JSON.stringify(used) })
        : route.continue();
    });
    await askForReminder('Doubtful Ltd');
    await press('Pay 0.01 USDC');
    await shows(/\bmost likely\b/);
    await press(/^Pay again\b/);
    await shows('Your document is ready to buy');
    await press('Pay 0.01 USDC');
    await isBought('Your reminder');
    expect(new Set(sent).size).toBe(2);
  });

  it('is not stored on the device if the buyer declines storage, and the page warns before it closes', async () => {
    await injectWallet(bench.page, { key: bench.buyer.privateKey });
    await askForReminder('Passing Ltd');
    await panel().getByRole('checkbox', { name: KEEP_PURCHASE }).uncheck();
    await press('Pay 0.01 USDC');
    await isBought('Your reminder');
    await expect.poll(() => result().textContent()).toMatch(/\bforgets\b/);
    await bench.page.locator('.late-letter .chip > summary', { hasText: 'More' }).click();
    await bench.page.fill('#f-paper-client', 'Passing Road, Leeds');
    await expect.poll(() => bench.page.evaluate('JSON.stringify(localStorage)')).not.toContain('Passing');
    // If storing is switched on again and a link is pasted into the address, the payment stays, and the browser asks
    // before leaving.
    const asked: string[] = [];
    bench.page.on('dialog', async (dialog) => {
      asked.push(dialog.type());
      await (asked.length === 1 ? dialog.dismiss() : dialog.accept());
    });
    await press(ASK);
    await panel().getByRole('checkbox', { name: KEEP_PURCHASE }).check();
    await bench.page.evaluate("location.hash = 'amount=99&client_name=Newer+Ltd'");
    await bench.page.evaluate('setTimeout(() => location.reload())');
    await expect.poll(() => asked).toEqual(['beforeunload']);
    await expect.poll(() => result().textContent()).toContain('reminder to Passing Ltd');
    await bench.page.reload();
    expect(asked).toEqual(['beforeunload', 'beforeunload']);
    await expect.poll(() => result().textContent()).not.toContain('Passing');
    await bench.page.reload();
    expect(asked.length).toBe(2);
  });
});
