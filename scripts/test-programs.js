// The operating system programs that suites and commands use: where they are, and how to install them. They are
// installed only if that takes no password.
import { spawnSync } from 'node:child_process';
import { accessSync, constants, existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';

const APPLICATIONS = '/Applications';

/** Suites are found by their file name; `name` makes the variables SKIP_<name> and <name>_PATH. */
export const needs = [
  {
    name: 'REDIS',
    debian: 'redis-server',
    binaries: ['redis-server'],
    suite: /\.redis\.(?:[a-z]+\.)*test\.tsx?$/,
    remedies: { darwin: 'brew install redis', win32: 'there is none for Windows: run the tests in WSL' },
  },
  {
    name: 'CHROMIUM',
    debian: 'chromium',
    // The same engine without windows, which takes about half the processor time.
    lighter: { debian: 'chromium-headless-shell', binaries: ['chromium-headless-shell'], remedies: {} },
    // Without a common font, Chromium uses a wider one, and documents take more pages than on a user's machine.
    font: {
      debian: 'fonts-liberation',
      file: '/usr/share/fonts/truetype/liberation/LiberationSans-Regular.ttf',
    },
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

const succeeds = (command, args) =>
  spawnSync(command, args, { stdio: 'ignore', timeout: 10_000 }).status === 0;

/** The command prefix for apt-get; undefined if this user is not allowed to install. */
const privilege = () => {
  if (process.getuid?.() === 0) return [];
  return succeeds('sudo', ['-n', 'true']) ? ['sudo', '-n'] : undefined;
};

const aptGet = (prefix, args, limitMs) => {
  const [command, ...rest] = [...prefix, 'env', 'DEBIAN_FRONTEND=noninteractive', 'apt-get', '-q', ...args];
  return spawnSync(command, rest, { encoding: 'utf8', timeout: limitMs });
};

/** Why a missing program is not installed now, and what to do about it. */
const remedyOf = ({ debian, binaries, remedies }, platform, hasApt) => {
  const byHand = hasApt
    ? `sudo apt-get install ${debian}`
    : 'install it with the package manager of your system';
  return `${binaries[0]} is not installed: ${remedies[platform] ?? byHand}`;
};

/** Installs the requirement of a suite if apt-get is allowed to; returns the reason and the remedy if that failed. */
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

/**
 * The path of a program, which is installed first if allowed; otherwise the reason why it is missing. A lighter variant
 * is used where it exists, and is installed only in CI.
 */
export function obtained(need) {
  const { lighter, font } = need;
  const found = () => (lighter && locate(lighter)) ?? locate(need);
  if (lighter && process.env.CI && !locate(lighter)) install(lighter);
  const refusal = found() ? undefined : install(need);
  if (font && process.platform === 'linux' && !existsSync(font.file))
    install({ ...need, debian: font.debian });
  const path = found();
  return path
    ? { path }
    : { reason: refusal ?? `${need.debian} was installed but did not provide the program` };
}

/** The path of Chromium; ends the command with the reason if there is none. */
export function chromiumPath() {
  if (process.env.CHROMIUM_PATH) return process.env.CHROMIUM_PATH;
  const { path, reason } = obtained(needs.find(({ name }) => name === 'CHROMIUM'));
  if (path !== undefined) return path;
  console.error(reason);
  process.exit(1);
}
