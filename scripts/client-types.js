// Writes packages/client/src/operations.ts, the types of the typed client, from the built catalog. The file is not in
// git: `npm run check` writes it if it is missing or older than the catalog; the tests and `npm run client:build` write
// it if it is older than the build (--if-stale).
import { existsSync, statSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { optionsOf } from './options.js';
import { fetchTool } from './tool.js';

const file = fileURLToPath(new URL('../packages/client/src/operations.ts', import.meta.url));

const camel = (name) => name.replace(/_(\w)/g, (_, letter) => letter.toUpperCase());
const pascal = (name) => camel(`_${name}`);

/** The generator would turn each title into a type of its own. */
const untitled = (schema) =>
  JSON.parse(JSON.stringify(schema), (key, value) =>
    key === 'title' && typeof value === 'string' ? undefined : value,
  );

/** The client's route to an operation: POST if possible, which keeps the input out of addresses. */
const routeOf = ({ route, price }) => {
  const method = route.alsoByPost ? 'POST' : route.method;
  const usd = price === null ? null : `'${price.usd}'`;
  return `{ method: '${method}', path: '${route.path}', priceUsd: ${usd} }`;
};

/** The values of each network that a payment is checked against. */
const networkOf = ({ caip2, usdc, usdcName, usdcVersion }) =>
  `  '${caip2}': { usdc: '${usdc}', usdcName: '${usdcName}', usdcVersion: '${usdcVersion}' },`;

/** The text of the file for these operations; `schemas` returns the input and answer schemas of one operation. */
async function clientTypes(operations, { schemas, networks, maxTimeoutSeconds }) {
  const { compile } = createRequire(join(fetchTool('client-types'), 'package.json'))(
    'json-schema-to-typescript',
  );
  const written = async (schema, name) =>
    compile(untitled(schema), name, {
      additionalProperties: false,
      ignoreMinAndMaxItems: true,
      bannerComment: '',
      format: true,
      style: { singleQuote: true, printWidth: 110 },
    });
  const reached = operations.filter(({ route }) => route !== null);
  const types = [];
  for (const operation of reached) {
    const { input, output } = schemas(operation);
    types.push(await written(input, `${pascal(operation.name)}Input`));
    types.push(await written(output, `${pascal(operation.name)}Answer`));
  }
  const rows = (row) => reached.map((operation) => row(operation, pascal(operation.name))).join('\n');
  return `// Written from the catalog by scripts/client-types.js; changes made here are lost.

export type Method = 'GET' | 'POST';

/** How each operation is reached, and its list price in dollars; null where it is free. */
export const routes = {
${rows((operation) => `  ${camel(operation.name)}: ${routeOf(operation)},`)}
} as const satisfies Record<string, { method: Method; path: string; priceUsd: string | null }>;

/** The networks that a service may sell on, with the USDC contract and its EIP-712 domain. */
export const networks = {
${networks.map(networkOf).join('\n')}
} as const;

export type NetworkId = keyof typeof networks;

/** Seconds for which every operation asks a payment to be valid. */
export const maxTimeoutSeconds = ${maxTimeoutSeconds};

/** What each operation takes and answers. */
export type Operations = {
${rows(
  ({ name, summary, price }, type) =>
    `  /** ${summary}${price === null ? '' : `, USD ${price.usd}`}. */\n  ${camel(name)}: { input: ${type}Input; answer: ${type}Answer; paid: ${price !== null} };`,
)}
};

${types.join('\n')}`;
}

const built = new URL('../dist/.built', import.meta.url);
const isFresh = existsSync(file) && statSync(file).mtimeMs > statSync(built).mtimeMs;
const USAGE = `Usage: npm run client:types
Writes the types of the typed client from the built catalog.`;
const { values } = optionsOf(USAGE, { options: { 'if-stale': { type: 'boolean' } } });
if (!isFresh || !values['if-stale']) {
  const { createCatalog } = await import('../dist/operations/catalog.js');
  const { inputSchema, outputSchema } = await import('../dist/catalog/schema.js');
  const { loadDirectory } = await import('../dist/directory/load.js');
  const { networks } = await import('../dist/domain/networks.js');
  const { requirementsOf } = await import('../dist/payments/x402/requirements.js');
  const operations = createCatalog(loadDirectory());
  const paid = operations.find(({ price }) => price !== null);
  const text = await clientTypes(operations, {
    schemas: (operation) => ({ input: inputSchema(operation), output: outputSchema(operation) }),
    networks: Object.values(networks),
    maxTimeoutSeconds: requirementsOf(paid, {}).maxTimeoutSeconds,
  });
  writeFileSync(file, text);
}
