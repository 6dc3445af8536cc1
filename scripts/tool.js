// Packages that only external checks need are in tools/<name>, each with its own lock file, so that `npm ci` stays
// light. Programs fetch a tool before they use it; `node scripts/tool.js lint` fetches one and prints its folder.
import './node-version.js';
import { spawnSync } from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { moveInto, remove } from './moving.js';
import { optionsOf } from './options.js';

const tools = fileURLToPath(new URL('../tools/', import.meta.url));

/** The folder of a tool, fetched or not. */
export const toolFolder = (name) => join(tools, name);

/** The names of all tools. */
export const toolNames = () =>
  readdirSync(tools).filter((name) => existsSync(join(tools, name, 'package-lock.json')));

/** Whether the installed packages match the lock file. */
export const isFetched = (name) => {
  const mark = join(tools, name, 'node_modules/.fetched');
  return existsSync(mark) && readFileSync(mark, 'utf8') === lockOf(name);
};

const lockOf = (name) => readFileSync(join(tools, name, 'package-lock.json'), 'utf8');

/** The npm program that runs this process, else the one on PATH, which on Windows only a shell finds. */
export const npm = (args, cwd) => {
  const running = process.env.npm_execpath ?? '';
  const options = { cwd, encoding: 'utf8', timeout: 600_000 };
  return /npm-cli\.c?js$/.test(running)
    ? spawnSync(process.execPath, [running, ...args], options)
    : spawnSync(['npm', ...args].join(' '), { ...options, shell: true });
};

const UNREACHABLE =
  /^(E?NOTFOUND|EAI_AGAIN|ECONN\w+|E(NET|HOST)UNREACH|ETIMEDOUT|ERR_SOCKET_TIMEOUT|ENOTCACHED)$/;

const whyNot = ({ status, signal, error, stderr }) => {
  const code = /npm (?:error|ERR!) code (\S+)/.exec(stderr ?? '')?.[1];
  if (code !== undefined && UNREACHABLE.test(code)) return `the package registry cannot be reached (${code})`;
  return `npm ended with ${code ?? error?.code ?? signal ?? status}`;
};

/** Fetches a tool if necessary and returns its folder. Throws with one sentence if it cannot be fetched. */
export function fetchTool(name) {
  const folder = toolFolder(name);
  if (isFetched(name)) return folder;
  process.stderr.write(`Fetching tools/${name}\n`);
  const making = mkdtempSync(join(folder, '.fetching-'));
  try {
    for (const file of ['package.json', 'package-lock.json']) cpSync(join(folder, file), join(making, file));
    const quiet = ['--ignore-scripts', '--no-audit', '--no-fund', '--no-update-notifier', '--loglevel=error'];
    const patience = ['--prefer-offline', '--fetch-retries=1', '--fetch-retry-mintimeout=1000'];
    const ended = npm(['ci', ...quiet, ...patience], making);
    if (ended.status !== 0) throw new Error(`tools/${name} could not be fetched: ${whyNot(ended)}`);
    writeFileSync(join(making, 'node_modules/.fetched'), lockOf(name));
    moveInto(join(folder, 'node_modules'), join(making, 'node_modules'), () => isFetched(name));
    return folder;
  } finally {
    remove(making);
  }
}

const isStarted = () => {
  const started = process.argv[1];
  return existsSync(started ?? '') && realpathSync(started) === fileURLToPath(import.meta.url);
};

if (isStarted())
  try {
    const USAGE = 'Usage: node scripts/tool.js NAME\nFetches tools/NAME and prints its folder.';
    const [name = ''] = optionsOf(USAGE, { allowPositionals: true }).positionals;
    if (!toolNames().includes(name)) throw new Error(`Name a tool: ${toolNames().join(', ')}`);
    console.log(fetchTool(name));
  } catch (error) {
    console.error(error.message);
    process.exitCode = 1;
  }
