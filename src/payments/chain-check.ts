import type { Hex } from './payment.ts';
import { type Funds, MAX_FEE_PER_GAS_WEI, readFunds } from './relayer-funds.ts';
import { type Rpc, RpcFailure } from './rpc.ts';
import type { SettlerFault } from './settler-watch.ts';

/** What keeps a chain from being settled on: that it is away, or another one. null for nothing. */
export function chainFault(rpc: Rpc, chainId: number): Promise<SettlerFault | null> {
  return orChainFault(async () =>
    Number(await rpc.call<Hex>('eth_chainId', [])) === chainId ? null : 'wrong_chain',
  );
}

/** What keeps our own account from paying for gas; `tell` gets to know what it could pay for. */
export function fundsFault(
  rpc: Rpc,
  account: Hex,
  tell: (funds: Funds) => void,
): Promise<SettlerFault | null> {
  return orChainFault(async () => {
    const funds = await readFunds(rpc, account);
    tell(funds);
    if (funds.maxFeePerGasWei > MAX_FEE_PER_GAS_WEI) return 'gas_too_dear';
    return funds.settlements < 1n ? 'no_gas_money' : null;
  });
}

/** A node that is away, or answers in a shape it should not have, is a fault like any other. */
async function orChainFault(find: () => Promise<SettlerFault | null>): Promise<SettlerFault | null> {
  try {
    return await find();
  } catch (error) {
    if (error instanceof RpcFailure && error.kind === 'unreached') return 'chain_unreached';
    return 'chain_unclear';
  }
}
