import type { Operation, PagePlace, Price } from '../../catalog/operation.ts';
import type { PageName } from '../../operations/answers.ts';
import { SITE_NAME, type Site } from '../site.ts';
import type { Child } from './markup.ts';

export type Place = Pick<Site, 'baseUrl' | 'operations' | 'contactEmail'>;

/** A price as a word: "1¢", "$1", "$2.50". */
export function priceWord({ usd }: Price): string {
  const [dollars = '0', cents = '00'] = usd.split('.');
  if (dollars === '0') return `${Number(cents)}¢`;
  return cents === '00' ? `$${dollars}` : `$${usd}`;
}

/** An operation whose page has its own address. */
export type Placed = Operation & { readonly page: PagePlace };

/** The operations with a page, the free ones first. */
export const placed = ({ operations }: Pick<Site, 'operations'>): readonly Placed[] =>
  operations
    .filter((operation): operation is Placed => operation.page !== null && !operation.page.path.includes('{'))
    .sort((one, other) => Number(one.price !== null) - Number(other.price !== null));

/** The logo, as in the icon of the tab: a receipt with its total. */
const Mark = () => (
  <svg viewBox="0 0 64 64" aria-hidden="true" class="mark">
    <rect width="64" height="64" rx="14" class="ground" />
    <path d="M18 12h28v40l-4.7-3.6L36.7 52 32 48.4 27.3 52l-4.6-3.6L18 52z" class="slip" />
    <path d="M24 22h16M24 30h16M24 39h6" class="line" />
    <circle cx="38" cy="39" r="3.6" class="ground" />
  </svg>
);

/** The tasks that people come for. The other pages are steps of these tasks. */
const ENTRIES: readonly {
  readonly label: string;
  readonly first: PageName;
  readonly steps: readonly PageName[];
}[] = [
  { label: 'Quote', first: 'quote_totals', steps: ['quote_pack'] },
  { label: 'Late invoice', first: 'late_fee', steps: ['late_fee_notice'] },
  { label: 'Free tools', first: 'list_tools', steps: ['small_business_stack_report'] },
];

/** The entries of the menu that this service has, with the addresses of their steps. */
function menuOf({ operations }: Pick<Site, 'operations'>) {
  const pathOf = (name: PageName): string | undefined =>
    placed({ operations }).find((operation) => operation.name === name)?.page.path;
  return ENTRIES.flatMap(({ label, first, steps }) => {
    const path = pathOf(first);
    return path === undefined ? [] : [{ label, path, steps: steps.map(pathOf) }];
  });
}

/** The header of every page: the name and the menu. */
const Top = ({ place, path }: { place: Place; path: string }) => (
  <header class="top">
    <div class="wrap">
      <a class="name" href="/" {...current('/', path)}>
        <Mark />
        <span>{SITE_NAME}</span>
      </a>
      <nav class="menu" aria-label="Main">
        {menuOf(place).map((entry) => (
          <a href={entry.path} {...current(entry.path, path, entry.steps)}>
            {entry.label}
          </a>
        ))}
      </nav>
    </div>
  </header>
);

/** Marks the link to the current page, or to the page that it is a step or part of. */
function current(
  target: string,
  path: string,
  steps: readonly (string | undefined)[] = [],
): { 'aria-current'?: 'page' | 'true' } {
  if (target === path) return { 'aria-current': 'page' };
  const isPart = target !== '/' && path.startsWith(`${target}/`);
  return isPart || steps.includes(path) ? { 'aria-current': 'true' } : {};
}

/** The footer of every page; `twin` is the address of its Markdown version. */
const Foot = ({ place, twin }: { place: Place; twin: string | null }) => (
  <footer class="foot">
    <div class="wrap">
      <nav aria-label="About">
        <a href="/on-this-device">On this device</a> <a href="/#prices">Prices</a>{' '}
        <a href="/legal">Privacy and terms</a> <a href="/tools/how-checked">How tools are checked</a>{' '}
        {place.contactEmail === null ? null : <a href={`mailto:${place.contactEmail}`}>Contact</a>}
      </nav>
      <nav aria-label="For programs">
        <a href="/developers">Developers and agents</a>{' '}
        {twin === null ? null : <a href={twin}>This page as Markdown</a>}
      </nav>
    </div>
  </footer>
);

/** A page's body: the skip link, the header, the main part under its title, and the footer. */
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
