import type { Page } from '../../tools/browser/index.ts';
import { pagesUnderTest } from '../support/pages-under-test.ts';

/** The calculator pages at desktop width; `current` is the page that a test has open. */
export function calculatorPages(current: () => Page) {
  const pages = pagesUnderTest({ viewport: { width: 1000, height: 900 } });
  return {
    pages,
    open: (options?: Parameters<typeof pages.open>[0]): Promise<Page> => pages.open(options),
    visit: (path: string) => current().goto(`${pages.url}${path}`),
  };
}
