// What some suites need beside the project: programs of the operating system, and the tools under tools/. Each is asked
// for only when a suite that needs it exists, and programs are installed only where that takes no password.
import { spawnSync } from 'node:child_process';
import { accessSync, constants, existsSync, readdirSync, readFileSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { fetchTool } from './tool.js';

const APPLICATIONS = '/Applications';

/** Suites are found by their file name; `name` makes the variables SKIP_<name> and <name>_PATH. */
export const needs = [
  {
    name: 'REDIS',
    debian: 'redis-server',
    binaries: ['redis-server'],
    suite: /\.redis\.(?:[a-z]+\.)*test\.tsx?$/,
    remedies: { darwin: 'brew install redis', win32: 'there is none for Windows, run the tests in WSL' },
  },
  {
    name: 'CHROMIUM',
    debian: 'chromium',
    binaries: [
      'chromium',
      'google-chrome',
      `${APPLICATIONS}/Google Chrome.app/Contents/MacOS/Google Chrome`,
      `${APPLICATIONS}/Chromium.app/Contents/MacOS/Chromium`,
      'C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe',
      'C:\\Program Files (x86)\\Microsoft\\Edge\\Application\\msedge.exe',
    ],
    suite: /\.browser\.(?:[a-z]+\.)*test\.tsx?$/,
    remedies: { darwin: 'brew install --cask google-chrome', win32: 'winget install Google.Chrome' },
  },
  {
    name: 'NGINX',
    debian: 'nginx-light',
    binaries: ['nginx'],
    suite: /\.nginx\.(?:[a-z]+\.)*test\.tsx?$/,
    remedies: { darwin: 'brew install nginx', win32: 'run the tests in WSL' },
  },
  {
    name: 'PROMETHEUS',
    debian: 'prometheus',
    binaries: ['prometheus'],
    suite: /\.prometheus\.(?:[a-z]+\.)*test\.tsx?$/,
    remedies: { darwin: 'brew install prometheus', win32: 'run the tests in WSL' },
  },
  {
    name: 'CADDY',
    debian: 'caddy',
    binaries: ['caddy'],
    suite: /\.caddy\.(?:[a-z]+\.)*test\.tsx?$/,
    remedies: { darwin: 'brew install caddy', win32: 'winget install CaddyServer.Caddy' },
  },
  {
    name: 'SYSTEMD',
    debian: 'systemd',
    binaries: ['systemd-analyze'],
    suite: /\.systemd\.test\.tsx?$/,
    remedies: { darwin: 'there is none for macOS', win32: 'run the tests in WSL' },
  },
  {
    name: 'CURL',
    debian: 'curl',
    binaries: ['curl'],
    suite: /\.curl\.test\.tsx?$/,
    remedies: { win32: 'run the tests in WSL' },
  },
  {
    name: 'PYTHON',
    debian: 'python3',
    binaries: ['python3'],
    suite: /\.python\.test\.tsx?$/,
    remedies: { darwin: 'brew install python', win32: 'winget install Python.Python.3' },
  },
  {
    name: 'GO',
    debian: 'golang-go',
    binaries: ['go', '/usr/local/go/bin/go'],
    suite: /\.go\.test\.tsx?$/,
    remedies: { darwin: 'brew install go', win32: 'winget install GoLang.Go' },
  },
  {
    name: 'FIREFOX',
    debian: 'firefox-esr',
    binaries: ['firefox-esr', 'firefox', `${APPLICATIONS}/Firefox.app/Contents/MacOS/firefox`],
    suite: /\.firefox\.test\.tsx?$/,
    remedies: { darwin: 'brew install --cask firefox', win32: 'run the tests in WSL' },
  },
  {
    name: 'WEBKIT',
    debian: 'webkit2gtk-driver',
    binaries: ['WebKitWebDriver'],
    suite: /\.webkit\.test\.tsx?$/,
    remedies: { darwin: 'run the tests on Linux', win32: 'run the tests in WSL' },
  },
  {
    name: 'XVFB',
    debian: 'xvfb',
    binaries: ['Xvfb'],
    suite: /\.webkit\.test\.tsx?$/,
    remedies: { darwin: 'run the tests on Linux', win32: 'run the tests in WSL' },
  },
];

/** No suite of its own: everything in these folders is asked through it where it can be had. */
const PROXY = {
  tool: 'openapi',
  suites: /^test\/(http|payments|privacy)\//,
  what: 'the validating proxy before test/{http,payments,privacy}',
  name: 'SKIP_OPENAPI',
};

const programFolders = [
  ...(process.env.PATH ?? '').split(delimiter),
  '/usr/sbin',
  '/usr/bin',
  '/usr/local/bin',
  '/opt/homebrew/bin',
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
  binaries
    .flatMap((binary) =>
      /[\\/]/.test(binary) ? [binary] : programFolders.map((folder) => join(folder, binary)),
    )
    .find(isExecutable);

const suiteFiles = (filters) =>
  ['src', 'test']
    .filter((folder) => existsSync(folder))
    .flatMap((folder) => readdirSync(folder, { recursive: true }).map((file) => join(folder, file)))
    .map((file) => file.replaceAll('\\', '/'))
    .filter((file) => filters.length === 0 || filters.some((filter) => file.includes(filter)));

const succeeds = (command, args) =>
  spawnSync(command, args, { stdio: 'ignore', timeout: 10_000 }).status === 0;

/** The words before apt-get, or nothing where we may not install. */
const privilege = () => {
  if (process.getuid?.() === 0) return [];
  return succeeds('sudo', ['-n', 'true']) ? ['sudo', '-n'] : undefined;
};

const aptGet = (prefix, args, limitMs) => {
  const [command, ...rest] = [...prefix, 'env', 'DEBIAN_FRONTEND=noninteractive', 'apt-get', '-q', ...args];
  return spawnSync(command, rest, { encoding: 'utf8', timeout: limitMs });
};

/** Why a program that is not there is not installed now, with what to do about it. */
export const remedyOf = ({ debian, binaries, remedies }, platform, hasApt) => {
  const byHand = hasApt ? `sudo apt-get install ${debian}` : 'install it from the packages of your system';
  return `${binaries[0]} is not installed: ${remedies[platform] ?? byHand}`;
};

/** Installs what a suite needs where apt-get may; returns why it could not and what to do, or nothing. */
const install = (need) => {
  const { debian } = need;
  const hasApt = isExecutable('/usr/bin/apt-get');
  const prefix = hasApt ? privilege() : undefined;
  if (!prefix) return remedyOf(need, process.platform, hasApt);
  console.log(`Installing for the tests: ${debian}`);
  aptGet(prefix, ['update'], 120_000);
  const result = aptGet(prefix, ['install', '-y', '--no-install-recommends', debian], 600_000);
  if (result.status === 0) return undefined;
  const lastLine = (result.stderr ?? '').trim().split('\n').at(-1);
  return `apt-get could not install ${debian}${lastLine ? `: ${lastLine}` : ''}`;
};

/** What a file says of itself: the tools that it fetches and the files of ours that it imports. */
const readings = new Map();
const reading = (file) => {
  const known = readings.get(file);
  if (known) return known;
  const source = readFileSync(file, 'utf8');
  const tools = [...source.matchAll(/\bfetchTool\('([\w-]+)'\)/g)].map(([, name]) => name);
  const imports = [...source.matchAll(/(?:from|import) '(\.[^']+\.(?:tsx?|js))'/g)].map(([, path]) =>
    join(dirname(file), path),
  );
  const read = { tools, imports: imports.filter((path) => existsSync(path)) };
  readings.set(file, read);
  return read;
};

/** The tools that a suite fetches, itself or through what it imports. */
export const toolsOf = (suite) => {
  const reached = new Set([suite]);
  for (const file of reached) for (const imported of reading(file).imports) reached.add(imported);
  return [...new Set([...reached].flatMap((file) => reading(file).tools))];
};

/** Fetches every tool that these suites use; returns why, by name, for those that cannot be had. */
const fetchTools = (names) => {
  const refusals = new Map();
  for (const name of names)
    try {
      fetchTool(name);
    } catch (error) {
      refusals.set(name, error.message);
    }
  return refusals;
};

const prepareTools = (files) => {
  const suites = files
    .filter((file) => /\.test\.tsx?$/.test(file))
    .map((suite) => ({ suite, tools: toolsOf(suite) }));
  const behindProxy = suites.some(({ suite }) => PROXY.suites.test(suite));
  const names = [...(behindProxy ? [PROXY.tool] : []), ...suites.flatMap(({ tools }) => tools)];
  const refusals = fetchTools(new Set(names));
  const skipped = suites.flatMap(({ suite, tools }) => {
    const reason = tools.map((name) => refusals.get(name)).find(Boolean);
    return reason ? [{ suite, reason }] : [];
  });
  const noProxy = behindProxy && refusals.get(PROXY.tool);
  if (!noProxy) return { env: {}, skipped };
  return { env: { [PROXY.name]: noProxy }, skipped: [...skipped, { suite: PROXY.what, reason: noProxy }] };
};

const preparePrograms = (files) => {
  const wanted = needs
    .map((need) => ({ ...need, suites: files.filter((file) => need.suite.test(file)) }))
    .filter(({ suites }) => suites.length > 0);
  const env = {};
  const skipped = [];
  // One by one, so that a package that cannot be had does not keep back the others.
  for (const need of wanted) {
    const refusal = locate(need) ? undefined : install(need);
    const path = locate(need);
    if (path) {
      env[`${need.name}_PATH`] = path;
      continue;
    }
    const reason = refusal ?? `${need.debian} was installed but brought no program`;
    env[`SKIP_${need.name}`] = reason;
    skipped.push(...need.suites.map((suite) => ({ suite, reason })));
  }
  return { env, skipped };
};

/**
 * Sees to the programs and tools that the suites selected by `filters` (parts of paths; none for all) need. Returns
 * variables for the tests: <name>_PATH for a program that is there, SKIP_<name>=reason for one that is not; and the
 * suites that therefore cannot run, with the reason.
 */
export const prepare = (filters) => {
  const files = suiteFiles(filters.map((filter) => filter.replaceAll('\\', '/').replace(/^\.\//, '')));
  const programs = preparePrograms(files);
  const unusable = new Set(programs.skipped.map(({ suite }) => suite));
  // Nothing is fetched for a suite that cannot run anyway.
  const tools = prepareTools(files.filter((file) => !unusable.has(file)));
  return { env: { ...programs.env, ...tools.env }, skipped: [...programs.skipped, ...tools.skipped] };
};
