import '../platform/node-version.ts';
import type { Hex } from 'viem';
import { devAccounts } from '../devnet/chain-accounts.ts';
import { loadDirectory } from '../directory/load.ts';
import { createCatalog } from '../operations/catalog.ts';
import { commandLine, EXIT_CONFIG, EXIT_USAGE, loadEnvFile } from '../platform/command-line.ts';
import { createBuyer, seenLines } from './buyer.ts';

const USAGE = `Usage: npm run buy -- PRODUCT [name=value …] [--json BODY] [--url URL]
  e.g. npm run buy -- late-fee-notice amount=1250 due_date=2026-10-01
       npm run buy -- quote-pack --json '{"items":[{"unit_price":450}]}'
Pays with the private key in BUYER_KEY, or on the embedded chain with play money.`;

const unreadable = loadEnvFile();
if (unreadable !== null) {
  process.stderr.write(`${unreadable}\n`);
  process.exit(EXIT_CONFIG);
}
const catalog = createCatalog(loadDirectory());
const paths = catalog.flatMap(({ route }) => (route && !route.path.includes('{') ? [route.path] : []));
const products = paths.map((path) => path.slice('/v1/'.length));

function endWithUsage(): never {
  process.stderr.write(`${USAGE}\nProducts: ${products.join(', ')}\n`);
  process.exit(EXIT_USAGE);
}

const { values, positionals } = commandLine(
  `${USAGE}\nProducts: ${products.join(', ')}`,
  { url: { type: 'string', default: 'http://127.0.0.1:4021' }, json: { type: 'string' } },
  { allowPositionals: true },
);
const [product, ...pairs] = positionals;
const { route } = catalog.find(({ route: own }) => own?.path === `/v1/${product}`) ?? {};
const fields = pairs.map((pair) => pair.split(/=(.*)/s, 2) as [string, string]);
if (!route || fields.some(([, value]) => value === undefined)) endWithUsage();

const [, demoBuyer] = devAccounts(2);
const key = process.env.BUYER_KEY || demoBuyer?.privateKey;
const network = (process.env.NETWORK ?? 'eip155:8453') as `eip155:${number}`;
const buyer = createBuyer(key as Hex, network, (seen) => {
  process.stderr.write(`${seenLines(seen).join('\n')}\n`);
});
const url = new URL(route.path, values.url);
let init: RequestInit = {};
if (route.method === 'GET') for (const [name, value] of fields) url.searchParams.append(name, value);
else
  init = {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: values.json ?? JSON.stringify(Object.fromEntries(fields)),
  };
try {
  const response = await buyer.fetch(url.href, init);
  process.stdout.write(`${JSON.stringify(await response.json(), null, 2)}\n`);
  process.exitCode = response.ok ? 0 : 1;
} catch (error) {
  const isDown = error instanceof TypeError && error.message === 'fetch failed';
  const why = error instanceof Error ? error.message : 'The purchase failed.';
  process.stderr.write(`${isDown ? `Nothing answers at ${url.origin}; start it with npm run demo.` : why}\n`);
  process.exitCode = 1;
}
