import type { Network } from '../../domain/networks.ts';
import { type Payer, usdcText } from '../../surfaces/pages/pay/pay-state.ts';
import { type Authorization, authorizationOf, typedDataOf } from './authorization.ts';
import { addedChain, hexOf } from './networks.ts';
import type { Offer } from './offer.ts';

/** A wallet in the browser, with the interface of EIP-1193. */
export type Provider = {
  request(call: { readonly method: string; readonly params?: readonly unknown[] }): Promise<unknown>;
};
/** `icon`: a data: address, or nothing. */
export type Wallet = { readonly name: string; readonly icon: string; readonly provider: Provider };

/** The EIP-6963 uuid of the play-money wallet. */
export const PLAY_MONEY_UUID = 'b9c4ad0c-3d4e-4a5f-9d3b-7a1e0f5c2d61';

type Announcement = {
  readonly info: { readonly uuid: string; readonly name: string; readonly icon?: unknown };
  readonly provider: Provider;
};

// Extensions that were just installed or activated announce themselves a moment later.
const PATIENCE_MS = 300;

/**
 * Listens for wallets that announce themselves (EIP-6963). The returned function queries them and returns all. With
 * play money, it returns only the play-money wallet: the chain looks like the real one, so any other wallet would sign
 * away real money.
 */
export function watchWallets(isPlayMoney: boolean): () => Promise<readonly Wallet[]> {
  const announced = new Map<string, Wallet>();
  window.addEventListener('eip6963:announceProvider', (event) => {
    const { info, provider } = (event as CustomEvent<Announcement>).detail ?? {};
    if (!info || !provider || (isPlayMoney && info.uuid !== PLAY_MONEY_UUID)) return;
    announced.set(info.uuid, { name: String(info.name), icon: iconOf(info.icon), provider });
  });
  const ask = () => window.dispatchEvent(new Event('eip6963:requestProvider'));
  ask();
  return async () => {
    ask();
    if (announced.size === 0) await new Promise((resolve) => setTimeout(resolve, PATIENCE_MS));
    if (announced.size > 0 || isPlayMoney) return [...announced.values()];
    const { ethereum } = window as { readonly ethereum?: Provider };
    return ethereum === undefined ? [] : [{ name: 'Browser wallet', icon: '', provider: ethereum }];
  };
}

const iconOf = (icon: unknown): string =>
  typeof icon === 'string' && icon.startsWith('data:image/') ? icon : '';

export type Signed = { readonly authorization: Authorization; readonly signature: string };

/** `nowSeconds` is read right before signing. Once `stopped` is aborted, the wallet receives no further requests. */
export type Signing = {
  readonly offer: Offer;
  readonly network: string;
  /**
   * The network to add to a wallet that does not know it; null with play money, because a wallet would mistake its
   * chain for Base.
   */
  readonly unknownNetwork: Network | null;
  readonly nowSeconds: () => number;
  readonly stopped: AbortSignal;
  /** Called right before the signature is requested. */
  readonly onPayer: (payer: Payer) => void;
};

type Ask = (method: string, params?: readonly unknown[]) => Promise<unknown>;

/**
 * Asks a wallet for an account, for the network of the offer, for the balance and for a signature. A failure is
 * returned as a sentence, and then nothing is charged.
 */
export async function signed(
  { provider }: Wallet,
  { offer, network, unknownNetwork, nowSeconds, stopped, onPayer }: Signing,
): Promise<Signed | { readonly says: string }> {
  const ask: Ask = (method, params) => {
    stopped.throwIfAborted();
    return provider.request({ method, ...(params && { params }) });
  };
  try {
    const [from] = (await ask('eth_requestAccounts')) as string[];
    if (from === undefined) return { says: 'Your wallet did not give us an account. Nothing was charged.' };
    await changeNetwork(ask, offer.chainId, unknownNetwork);
    const millionths = await heldBy(from, offer, ask);
    const price = BigInt(offer.terms.amount);
    if (millionths !== null && millionths < price)
      return {
        says: `The account ${from} has ${usdcText(millionths)} USDC on ${network}, but the price is ${usdcText(price)} USDC. Your wallet was not asked to sign. Nothing was charged.`,
      };
    stopped.throwIfAborted();
    onPayer({ address: from, millionths });
    const authorization = authorizationOf(offer, from, nowSeconds());
    const typedData = JSON.stringify(typedDataOf(offer, authorization));
    const signature = await ask('eth_signTypedData_v4', [from, typedData]);
    if (typeof signature !== 'string' || !/^0x(?:[0-9a-fA-F]{2}){65,}$/.test(signature))
      return { says: 'We could not read the signature from your wallet. Nothing was charged.' };
    if (signature.toLowerCase().endsWith(NOT_DEPLOYED) && (await hasNoCode(from, ask)))
      return { says: notDeployed(network) };
    return { authorization, signature };
  } catch (error) {
    return { says: walletSays(error, network, offer.chainId) };
  }
}

