import { SITE_NAME } from '../site.ts';

/** A page on the way to another. */
export type Crumb = { readonly name: string; readonly path: string };

/** Nodes of schema.org as one document. */
export const graph = (...nodes: readonly object[]): object => ({
  '@context': 'https://schema.org',
  '@graph': nodes,
});

/** Pages as the entries of a list; `address` is what schema.org calls their address there. */
const listItems = (baseUrl: string, pages: readonly Crumb[], address: 'item' | 'url') =>
  pages.map(({ name, path }, index) => ({
    '@type': 'ListItem',
    position: index + 1,
    name,
    [address]: `${baseUrl}${path}`,
  }));

/** The path to a page from the home page. */
export const breadcrumbList = (baseUrl: string, trail: readonly Crumb[]): object => ({
  '@type': 'BreadcrumbList',
  itemListElement: listItems(baseUrl, [{ name: SITE_NAME, path: '/' }, ...trail], 'item'),
});

/** The pages that a page lists. */
export const itemList = (baseUrl: string, items: readonly Crumb[]): object => ({
  '@type': 'ItemList',
  numberOfItems: items.length,
  itemListElement: listItems(baseUrl, items, 'url'),
});

/** A listing as software; without rating, price and operating system, for which there is no evidence. */
export const softwareApplication = (
  listing: { readonly name: string; readonly homepage: string },
  category: string,
): object => ({
  '@type': 'SoftwareApplication',
  name: listing.name,
  url: listing.homepage,
  applicationCategory: category,
});
