import { describe, expect, it } from 'vitest';
import type { Page } from '../../tools/browser/index.ts';
import { executablePath, pagesUnderTest } from '../support/pages-under-test.ts';

const PHONE = { width: 360, height: 740 };

describe.skipIf(executablePath === undefined)('the lines of a form', () => {
  const pages = pagesUnderTest({ viewport: { width: 1280, height: 900 }, locale: 'en-GB' });
  let page: Page;

  const open = async (path: string, options?: Parameters<typeof pages.open>[0]) => {
    page = await pages.open(options);
    await page.goto(`${pages.url}${path}`);
  };

  it.each([PHONE, { width: 1280, height: 900 }])(
    'leave room for the description of a line at %o',
    async (viewport) => {
      for (const path of ['/quote', '/quote#step=options&items.unit_price=5&better_adds=x']) {
        await open(path, { viewport });
        const what = await page.getByLabel('What, line 1').boundingBox();
        const quantity = await page.getByLabel('Quantity, line 1').boundingBox();
        expect(what?.width, path).toBeGreaterThan(2 * (quantity?.width ?? Number.POSITIVE_INFINITY));
      }
    },
  );
});
