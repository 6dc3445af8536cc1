import { formatEther, formatGwei } from 'viem/utils';
import type { Rpc } from '../payments/chain/rpc.ts';
import { type Funds, MAX_FEE_PER_GAS_WEI, readFunds, worstOfSale } from '../payments/local/gas.ts';
import type { Hex } from '../payments/x402/payment.ts';
import { type Finding, fail, ok, rpcTrouble, warn } from './finding.ts';

/** What an account's code begins with when it is delegated (EIP-7702). */
const DELEGATION = '0xef0100';

/** What is sold, for whether its price carries its gas. */
export type Sold = {
  readonly products: readonly { readonly name: string; readonly amount: string }[];
  readonly gasWeiPerCent: bigint;
};

/** Whether the account that pays the gas can: its money, the price of the moment, and its pending transactions. */
export async function checkRelayer(rpc: Rpc, address: Hex, sold: Sold): Promise<readonly Finding[]> {
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
      gasPrice(funds),
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
    'Use a new key that nothing else has ever signed with: nodes hold few transactions of such an account',
  );
}

/** Which products are not sold at the price of the moment. */
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
      'They are answered 503 until gas is cheaper; a higher value sells them at a greater loss',
    );
  const soon = unsold(baseFeeWei * 2n);
  return soon.length > 0
    ? warn(what, `gas may not double for ${names(soon)}`, 'They are answered 503 then')
    : ok(what, `gas may double and every one of ${products.length} products is still sold`);
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
