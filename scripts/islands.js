// How the page scripts are bundled, for the build and for the test that compares them with the service.
import { readFileSync } from 'node:fs';

// Hints for programs are omitted: pages explain errors in their own words (form-faults.tsx).
const LEFT_OUT = {
  'domain/nearest.ts': 'export const nearest = () => null;',
  'operations/aliases.ts': 'export const [ITEM_ALIASES, QUOTE_ALIASES, LATE_FEE_ALIASES] = [{}, {}, {}];',
};

/**
 * The trades without their tools and prices, because the step with three options needs only the rest.
 * @param {string} file
 */
const tradesIn = (file) =>
  JSON.stringify(
    JSON.parse(readFileSync(file, 'utf8')).map(
      (/** @type {any} */ { id, name, words, quote: { lines, better, best } }) => ({
        id,
        name,
        words,
        quote: {
          lines: lines.map((/** @type {any} */ { description }) => ({ description })),
          better,
          best,
        },
      }),
    ),
  );

// Field descriptions for programs are omitted: a form has its own labels.
const DESCRIPTION = /\bdescribe:\s*'(?:[^'\\\n]|\\.)*'/g;

/**
 * Options of rolldown.
 * @type {import('rolldown').BuildOptions}
 */
export const islandOptions = {
  platform: 'browser',
  tsconfig: 'tsconfig.islands.json',
  plugins: [
    {
      name: 'without words for programs',
      load(id) {
        if (id.endsWith('/src/trades/trades.json')) return { code: tradesIn(id), moduleType: 'json' };
        const code = LEFT_OUT[Object.keys(LEFT_OUT).find((file) => id.endsWith(`/src/${file}`)) ?? ''];
        return code === undefined ? null : { code, moduleType: 'js' };
      },
      transform(code, id) {
        return /\/src\/operations\/[\w-]+\.ts$/.test(id) ? code.replace(DESCRIPTION, "describe: ''") : null;
      },
    },
  ],
};
