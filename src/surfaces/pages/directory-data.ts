import { SITE_NAME } from '../site.ts';

/** A page on the way to another. */
export type Crumb = { readonly name: string; readonly path: string };

const GRAPH = { '@context': 'https://schema.org' } as const;

/** Nodes of schema.org as one document. */
export const graph = (...nodes: readonly object[]): object => ({ ...GRAPH, '@graph': nodes });

/** The path to a page from the home page. */
export const breadcrumbList = (baseUrl: string, trail: readonly Crumb[]): object => ({
  '@type': 'BreadcrumbList',
  itemListElement: [{ name: SITE_NAME, path: '/' }, ...trail].map(({ name, path }, index) => ({
    '@type': 'ListItem',
    position: index + 1,
    name,
    item: `${baseUrl}${path}`,
  })),
});

/** The pages that a page lists. */
export const itemList = (baseUrl: string, items: readonly Crumb[]): object => ({
  '@type': 'ItemList',
  numberOfItems: items.length,
  itemListElement: items.map(({ name, path }, index) => ({
    '@type': 'ListItem',
    position: index + 1,
    name,
    url: `${baseUrl}${path}`,
  })),
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
