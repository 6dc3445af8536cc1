import { readdirSync, readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Browser, Page } from '../../tools/browser/index.ts';
import { executablePath, launched } from '../support/pages-under-test.ts';

const FOLDER = 'surfaces/pages/assets';
const FILES = readdirSync('src/surfaces/pages/assets').filter((file) => file.endsWith('.css'));

describe.skipIf(executablePath === undefined)('the style sheets of the build', () => {
  let browser: Browser;
  let page: Page;
  beforeAll(async () => {
    browser = await launched();
    page = await browser.newPage();
  });
  afterAll(() => browser?.close());

  it.each(FILES)('are smaller, and a browser reads the same rules from them: %s', async (file) => {
    const [written, built] = ['src', 'dist'].map((root) => readFileSync(`${root}/${FOLDER}/${file}`, 'utf8'));
    const rules = (css = '') =>
      page.evaluate<readonly string[]>(`(() => {
        const sheet = new CSSStyleSheet();
        sheet.replaceSync(${JSON.stringify(css)});
        return [...sheet.cssRules].map(({ cssText }) => cssText);
      })()`);
    const read = await rules(written);
    expect(read.length).toBeGreaterThan(2);
    // The values of variables and feature queries are compared without spaces, which do not matter.
    const alike = (all: readonly string[]) => all.map((one) => one.replaceAll(/([,:])\s+/g, '$1'));
    expect(alike(await rules(built))).toEqual(alike(read));
    expect(built?.length).toBeLessThan(0.9 * (written?.length ?? 0));
  });
});
