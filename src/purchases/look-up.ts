import type { parseArgs } from 'node:util';
import type { Config } from '../config/config.ts';
import { loadDirectory } from '../directory/load.ts';
import { type Day, parseDay } from '../domain/calendar.ts';
import { redisClaimStore } from '../exchange/claims/redis-claims.ts';
import { createCatalog } from '../operations/catalog.ts';
import { RpcFailure, rpcOver } from '../payments/chain/rpc.ts';
import type { Hex } from '../payments/x402/payment.ts';
import { claimKey } from '../payments/x402/requirements.ts';
import { openRedis } from '../platform/redis.ts';
import {
  boughtBy,
  type ClaimLookup,
  describePurchase,
  dollars,
  mayBeOwed,
  type Payment,
  type Product,
  type PurchaseEvidence,
  readChain,
  readLogs,
  type Seen,
  UnreadableLog,
} from './evidence.ts';

/** The requested payments and the format of the output. Days are UTC, and include the first and the last. */
type PurchaseQuery = {
  readonly transaction: Hex | null;
  readonly payer: Hex | null;
  readonly nonce: Hex | null;
  readonly from: Day;
  readonly to: Day;
  readonly isCsv: boolean;
  /** Whether to list only payments without a known answer. */
  readonly isUnanswered: boolean;
  readonly logFiles: readonly string[];
  /** The file with the settings, instead of `.env`. */
  readonly envFile: string | undefined;
};

export const USAGE = `Usage: npm run purchases -- [which] [--from DAY] [--to DAY] [--log FILE] [--csv]
  --tx 0x…       what this transaction paid for
  --payer 0x…    what this account paid for
  --nonce 0x…    what this authorization paid for
  --day DAY      all payments of a day (YYYY-MM-DD, UTC)
  --all          all payments
  --unanswered   payments without a known answer: you may owe their senders money
  --csv          revenue by day and product
  --log FILE     a log of the service, for claims that no longer exist; may be repeated
  --env-file FILE  read the settings from this file instead of .env
Without days, it reads the last seven.`;

const text = { type: 'string' } as const;
const flag = { type: 'boolean' } as const;
const texts = { tx: text, payer: text, nonce: text, day: text, from: text, to: text };
export const OPTIONS = {
  ...texts,
  csv: flag,
  all: flag,
  unanswered: flag,
  log: { ...text, multiple: true },
  'env-file': text,
} as const;
type Values = ReturnType<typeof parseArgs<{ options: typeof OPTIONS }>>['values'];
const DAYS = 6;
const MOST_DAYS = 366;

/** Reads the query from the command's options. If an option is wrong, returns a sentence that says so. */
export function readQuery(values: Values, today: Day): PurchaseQuery | string {
  const hex = (name: 'tx' | 'payer' | 'nonce', bytes: number): Hex | null | string => {
    const given = values[name];
    if (given === undefined) return null;
    return new RegExp(`^0x[0-9a-f]{${bytes * 2}}$`, 'i').test(given)
      ? (given.toLowerCase() as Hex)
      : `--${name} must be 0x and ${bytes * 2} hexadecimal digits`;
  };
  const day = (name: 'day' | 'from' | 'to', fallback: Day): Day | string => {
    const given = values[name];
    return given === undefined ? fallback : (parseDay(given) ?? `--${name} must be a day, YYYY-MM-DD`);
  };
  const last = day('to', today);
  const to = day('day', last as Day);
  const from = values.day === undefined ? day('from', ((to as number) - DAYS) as Day) : to;
  const read = { transaction: hex('tx', 32), payer: hex('payer', 20), nonce: hex('nonce', 32), from, to };
  const wrong = Object.values(read).find((value) => typeof value === 'string' && !value.startsWith('0x'));
  if (wrong !== undefined) return String(wrong);
  if (typeof last === 'string') return last;
  if ((from as Day) > (to as Day)) return '--from is after --to';
  if ((to as Day) - (from as Day) > MOST_DAYS) return `at most ${MOST_DAYS} days at a time`;
  const { tx, payer, nonce, csv = false, all, unanswered = false, log = [] } = values;
  if (!csv && !all && !unanswered && !values.day && [tx, payer, nonce].every((one) => one === undefined))
    return 'Specify the purchases: --tx, --payer, --nonce, --day, --all, --unanswered or --csv';
  const envFile = values['env-file'];
  return { ...(read as PurchaseQuery), isCsv: csv, isUnanswered: unanswered, logFiles: log, envFile };
}

/** The output of the command: standard output, standard error and exit status. */
type CommandResult = { readonly out: string; readonly err: string; readonly status: 0 | 1 };

// An operator can wait longer than a buyer.
const REDIS_MS = 10_000;
const failed = (err: string): CommandResult => ({ out: '', err: `${err}\n`, status: 1 });

