import type { Config } from '../../src/config/config.ts';
import { createLog } from '../../src/platform/log.ts';
import { type Service, startService } from '../../src/service/service.ts';
import { configOf } from './config.ts';

type Started = { readonly service: Service; readonly lines: string[] };

/** Starts a service with these settings in this process, on any free port; `lines` are those of its log. */
export async function serviceWith(
  settings: Record<string, string | undefined>,
  changes: Partial<Config> = {},
): Promise<Started> {
  const lines: string[] = [];
  const log = createLog({ level: 'debug', write: (line) => lines.push(line) });
  return { service: await startService({ ...configOf(settings), port: 0, ...changes }, log), lines };
}
