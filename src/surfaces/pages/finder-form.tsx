import { BUSINESS_WORDS, HOSTING_WORDS } from '../../domain/directory-labels.ts';
import { COUNTRY_CODES, regionName } from '../../domain/regions.ts';
import { once } from '../http/document.ts';
import type { Finder } from './finder-directory.ts';
import type { ToolSearch } from './views/finder-match.ts';
import { PRICING, upperFirst } from './views/listing-format.ts';

export const NO_SEARCH: ToolSearch = { words: '', need: '', business: '', kind: '', runs: '', country: '' };

const countryOptions = once(() =>
  COUNTRY_CODES.map((code): readonly [string, string] => [
    code,
    upperFirst(regionName(code).replace(/^the /, '')),
  ]).sort((a, b) => a[1].localeCompare(b[1], 'en')),
);

/** What the directory can be searched by. */
export function FinderForm({
  finder: { categories, operation },
  search,
}: {
  finder: Finder;
  search: ToolSearch;
}) {
  const entries = (words: Readonly<Record<string, string>>) =>
    Object.entries(words).map(([value, label]): readonly [string, string] => [value, upperFirst(label)]);
  return (
    <form id="finder" class="calculator finder" action={operation.page?.path} method="get">
      <div class="fields">
        <div class="field">
          <label for="find-words">Search</label>
          <input
            id="find-words"
            type="search"
            name="words"
            value={search.words}
            maxlength={80}
            autocomplete="off"
          />
        </div>
        <Choice
          name="need"
          label="What for"
          value={search.need}
          options={categories.map(({ slug, name }) => [slug, name])}
        />
        <Choice
          name="business"
          label="Your business"
          value={search.business}
          options={entries(BUSINESS_WORDS)}
        />
        <Choice
          name="kind"
          label="How free"
          value={search.kind}
          options={Object.entries(PRICING).map(([value, { short }]) => [value, upperFirst(short)])}
        />
        <Choice name="runs" label="Where it runs" value={search.runs} options={entries(HOSTING_WORDS)} />
        <Choice name="country" label="Your country" value={search.country} options={countryOptions()} />
      </div>
      <p class="buttons">
        <button type="submit">Find</button>{' '}
        <a class="button quiet" href={operation.page?.path}>
          Show all
        </a>
      </p>
    </form>
  );
}

function Choice(props: {
  name: string;
  label: string;
  value: string;
  options: readonly (readonly [string, string])[];
}) {
  const { name, label, value, options } = props;
  return (
    <div class="field">
      <label for={`find-${name}`}>{label}</label>
      <select id={`find-${name}`} name={name}>
        <option value="">Any</option>
        {options.map(([code, words]) => (
          <option value={code} selected={code === value}>
            {words}
          </option>
        ))}
      </select>
    </div>
  );
}
