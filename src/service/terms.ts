import { randomBytes } from 'node:crypto';
import type { Config } from '../config/config.ts';
import type { EmbeddedChain } from '../devnet/chain.ts';
import { type ReceiptSigner, receiptSigner } from '../payments/x402/receipt-signer.ts';
import type { Terms } from '../payments/x402/requirements.ts';

/** The payment terms: asset, network and payee. */
export function termsOf({ network, payTo }: Config, chain: EmbeddedChain | null): Terms {
  const recipient = payTo ?? chain?.payee;
  if (recipient === undefined) throw new Error('A payee is needed unless the chain is embedded');
  return {
    network: network.caip2,
    chainId: network.chainId,
    asset: network.usdc,
    assetName: network.usdcName,
    assetVersion: network.usdcVersion,
    payTo: recipient,
  };
}

/** The signer of receipts: with the operator's key, or with a generated one on the embedded chain. */
export async function receiptSignerOf(
  { receiptKey, retiredReceiptKeys: retired, publicBaseUrl: baseUrl }: Config,
  chain: EmbeddedChain | null,
): Promise<ReceiptSigner | null> {
  if (receiptKey === null && chain === null) return null;
  const seed = receiptKey === null ? randomBytes(32) : Buffer.from(receiptKey.reveal().slice(2), 'hex');
  return receiptSigner({ seed, retired, baseUrl });
}
