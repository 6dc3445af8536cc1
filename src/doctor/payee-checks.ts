import { formatUnits } from 'viem/utils';
import type { Network } from '../domain/networks.ts';
import { type IncomingTransfer, incomingTransfers } from '../payments/chain/incoming-transfers.ts';
import type { Rpc } from '../payments/chain/rpc.ts';
import type { Hex } from '../payments/x402/payment.ts';
import { type Finding, ok, rpcTrouble, warn } from './finding.ts';

export type PayeeChecks = {
  readonly network: Network;
  readonly payTo: Hex;
  /** The only account that settles for us; null when others may. */
  readonly relayer: Hex | null;
  /** What we sell for, in millionths of a dollar. */
  readonly amounts: ReadonlySet<bigint>;
};

// A day of Base, in the pieces that public nodes answer.
const RANGES = 5;
const RANGE_BLOCKS = 9_000;
const MOST_RECEIPTS = 50;
const DECIMALS = 6;

/**
 * Whether another seller uses the same payee. Nothing of it is a FAIL: a stranger can cause all of it by sending money,
 * and must not be able to hold an upgrade up.
 */
export async function checkPayee(rpc: Rpc, checks: PayeeChecks): Promise<readonly Finding[]> {
  const what = `PAY_TO ${checks.payTo}, payments`;
  const { incoming, blocks, trouble } = await recent(rpc, checks);
  if (blocks === 0)
    return [warn(what, `not looked at: a node ${trouble}`, 'Look for sales of others on it yourself')];
  const payments = incoming.filter(({ nonce }) => nonce !== null);
  const says = `${count(payments.length, 'payment')} in ${blocks} blocks`;
  const findings = [
    ...strangeAmounts(what, payments, checks),
    ...(await strangeSenders(what, rpc, payments, checks)),
  ];
  return [
    ...(findings.length === 0
      ? [ok(what, `${says}, none that looks like a sale of somebody else`)]
      : findings),
    ...plainTransfers(checks, incoming.length - payments.length),
  ];
}

/** What came in over the latest blocks, oldest first; as many ranges of them as a node answers. */
async function recent(rpc: Rpc, { network, payTo }: PayeeChecks) {
  const incoming: IncomingTransfer[] = [];
  let blocks = 0;
  try {
    const head = Number(await rpc.call<Hex>('eth_blockNumber', []));
    for (let last = head; last >= 0 && blocks < RANGES * RANGE_BLOCKS; last -= RANGE_BLOCKS) {
      const first = Math.max(0, last - RANGE_BLOCKS + 1);
      incoming.unshift(...(await incomingTransfers(rpc, { asset: network.usdc, payTo }, { first, last })));
      blocks += last - first + 1;
    }
    return { incoming, blocks, trouble: '' };
  } catch (error) {
    return { incoming, blocks, trouble: rpcTrouble(error) };
  }
}

const OWN =
  'Give this deployment an address of its own: a payment made to another seller could buy an answer here';

function strangeAmounts(
  what: string,
  payments: readonly IncomingTransfer[],
  { amounts }: PayeeChecks,
): Finding[] {
  const strange = payments.filter(({ value }) => !amounts.has(value));
  const [latest] = strange.slice(-1);
  if (latest === undefined) return [];
  const says = `${count(strange.length, 'payment')} of ${payments.length} ${are(strange.length)} of no price of ours, such as ${formatUnits(latest.value, DECIMALS)} USDC in ${latest.transaction}`;
  return [
    warn(`${what} of other amounts`, says, `Unless a price has changed, somebody else sells with it. ${OWN}`),
  ];
}

async function strangeSenders(
  what: string,
  rpc: Rpc,
  payments: readonly IncomingTransfer[],
  { relayer }: PayeeChecks,
): Promise<Finding[]> {
  if (relayer === null) return [];
  const transactions = [...new Set(payments.map(({ transaction }) => transaction))].slice(-MOST_RECEIPTS);
  let strange = 0;
  let latest: Hex | null = null;
  for (const transaction of transactions) {
    const sender = await senderOf(rpc, transaction);
    if (sender === null || sender === relayer.toLowerCase()) continue;
    strange += 1;
    latest = transaction;
  }
  if (latest === null) return [];
  const says = `${strange} of the latest ${count(transactions.length, 'payment')} ${are(strange)} sent by another account than RELAYER_KEY, such as ${latest}`;
  const todo = `Fine where other instances on the same REDIS_URL have keys of their own, or a buyer sent it. Else: ${OWN}`;
  return [warn(`${what} sent by others`, says, todo)];
}

/** null when the node does not say; what it says of another account is a reason to look, no more. */
async function senderOf(rpc: Rpc, transaction: Hex): Promise<Hex | null> {
  try {
    const receipt = await rpc.call<{ from?: unknown } | null>('eth_getTransactionReceipt', [transaction]);
    return typeof receipt?.from === 'string' ? (receipt.from.toLowerCase() as Hex) : null;
  } catch {
    return null;
  }
}

const plainTransfers = ({ payTo }: PayeeChecks, plain: number): Finding[] =>
  plain === 0
    ? []
    : [
        warn(
          `PAY_TO ${payTo}, other transfers`,
          `${count(plain, 'transfer')} that ${plain === 1 ? 'is' : 'are'} no x402 payment and bought nothing`,
          'Only a note: an address that is used for nothing else keeps the books plain',
        ),
      ];

const count = (number: number, noun: string): string => `${number} ${noun}${number === 1 ? '' : 's'}`;
const are = (number: number): string => (number === 1 ? 'is' : 'are');
