import { domainSeparator } from 'viem';
import { decodeFunctionResult, encodeFunctionData, formatUnits, parseAbi } from 'viem/utils';
import type { Network } from '../domain/networks.ts';
import { LOOKBACK_BLOCKS } from '../payments/chain/nonce-use.ts';
import { RPC_DEADLINE_MS, type Rpc, RpcFailure } from '../payments/chain/rpc.ts';
import { lacksMethod } from '../payments/chain/rpc-verdicts.ts';
import { asTopic, CANCELED_TOPIC, USED_TOPIC } from '../payments/chain/usdc.ts';
import type { Hex } from '../payments/x402/payment.ts';
import { answered, type Finding, fail, ok, rpcTrouble, warn } from './finding.ts';

/** A node with the name it is shown by, which holds no secret. */
export type NamedRpc = { readonly name: string; readonly rpc: Rpc };

export type RpcChecks = {
  readonly network: Network;
  /** Whether we broadcast there ourselves. */
  readonly sends: boolean;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
};

const NOBODY: Hex = '0x0000000000000000000000000000000000000000';
// A buyer gets 120 s to pay, and an authorization has to be good for 6 s more: what a clock may be off.
const SKEW_SECONDS = 15;
const MOST_SKEW_SECONDS = 60;

/** Whether a node is of the right chain; nothing else about it matters before. */
export async function checkChain({ name, rpc }: NamedRpc, { network }: RpcChecks): Promise<Finding> {
  const startedMs = performance.now();
  try {
    const chainId = Number(await rpc.call<Hex>('eth_chainId', []));
    return chainId === network.chainId
      ? ok(name, `chain ${chainId}, as NETWORK says`)
      : fail(
          name,
          `chain ${chainId}, but NETWORK is ${network.caip2}`,
          'Change RPC_URLS or NETWORK: no payment would be taken, or a wrong one believed',
        );
  } catch (error) {
    const isLate = performance.now() - startedMs >= RPC_DEADLINE_MS;
    const says = isLate ? `gives no answer within ${RPC_DEADLINE_MS / 1_000} s` : rpcTrouble(error);
    return fail(name, says, 'Check this entry of RPC_URLS: host, path, key, and the way there');
  }
}

/** What we need of a node of the right chain. */
export async function checkNode(node: NamedRpc, checks: RpcChecks): Promise<readonly Finding[]> {
  return [
    await checkClock(node, checks),
    await checkLogs(node, checks),
    ...(checks.sends ? [await checkSync(node)] : []),
  ];
}

const checkClock = ({ name, rpc }: NamedRpc, { now }: RpcChecks): Promise<Finding> =>
  answered(`${name}, clock`, 'The latest block must be readable', async (what) => {
    const head = await rpc.call<{ number: Hex; timestamp: Hex }>('eth_getBlockByNumber', ['latest', false]);
    const ageSeconds = Math.round(now() / 1000 - Number(head.timestamp));
    const says = `block ${Number(head.number)} is ${ageSeconds} s old by this machine's clock`;
    if (Math.abs(ageSeconds) <= SKEW_SECONDS) return ok(what, says);
    const todo =
      ageSeconds < 0
        ? "Set this machine's clock"
        : "Set this machine's clock, or use a node that is up to date";
    return (Math.abs(ageSeconds) <= MOST_SKEW_SECONDS ? warn : fail)(what, says, todo);
  });

/** The query that finds a settlement that another party submitted. */
async function checkLogs({ name, rpc }: NamedRpc, { network }: RpcChecks): Promise<Finding> {
  const what = `${name}, eth_getLogs`;
  try {
    const head = Number(await rpc.call<Hex>('eth_blockNumber', []));
    const fromBlock = `0x${Math.max(0, head - LOOKBACK_BLOCKS).toString(16)}`;
    const topics = [[USED_TOPIC, CANCELED_TOPIC], asTopic(NOBODY), `0x${'00'.repeat(32)}`];
    await rpc.call('eth_getLogs', [{ address: network.usdc, fromBlock, toBlock: 'latest', topics }]);
    return ok(what, `answers over ${LOOKBACK_BLOCKS} blocks`);
  } catch (error) {
    return fail(
      what,
      `${rpcTrouble(error)} for ${LOOKBACK_BLOCKS} blocks`,
      'Use a node or plan that answers this range: without it a payment that somebody else submitted stays open',
    );
  }
}