/** Finds the requested payments on the chain, in the claims and in the logs. It is read-only. */
export async function lookUp(
  config: Config,
  query: PurchaseQuery,
  now: () => number,
): Promise<CommandResult> {
  const { payTo, network, rpcUrls } = config;
  if (payTo === null) return failed('The embedded chain has no records, because it uses play money.');
  if (rpcUrls.length === 0) return failed('RPC_URLS is needed, because payments are read from the chain.');
  const rpc = rpcOver(rpcUrls.map((url) => url.reveal()));
  try {
    if (Number(await rpc.call<Hex>('eth_chainId', [])) !== network.chainId)
      return failed(`The nodes in RPC_URLS are not on ${network.caip2}.`);
    const chain = readChain(rpc, { asset: network.usdc, payTo });
    if (query.transaction !== null) {
      const seen = await chain.ofTransaction(query.transaction);
      if (seen.kind !== 'payments') return failed(notFoundIn(query.transaction, seen));
      return await tell(seen.payments, config, query, now);
    }
    const payments = await chain.ofDays(query.from, query.to);
    const wanted = payments.filter(
      ({ from, nonce }) =>
        (query.payer === null || from === query.payer) && (query.nonce === null || nonce === query.nonce),
    );
    if (wanted.length === 0 && !query.isCsv) return failed(notFoundFor(query));
    return await tell(wanted, config, query, now);
  } catch (error) {
    if (error instanceof RpcFailure)
      return failed('No node in RPC_URLS gives a valid answer: npm run doctor says why.');
    if (error instanceof UnreadableLog) return failed(error.message);
    throw error;
  }
}

function notFoundIn(transaction: Hex, { kind }: Seen): string {
  if (kind === 'unknown') return `${transaction}: this network has no such transaction, or not yet.`;
  return kind === 'reverted'
    ? `${transaction}: it was reverted, and no money moved.`
    : `${transaction}: it paid nothing to PAY_TO.`;
}

const notFoundFor = ({ nonce }: PurchaseQuery): string =>
  nonce === null
    ? 'No such payment to PAY_TO on these days. For other days, use --from and --to.'
    : 'This authorization moved no money to PAY_TO on these days, so its buyer was not charged then. For other days, use --from and --to.';

async function tell(
  payments: readonly Payment[],
  config: Config,
  query: PurchaseQuery,
  now: () => number,
): Promise<CommandResult> {
  const products = productsOf();
  const logs = await readLogs(query.logFiles);
  const memory = await openMemory(config, now);
  const entries: { payment: Payment; known: PurchaseEvidence }[] = [];
  for (const payment of payments) {
    const claim = await memory.claimOf(payment);
    entries.push({ payment, known: { claim, logged: logs.get(payment.transaction) } });
  }
  memory.close();
  if (query.isCsv) {
    const { csv, total } = ledgerOf(entries, products);
    const err = `${counted(entries.length)}, ${dollars(total)} USDC, according to the events of USDC.\n`;
    return { out: csv, err, status: 0 };
  }
  const parts = { products, nowSeconds: Math.floor(now() / 1_000) };
  const shown = query.isUnanswered
    ? entries.filter(({ payment, known }) => mayBeOwed(payment, known))
    : entries;
  const err = query.isUnanswered
    ? `${shown.length} of ${counted(entries.length)} without a known answer. For answers that can no longer be collected, add the log: --log.\n`
    : '';
  if (shown.length === 0) return { out: '', err, status: 0 };
  const stories = shown.map(({ payment, known }) => describePurchase(payment, known, parts).join('\n'));
  return { out: `${stories.join('\n\n')}\n`, err, status: 0 };
}

const counted = (payments: number): string => (payments === 1 ? '1 payment' : `${payments} payments`);

const productsOf = (): readonly Product[] =>
  createCatalog(loadDirectory()).flatMap(({ name, price }) =>
    price === null ? [] : [{ name, amount: BigInt(price.atomic) }],
  );

/** The claims that instances share. The memory of another process cannot be read. */
async function openMemory({ redisUrl, network }: Config, now: () => number) {
  if (redisUrl === null) return { claimOf: async (): Promise<ClaimLookup> => 'none', close: () => {} };
  const redis = openRedis({ url: redisUrl.reveal(), deadlineMs: REDIS_MS });
  await redis.tried(REDIS_MS);
  const store = redisClaimStore(redis, now);
  const place = { network: network.caip2, asset: network.usdc };
  return {
    async claimOf({ from, nonce }: Payment): Promise<ClaimLookup> {
      if (nonce === null) return 'absent';
      const found = await store.find(claimKey(place, { from, nonce }));
      if (found === null) return 'down';
      return found === 'absent' ? 'absent' : found.claim;
    },
    close: redis.close,
  };
}

/** Revenue by day and product as CSV, and its total. */
function ledgerOf(
  entries: readonly { readonly payment: Payment; readonly known: PurchaseEvidence }[],
  products: readonly Product[],
) {
  const rows = new Map<string, { count: number; sum: bigint }>();
  let total = 0n;
  for (const { payment, known } of entries) {
    const day = new Date(payment.at * 1_000).toISOString().slice(0, 10);
    const key = `${day},${cell(boughtBy(payment, known, products).product)}`;
    const row = rows.get(key) ?? { count: 0, sum: 0n };
    rows.set(key, { count: row.count + 1, sum: row.sum + payment.value });
    total += payment.value;
  }
  const lines = [...rows]
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([key, { count, sum }]) => `${key},${count},${dollars(sum)}`);
  return { csv: `${['day,product,count,usd', ...lines].join('\n')}\n`, total };
}

const cell = (text: string): string => (/[",]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);
