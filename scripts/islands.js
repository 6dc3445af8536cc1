// How the scripts of the pages are bundled, for the build and for the test that holds them against the service.

// Hints for programs: pages say in their own words what is wrong (form-faults.tsx).
const LEFT_OUT = {
  'domain/nearest.ts': 'export const nearest = () => null;',
  'operations/quote-aliases.ts':
    'export const ITEM_ALIASES = {}; export const QUOTE_ALIASES = {}; export const named = () => ({});',
};

// What documents for programs say of a field; a form has labels of its own.
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
        const code = LEFT_OUT[Object.keys(LEFT_OUT).find((file) => id.endsWith(`/src/${file}`)) ?? ''];
        return code === undefined ? null : { code, moduleType: 'js' };
      },
      transform(code, id) {
        return /\/src\/operations\/[\w-]+\.ts$/.test(id) ? code.replace(DESCRIPTION, "describe: ''") : null;
      },
    },
  ],
};
