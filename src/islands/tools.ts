import {
  type Found,
  foundText,
  SEARCH_NAMES,
  suits,
  type ToolSearch,
} from '../surfaces/pages/views/finder-match.ts';
import { keepAddress } from './inner-links.ts';

/*
 * Searches the directory in the page: all of it is there already, and the search is not sent. The search is kept behind
 * the #, so that a reload and a link show the same.
 */

const form = document.querySelector<HTMLFormElement>('#finder');
const status = document.querySelector<HTMLElement>('#found');
const groups = [...document.querySelectorAll<HTMLDetailsElement>('#groups .group')];
function start(form: HTMLFormElement, status: HTMLElement): void {
  const cards = groups.map((group) => ({
    group,
    shown: group.querySelector('summary .tag'),
    items: [...group.querySelectorAll<HTMLElement>('.tools > li')].map((item) => ({
      item,
      found: foundOf(item),
    })),
  }));
  const show = (): void => {
    const search = searchOf(form);
    const isAsked = Object.values(search).some((value) => value !== '');
    let count = 0;
    for (const { group, shown, items } of cards) {
      let here = 0;
      for (const { item, found } of items) {
        const isFound = !isAsked || suits(found, search);
        item.hidden = !isFound;
        if (isFound) here += 1;
      }
      group.hidden = here === 0;
      group.open = isAsked;
      if (shown !== null) shown.textContent = String(here);
      count += here;
    }
    form.ownerDocument.querySelector('#groups')?.toggleAttribute('data-asked', isAsked);
    status.textContent = isAsked ? foundText(count) : '';
    const query = new URLSearchParams(Object.entries(search).filter(([, value]) => value !== '')).toString();
    history.replaceState(null, '', query === '' ? location.pathname : `#${query}`);
  };
  form.addEventListener('input', show);
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    show();
    groups.find(({ hidden }) => !hidden)?.scrollIntoView({ block: 'nearest' });
  });
  keepAddress();
  const shared = new URLSearchParams(location.hash.slice(1));
  if (!SEARCH_NAMES.some((name) => shared.has(name))) return;
  for (const name of SEARCH_NAMES) fieldOf(form, name).value = shared.get(name) ?? '';
  show();
}

const fieldOf = (form: HTMLFormElement, name: string): HTMLInputElement | HTMLSelectElement =>
  form.elements.namedItem(name) as HTMLInputElement | HTMLSelectElement;

const searchOf = (form: HTMLFormElement): ToolSearch =>
  Object.fromEntries(SEARCH_NAMES.map((name) => [name, fieldOf(form, name).value.trim()])) as ToolSearch;

const list = (text: string | undefined): readonly string[] => (text ? text.split(' ') : []);

const foundOf = ({ dataset }: HTMLElement): Found => ({
  text: dataset.words ?? '',
  needs: list(dataset.needs),
  businesses: list(dataset.businesses),
  kind: dataset.kind ?? '',
  runs: list(dataset.runs),
  closed: list(dataset.closed),
});

if (form && status && groups.length > 0) start(form, status);
