import { stepQuery } from '../../catalog/operation.ts';
import type { PageName } from '../../operations/answers.ts';
import { serveDocument, serveDocuments, type Warmed } from '../http/documents.ts';
import { movedTo, type Router } from '../http/router.ts';
import type { PublishedPages, Site } from '../site.ts';
import { assetDocuments, mountOlderIslands } from './assets.ts';
import { isCalculator } from './calculator.tsx';
import { type CalculatorParts, mountCalculators } from './calculators.ts';
import { markdownPath } from './content.ts';
import { mountFaults } from './fault-pages.ts';
import { mountFinder } from './finder-pages.tsx';
import { pageMarkdown } from './markdown.ts';
import { type OwnPage, ownPages, problemPages } from './own-pages.ts';
import { pageDocuments } from './page-documents.ts';
import { onThisDevice } from './pay/on-this-device.tsx';
import { codeDocuments } from './pay/paying.tsx';

/** Mounts the pages for people with their scripts and styles, and returns the mounted pages. */
export function mountPages(
  router: Router,
  parts: CalculatorParts,
): Warmed & { readonly pages: PublishedPages } {
  const { site } = parts;
  const { baseUrl } = site;
  mountCalculators(router, parts);
  mountFinder(router, parts);
  mountFaults(router, site);
  const { main, directory } = ownPages(site);
  const { warm } = serveDocuments(router, baseUrl, [
    ...[...main, ...problemPages].flatMap((page) => pageDocuments(page, site)),
    // Not listed, because search engines would see an empty page.
    ...pageDocuments(onThisDevice(site), site),
    ...assetDocuments(),
    ...codeDocuments(site.operations.filter(isCalculator), site),
  ]);
  mountOlderIslands(router);
  mountOtherNames(router, site);
  // There are hundreds of pages, and few are requested between two releases, so each is built at its first request.
  for (const page of directory)
    for (const document of pageDocuments(page, site)) serveDocument(router, baseUrl, document);
  const published = ({ path, changedOn, page }: OwnPage) => ({
    path,
    changedOn,
    twin: {
      path: markdownPath(path),
      page,
      markdown: () => pageMarkdown(page(), baseUrl),
    },
  });
  return { warm, pages: { main: main.map(published), directory } };
}

/** Other names that people use for a page. */
const OTHER_NAMES: Readonly<Record<string, PageName>> = {
  '/late-fee': 'late_fee',
  '/late-fee-calculator': 'late_fee',
  '/quote-calculator': 'quote_totals',
  '/late-fee-reminder': 'late_fee_notice',
  '/late-fee-notice': 'late_fee_notice',
  '/late-fee-letter': 'late_fee_notice',
  '/quote-pack': 'quote_pack',
  '/stack-report': 'small_business_stack_report',
};
const OTHER_PAGES: Readonly<Record<string, string>> = {
  '/prices': '/#prices',
  '/pricing': '/#prices',
  '/privacy': '/legal#privacy',
  '/terms': '/legal#terms',
  '/security': '/legal#security',
  '/api': '/developers',
  '/docs/reference': '/docs',
};

/** Redirects other names permanently to their page, with the query or the body, which may be a filled form. */
function mountOtherNames(router: Router, { operations }: Site): void {
  // With 308, a form sent by an older page is forwarded unchanged.
  const move = (from: string, to: string, step?: string): void => {
    const moved = movedTo(to, {}, 308);
    // Not stored after the #, which would replace the fragment of the visitor's link.
    router.on(['GET', 'POST'], from, (requested, segment) => {
      const query = [step && stepQuery(step), requested.query].filter(Boolean).join('&');
      return moved({ ...requested, query }, segment);
    });
  };
  for (const [from, name] of Object.entries(OTHER_NAMES)) {
    const page = operations.find((operation) => operation.name === name)?.page;
    if (page) move(from, page.path, page.step);
  }
  for (const [from, to] of Object.entries(OTHER_PAGES)) move(from, to);
}
