// Programs of the operating system that some suites drive. A program is asked for only when a suite that
// needs it exists, and installed only where that takes no password.
import { spawnSync } from 'node:child_process';
import { accessSync, constants, existsSync, readdirSync } from 'node:fs';
import { delimiter, join } from 'node:path';

/** Suites are found by their file name; `name` makes the variables SKIP_<name> and <name>_PATH. */
const needs = [
  { name: 'REDIS', debian: 'redis-server', binaries: ['redis-server'], suite: /\.redis\.test\.tsx?$/ },
  {
    name: 'CHROMIUM',
    debian: 'chromium',
    binaries: ['chromium', 'google-chrome'],
    suite: /\.browser\.test\.tsx?$/,
  },
  { name: 'NGINX', debian: 'nginx-light', binaries: ['nginx'], suite: /\.nginx\.test\.tsx?$/ },
];

const programFolders = [
  ...(process.env.PATH ?? '').split(delimiter),
  '/usr/sbin',
  '/usr/bin',
  '/usr/local/bin',
];

const isExecutable = (file) => {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
};

const locate = ({ binaries }) =>
  binaries.flatMap((binary) => programFolders.map((folder) => join(folder, binary))).find(isExecutable);

const suiteFiles = (filters) =>
  ['src', 'test']
    .filter((folder) => existsSync(folder))
    .flatMap((folder) => readdirSync(folder, { recursive: true }).map((file) => join(folder, file)))
    .filter((file) => filters.length === 0 || filters.some((filter) => file.includes(filter)));

const succeeds = (command, args) =>
  spawnSync(command, args, { stdio: 'ignore', timeout: 10_000 }).status === 0;

/** The words before apt-get, or nothing where we may not install. */
const privilege = () => {
  if (!isExecutable('/usr/bin/apt-get')) return undefined;
  if (process.getuid?.() === 0) return [];
  return succeeds('sudo', ['-n', 'true']) ? ['sudo', '-n'] : undefined;
};

const aptGet = (prefix, args, limitMs) => {
  const [command, ...rest] = [...prefix, 'env', 'DEBIAN_FRONTEND=noninteractive', 'apt-get', '-q', ...args];
  return spawnSync(command, rest, { encoding: 'utf8', timeout: limitMs });
};

/** Installs Debian packages; returns why it could not, or nothing. */
const install = (packages) => {
  const prefix = privilege();
  if (!prefix) return 'it is not installed, and installing it takes root or sudo without a password';
  console.log(`Installing for the tests: ${packages.join(', ')}`);
  aptGet(prefix, ['update'], 120_000);
  const result = aptGet(prefix, ['install', '-y', '--no-install-recommends', ...packages], 600_000);
  if (result.status === 0) return undefined;
  const lastLine = (result.stderr ?? '').trim().split('\n').at(-1);
  return `apt-get could not install it${lastLine ? `: ${lastLine}` : ''}`;
};

/**
 * Sees to the programs that the suites selected by `filters` (parts of paths; none for all) need. Returns
 * variables for the tests: <name>_PATH for a program that is there, SKIP_<name>=reason for one that is not;
 * and the suites that therefore cannot run, with the reason.
 */
export const prepare = (filters) => {
  const files = suiteFiles(filters);
  const wanted = needs
    .map((need) => ({ ...need, suites: files.filter((file) => need.suite.test(file)) }))
    .filter(({ suites }) => suites.length > 0);
  // One by one, so that a package that cannot be had does not keep back the others.
  const refusals = new Map();
  for (const need of wanted) if (!locate(need)) refusals.set(need.name, install([need.debian]));
  const env = {};
  const skipped = [];
  for (const need of wanted) {
    const path = locate(need);
    if (path) {
      env[`${need.name}_PATH`] = path;
      continue;
    }
    const reason = `${need.debian}: ${refusals.get(need.name) ?? 'it was installed but brought no program'}`;
    env[`SKIP_${need.name}`] = reason;
    skipped.push(...need.suites.map((suite) => ({ suite, reason })));
  }
  return { env, skipped };
};
