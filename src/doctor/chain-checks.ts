import { formatEther, formatUnits } from 'viem/utils';
import type { Config } from '../config/config.ts';
import type { Network } from '../domain/networks.ts';
import { LOOKBACK_BLOCKS } from '../payments/chain/chain-witness.ts';
import { type Rpc, rpcOver } from '../payments/chain/rpc.ts';
import type { RpcBlock } from '../payments/chain/rpc-node.ts';
import {
  asTopic,
  balanceCall,
  CANCELED_TOPIC,
  isBlacklisted,
  isOurs,
  PAUSED_CALL,
  USED_TOPIC,
} from '../payments/chain/usdc.ts';
import { readFunds } from '../payments/local/gas.ts';
import type { Hex } from '../payments/x402/payment.ts';
import { originOnly } from '../platform/log.ts';
import { type Check, type Finding, fail, findingsAfter, findingsOf, ok, warn } from './finding.ts';

/** Checks the nodes, and through the first usable one USDC, the payee and the relayer. */
export async function checkChain(
  { network, rpcUrls, settlers, payTo, relayer }: Config,
  now: () => number,
): Promise<readonly Finding[]> {
  if (rpcUrls.length === 0) return [];
  const nodes = rpcUrls.map((url) => ({ url: url.reveal(), rpc: rpcOver([url.reveal()]) }));
  const ofNodes = await Promise.all(
    nodes.map(({ url, rpc }, index) => checkNode(`RPC ${index + 1} ${originOnly(url)}`, rpc, network, now)),
  );
  const findings = ofNodes.flat();
  const rpc = nodes.find((_, index) => ofNodes[index]?.[0]?.verdict === 'ok')?.rpc;
  if (rpc === undefined)
    return [
      ...findings,
      {
        what: 'USDC, PAY_TO, RELAYER_KEY',
        ...warn('not checked. They can be checked once a node in RPC_URLS answers'),
      },
    ];
  const ofUsdc = payTo === null ? [] : usdcChecks(rpc, network, payTo);
  const isLocal = settlers.some(({ kind }) => kind === 'local');
  const ofRelayer = relayer === null || !isLocal ? [] : await checkRelayer(rpc, relayer.address);
  return [...findings, ...(await findingsOf(ofUsdc)), ...ofRelayer];
}

// How far a clock may be off: a buyer has 120 s to pay, and an authorization must be valid for 6 s more.
const SKEW_SECONDS = 15;
const MOST_SKEW_SECONDS = 60;
const NOBODY: Hex = '0x0000000000000000000000000000000000000000';

/** Checks the chain of a node first. If it is the right one, checks everything else that a node must be able to do. */
function checkNode(
  name: string,
  rpc: Rpc,
  { chainId, caip2, usdc }: Network,
  now: () => number,
): Promise<readonly Finding[]> {
  const chain = async () => {
    const id = Number(await rpc.call<Hex>('eth_chainId', []));
    return id === chainId
      ? ok(`chain ${id}, as NETWORK says`)
      : fail(
          `chain ${id}, but NETWORK is ${caip2}. Change RPC_URLS or NETWORK: no payment could be accepted`,
        );
  };
  const clock = async () => {
    const head = await rpc.call<RpcBlock>('eth_getBlockByNumber', ['latest', false]);
    const ageSeconds = Math.round(now() / 1000 - Number(head.timestamp));
    const says = `block ${Number(head.number)} is ${ageSeconds} s old by this machine's clock`;
    if (Math.abs(ageSeconds) <= SKEW_SECONDS) return ok(says);
    const orNode = ageSeconds < 0 ? '' : ', or use a node that is up to date';
    const judge = Math.abs(ageSeconds) <= MOST_SKEW_SECONDS ? warn : fail;
    return judge(`${says}. Set this machine's clock${orNode}`);
  };
  // The query that finds a settlement that another party submitted.
  const logs = async () => {
    const head = Number(await rpc.call<Hex>('eth_blockNumber', []));
    const fromBlock = `0x${Math.max(0, head - LOOKBACK_BLOCKS).toString(16)}`;
    const topics = [[USED_TOPIC, CANCELED_TOPIC], asTopic(NOBODY), `0x${'00'.repeat(32)}`];
    await rpc.call('eth_getLogs', [{ address: usdc, fromBlock, toBlock: 'latest', topics }]);
    return ok(`answers over ${LOOKBACK_BLOCKS} blocks`);
  };
  return findingsAfter(
    [name, chain, 'Check the host, path, key and network of this entry in RPC_URLS'],
    [
      [`${name}, clock`, clock, 'The latest block must be readable'],
      [
        `${name}, eth_getLogs`,
        logs,
        `Use a node or plan that answers it for ${LOOKBACK_BLOCKS} blocks. Otherwise a payment that someone else submitted stays pending`,
      ],
    ],
  );
}

