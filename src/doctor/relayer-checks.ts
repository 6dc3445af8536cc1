import { formatEther, formatGwei } from 'viem/utils';
import type { Hex } from '../payments/payment.ts';
import { type Funds, MAX_FEE_PER_GAS_WEI, readFunds } from '../payments/relayer-funds.ts';
import type { Rpc } from '../payments/rpc.ts';
import { type Finding, fail, ok, rpcTrouble, warn } from './finding.ts';

/** Whether the account that pays the gas can: its money, the price of the moment, and what of it still waits. */
export async function checkRelayer(rpc: Rpc, address: Hex): Promise<readonly Finding[]> {
  const relayer = `RELAYER_KEY, account ${address}`;
  try {
    const funds = await readFunds(rpc, address);
    const [latest, pending] = await Promise.all([
      rpc.call<Hex>('eth_getTransactionCount', [address, 'latest']),
      rpc.call<Hex>('eth_getTransactionCount', [address, 'pending']),
    ]);
    return [balance(relayer, funds), gasPrice(funds), nonces(relayer, Number(latest), Number(pending))];
  } catch (error) {
    return [fail(relayer, rpcTrouble(error), 'Its balance and transaction count must be readable')];
  }
}

function balance(what: string, { balanceWei, settlements, isLow }: Funds): Finding {
  const has = `${formatEther(balanceWei)} ETH`;
  if (settlements < 1n)
    return fail(
      what,
      `${has} pay for no settlement`,
      'Send it some ETH on this network: a few dollars last long',
    );
  const says = `${has} pay for at least ${settlements} settlements at the price of the moment`;
  return isLow
    ? warn(what, says, 'Send it some ETH on this network: from 200 on nothing is warned of')
    : ok(what, says);
}

function gasPrice({ maxFeePerGasWei }: Funds): Finding {
  const what = 'Gas';
  const says = `${formatGwei(maxFeePerGasWei)} gwei would be offered, ${formatGwei(MAX_FEE_PER_GAS_WEI)} at most`;
  if (maxFeePerGasWei > MAX_FEE_PER_GAS_WEI)
    return fail(what, says, 'Payments are answered 503 until the price falls');
  return maxFeePerGasWei * 2n > MAX_FEE_PER_GAS_WEI
    ? warn(what, says, 'If it doubles, payments are answered 503')
    : ok(what, says);
}

function nonces(relayer: string, latest: number, pending: number): Finding {
  const what = `${relayer}, transactions`;
  if (pending <= latest) return ok(what, `${latest} sent, none waits`);
  return warn(
    what,
    `${pending - latest} wait to be mined after ${latest}`,
    'Normal for a moment while the service settles; if they stay, something else uses this key or the price rose',
  );
}