async function changeNetwork(ask: Ask, chainId: number, unknown: Network | null): Promise<void> {
  const isThere = async (): Promise<boolean> => Number(await ask('eth_chainId')) === chainId;
  const change = (): Promise<unknown> => ask('wallet_switchEthereumChain', [{ chainId: hexOf(chainId) }]);
  if (await isThere()) return;
  try {
    await change();
  } catch (error) {
    if (unknown?.chainId !== chainId || !codesOf(error).includes(UNKNOWN_NETWORK)) throw error;
    await ask('wallet_addEthereumChain', [addedChain(unknown)]);
    // Most wallets switch to a network that they have just added.
    if (!(await isThere())) await change();
  }
}

/** The end of a signature by a smart-contract wallet that is not deployed yet (ERC-6492). */
const NOT_DEPLOYED = '6492'.repeat(16);

/** Whether an account has no contract. If the wallet does not report that, its signature decides. */
async function hasNoCode(account: string, ask: Ask): Promise<boolean> {
  const code = await ask('eth_getCode', [account, 'latest']).catch(() => '0x');
  return typeof code !== 'string' || code === '0x';
}

const notDeployed = (network: string): string =>
  `Your smart-contract wallet does not exist on ${network} yet. It is created with its first transaction, and USDC does not accept its signature before that. Send any amount from it once, for example to yourself. Then try again. Nothing was charged.`;

const BALANCE_PATIENCE_MS = 5_000;

/** The balance of an account as its wallet reports it; null if it does not. */
async function heldBy(account: string, { terms }: Offer, ask: Ask): Promise<bigint | null> {
  const data = `0x70a08231${account.slice(2).toLowerCase().padStart(64, '0')}`;
  try {
    const balance = await Promise.race([
      ask('eth_call', [{ to: terms.asset, data }, 'latest']),
      new Promise((resolve) => setTimeout(resolve, BALANCE_PATIENCE_MS)),
    ]);
    return typeof balance === 'string' && /^0x[0-9a-fA-F]{64}$/.test(balance) ? BigInt(balance) : null;
  } catch {
    return null;
  }
}

type RpcError = {
  readonly code?: unknown;
  readonly message?: unknown;
  readonly data?: { readonly originalError?: { readonly code?: unknown } };
};

const UNKNOWN_NETWORK = 4902;

/** Mobile wallets wrap the error code for a network that they do not know. */
function codesOf(error: unknown): readonly unknown[] {
  const { code, data } = (error ?? {}) as RpcError;
  return [code, data?.originalError?.code];
}

/** A wallet error (EIP-1193, EIP-3326) in plain words. */
function walletSays(error: unknown, network: string, chainId: number): string {
  const { message } = (error ?? {}) as RpcError;
  const codes = codesOf(error);
  if (codes.includes(4001)) return 'You declined the payment in your wallet. Nothing was charged.';
  if (codes.includes(UNKNOWN_NETWORK))
    return `Your wallet does not know the network ${network} (chain ${chainId}) yet. Add the network there, then try again. Nothing was charged.`;
  if (codes.includes(-32002))
    return 'Your wallet is already waiting for your reply. Open it and respond, then try again. Nothing was charged.';
  const why = typeof message === 'string' && message !== '' ? `: ${message.slice(0, 200)}` : '';
  return `Your wallet could not do this${why}. Nothing was charged.`;
}
