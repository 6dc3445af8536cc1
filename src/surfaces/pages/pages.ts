import type { PublishedPages } from '../discovery/published.ts';
import { serveDocument, serveDocuments, type Warmed } from '../http/documents.ts';
import type { Router } from '../http/router.ts';
import { assetDocuments, mountOlderIslands } from './assets.ts';
import { isCalculator } from './calculator.ts';
import { type CalculatorParts, mountCalculators } from './calculators.ts';
import { markdownPath } from './content.ts';
import { mountFaults } from './fault-routes.ts';
import { mountFinder } from './finder-pages.tsx';
import { pageMarkdown } from './markdown.ts';
import { mountOtherNames } from './other-names.ts';
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
  // There are hundreds, and few are requested between two releases, so each is built at its first request.
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
