import type { Reading } from './reading.ts';
import type { SettlerChoice } from './settlers.ts';

/** What several processes of one service have to share. */
export type SharedResources = {
  readonly settlers: readonly SettlerChoice[];
  readonly hasRedis: boolean;
  /** Number of relayer accounts. */
  readonly relayerKeys: number;
};

const MOST_WORKERS = 64;

/** How many processes serve the port. Several of them share a Redis, and never the nonces of one account. */
export function readWorkers(reading: Reading, { settlers, hasRedis, relayerKeys }: SharedResources): number {
  const workers = reading.whole('WORKERS', 1, MOST_WORKERS);
  if (workers === 1) return 1;
  const kinds = new Set(settlers.map(({ kind }) => kind));
  if (kinds.has('embedded')) {
    reading.fault('WORKERS', 'must be 1 with the embedded chain, which belongs to one process');
    return workers;
  }
  if (!hasRedis && !reading.isFaulty('REDIS_URL'))
    reading.fault(
      'REDIS_URL',
      'is missing; several WORKERS share what was paid for and the limits through it',
    );
  if (kinds.has('local') && relayerKeys < workers)
    reading.fault(
      'WORKERS',
      `is more than there are keys for the settler local: processes with one key take each other's nonces. Give RELAYER_KEYS at least ${workers} keys, or use hosted settlers`,
    );
  return workers;
}
