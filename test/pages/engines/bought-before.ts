import { type Tab, until } from './engine.ts';

const AGED = `for (const key of Object.keys(localStorage).filter((one) => one.startsWith('paid.answer'))) {
  const answer = JSON.parse(localStorage[key]);
  localStorage[key] = JSON.stringify({ ...answer, boughtMs: answer.boughtMs - 3_600_000 });
}`;

/**
 * Returns the printout of a tab an hour later. A page without text contains no fonts, so its printout is much smaller
 * than the printout of the same document at the time of purchase.
 */
export async function printedLater(tab: Tab): Promise<Buffer> {
  await tab.run(AGED);
  await tab.reload();
  await until('its document', () =>
    tab.run(`return document.querySelector('#result .sheet.letter') !== null`),
  );
  return tab.pdf();
}
