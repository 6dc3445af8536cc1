import { h, hydrate, render } from 'preact';
import { Finder, type FinderProps } from '../surfaces/pages/finder.tsx';
import { SEARCH_NAMES, type ToolSearch } from '../surfaces/pages/finder-match.ts';
import { keepAddress } from './page.ts';

/*
 * Searches the directory inside the page, which contains all of it, so the search is not sent. The search and the
 * selected tools are stored after the #, so that a reload, a link and the way back from a comparison show the same
 * state.
 */

function start(root: HTMLElement, props: FinderProps): void {
  let { search, ticked } = props;
  const show = (): void => render(h(Finder, { ...props, search, ticked, isLive: true }), root);
  const readAddress = (): void => {
    const shared = new URLSearchParams(location.hash.slice(1));
    const get = (name: string): string => shared.get(name) ?? '';
    if (![...SEARCH_NAMES, 'ticked'].some((name) => shared.has(name))) return;
    search = Object.fromEntries(SEARCH_NAMES.map((name) => [name, get(name)])) as ToolSearch;
    const known = new Set(props.index.tools.map(({ id }) => id));
    ticked = get('ticked')
      .split(',')
      .filter((id) => known.has(id));
  };
  const keep = (): void => {
    const query = new URLSearchParams(Object.entries(search).filter(([, value]) => value !== ''));
    if (ticked.length > 0) query.set('ticked', ticked.join());
    const text = query.toString();
    history.replaceState(null, '', text === '' ? location.pathname : `${location.pathname}#${text}`);
  };
  hydrate(h(Finder, props), root);
  readAddress();
  show();
  root.addEventListener('input', ({ target }) => {
    const field = target as HTMLInputElement | HTMLSelectElement;
    if (field.name === 'id') {
      const { checked } = field as HTMLInputElement;
      ticked = checked ? [...ticked, field.value] : ticked.filter((id) => id !== field.value);
    } else if (SEARCH_NAMES.includes(field.name as keyof ToolSearch))
      search = { ...search, [field.name]: field.value };
    show();
    keep();
  });
  root.addEventListener('submit', (event) => {
    if ((event.target as HTMLElement).id !== 'finder') return;
    event.preventDefault();
    document.querySelector('#found')?.scrollIntoView({ block: 'nearest' });
  });
  addEventListener('hashchange', () => {
    readAddress();
    show();
  });
  keepAddress();
}

const root = document.querySelector<HTMLElement>('#directory');
const data = document.querySelector('#directory-data');
if (root && data) start(root, JSON.parse(data.textContent ?? '') as FinderProps);
