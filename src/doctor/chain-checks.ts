import { formatEther, formatUnits, parseGwei } from 'viem/utils';
import type { Operation } from '../catalog/operation.ts';
import type { Config } from '../config/config.ts';
import type { Network } from '../domain/networks.ts';
import { LOOKBACK_BLOCKS } from '../payments/chain/nonce-use.ts';
import { RPC_DEADLINE_MS, type Rpc, rpcOver } from '../payments/chain/rpc.ts';
import type { RpcBlock } from '../payments/chain/rpc-shapes.ts';
import {
  asTopic,
  balanceCall,
  CANCELED_TOPIC,
  isBlacklisted,
  isOurs,
  USED_TOPIC,
} from '../payments/chain/usdc.ts';
import { type Funds, MAX_FEE_PER_GAS_WEI, readFunds, worstOfSale } from '../payments/local/gas.ts';
import type { Hex } from '../payments/x402/payment.ts';
import { answered, type Finding, fail, ok, originOnly, rpcTrouble, warn } from './finding.ts';

/** Checks the nodes, and through the first usable one USDC, the payee and the relayer. */
export async function examineChain(
  config: Config,
  operations: readonly Operation[],
  now: () => number,
): Promise<readonly Finding[]> {
  const { network, rpcUrls, settlers, payTo, relayer } = config;
  if (rpcUrls.length === 0) return [];
  const nodes = rpcUrls.map((url, index) => ({
    name: `RPC ${index + 1} ${originOnly(url.reveal())}`,
    rpc: rpcOver([url.reveal()]),
  }));
  const examined = await Promise.all(nodes.map((node) => examineNode(node, network, now)));
  const findings = examined.flat();
  const usable = nodes.find((_, index) => examined[index]?.[0]?.verdict === 'ok');
  if (usable === undefined)
    return [
      ...findings,
      warn('USDC, PAY_TO, RELAYER_KEY', 'not checked', 'They can be checked once a node in RPC_URLS answers'),
    ];
  if (payTo !== null) findings.push(...(await checkUsdc(usable.rpc, network, payTo)));
  if (relayer !== null && settlers.some(({ kind }) => kind === 'local')) {
    const products = operations.flatMap(({ name, price }) =>
      price === null ? [] : [{ name, amount: price.atomic }],
    );
    const gasWeiPerCent = parseGwei(String(config.gasGweiPerCent));
    findings.push(...(await checkRelayer(usable.rpc, relayer.address, { products, gasWeiPerCent })));
  }
  return findings;
}

/** A node with its displayed name, which holds no secret. */
type NamedRpc = { readonly name: string; readonly rpc: Rpc };

/**
 * Checks the chain of a node first. If it is the right one, checks everything else that a node must be able to do.
 */
async function examineNode(node: NamedRpc, network: Network, now: () => number): Promise<readonly Finding[]> {
  const chain = await checkChain(node, network);
  if (chain.verdict === 'FAIL') return [chain];
  return [chain, await checkClock(node, now), await checkLogs(node, network)];
}

async function checkChain({ name, rpc }: NamedRpc, network: Network): Promise<Finding> {
  const startedMs = performance.now();
  try {
    const chainId = Number(await rpc.call<Hex>('eth_chainId', []));
    return chainId === network.chainId
      ? ok(name, `chain ${chainId}, as NETWORK says`)
      : fail(
          name,
          `chain ${chainId}, but NETWORK is ${network.caip2}`,
          'Change RPC_URLS or NETWORK: no payment could be accepted',
        );
  } catch (error) {
    const isLate = performance.now() - startedMs >= RPC_DEADLINE_MS;
    const says = isLate ? `does not answer within ${RPC_DEADLINE_MS / 1_000} s` : rpcTrouble(error);
    return fail(name, says, 'Check the host, path, key and network of this entry in RPC_URLS');
  }
}

// How far a clock may be off, given that a buyer has 120 s to pay and an authorization must be valid for 6 s more.
const SKEW_SECONDS = 15;
const MOST_SKEW_SECONDS = 60;

const checkClock = ({ name, rpc }: NamedRpc, now: () => number): Promise<Finding> =>
  answered(`${name}, clock`, 'The latest block must be readable', async (what) => {
    const head = await rpc.call<RpcBlock>('eth_getBlockByNumber', ['latest', false]);
    const ageSeconds = Math.round(now() / 1000 - Number(head.timestamp));
    const says = `block ${Number(head.number)} is ${ageSeconds} s old by this machine's clock`;
    if (Math.abs(ageSeconds) <= SKEW_SECONDS) return ok(what, says);
    const orNode = ageSeconds < 0 ? '' : ', or use a node that is up to date';
    const judge = Math.abs(ageSeconds) <= MOST_SKEW_SECONDS ? warn : fail;
    return judge(what, says, `Set this machine's clock${orNode}`);
  });

const NOBODY: Hex = '0x0000000000000000000000000000000000000000';

/** The query that finds a settlement that another party submitted. */
async function checkLogs({ name, rpc }: NamedRpc, { usdc: address }: Network): Promise<Finding> {
  const what = `${name}, eth_getLogs`;
  try {
    const head = Number(await rpc.call<Hex>('eth_blockNumber', []));
    const fromBlock = `0x${Math.max(0, head - LOOKBACK_BLOCKS).toString(16)}`;
    const topics = [[USED_TOPIC, CANCELED_TOPIC], asTopic(NOBODY), `0x${'00'.repeat(32)}`];
    await rpc.call('eth_getLogs', [{ address, fromBlock, toBlock: 'latest', topics }]);
    return ok(what, `answers over ${LOOKBACK_BLOCKS} blocks`);
  } catch (error) {
    return fail(
      what,
      `${rpcTrouble(error)} for ${LOOKBACK_BLOCKS} blocks`,
      'Use a node or plan that supports this range. Otherwise a payment that someone else submitted stays pending',
    );
  }
}

