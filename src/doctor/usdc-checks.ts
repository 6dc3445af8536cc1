import { domainSeparator } from 'viem';
import { decodeFunctionResult, encodeFunctionData, formatUnits, parseAbi } from 'viem/utils';
import type { Network } from '../domain/networks.ts';
import type { Rpc } from '../payments/chain/rpc.ts';
import type { Hex } from '../payments/x402/payment.ts';
import { answered, type Finding, fail, ok } from './finding.ts';

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
