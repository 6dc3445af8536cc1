import { describe, expect, it } from 'vitest';
import { executablePath, payingBench } from './paying-bench.ts';

describe.skipIf(executablePath === undefined)('printing one of several bought letters', () => {
  const bench = payingBench();
  const { press, result } = bench;

  it('prints only the visible letter, under its own title', async () => {
    await bench.openWithPlayMoney();
    for (const client of ['Alpha', 'Beta']) {
      await bench.askForReminder(`${client} Ltd`);
      await press('Pay 0.01 USDC');
      await result().getByText(`Hello ${client} Ltd,`).first().waitFor();
    }
    await bench.page.evaluate(`window.print = () => { window.printed = document.title; }`);
    await bench.page.emulateMedia({ media: 'print' });
    const printed = async () => {
      // Elements that are hidden in print are clicked by the program.
      await bench.page.evaluate(`[...document.querySelectorAll('#result button')]
        .find((one) => one.textContent.startsWith('Print')).click()`);
      return bench.page.evaluate(`({
        title: window.printed,
        seen: [...document.querySelectorAll('.sheet')]
          .filter((sheet) => sheet.checkVisibility())
          .map((sheet) => /Hello (\\w+)/.exec(sheet.textContent)[1]),
      })`);
    };
    expect(await printed()).toEqual({ title: expect.stringContaining('Beta Ltd'), seen: ['Beta'] });
    await bench.page.evaluate(`document.querySelector('#result .letters li button').click()`);
    await result().getByText('Hello Alpha Ltd,').first().waitFor();
    expect(await printed()).toEqual({ title: expect.stringContaining('Alpha Ltd'), seen: ['Alpha'] });
  });
});
