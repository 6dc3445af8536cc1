import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { readConfig } from '../../src/config/config.ts';
import { lookUp, OPTIONS, readQuery } from '../../src/purchases/look-up.ts';
import type { World } from './world.ts';

/** The output of `npm run purchases` after the soak. */
export type Support = {
  /** The output for each payment, by its nonce. */
  readonly stories: ReadonlyMap<string, { readonly product: string; readonly answer: string }>;
  /** Total revenue, in millionths of a dollar. */
  readonly total: bigint;
};

const DAY_MS = 86_400_000;

/** Looks up every payment, with the claims and the logs of all instances. */
export async function supportOf({ chain, redis, instances }: World): Promise<Support> {
  const folder = mkdtempSync(join(tmpdir(), 'soak-log-'));
  const log = join(folder, 'service.log');
  writeFileSync(log, instances.flatMap(({ lines }) => lines).join('\n'));
  const { rpcUrl: RPC_URLS, relayerKey: RELAYER_KEY, payee: PAY_TO } = chain;
  const reading = readConfig({
    NODE_ENV: 'development',
    SETTLERS: 'local',
    RPC_URLS,
    RELAYER_KEY,
    PAY_TO,
    REDIS_URL: redis.url,
  });
  if (!reading.ok) throw new Error(JSON.stringify(reading.faults));
  const { config } = reading;
  const day = (ms: number) => new Date(ms).toISOString().slice(0, 10);
  const days = ['--from', day(Date.now() - 2 * DAY_MS), '--to', day(Date.now() + 2 * DAY_MS)];
  const ask = async (args: string[]): Promise<string> => {
    const { values } = parseArgs({ args: [...args, ...days], options: OPTIONS });
    const asked = readQuery(values, Math.floor(Date.now() / DAY_MS) as never);
    if (typeof asked === 'string') throw new Error(asked);
    return (await lookUp(config, asked, Date.now)).out;
  };
  const stories = (await ask(['--all', '--log', log])).split('\n\n').map((story) => {
    const says = (name: string) => new RegExp(`^${name}: +(.*)$`, 'm').exec(story)?.[1] ?? '';
    return [says('nonce'), { product: says('product'), answer: says('answer') }] as const;
  });
  const sums = (await ask(['--csv'])).matchAll(/,(\d+)\.(\d+)$/gm);
  const total = [...sums].reduce(
    (sum, [, whole = '', rest = '']) => sum + BigInt(whole + rest.padEnd(6, '0')),
    0n,
  );
  rmSync(folder, { recursive: true });
  return { stories: new Map(stories), total };
}
