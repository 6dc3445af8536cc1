// How the scripts of the pages are bundled, for the build and for the test that holds them against the service.
import { resolve } from 'node:path';

// What documents and hints for programs are made of: pages say in their own words what is wrong (form-faults.tsx). And
// the decoder of an object that spares a request the schema library, which a page does not have.
const LEFT_OUT = {
  'catalog/decode-without-zod.ts': 'export const decodeWithoutZod = () => null;',
  'catalog/schema.ts': 'export const render = () => ({});',
  'domain/nearest.ts': 'export const nearest = () => null;',
  'operations/quote-meant.ts':
    'export const ITEM_MEANT = {}; export const QUOTE_MEANT = {}; export const named = () => ({});',
};

// What documents for programs say of a field; a form has labels of its own.
const DESCRIPTION = /\bdescribe:\s*'(?:[^'\\\n]|\\.)*'/g;

/**
 * Options of rolldown. Without the schema library: two thirds of a script would be what it can do besides.
 * @type {import('rolldown').BuildOptions}
 */
export const islandOptions = {
  platform: 'browser',
  tsconfig: 'tsconfig.islands.json',
  resolve: { alias: { zod: resolve('src/islands/schemas.ts') } },
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
