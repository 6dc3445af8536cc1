// `npm run clients [-- part of a name]`: lets unmodified third-party clients buy from a service with play money, and
// prints which of them can. The exit status is 1 if one of them cannot. It first fetches them (each tools/<name> with a
// clients.js), which takes minutes and a gigabyte.
import './node-version.js';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { devAccounts } from '../dist/devnet/chain-accounts.js';
import { usdcBalance } from '../dist/devnet/usdc.js';
import { optionsOf } from './options.js';
import { outputOf } from './output-of.js';
import { servedWithChain } from './served.js';
import { fetchTool, toolFolder, toolNames } from './tool.js';

const CASE_MS = 120_000;
const USAGE = `Usage: npm run clients [-- PART …]
Buys with third-party clients from a service with play money, and prints which of them can. It downloads them first,
which takes minutes and a gigabyte. PART is a part of a client's name.`;
const wanted = optionsOf(USAGE, { allowPositionals: true }).positionals;
const caseFile = fileURLToPath(new URL('client-case.js', import.meta.url));

/** Clients that the package registry does not have. */
const NOT_TRIED = [
  ['@x402/mcp', 'not in the npm registry'],
  ['x402 for Python and Go', 'in registries of other languages'],
];

/** Runs one client in its own process, with its own home folder and account, and checks the amount that it spent. */
async function tried({ tool, index, name, of, spends = 1_060_000, note, fault }, service, account) {
  const home = mkdtempSync(join(tmpdir(), 'clients-'));
  const before = await usdcBalance(service.rpcUrl, account.address);
  const { status, text } = await outputOf([caseFile, tool, String(index)], {
    env: {
      PATH: process.env.PATH,
      HOME: home,
      SERVICE_URL: service.url,
      BUYER_KEY: account.privateKey,
      BUYER_ADDRESS: account.address,
    },
    timeout: CASE_MS,
    killSignal: 'SIGKILL',
  });
  rmSync(home, { recursive: true, force: true });
  const spent = Number(before - (await usdcBalance(service.rpcUrl, account.address)));
  const row = { name, version: versionOf(tool, of), text };
  if (status !== 0)
    return { ...row, result: 'fails', note: lastLine(text) || `ended with ${status ?? 'a timeout'}` };
  if (spent !== spends) return { ...row, result: 'fails', note: `spent ${spent}, not ${spends} millionths` };
  if (fault !== undefined) return { ...row, result: 'the client fails', note: fault };
  return { ...row, result: note === undefined ? 'works' : 'works with a note', note: note ?? '' };
}

const versionOf = (tool, of) => {
  const file = join(toolFolder(tool), 'node_modules', of, 'package.json');
  return existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')).version : '';
};

const lastLine = (text) => /^FAILED (.*)$/m.exec(text)?.[1] ?? text.trim().split('\n').at(-1) ?? '';

/** Every client of the tools that can be fetched, and a row for each tool that cannot. */
async function clientsOf() {
  const found = [];
  const missing = [];
  for (const tool of toolNames().filter((each) => existsSync(join(toolFolder(each), 'clients.js'))))
    try {
      const file = pathToFileURL(join(toolFolder(tool), 'clients.js')).href;
      const { clients } = await import(file);
      const listed = clients.map((client, index) => ({ ...client, tool, index }));
      const chosen = listed.filter(
        ({ name }) => wanted.length === 0 || wanted.some((part) => name.includes(part)),
      );
      if (chosen.length > 0) fetchTool(tool);
      found.push(...chosen);
    } catch (error) {
      missing.push({ name: tool, version: '', result: 'not tried', note: error.message });
    }
  return { found, missing };
}

const { found, missing } = await clientsOf();
if (found.length + missing.length === 0) {
  console.error(`No client has ${wanted.join(' or ')} in its name.`);
  process.exit(1);
}
// The chain shows how much was spent.
const service = await servedWithChain({});
const accounts = devAccounts(10).slice(1);
const rows = [];
for (const [turn, client] of found.entries()) {
  const row = await tried(client, service, accounts[turn % accounts.length]);
  process.stderr.write(`${row.result.padEnd(18)} ${row.name} ${row.version} ${row.note}\n`);
  if (row.result === 'fails') process.stderr.write(`${row.text}\n`);
  rows.push(row);
}
const all = [
  ...rows,
  ...missing,
  ...NOT_TRIED.map(([name, note]) => ({ name, version: '', result: 'not tried', note })),
];
console.log('| Client | Version | Result | Note |\n|---|---|---|---|');
for (const { name, version, result, note } of all)
  console.log(`| ${name} | ${version} | ${result} | ${note} |`);
process.exit(rows.some(({ result }) => result === 'fails') ? 1 : 0);
