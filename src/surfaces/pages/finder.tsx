import { islandScripts } from './assets.ts';
import { Cards, Group } from './finder-cards.tsx';
import { COMPARE_PATH } from './finder-compare.tsx';
import type { Finder } from './finder-directory.ts';
import { FinderForm } from './finder-form.tsx';
import { htmlDocument } from './html.tsx';
import { foundText, NO_SEARCH, suits, type ToolSearch } from './views/finder-match.ts';
import { HOW_CHECKED_PATH, longDay } from './views/listing-format.ts';

/** The whole directory, or the results of a submitted search. */
export function finderHtml(finder: Finder, search: ToolSearch | null): string {
  const { site, operation, categories, cards } = finder;
  const { page } = operation;
  const suiting = search === null ? null : cards.filter(({ found }) => suits(found, search));
  return htmlDocument(
    { path: page.path, title: page.heading, description: page.summary, picture: 'tools' },
    site,
    <>
      <p class="lead">{page.lead}</p>
      <search>
        <FinderForm finder={finder} search={search ?? NO_SEARCH} />
      </search>
      <p id="found" role="status">
        {suiting === null ? '' : foundText(suiting.length)}
      </p>
      {suiting === null ? (
        <div id="groups">
          {categories.map((category) => (
            <Group category={category} />
          ))}
        </div>
      ) : (
        <Cards cards={suiting} />
      )}
      <form id="compare" class="pick" action={COMPARE_PATH} method="get">
        <button type="submit">Compare</button> <span>Tick two or three tools to see them side by side.</span>
      </form>
      <p>
        {cards.length} tools, each with the vendor’s own words, read{' '}
        {daysRead(cards.map(({ tool }) => tool.check.checked_on))}:{' '}
        <a href={HOW_CHECKED_PATH}>how listings are checked</a>.
      </p>
    </>,
    { isWide: true, scripts: islandScripts('tools'), styles: ['/directory.css'] },
  );
}

function daysRead(days: readonly string[]): string {
  const [first = '', last = first] = [[...days].sort()[0], [...days].sort().at(-1)];
  return first === last ? `on ${longDay(first)}` : `between ${longDay(first)} and ${longDay(last)}`;
}
