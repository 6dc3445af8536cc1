import { beforeEach, describe, expect, it } from 'vitest';
import { SheetView } from '../../src/surfaces/pages/documents/sheet-view.tsx';
import { LETTERHEAD_LABELS } from '../../src/surfaces/pages/form-texts.ts';
import { htmlOf } from '../../src/surfaces/pages/markup.ts';
import type { Page } from '../../tools/browser/index.ts';
import { barriersOf, executablePath, pagesUnderTest } from '../support/pages-under-test.ts';

// "Garden (large)!" and "Flowers Ltd. (2019)!" as they are written in Israel.
const WHAT = 'גינה (גדולה)!';
const CLIENT = 'פרחים בע״מ (2019)!';
const QUOTE = `/quote#${new URLSearchParams({
  'items.description': WHAT,
  'items.unit_price': '450',
  'paper.client': `${CLIENT}\n4 Park Row`,
  'paper.business': 'ورود (دبي)!',
  'paper.number': 'ק-118!',
})}`;

/** Returns the positions of the first and the last letter of a text, from the left. */
const ENDS = `(element) => {
  const texts = [];
  const walker = document.createTreeWalker(element, NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) texts.push(walker.currentNode);
  const text = texts.find(({ data }) => /\\p{Script=Hebrew}|\\p{Script=Arabic}/u.test(data));
  const at = (index) => {
    const range = document.createRange();
    range.setStart(text, index);
    range.setEnd(text, index + 1);
    return Math.round(range.getBoundingClientRect().left);
  };
  return [at(0), at(text.data.trimEnd().length - 1)];
}`;

describe.skipIf(executablePath === undefined)('names written from right to left', () => {
  const pages = pagesUnderTest({ viewport: { width: 1280, height: 900 }, locale: 'en-GB' });
  let page: Page;

  beforeEach(async () => {
    page = await pages.open();
    await page.goto(pages.url + QUOTE);
    await page.getByText('How each figure was reached').click();
    await page.getByRole('button', { name: 'Send' }).click();
    await page.locator('.sheet').waitFor();
  });

  it('end on the left, together with their last characters', async () => {
    for (const place of [
      ...['.sheet .to', '.sheet .business', '.sheet .what dd'],
      ...['.sheet tbody th', '.steps tbody th'],
    ]) {
      const [first, last] = await page.evaluate<[number, number]>(
        `(${ENDS})(document.querySelector('${place}'))`,
      );
      expect(last, place).toBeLessThan(first);
    }
  });

  it('are in the same place as other names, and form fields follow the direction of their text', async () => {
    const left = async (place: string) => (await page.locator(place).first().boundingBox())?.x;
    expect(await left('.sheet .to bdi >> nth=0')).toBe(await left('.sheet .to bdi >> nth=1'));
    expect(await left('.sheet tbody th bdi')).toBe(await left('.sheet thead th bdi'));
    const isFromRight = (label: string) =>
      page
        .getByLabel(label)
        .first()
        .evaluate((input) => input.matches(':dir(rtl)'));
    await expect.poll(() => isFromRight('Item, line 1')).toBe(true);
    await expect.poll(() => isFromRight('Item, line 2')).toBe(false);
    await expect.poll(() => isFromRight(LETTERHEAD_LABELS.client)).toBe(true);
    expect(await barriersOf(page)).toEqual([]);
  });

  it('end on the left inside the sentences of a letter, before the comma', async () => {
    const sheet = {
      kind: 'letter',
      title: null,
      business: '',
      contact: [],
      client: [],
      facts: [],
      names: [CLIENT],
      parts: [{ lines: [`Hello ${CLIENT}, all is well`] }],
    } as const;
    await page.goto('about:blank');
    await page.setContent(`<div id="line">${htmlOf(SheetView({ sheet }))}</div>`);
    const at = async (sought: string): Promise<number> =>
      (await page.evaluate(`(() => {
        const walker = document.createTreeWalker(document.querySelector('.lines'), NodeFilter.SHOW_TEXT);
        while (walker.nextNode()) {
          const index = walker.currentNode.data.indexOf(${JSON.stringify(sought)});
          if (index < 0) continue;
          const range = document.createRange();
          range.setStart(walker.currentNode, index);
          range.setEnd(walker.currentNode, index + 1);
          return range.getBoundingClientRect().left;
        }
      })()`)) as number;
    // From the left: Hello, the punctuation at the end of the name, its first letter, the comma.
    const places = [await at('Hello'), await at('!'), await at('פ'), await at(', all')];
    expect(places).toEqual(places.toSorted((one, other) => one - other));
  });

  it('are isolated in the title of a document that was sent', async () => {
    // The test starts from another page, so that the page is loaded again and not only its address changes.
    await page.goto('about:blank');
    await page.goto(`${pages.url}${QUOTE}&paper.issued_on=2026-11-21`);
    await page.getByText('Valid until December 21, 2026').waitFor();
    await expect.poll(() => page.locator('h1').textContent()).toBe('Quote ק-118! from ورود (دبي)!');
    await expect.poll(() => page.locator('h1 bdi').textContent()).toBe('ورود (دبي)!');
  });

  it('are isolated in the line that names the purchase', async () => {
    await page.goto(`${pages.url}/late-invoice`);
    await page.locator('#form[novalidate]').waitFor();
    await page.fill('#f-amount', '1250');
    await page.fill('#f-due_date', '2026-10-04');
    await page.fill('#f-client_name', CLIENT);
    await page.getByRole('button', { name: /^Get the letter/ }).click();
    await page.locator('#pay p', { hasText: CLIENT }).first().waitFor({ state: 'attached' });
    // The browser logs the 402 with the price as an error.
    await expect.poll(() => pages.complaints).toEqual([expect.stringContaining('402')]);
    await expect.poll(() => page.locator('#pay').textContent()).toMatch(/reminder to \u2068.+\u2069, £/);
    pages.complaints.length = 0;
  });
});