/** Empty bytes are no transaction, so nothing can be sent: the node's complaint shows whether it knows the method. */
async function checkSync({ name, rpc }: NamedRpc): Promise<Finding> {
  const what = `${name}, eth_sendRawTransactionSync`;
  const unknown = ok(
    what,
    'not known whether it is there; the first settlement finds out and copes with both',
  );
  try {
    await rpc.call('eth_sendRawTransactionSync', ['0x']);
    return unknown;
  } catch (error) {
    if (!(error instanceof RpcFailure)) return unknown;
    if (lacksMethod(error))
      return ok(
        what,
        'not there; receipts are asked for instead, which makes a purchase some seconds slower',
      );
    // Invalid parameters, or bytes that cannot be read: both only where the method is known.
    return error.code === -32602 || /decod|rlp|empty|too short|unmarshal/i.test(error.said)
      ? ok(what, 'there')
      : unknown;
  }
}

const abi = parseAbi([
  'function name() view returns (string)',
  'function version() view returns (string)',
  'function decimals() view returns (uint8)',
  'function DOMAIN_SEPARATOR() view returns (bytes32)',
  'function paused() view returns (bool)',
  'function isBlacklisted(address account) view returns (bool)',
  'function balanceOf(address account) view returns (uint256)',
]);
const DECIMALS = 6;
const NEEDED = 'Without this answer no payment can be checked';

/** That the asset is the USDC we say it is, that it moves at all, and that it may move to the payee. */
export async function checkUsdc(rpc: Rpc, network: Network, payTo: Hex): Promise<readonly Finding[]> {
  const usdc = `USDC ${network.usdc}`;
  const read = reader(rpc, network.usdc);
  return Promise.all([
    answered(usdc, NEEDED, async () => {
      const [name, version, decimals] = await Promise.all([read('name'), read('version'), read('decimals')]);
      const found = `${name}, version ${version}, ${decimals} decimals`;
      const expected = `${network.usdcName}, version ${network.usdcVersion}, ${DECIMALS} decimals`;
      return found === expected
        ? ok(usdc, found)
        : fail(usdc, `${found}, expected ${expected}`, 'The nodes of RPC_URLS show another contract there');
    }),
    answered(`${usdc}, signing domain`, NEEDED, async (what) => {
      const { chainId, usdcName: name, usdcVersion: version, usdc: verifyingContract } = network;
      const expected = domainSeparator({ domain: { name, version, chainId, verifyingContract } });
      return (await read('DOMAIN_SEPARATOR')) === expected
        ? ok(what, 'as buyers sign it')
        : fail(what, 'another than buyers sign', 'No payment would verify there');
    }),
    answered(`${usdc}, paused`, NEEDED, async (what) =>
      (await read('paused'))
        ? fail(what, 'yes', 'Payments are answered 503 until its issuer unpauses it')
        : ok(what, 'no'),
    ),
    answered(`PAY_TO ${payTo}`, NEEDED, async (what) => {
      if (await read('isBlacklisted', [payTo]))
        return fail(what, 'blacklisted by USDC', 'Use another address: nothing can be paid to it');
      const balance = formatUnits((await read('balanceOf', [payTo])) as bigint, DECIMALS);
      return ok(what, `not blacklisted, holds ${balance} USDC`);
    }),
  ]);
}

type View = Parameters<typeof encodeFunctionData<typeof abi>>[0]['functionName'];

function reader(rpc: Rpc, to: Hex): (functionName: View, args?: readonly Hex[]) => Promise<unknown> {
  return async (functionName, args = []) => {
    const call = { abi, functionName, args } as Parameters<typeof encodeFunctionData<typeof abi>>[0];
    const data = await rpc.call<Hex>('eth_call', [{ to, data: encodeFunctionData(call) }, 'latest']);
    return decodeFunctionResult({ ...call, data } as Parameters<typeof decodeFunctionResult>[0]);
  };
}
