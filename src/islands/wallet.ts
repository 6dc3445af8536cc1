import { type Authorization, authorizationOf, typedDataOf } from './authorization.ts';
import type { Offer } from './offer.ts';

/** A wallet in the browser: what EIP-1193 asks of it. */
export type Provider = {
  request(call: { readonly method: string; readonly params?: readonly unknown[] }): Promise<unknown>;
};
export type Wallet = { readonly name: string; readonly provider: Provider };

/** The EIP-6963 uuid of the wallet that a page with play money brings along. */
export const PLAY_MONEY_UUID = 'b9c4ad0c-3d4e-4a5f-9d3b-7a1e0f5c2d61';

type Announcement = {
  readonly info: { readonly uuid: string; readonly name: string };
  readonly provider: Provider;
};

// Extensions that were just installed or woken announce themselves a moment later.
const PATIENCE_MS = 300;

/**
 * Listens for wallets that announce themselves (EIP-6963); the function asks for them and gives all there are. With
 * play money that is its own wallet alone: the chain looks like the real one, so any other would sign real money away.
 */
export function watchWallets(isPlayMoney: boolean): () => Promise<readonly Wallet[]> {
  const announced = new Map<string, Wallet>();
  window.addEventListener('eip6963:announceProvider', (event) => {
    const { info, provider } = (event as CustomEvent<Announcement>).detail ?? {};
    if (!info || !provider || (isPlayMoney && info.uuid !== PLAY_MONEY_UUID)) return;
    announced.set(info.uuid, { name: String(info.name), provider });
  });
  const ask = () => window.dispatchEvent(new Event('eip6963:requestProvider'));
  ask();
  return async () => {
    ask();
    if (announced.size === 0) await new Promise((resolve) => setTimeout(resolve, PATIENCE_MS));
    if (announced.size > 0 || isPlayMoney) return [...announced.values()];
    const { ethereum } = window as { readonly ethereum?: Provider };
    return ethereum === undefined ? [] : [{ name: 'Browser wallet', provider: ethereum }];
  };
}

export type Signed = { readonly authorization: Authorization; readonly signature: string };

/** `nowSeconds` is read only once the person has got as far as signing; once stopped, nothing more is asked. */
export type Signing = {
  readonly offer: Offer;
  readonly network: string;
  readonly nowSeconds: () => number;
  readonly stopped: AbortSignal;
};

/**
 * Asks a wallet for an account, for the network of the offer and for a signature. What goes wrong comes back as a
 * sentence; nothing is charged then.
 */
export async function signed(
  { provider }: Wallet,
  { offer, network, nowSeconds, stopped }: Signing,
): Promise<Signed | { readonly says: string }> {
  const ask = (method: string, params?: readonly unknown[]): Promise<unknown> => {
    stopped.throwIfAborted();
    return provider.request({ method, ...(params && { params }) });
  };
  try {
    const [from] = (await ask('eth_requestAccounts')) as string[];
    if (from === undefined) return { says: 'Your wallet showed no account. Nothing was charged.' };
    const chain = await ask('eth_chainId');
    if (Number(chain) !== offer.chainId)
      await ask('wallet_switchEthereumChain', [{ chainId: `0x${offer.chainId.toString(16)}` }]);
    const authorization = authorizationOf(offer, from, nowSeconds());
    const typedData = JSON.stringify(typedDataOf(offer, authorization));
    const signature = await ask('eth_signTypedData_v4', [from, typedData]);
    if (typeof signature !== 'string' || !/^0x(?:[0-9a-fA-F]{2}){65,}$/.test(signature))
      return { says: 'Your wallet sent no signature that could be read. Nothing was charged.' };
    return { authorization, signature };
  } catch (error) {
    return { says: walletSays(error, network, offer.chainId) };
  }
}

type RpcError = {
  readonly code?: unknown;
  readonly message?: unknown;
  readonly data?: { readonly originalError?: { readonly code?: unknown } };
};

/** An error of a wallet (EIP-1193, EIP-3326) in plain words. */
function walletSays(error: unknown, network: string, chainId: number): string {
  const { code, message, data } = (error ?? {}) as RpcError;
  // Wallets on phones wrap the code of a network that they do not know.
  const codes = [code, data?.originalError?.code];
  if (codes.includes(4001)) return 'You declined in your wallet. Nothing was charged.';
  if (codes.includes(4902))
    return `Your wallet does not know the network ${network} (chain ${chainId}) yet. Add it there, then try again. Nothing was charged.`;
  if (codes.includes(-32002))
    return 'Your wallet is already asking you something. Open it and answer, then try again. Nothing was charged.';
  const why = typeof message === 'string' && message !== '' ? `: ${message.slice(0, 200)}` : '';
  return `Your wallet could not do this${why}. Nothing was charged.`;
}
