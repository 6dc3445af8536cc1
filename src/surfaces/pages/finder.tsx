import { BUSINESS_WORDS, HOSTING_WORDS } from '../../domain/directory-labels.ts';
import { COUNTRY_CODES, regionName } from '../../domain/regions.ts';
import {
  type Found,
  findTools,
  foundText,
  type Index,
  type Need,
  type Row,
  type Section,
  type ToolSearch,
} from './finder-match.ts';
import {
  categoryPath,
  listingPath,
  PRICING,
  TOOLS_PATH,
  tradePath,
  tradeWords,
  upperFirst,
} from './views/listing-format.ts';

export const COMPARE_PATH = '/tools/compare';
export const MOST_COMPARED = 3;

export type FinderProps = {
  readonly index: Index;
  readonly search: ToolSearch;
  readonly ticked: readonly string[];
  /** Whether the script runs. Results then appear while the user types. */
  readonly isLive: boolean;
};

/** The search with its results, or all needs if nothing is searched. */
export function Finder({ index, search, ticked, isLive }: FinderProps) {
  const isAsked = Object.values(search).some((value) => value !== '');
  const found = isAsked ? findTools(index, search) : null;
  const shown = new Set(found?.sections.flatMap(({ rows }) => rows.map(({ tool }) => tool.id)));
  return (
    <>
      <search>
        <FinderForm index={index} search={search} isLive={isLive} />
      </search>
      <p id="found" role="status">
        {found === null ? '' : foundText(found, search)}
      </p>
      {found === null ? null : <Results found={found} ticked={ticked} isLive={isLive} />}
      {found === null || found.count === 0 ? <Needs index={index} /> : null}
      {isAsked || ticked.length > 0 ? (
        <CompareBar
          ticked={ticked}
          hidden={ticked.filter((id) => !shown.has(id))}
          names={index.tools.flatMap(({ id, name }) => (ticked.includes(id) ? [name] : []))}
          isLive={isLive}
        />
      ) : null}
    </>
  );
}

/** Values, each with its label. */
type Options = readonly (readonly [string, string])[];

const entries = (words: Readonly<Record<string, string>>): Options =>
  Object.entries(words).map(([value, label]) => [value, upperFirst(label)]);

const COUNTRIES: Options = COUNTRY_CODES.map((code): Options[number] => [
  code,
  upperFirst(regionName(code).replace(/^the /, '')),
]).sort(([, one], [, other]) => one.localeCompare(other, 'en'));

const KINDS = entries(
  Object.fromEntries(Object.entries(PRICING).map(([value, { short }]) => [value, short])),
);

/** Two visible filters, and the rare filters behind a button. */
function FinderForm({ index, search, isLive }: Pick<FinderProps, 'index' | 'search' | 'isLive'>) {
  const choice = (name: keyof ToolSearch, label: string, options: Options) => (
    <div class="field">
      <label for={`find-${name}`}>{label}</label>
      <select id={`find-${name}`} name={name}>
        <option value="" selected={search[name] === ''}>
          Any
        </option>
        {options.map(([code, words]) => (
          <option value={code} selected={code === search[name]}>
            {words}
          </option>
        ))}
      </select>
    </div>
  );
  const isMore = [search.need, search.kind, search.runs].some((value) => value !== '');
  return (
    <form id="finder" class="card finder" action={TOOLS_PATH} method="get">
      <div class="field words">
        <label for="find-words">What do you need?</label>
        <input
          id="find-words"
          type="search"
          name="words"
          value={search.words}
          maxlength={80}
          autocomplete="off"
          placeholder="salon booking, invoices"
        />
      </div>
      <div class="fields">
        {choice('business', 'Your business', entries(BUSINESS_WORDS))}
        {choice('country', 'Your country', COUNTRIES)}
      </div>
      <details open={isMore}>
        <summary>More filters</summary>
        <div class="fields">
          {choice(
            'need',
            'Need',
            index.needs.map(({ slug, name }) => [slug, name]),
          )}
          {choice('kind', 'Price', KINDS)}
          {choice('runs', 'Runs', entries(HOSTING_WORDS))}
        </div>
      </details>
      {isLive ? null : (
        <p class="buttons">
          <button type="submit">Find</button>
        </p>
      )}
    </form>
  );
}

type ResultsProps = Pick<FinderProps, 'ticked' | 'isLive'> & { readonly found: Found };

