import { open } from 'node:fs/promises';
import { z } from 'zod';
import { jsonOf } from '../payments/chain/collect.ts';
import type { Hex } from '../payments/x402/payment.ts';

/** The purchase in a log line of the service. */
export type LoggedPurchase = {
  readonly operation: string;
  readonly outcome: string;
  readonly time: string;
  readonly requestId: string | null;
};

const name = z.string().regex(/^[a-z_]{1,40}$/);
/**
 * Accepts only what the service itself writes: a log may contain lines from other programs, and the output goes to a
 * terminal and into a table.
 */
const lineShape = z.object({
  event: z.literal('purchase'),
  time: z.iso.datetime(),
  operation: name,
  outcome: name,
  transaction: z.string().regex(/^0x[0-9a-f]{64}$/),
  request_id: z.guid().optional(),
});

/**
 * The purchases in logs, by transaction. Of several lines for one transaction, the one that says `settled` counts, or
 * else the last one. Throws an
 * UnreadableLog if a file cannot be opened.
 */
export async function readLogs(files: readonly string[]): Promise<ReadonlyMap<Hex, LoggedPurchase>> {
  const found = new Map<Hex, LoggedPurchase>();
  for (const file of files)
    for await (const line of (await opened(file)).readLines()) {
      if (!line.includes('"purchase"')) continue;
      const read = lineShape.safeParse(jsonOf(line.slice(line.indexOf('{'))));
      if (!read.success) continue;
      const { transaction, operation, outcome, time, request_id: requestId = null } = read.data;
      if (found.get(transaction as Hex)?.outcome === 'settled' && outcome !== 'settled') continue;
      found.set(transaction as Hex, { operation, outcome, time, requestId });
    }
  return found;
}

/** A log that the operator named cannot be opened. */
export class UnreadableLog extends Error {}

const opened = (file: string) =>
  open(file).catch((error: NodeJS.ErrnoException) => {
    throw new UnreadableLog(`The log ${file} cannot be read (${error.code}).`);
  });