const USDC_DECIMALS = 6;
const NEEDED = 'Without this answer no payment can be checked';

/** Checks that the asset is the expected USDC, that it is not paused, and that the payee may receive it. */
function usdcChecks(rpc: Rpc, network: Network, payTo: Hex): readonly Check[] {
  const { usdc, chainId, usdcName: assetName, usdcVersion: assetVersion } = network;
  const view = async (data: Hex) =>
    BigInt(await rpc.call<Hex>('eth_call', [{ to: usdc, data }, 'latest'], { bytes: 32 }));
  const domain = async () =>
    (await isOurs(rpc, { chainId, asset: usdc, assetName, assetVersion }))
      ? ok('its signing domain is as buyers sign it')
      : fail(
          'its signing domain is not the one that buyers sign. No payment could be verified there: the nodes in RPC_URLS have a different contract at this address',
        );
  const paused = async () =>
    (await view(PAUSED_CALL)) === 0n ? ok('no') : fail('yes. Payments get 503 until its issuer unpauses it');
  const payee = async () =>
    (await isBlacklisted(rpc, usdc, payTo))
      ? fail('blacklisted by USDC. Use a different address: nobody can pay this one')
      : ok(`not blacklisted, holds ${formatUnits(await view(balanceCall(payTo)), USDC_DECIMALS)} USDC`);
  return [
    [`USDC ${usdc}`, domain, NEEDED],
    [`USDC ${usdc}, paused`, paused, NEEDED],
    [`PAY_TO ${payTo}`, payee, NEEDED],
  ];
}

/** The prefix of an account's code if it is delegated (EIP-7702). */
const DELEGATION = '0xef0100';
const READABLE = 'Its balance and code must be readable';

/** Checks that the account that pays for gas can do so. */
function checkRelayer(rpc: Rpc, address: Hex): Promise<readonly Finding[]> {
  const what = `RELAYER_KEY, account ${address}`;
  const balance = async () => {
    const { balanceWei, settlements, isLow } = await readFunds(rpc, address);
    const has = `${formatEther(balanceWei)} ETH`;
    if (settlements < 1n)
      return fail(
        `${has} cannot pay for one settlement. Send it some ETH on this network; a few dollars last long`,
      );
    const says = `${has} pay for at least ${settlements} settlements at the current price`;
    return isLow ? warn(`${says}. Send it some ETH on this network; 200 settlements are enough`) : ok(says);
  };
  // An account with code may be emptied by others, and a delegated one (EIP-7702) can hold one transaction at a time.
  const plain = async () => {
    const code = await rpc.call<Hex>('eth_getCode', [address, 'latest']);
    if (code === '0x') return ok('none, as it should be');
    const says = code.startsWith(DELEGATION) ? `delegated to 0x${code.slice(DELEGATION.length)}` : 'has code';
    return fail(
      `${says}. Use a new key that has never been used: nodes keep few pending transactions from such an account`,
    );
  };
  return findingsOf([
    [what, balance, READABLE],
    [`${what}, code`, plain, READABLE],
  ]);
}