const Results = ({ found, ticked, isLive }: ResultsProps) => (
  <div id="results">
    {found.trade === null ? null : (
      <p class="beside">
        <a href={tradePath(found.trade.id)}>Quote and tools for {tradeWords(found.trade)}</a>
      </p>
    )}
    {found.known === null ? null : (
      <p class="note">
        <a href={listingPath(found.known.id)}>{found.known.name}</a>: {found.known.says}
      </p>
    )}
    {found.sections.map((section) => (
      <SectionView section={section} ticked={ticked} isLive={isLive} />
    ))}
  </div>
);

function SectionView({
  section: { need, rows, advice },
  ticked,
  isLive,
}: Pick<FinderProps, 'ticked' | 'isLive'> & { readonly section: Section }) {
  return (
    <section>
      {need === null ? (
        <h2>By name</h2>
      ) : (
        <h2>
          <a href={categoryPath(need.slug)}>{need.name}</a>
        </h2>
      )}
      {rows.length === 0 ? (
        <p>{advice}</p>
      ) : (
        <ToolRows need={need} rows={rows} ticked={ticked} isLive={isLive} />
      )}
    </section>
  );
}

/** Tools as a list, each with its reason, its free part and a checkbox to compare it. */
export const ToolRows = ({
  need,
  rows,
  ticked,
  isLive,
}: Pick<FinderProps, 'ticked' | 'isLive'> & {
  readonly need: Need | null;
  readonly rows: readonly Row[];
}) => (
  <ul class="tools">
    {rows.map(({ tool, says }) => (
      <li key={tool.id}>
        <h3>
          <a href={listingPath(tool.id)}>{tool.name}</a>{' '}
          {tool.id === need?.pick ? <span class="tag">Our pick</span> : null}
        </h3>
        <p>{says}</p>
        <p class="hint">
          {upperFirst(PRICING[tool.kind as keyof typeof PRICING].short)}:{' '}
          {`${tool.limitsOf[need?.slug ?? ''] ?? tool.limits}.${tool.notes}`}
        </p>
        <label class="compare">
          <input
            type="checkbox"
            form="compare"
            name="id"
            value={tool.id}
            aria-label={`Compare ${tool.name}`}
            checked={ticked.includes(tool.id)}
            disabled={isLive && ticked.length >= MOST_COMPARED && !ticked.includes(tool.id)}
          />
        </label>
      </li>
    ))}
  </ul>
);

/** Compares the selected tools, including those that the search no longer shows. */
export function CompareBar({
  ticked,
  hidden,
  names,
  isLive,
}: Pick<FinderProps, 'ticked' | 'isLive'> & {
  readonly hidden: readonly string[];
  readonly names: readonly string[];
}) {
  if (isLive && ticked.length === 0) return null;
  const isReady = !isLive || ticked.length >= 2;
  return (
    <form id="compare" class={isLive ? 'pick live' : 'pick'} action={COMPARE_PATH} method="get">
      {hidden.map((id) => (
        <input type="hidden" name="id" value={id} />
      ))}
      <span>
        {isLive
          ? `${names.join(', ')}${isReady ? '' : ': select one more'}`
          : 'Select two or three tools to compare.'}
      </span>
      <button type="submit" disabled={!isReady}>
        Compare
      </button>
    </form>
  );
}

/** Every trade by its kind of business, and every need with the editor's choice. */
const Needs = ({ index }: Pick<FinderProps, 'index'>) => (
  <>
    <h2 id="trades">By trade</h2>
    <div class="of-trades">
      {entries(BUSINESS_WORDS).map(([type, label]) => (
        <details name="trades">
          <summary>{label}</summary>
          <ul class="trades">
            {index.trades
              .filter((trade) => trade.type === type)
              .map(({ id, name }) => (
                <li>
                  <a href={tradePath(id)}>{name}</a>
                </li>
              ))}
          </ul>
        </details>
      ))}
    </div>
    <h2>Our pick for each need</h2>
    <ul class="needs">
      {index.needs.map(({ slug, name, pick }) => (
        <li>
          <a href={categoryPath(slug)}>{name}</a>
          {index.tools
            .filter(({ id }) => id === pick)
            .map((tool) => (
              <span>{tool.name}</span>
            ))}
        </li>
      ))}
    </ul>
  </>
);
