import { spawn } from 'node:child_process';
import { builtProgram } from './built-program.ts';
import { freePort } from './listening.ts';
import { UNSETTLED } from './unsettled.ts';

const main = builtProgram('main');

export type BuiltService = {
  readonly url: string;
  /** The log lines of the service. */
  readonly lines: readonly string[];
  /** The RPC of the embedded chain; empty without one. */
  readonly chainUrl: string;
  stop(): void;
};

/** The service as an operator runs it, from dist/, on its own port; ready when this resolves. */
export async function startBuilt(settings: Record<string, string> = UNSETTLED): Promise<BuiltService> {
  const port = await freePort();
  const lines: string[] = [];
  const service = spawn(process.execPath, [main], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { PATH: process.env.PATH, PORT: String(port), ...settings },
  });
  await new Promise<void>((resolve, reject) => {
    let rest = '';
    service.once('exit', (code) => reject(new Error(`the service ended with ${code}: ${lines.join('\n')}`)));
    service.stdout.on('data', (part: Buffer) => {
      const parts = (rest + part.toString()).split('\n');
      rest = parts.pop() ?? '';
      lines.push(...parts);
      if (parts.some((line) => line.includes('"listening"'))) resolve();
    });
  });
  return {
    url: `http://127.0.0.1:${port}`,
    chainUrl: lines.map((line) => /"embedded_chain".*"origin":"([^"]+)"/.exec(line)?.[1]).find(Boolean) ?? '',
    lines,
    stop: () => void service.removeAllListeners('exit').kill('SIGKILL'),
  };
}
