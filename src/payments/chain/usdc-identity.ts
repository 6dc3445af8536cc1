import type { Hex } from '../x402/payment.ts';
import type { Terms } from '../x402/requirements.ts';
import { domainSeparator } from '../x402/signature.ts';
import { type Rpc, RpcFailure } from './rpc.ts';
import { asTopic } from './usdc.ts';

/** The selectors of `DOMAIN_SEPARATOR()` and `isBlacklisted(address)`. */
const DOMAIN_SEPARATOR = '0x3644e515';
const IS_BLACKLISTED = '0xfe575a87';

/** Whether a node is on the expected chain and has the asset that buyers sign for. Throws RpcFailure. */
export async function isOurs(rpc: Rpc, terms: Terms): Promise<boolean> {
  if (Number(await rpc.call<Hex>('eth_chainId', [])) !== terms.chainId) return false;
  // An address without code answers every call with empty data.
  const shown = await viewed(rpc, terms.asset, DOMAIN_SEPARATOR);
  return shown?.toLowerCase() === `0x${domainSeparator(terms)}`;
}

/** Whether the asset rejects transfers to an account. Throws RpcFailure. */
export async function isBlacklisted(rpc: Rpc, asset: Hex, account: Hex): Promise<boolean> {
  const shown = await viewed(rpc, asset, `${IS_BLACKLISTED}${asTopic(account).slice(2)}`);
  return shown !== null && /[1-9a-f]/.test(shown.slice(2));
}

/** The result of a view function; null if the contract has no such function. */
async function viewed(rpc: Rpc, to: Hex, data: Hex): Promise<Hex | null> {
  try {
    return await rpc.call<Hex>('eth_call', [{ to, data }, 'latest']);
  } catch (error) {
    if (error instanceof RpcFailure && error.kind === 'answered') return null;
    throw error;
  }
}
