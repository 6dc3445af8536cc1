import { describe, expect, it } from 'vitest';
import { executablePath, payingBench } from './paying-bench.ts';

/** Whether a document is seen, by the client whom it greets. */
const SEEN = `[...document.querySelectorAll('.sheet')]
  .filter((sheet) => sheet.checkVisibility())
  .map((sheet) => /Hello (\\w+)/.exec(sheet.textContent)[1])`;

describe.skipIf(executablePath === undefined)('what is printed of several documents', () => {
  const bench = payingBench();
  const { press, result } = bench;

  /** Letters bought for these clients; `agedMs` ago, as the page sees it when it is loaded anew. */
  const bought = async (clients: readonly string[], agedMs: number) => {
    await bench.openWithPlayMoney();
    for (const client of clients) {
      await bench.askForReminder(`${client} Ltd`);
      await press('Pay 0.01 USDC');
      await result().getByText(`Hello ${client} Ltd,`).first().waitFor();
    }
    await bench.page.evaluate(`(() => {
      for (const key of Object.keys(localStorage).filter((one) => one.startsWith('paid.answer'))) {
        const answer = JSON.parse(localStorage[key]);
        localStorage[key] = JSON.stringify({ ...answer, boughtMs: answer.boughtMs - ${agedMs} });
      }
      window.print = () => {};
    })()`);
    if (agedMs > 0) await bench.page.reload();
    await result()
      .locator('summary', { hasText: clients[0] ?? '' })
      .waitFor();
    await bench.page.evaluate(`window.print = () => {
      window.printed = { title: document.title, seen: ${SEEN} };
      dispatchEvent(new Event('afterprint'));
    }`);
    await bench.page.emulateMedia({ media: 'print' });
  };
  const unfold = (client: string) =>
    bench.page.evaluate(`[...document.querySelectorAll('#result > .bought-rest > details')]
      .find((one) => one.textContent.includes('${client}')).querySelector('summary').click()`);
  const seen = () => bench.page.evaluate(SEEN);
  /** Presses the button of the document that greets this client. */
  const printed = (client: string) =>
    bench.page.evaluate(`(() => {
      const paper = [...document.querySelectorAll('.paperwork')].find((one) => one.textContent.includes('Hello ${client}'));
      [...paper.querySelectorAll('button')].find((one) => one.textContent.startsWith('Print')).click();
      return window.printed;
    })()`);

  it('is the one whose button was pressed', async () => {
    await bought(['Alpha', 'Beta'], 0);
    await unfold('Alpha');
    await expect.poll(() => bench.page.locator('.sheet').count()).toBe(2);
    // By the browser's own means: the one in front.
    expect(await seen()).toEqual(['Beta']);
    expect(await printed('Alpha')).toEqual({ title: 'Reminder Alpha Ltd', seen: ['Alpha'] });
    expect(await printed('Beta')).toEqual({ title: 'Reminder Beta Ltd', seen: ['Beta'] });
    expect(await seen()).toEqual(['Beta']);
  });

  it('is the one that was opened where none is in front', async () => {
    await bought(['Alpha', 'Beta'], 3_600_000);
    expect(await seen()).toEqual([]);
    await unfold('Alpha');
    await expect.poll(seen).toEqual(['Alpha']);
    expect(await printed('Alpha')).toEqual({ title: 'Reminder Alpha Ltd', seen: ['Alpha'] });
    await unfold('Beta');
    await expect.poll(async () => ((await seen()) as string[]).toSorted()).toEqual(['Alpha', 'Beta']);
    expect(await printed('Alpha')).toEqual({ title: 'Reminder Alpha Ltd', seen: ['Alpha'] });
  });
});
