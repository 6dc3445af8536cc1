import type { Hex } from './payment.ts';
import { type Funds, isGasTooDear, readFunds } from './relayer-funds.ts';
import { type Rpc, RpcFailure } from './rpc.ts';
import type { SettlerFault } from './settler-watch.ts';

/** What keeps our own account from paying for gas; `tell` gets to know what it could pay for. */
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

/** Which prices a sale may not pay its gas from at this base fee. */
export function gasTooDearFor(
  baseFeeWei: bigint,
  { cheapest, dearest }: PriceRange,
  limits: Parameters<typeof isGasTooDear>[2],
): 'none' | 'some' | 'all' {
  if (isGasTooDear(baseFeeWei, dearest, limits)) return 'all';
  return isGasTooDear(baseFeeWei, cheapest, limits) ? 'some' : 'none';
}
