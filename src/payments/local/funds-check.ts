import { type Rpc, RpcFailure } from '../chain/rpc.ts';
import type { SettlerFault, SettlerHealth } from '../settler-watch.ts';
import type { Hex } from '../x402/payment.ts';
import type { Payer } from './gas-ledger.ts';
import { type Funds, type GasLimits, readFunds, worstOfSale } from './relayer-funds.ts';

/** Why our own account cannot pay for gas; `tell` receives its funds. */
export async function fundsFault(
  rpc: Rpc,
  account: Hex,
  tell: (funds: Funds) => void,
): Promise<SettlerFault | null> {
  try {
    const funds = await readFunds(rpc, account);
    tell(funds);
    return funds.settlements < 1n ? 'no_gas_money' : null;
  } catch (error) {
    if (error instanceof RpcFailure && error.kind === 'unreached') return 'chain_unreached';
    return 'chain_unclear';
  }
}

/** The cheapest and the dearest that is sold, in atomic USDC. */
export type PriceRange = { readonly cheapest: string; readonly dearest: string };

export type SaleParts = {
  readonly baseFeeWei: bigint;
  readonly prices: PriceRange;
  readonly limits: GasLimits;
  /** Whether the budget refuses a payment of this kind that may cost so much gas. */
  readonly isSpent: (worstWei: bigint, payer: Payer) => boolean;
};

/**
 * Whether gas is too dear, or its budget spent, for the cheapest and the dearest product. Nearly all buyers are plain
 * payers, so what refuses them all is no partial fault, whether or not accounts with code could still pay.
 */
export function gasFault({
  baseFeeWei,
  prices,
  limits,
  isSpent,
}: SaleParts): Pick<SettlerHealth, 'reason' | 'isPartial'> | null {
  const salesTo = (payer: Payer) =>
    [prices.cheapest, prices.dearest].map((amount) => {
      const worstWei = worstOfSale(baseFeeWei, amount, limits);
      if (worstWei === null) return 'gas_too_dear';
      return isSpent(worstWei, payer) ? 'gas_budget_spent' : null;
    });
  const sales = salesTo('plain');
  const reason = (['gas_budget_spent', 'gas_too_dear'] as const).find((fault) => sales.includes(fault));
  if (reason !== undefined) return sales.includes(null) ? { reason, isPartial: true } : { reason };
  return salesTo('code').includes('gas_budget_spent')
    ? { reason: 'wallet_gas_budget_spent', isPartial: true }
    : null;
}
