import type { Operation, PagePlace, Price } from '../../catalog/operation.ts';
import { SITE_NAME, type Site } from '../site.ts';
import type { Child } from './markup.ts';

export type Place = Pick<Site, 'baseUrl' | 'operations' | 'contactEmail'>;

/** A price as a word: "1¢", "$1", "$2.50". */
export function priceWord({ usd }: Price): string {
  const [dollars = '0', cents = '00'] = usd.split('.');
  if (dollars === '0') return `${Number(cents)}¢`;
  return cents === '00' ? `$${dollars}` : `$${usd}`;
}

/** An operation with a page that has an address of its own. */
export type Placed = Operation & { readonly page: PagePlace };

/** The operations with a page, the free ones first. */
export const placed = ({ operations }: Pick<Site, 'operations'>): readonly Placed[] =>
  operations
    .filter((operation): operation is Placed => operation.page !== null && !operation.page.path.includes('{'))
    .sort((one, other) => Number(one.price !== null) - Number(other.price !== null));

/** The mark, as in the icon of the tab: a receipt with its total. */
const Mark = () => (
  <svg viewBox="0 0 64 64" aria-hidden="true" class="mark">
    <rect width="64" height="64" rx="14" class="ground" />
    <path d="M18 12h28v40l-4.7-3.6L36.7 52 32 48.4 27.3 52l-4.6-3.6L18 52z" class="slip" />
    <path d="M24 22h16M24 30h16M24 39h6" class="line" />
    <circle cx="38" cy="39" r="3.6" class="ground" />
  </svg>
);

/** The head of every page: the name and the menu, with prices. */
const Top = ({ place, path }: { place: Place; path: string }) => (
  <header class="top">
    <div class="wrap">
      <a class="name" href="/" {...current('/', path)}>
        <Mark />
        <span>{SITE_NAME}</span>
      </a>
      <nav class="menu" aria-label="Main">
        {placed(place).map(({ page, price }) => (
          <a href={page.path} {...current(page.path, path)}>
            {page.menu ?? page.heading}
            {price === null ? null : <small> {priceWord(price)}</small>}
          </a>
        ))}
      </nav>
    </div>
  </header>
);

/** Marks the link to the current page, or to the section that it belongs to. */
function current(target: string, path: string): { 'aria-current'?: 'page' | 'true' } {
  if (target === path) return { 'aria-current': 'page' };
  return target !== '/' && path.startsWith(`${target}/`) ? { 'aria-current': 'true' } : {};
}

/** The foot of every page; `twin` is the same page as Markdown. */
const Foot = ({ place, twin }: { place: Place; twin: string | null }) => (
  <footer class="foot">
    <div class="wrap">
      <nav aria-label="About">
        <a href="/pricing">Prices</a> <a href="/tools/how-checked">How software is checked</a>{' '}
        <a href="/privacy">Privacy</a> <a href="/terms">Terms</a> <a href="/security">Security</a>{' '}
        {place.contactEmail === null ? null : <a href={`mailto:${place.contactEmail}`}>Contact</a>}
      </nav>
      <nav aria-label="For programs">
        <a href="/developers">For developers and agents</a> <a href="/docs">API reference</a>{' '}
        {twin === null ? null : <a href={twin}>This page as Markdown</a>}
      </nav>
    </div>
  </footer>
);

/** A page's body: the skip link, the head, the main part under its title, the foot. */
export const Body = (props: {
  place: Place;
  path: string;
  twin: string | null;
  title: string | null;
  isWide: boolean;
  children: Child;
}) => (
  <body>
    <a class="skip" href="#main">
      Skip to the content
    </a>
    <Top place={props.place} path={props.path} />
    <main id="main" tabindex={-1} class={props.isWide ? 'wide' : undefined}>
      {props.title === null ? null : <h1>{props.title}</h1>}
      {props.children}
    </main>
    <Foot place={props.place} twin={props.twin} />
  </body>
);
