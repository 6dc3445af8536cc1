import { BUSINESS_WORDS, HOSTING_WORDS } from '../../domain/directory-labels.ts';
import { COUNTRY_CODES, regionName } from '../../domain/regions.ts';
import { once } from '../http/documents.ts';
import type { Finder } from './finder-directory.ts';
import type { ToolSearch } from './views/finder-match.ts';
import { PRICING, upperFirst } from './views/listing-format.ts';

/** Values, each with its words. */
type Options = readonly (readonly [string, string])[];

const countryOptions = once(() =>
  COUNTRY_CODES.map((code): Options[number] => [
    code,
    upperFirst(regionName(code).replace(/^the /, '')),
  ]).sort((a, b) => a[1].localeCompare(b[1], 'en')),
);

/** What the directory can be searched by. */
export function FinderForm({ finder, search }: { finder: Finder; search: ToolSearch }) {
  const { categories, operation } = finder;
  const entries = (words: Readonly<Record<string, string>>): Options =>
    Object.entries(words).map(([value, label]) => [value, upperFirst(label)]);
  const kinds = Object.entries(PRICING).map(([value, { short }]) => [value, short]);
  const choice = (name: keyof ToolSearch, label: string, options: Options) => (
    <div class="field">
      <label for={`find-${name}`}>{label}</label>
      <select id={`find-${name}`} name={name}>
        <option value="">Any</option>
        {options.map(([code, words]) => (
          <option value={code} selected={code === search[name]}>
            {words}
          </option>
        ))}
      </select>
    </div>
  );
  return (
    <form id="finder" class="calculator finder" action={operation.page.path} method="get">
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
        {choice(
          'need',
          'What for',
          categories.map(({ slug, name }) => [slug, name]),
        )}
        {choice('business', 'Your business', entries(BUSINESS_WORDS))}
        {choice('kind', 'How free', entries(Object.fromEntries(kinds)))}
        {choice('runs', 'Where it runs', entries(HOSTING_WORDS))}
        {choice('country', 'Your country', countryOptions())}
      </div>
      <p class="buttons">
        <button type="submit">Find</button>{' '}
        <a class="button quiet" href={operation.page.path}>
          Show all
        </a>
      </p>
    </form>
  );
}
