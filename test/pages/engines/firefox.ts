import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Socket, WebSocket } from '../../../tools/engines/index.ts';
import { asJson, type Engine, parsed, type Tab } from './engine.ts';

type Reply = { readonly id?: number; readonly result?: unknown; readonly message?: string };
type Ask = (method: string, params: object) => Promise<Record<string, unknown>>;

/** Headless Firefox, controlled through its built-in WebDriver BiDi. */
export async function openFirefox(path: string): Promise<Engine> {
  const profile = mkdtempSync(join(tmpdir(), 'firefox-'));
  const program = spawn(
    path,
    ['--headless', '--no-remote', '--profile', profile, '--remote-debugging-port=0'],
    {
      stdio: ['ignore', 'ignore', 'pipe'],
      env: { ...process.env, HOME: profile },
    },
  );
  const ask = asking(await connected(await addressOf(program)));
  await ask('session.new', { capabilities: {} });
  const open = async (): Promise<Tab> => {
    const { context } = await ask('browsingContext.create', { type: 'tab' });
    return tabOf(ask, context);
  };
  return {
    open,
    async stop() {
      const ended = new Promise((resolve) => program.once('exit', resolve));
      program.kill();
      await ended;
      rmSync(profile, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}

const tabOf = (ask: Ask, context: unknown): Tab => ({
  goTo: async (url) => void (await ask('browsingContext.navigate', { context, url, wait: 'complete' })),
  reload: async () => void (await ask('browsingContext.reload', { context, wait: 'complete' })),
  async run(body) {
    const target = { context };
    const answer = await ask('script.evaluate', { expression: asJson(body), target, awaitPromise: true });
    const { result, exceptionDetails } = answer as {
      readonly result?: { readonly value?: unknown };
      readonly exceptionDetails?: { readonly text?: string };
    };
    if (exceptionDetails) throw new Error(exceptionDetails.text);
    return parsed(result?.value);
  },
  pdf: async () => Buffer.from(String((await ask('browsingContext.print', { context })).data), 'base64'),
  close: async () => void (await ask('browsingContext.close', { context })),
});

function addressOf(program: ChildProcess): Promise<string> {
  return new Promise((resolve, reject) => {
    let said = '';
    program.once('exit', (code) => reject(new Error(`Firefox ended (${code}): ${said}`)));
    program.stderr?.on('data', (part: Buffer) => {
      said += part.toString();
      const address = /WebDriver BiDi listening on (ws:\S+)/.exec(said)?.[1];
      if (address !== undefined) resolve(`${address}/session`);
    });
  });
}

function connected(address: string): Promise<Socket> {
  // A report as a PDF is a large message.
  const socket = new WebSocket(address, { maxPayload: 64 * 1024 * 1024 });
  return new Promise((resolve, reject) => {
    socket.once('open', () => resolve(socket));
    socket.once('error', reject);
  });
}

function asking(socket: Socket): Ask {
  const waiting = new Map<number, (reply: Reply) => void>();
  socket.on('message', (data) => {
    const reply = JSON.parse(data.toString()) as Reply;
    if (reply.id !== undefined) waiting.get(reply.id)?.(reply);
  });
  let last = 0;
  return (method, params) =>
    new Promise((resolve, reject) => {
      last += 1;
      const id = last;
      waiting.set(id, ({ result, message }) => {
        waiting.delete(id);
        if (result === undefined) reject(new Error(`${method}: ${message}`));
        else resolve(result as Record<string, unknown>);
      });
      socket.send(JSON.stringify({ id, method, params }));
    });
}