const DECIMALS = 6;
/** The selector of `paused()`. */
const PAUSED = '0x5c975abb';
const NEEDED = 'Without this answer no payment can be checked';

/** Checks that the asset is the expected USDC, that it is not paused, and that it may be sent to the payee. */
async function checkUsdc(rpc: Rpc, network: Network, payTo: Hex): Promise<readonly Finding[]> {
  const { usdc, chainId, usdcName: assetName, usdcVersion: assetVersion } = network;
  const view = async (data: Hex) =>
    BigInt(await rpc.call<Hex>('eth_call', [{ to: usdc, data }, 'latest'], { bytes: 32 }));
  return Promise.all([
    answered(`USDC ${usdc}`, NEEDED, async (what) =>
      (await isOurs(rpc, { chainId, asset: usdc, assetName, assetVersion }))
        ? ok(what, 'its signing domain is as buyers sign it')
        : fail(
            what,
            'its signing domain is not the one that buyers sign',
            'No payment could be verified there: the nodes in RPC_URLS have a different contract at this address',
          ),
    ),
    answered(`USDC ${usdc}, paused`, NEEDED, async (what) =>
      (await view(PAUSED)) === 0n
        ? ok(what, 'no')
        : fail(what, 'yes', 'Payments get 503 until its issuer unpauses it'),
    ),
    answered(`PAY_TO ${payTo}`, NEEDED, async (what) => {
      if (await isBlacklisted(rpc, usdc, payTo))
        return fail(what, 'blacklisted by USDC', 'Use a different address: nobody can pay this one');
      return ok(what, `not blacklisted, holds ${formatUnits(await view(balanceCall(payTo)), DECIMALS)} USDC`);
    }),
  ]);
}

/** The prefix of an account's code if it is delegated (EIP-7702). */
const DELEGATION = '0xef0100';

/** The products, to check whether their prices cover the gas. */
type Sold = {
  readonly products: readonly { readonly name: string; readonly amount: string }[];
  readonly gasWeiPerCent: bigint;
};

/**
 * Checks that the account that pays for gas can do so: its balance, the current price, and its pending transactions.
 */
async function checkRelayer(rpc: Rpc, address: Hex, sold: Sold): Promise<readonly Finding[]> {
  const relayer = `RELAYER_KEY, account ${address}`;
  try {
    const funds = await readFunds(rpc, address);
    const [latest, pending, code] = await Promise.all([
      rpc.call<Hex>('eth_getTransactionCount', [address, 'latest']),
      rpc.call<Hex>('eth_getTransactionCount', [address, 'pending']),
      rpc.call<Hex>('eth_getCode', [address, 'latest']),
    ]);
    return [
      balance(relayer, funds),
      plainAccount(relayer, code),
      nonces(relayer, Number(latest), Number(pending)),
      ...(sold.products.length === 0 ? [] : [gasCeiling(funds, sold)]),
    ];
  } catch (error) {
    return [fail(relayer, rpcTrouble(error), 'Its balance, code and transaction count must be readable')];
  }
}

/** An account with code may be emptied by others, and a delegated one (EIP-7702) can hold one transaction at a time. */
function plainAccount(relayer: string, code: Hex): Finding {
  const what = `${relayer}, code`;
  if (code === '0x') return ok(what, 'none, as it should be');
  const says = code.startsWith(DELEGATION) ? `delegated to 0x${code.slice(DELEGATION.length)}` : 'has code';
  return fail(
    what,
    says,
    'Use a new key that has never been used: nodes keep few pending transactions from such an account',
  );
}

/** The products that are not sold at the current gas price. */
function gasCeiling({ baseFeeWei }: Funds, { products, gasWeiPerCent }: Sold): Finding {
  const what = 'MAX_GAS_GWEI_PER_CENT';
  const limits = { gasWeiPerCent, maxFeePerGasWei: MAX_FEE_PER_GAS_WEI };
  const unsold = (wei: bigint) => products.filter(({ amount }) => worstOfSale(wei, amount, limits) === null);
  const names = (list: Sold['products']) => list.map(({ name }) => name).join(', ');
  const dear = unsold(baseFeeWei);
  if (dear.length > 0)
    return (dear.length === products.length ? fail : warn)(
      what,
      `gas costs more than it allows for ${names(dear)}`,
      'Buyers get 503 until gas is cheaper. With a higher value, you sell at a greater loss',
    );
  const soon = unsold(baseFeeWei * 2n);
  return soon.length > 0
    ? warn(what, `if gas doubles, it is too expensive for ${names(soon)}`, 'Buyers would then get 503')
    : ok(what, `even if gas doubles, all ${products.length} products can be sold`);
}

function balance(what: string, { balanceWei, settlements, isLow }: Funds): Finding {
  const has = `${formatEther(balanceWei)} ETH`;
  if (settlements < 1n)
    return fail(
      what,
      `${has} cannot pay for one settlement`,
      'Send it some ETH on this network; a few dollars last long',
    );
  const says = `${has} pay for at least ${settlements} settlements at the current price`;
  return isLow
    ? warn(what, says, 'Send it some ETH on this network; 200 settlements are enough')
    : ok(what, says);
}

function nonces(relayer: string, latest: number, pending: number): Finding {
  const what = `${relayer}, transactions`;
  if (pending <= latest) return ok(what, `${latest} sent, none pending`);
  return warn(
    what,
    `${pending - latest} pending after ${latest} mined`,
    'This is normal while the service settles. If they remain pending, something else is using this key, or the gas price has risen',
  );
}
