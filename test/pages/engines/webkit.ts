import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { freePort } from '../../support/listening.ts';
import { asJson, type Engine, parsed, type Tab, until } from './engine.ts';

/** A tab that also reports what a screen reader announces. */
export type WebKitTab = Tab & {
  /** The computed role of each element that a selector finds. */
  roles(selector: string): Promise<readonly string[]>;
  resize(width: number, height: number): Promise<void>;
};

type Ask = (method: string, path: string, body?: object) => Promise<unknown>;

/** WebKitGTK's MiniBrowser on a virtual screen, controlled through plain WebDriver. */
export async function openWebKit(
  driverPath: string,
  screenPath: string,
): Promise<Omit<Engine, 'open'> & { open(): Promise<WebKitTab> }> {
  const { screen, display } = await screenOf(screenPath);
  const port = await freePort();
  const driver = spawn(driverPath, [`--port=${port}`, '--host=127.0.0.1'], {
    stdio: 'ignore',
    env: {
      ...process.env,
      DISPLAY: display,
      LIBGL_ALWAYS_SOFTWARE: '1',
      WEBKIT_DISABLE_COMPOSITING_MODE: '1',
      WEBKIT_DISABLE_SANDBOX_THIS_IS_DANGEROUS: '1',
    },
  });
  const ask = asking(`http://127.0.0.1:${port}`);
  const isUp = () => ask('GET', '/status').then(Boolean, () => false);
  await until('WebKitWebDriver', isUp);
  const options = { binary: browserPath(), args: ['--automation'] };
  const session = (await ask('POST', '/session', {
    capabilities: { alwaysMatch: { 'webkitgtk:browserOptions': options } },
  })) as { readonly sessionId: string };
  const inSession: Ask = (method, path, body) => ask(method, `/session/${session.sessionId}${path}`, body);
  const first = await inSession('GET', '/window');
  return {
    open: () => openTab(inSession, first),
    async stop() {
      await inSession('DELETE', '').catch(() => {});
      await Promise.all([driver, screen].map(ended));
    },
  };
}

/** Commands go to the window that was switched to last, so only one tab is used at a time. */
async function openTab(ask: Ask, first: unknown): Promise<WebKitTab> {
  await ask('POST', '/window', { handle: first });
  const { handle } = (await ask('POST', '/window/new', { type: 'tab' })) as { readonly handle: string };
  const inTab: Ask = async (method, path, body) => {
    await ask('POST', '/window', { handle });
    return ask(method, path, body);
  };
  return {
    goTo: async (url) => void (await inTab('POST', '/url', { url })),
    reload: async () => void (await inTab('POST', '/refresh', {})),
    run: async (body) =>
      parsed(await inTab('POST', '/execute/sync', { script: `return ${asJson(body)}`, args: [] })),
    async roles(selector) {
      const found = await inTab('POST', '/elements', { using: 'css selector', value: selector });
      const told: string[] = [];
      for (const element of found as readonly Readonly<Record<string, string>>[])
        told.push(String(await ask('GET', `/element/${Object.values(element)[0]}/computedrole`)));
      return told;
    },
    resize: async (width, height) => void (await inTab('POST', '/window/rect', { width, height })),
    pdf: () => Promise.reject(new Error('WebKitWebDriver has no command that prints')),
    close: async () => void (await inTab('DELETE', '/window')),
  };
}

const asking =
  (origin: string): Ask =>
  async (method, path, body) => {
    const response = await fetch(origin + path, {
      method,
      ...(body !== undefined && {
        body: JSON.stringify(body),
        headers: { 'content-type': 'application/json' },
      }),
    });
    const { value } = (await response.json()) as { readonly value: unknown };
    if (!response.ok) throw new Error(`${method} ${path}: ${JSON.stringify(value)}`);
    return value;
  };

/** Debian installs the browser next to the library, in a folder named after the processor. */
function browserPath(): string {
  const folders = (folder: string): string[] =>
    readdirSync(folder, { withFileTypes: true }).flatMap((entry) =>
      entry.isDirectory() ? [join(folder, entry.name)] : [],
    );
  const found = folders('/usr/lib')
    .filter((folder) => folder.endsWith('-linux-gnu'))
    .flatMap(folders)
    .map((folder) => join(folder, 'MiniBrowser'))
    .find((path) => path.includes('webkit2gtk') && existsSync(path));
  if (found === undefined) throw new Error('WebKitGTK brought no MiniBrowser');
  return found;
}

/** Xvfb takes the first free display and reports its number. */
function screenOf(path: string): Promise<{ screen: ChildProcess; display: string }> {
  const screen = spawn(path, ['-displayfd', '3', '-screen', '0', '1280x900x24', '-nolisten', 'tcp'], {
    stdio: ['ignore', 'ignore', 'ignore', 'pipe'],
  });
  return new Promise((resolve, reject) => {
    screen.once('exit', (code) => reject(new Error(`Xvfb ended (${code})`)));
    screen.stdio[3]?.once('data', (number: Buffer) =>
      resolve({ screen, display: `:${number.toString().trim()}` }),
    );
  });
}

const ended = (program: ChildProcess): Promise<unknown> =>
  new Promise((resolve) => {
    program.removeAllListeners('exit').once('exit', resolve);
    program.kill();
  });
