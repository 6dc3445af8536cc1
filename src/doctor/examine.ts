import { parseGwei } from 'viem/utils';
import type { Operation } from '../catalog/operation.ts';
import type { Config, SettlerChoice } from '../config/config.ts';
import { type Day, longDayText, utcDay } from '../domain/calendar.ts';
import { areRatesEnding, ratesHeldUntil } from '../domain/statutory-rates.ts';
import { createCatalog } from '../operations/catalog.ts';
import { type Rpc, rpcOver } from '../payments/chain/rpc.ts';
import {
  type Facilitator,
  type FacilitatorChoice,
  facilitatorOf,
} from '../payments/facilitator/known-facilitators.ts';
import { StartFault } from '../platform/start-fault.ts';
import { readDirectory } from '../service/directory.ts';
import { checkAddress, checkEmbedded, checkEnvFile, checkMode, checkProof } from './address-checks.ts';
import { checkDeployment } from './deployment-checks.ts';
import { checkFacilitator } from './facilitator-checks.ts';
import { type Finding, fail, guarded, ok, originOnly, warn } from './finding.ts';
import { checkChain, checkNode, checkUsdc, type NamedRpc, type RpcChecks } from './node-checks.ts';
import { checkPayee } from './payee-checks.ts';
import { checkRedis } from './redis-checks.ts';
import { checkRelayer, type Sold } from './relayer-checks.ts';

export type ExamineOptions = {
  /** Milliseconds since the epoch. */
  readonly now?: () => number;
  /** The day by which the reference rates are judged. */
  readonly today?: Day;
  /** How a hosted settler is called. */
  readonly facilitator?: (choice: FacilitatorChoice) => Facilitator;
};

/**
 * Looks at everything that valid settings name, in the order of a payment's way, and sends nothing. `tell` gets each
 * group of findings as it is known.
 */
export async function examine(
  config: Config,
  tell: (findings: readonly Finding[]) => void,
  options: ExamineOptions = {},
): Promise<void> {
  const { now = Date.now } = options;
  const facilitator =
    options.facilitator ??
    ((choice: FacilitatorChoice) => facilitatorOf(choice, { cdpApiKey: config.cdpApiKey, now }));
  const { operations, finding } = catalogOf(now());
  tell([finding]);
  const isEmbedded = config.settlers.some(({ kind }) => kind === 'embedded');
  if (isEmbedded) tell(await checkEmbedded());
  else {
    tell(checkMode(config));
    tell(await guarded('RPC_URLS', () => examineChain(config, operations, now)));
    for (const [index, choice] of config.settlers.entries()) {
      if (!isFacilitator(choice)) continue;
      const name = choice.kind === 'facilitator' ? `facilitator_${index + 1}` : choice.kind;
      tell(await guarded(name, () => checkFacilitator(name, facilitator(choice), config.network.caip2)));
    }
  }
  const { redisUrl } = config;
  if (redisUrl !== null) tell(await guarded('REDIS_URL', () => checkRedis(redisUrl.reveal())));
  const address = await checkAddress(config);
  tell([address]);
  if (address.isOurs && !isEmbedded)
    tell(await guarded('PUBLIC_BASE_URL', () => checkDeployment(config, operations)));
  tell([checkProof(config), checkRates(options.today ?? utcDay(now())), ...checkEnvFile()]);
}

const isFacilitator = (choice: SettlerChoice): choice is FacilitatorChoice =>
  choice.kind !== 'embedded' && choice.kind !== 'local';

/** What is sold and given; nothing where the data that belongs to it cannot be served. */
function catalogOf(nowMs: number): { operations: readonly Operation[]; finding: Finding } {
  const what = 'Directory of tools';
  try {
    const operations = createCatalog(readDirectory(nowMs));
    return { operations, finding: ok(what, 'can be served') };
  } catch (fault) {
    if (!(fault instanceof StartFault)) throw fault;
    const [says = '', todo = ''] = fault.message.replace(/\.$/, '').split(': ', 2);
    return { operations: [], finding: fail(what, says, `${todo.charAt(0).toUpperCase()}${todo.slice(1)}`) };
  }
}

async function examineChain(
  config: Config,
  operations: readonly Operation[],
  now: () => number,
): Promise<readonly Finding[]> {
  const { network, rpcUrls, settlers, payTo } = config;
  if (rpcUrls.length === 0) return [];
  const isLocal = settlers.some(({ kind }) => kind === 'local');
  const checks: RpcChecks = { network, sends: isLocal, now };
  const examined = await Promise.all(
    rpcUrls.map((url, index) => {
      const rpc = rpcOver([url.reveal()]);
      return examineNode({ name: `RPC ${index + 1} ${originOnly(url.reveal())}`, rpc }, checks);
    }),
  );
  const findings = examined.flatMap((node) => node.findings);
  const rpc = examined.find(({ usable }) => usable !== null)?.usable;
  if (!rpc)
    return [
      ...findings,
      warn('USDC, PAY_TO, RELAYER_KEY', 'not looked at', 'They can be once a node of RPC_URLS answers'),
    ];
  const relayer = (isLocal && config.relayer?.address) || null;
  const usdc = payTo === null ? [] : await checkUsdc(rpc, network, payTo);
  const products = productsOf(operations);
  const amounts = new Set(products.map(({ amount }) => BigInt(amount)));
  const payments =
    payTo === null || products.length === 0
      ? []
      : await checkPayee(rpc, { network, payTo, relayer: settlers.length === 1 ? relayer : null, amounts });
  const gasWeiPerCent = parseGwei(String(config.gasGweiPerCent));
  return [
    ...findings,
    ...usdc,
    ...payments,
    ...(relayer === null ? [] : await checkRelayer(rpc, relayer, { products, gasWeiPerCent })),
  ];
}

/** What is sold, at prices in millionths of a dollar. */
const productsOf = (operations: readonly Operation[]): Sold['products'] =>
  operations.flatMap(({ name, price }) => (price === null ? [] : [{ name, amount: price.atomic }]));

async function examineNode(
  node: NamedRpc,
  checks: RpcChecks,
): Promise<{ usable: Rpc | null; findings: readonly Finding[] }> {
  const chain = await checkChain(node, checks);
  if (chain.verdict === 'FAIL') return { usable: null, findings: [chain] };
  return { usable: node.rpc, findings: [chain, ...(await checkNode(node, checks))] };
}

/** Whether statutory interest can be worked out for debts of the near future. */
function checkRates(today: Day): Finding {
  const what = 'Statutory reference rates';
  const held = `held until ${longDayText(ratesHeldUntil())}`;
  if (!areRatesEnding(today)) return ok(what, held);
  return warn(
    what,
    `${held} only`,
    'Add the next half-year to REFERENCE_RATES, or install a newer release. Until then answers carry the last rate on and say that it may be out of date',
  );
}
