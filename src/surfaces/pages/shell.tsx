import type { Child } from 'hono/jsx';
import type { Operation, PagePlace, Price } from '../../catalog/operation.ts';
import { SITE_NAME, type Site } from '../discovery/site.ts';

export type Place = Pick<Site, 'baseUrl' | 'operations' | 'contactEmail'>;

/** "1¢", "$1", "$2.50": a price where there is room for a word only. */
export function priceWord({ usd }: Price): string {
  const [dollars = '0', cents = '00'] = usd.split('.');
  if (dollars === '0') return `${Number(cents)}¢`;
  return cents === '00' ? `$${dollars}` : `$${usd}`;
}

/** An operation with a page that has an address of its own. */
export type Placed = Operation & { readonly page: PagePlace };

/** What people can do here: what is free first, then what costs. */
export const placed = ({ operations }: Pick<Site, 'operations'>): readonly Placed[] =>
  operations
    .filter((operation): operation is Placed => operation.page !== null && !operation.page.path.includes('{'))
    .sort((one, other) => Number(one.price !== null) - Number(other.price !== null));

/** The mark: a sheet with lines and a figure. */
export const Mark = () => (
  <svg viewBox="0 0 32 32" aria-hidden="true" class="mark">
    <rect x="5" y="3" width="22" height="26" rx="3" fill="none" stroke="currentColor" stroke-width="2" />
    <path d="M10 10h12M10 15.5h12M10 21h5" stroke="currentColor" stroke-width="2" stroke-linecap="round" />
    <circle cx="21" cy="22" r="3.2" class="dot" />
  </svg>
);

/** The head of every page: the name, and everything that can be done, with its price where it has one. */
export const Top = ({ place, path }: { place: Place; path: string }) => (
  <header class="top">
    <div class="wrap">
      <a class="name" href="/" {...current('/', path)}>
        <Mark />
        <span>{SITE_NAME}</span>
      </a>
      <nav aria-label="Main">
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

/** The page that is shown, and the part that it belongs to. */
function current(target: string, path: string): { 'aria-current'?: 'page' | 'true' } {
  if (target === path) return { 'aria-current': 'page' };
  return target !== '/' && path.startsWith(`${target}/`) ? { 'aria-current': 'true' } : {};
}

/** The foot of every page; `twin` is the same page as Markdown. */
export const Foot = ({ place, twin }: { place: Place; twin: string | null }) => (
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

/** A page's body: what leads past the head, the head, the main part under its title, the foot. */
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
