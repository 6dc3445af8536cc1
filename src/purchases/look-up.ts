import type { Config } from '../config/config.ts';
import { loadDirectory } from '../directory/load.ts';
import { redisClaimStore } from '../exchange/claims/redis-claim-store.ts';
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
  type Product,
  type PurchaseEvidence,
} from './evidence.ts';
import { type Payment, readChain, type Seen } from './incoming-payments.ts';
import { readLogs, UnreadableLog } from './log-lines.ts';
import type { PurchaseQuery } from './query.ts';

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
