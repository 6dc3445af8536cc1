import { cleanLine } from '../../domain/text.ts';
import type { AnswerOf } from '../../operations/answers.ts';
import { Blocks } from './blocks.tsx';
import type { Text } from './content.ts';
import type { Finder } from './finder-directory.ts';
import { htmlDocument } from './html.tsx';
import { facts } from './views/listing.ts';
import { listingPath } from './views/listing-format.ts';

export const COMPARE_PATH = '/tools/compare';
const MOST_COMPARED = 3;

/** The labels of both lists in one order: a label of the second list follows its predecessor there. */
function merged(known: readonly string[], more: readonly string[]): readonly string[] {
  const all = [...known];
  for (const [index, label] of more.entries())
    if (!all.includes(label)) all.splice(all.indexOf(more[index - 1] ?? '') + 1, 0, label);
  return all;
}

type Listing = AnswerOf<'tool'>;

/** Two or three listings side by side; the others that were ticked are named. */
export function comparedHtml({ site, operation }: Finder, ticked: readonly Listing[]): string {
  const listings = ticked.slice(0, MOST_COMPARED);
  const others = ticked.slice(MOST_COMPARED).map(({ name }) => cleanLine(name));
  const columns = listings.map((listing) => new Map(facts(listing) as readonly (readonly [string, Text])[]));
  const labels = columns.reduce<readonly string[]>((known, column) => merged(known, [...column.keys()]), []);
  const title =
    listings.length === 0 ? 'Compare tools' : listings.map(({ name }) => cleanLine(name)).join(', ');
  return htmlDocument(
    {
      path: COMPARE_PATH,
      title,
      description: 'Two or three tools of the directory side by side.',
      picture: 'tools',
    },
    site,
    <>
      <p>
        <a href={operation.page.path}>{operation.page.heading}</a>
      </p>
      {listings.length < 2 ? (
        <p class="note">Tick two or three tools there to see them side by side.</p>
      ) : null}
      {others.length === 0 ? null : (
        <p class="note">
          Three tools fit side by side. Left out here: {others.join(', ')}. Tick them alone to compare those.
        </p>
      )}
      {listings.length === 0 ? null : (
        <div class="side-by-side">
          <Blocks
            blocks={[
              {
                table: {
                  isCompared: true,
                  head: ['About', ...listings.map(({ name }) => cleanLine(name))],
                  rows: [
                    ...labels.map((label): readonly Text[] => [
                      label,
                      ...columns.map((column) => column.get(label) ?? ''),
                    ]),
                    ['Know first', ...listings.map(({ caveats }) => cleanLine(caveats.join(' ')))],
                    [
                      'In full',
                      ...listings.map(
                        ({ id, name }): Text => [{ link: cleanLine(name), href: listingPath(id) }],
                      ),
                    ],
                  ],
                },
              },
            ]}
          />
        </div>
      )}
    </>,
    { isWide: true, isNowhere: true, styles: ['/directory.css'] },
  );
}
