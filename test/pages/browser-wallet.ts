import type { Hex } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import type { Page } from '../../tools/browser/index.ts';

/** The behavior of a wallet in the browser; it records every request. */
export type WalletHabits = {
  readonly key: Hex;
  readonly name?: string;
  /** The chain that it is connected to at first. */
  readonly chainId?: string;
  /** Error codes that it returns, by method. */
  readonly refuses?: Readonly<Record<string, number>>;
  /** Methods whose replies it holds back until released. */
  readonly holds?: readonly string[];
  /** Millionths of USDC that it reports for its account; null if it reports none. */
  readonly usdc?: bigint | null;
  /** Chains that it knows; all by default. */
  readonly knows?: readonly string[];
  /** false: available only as window.ethereum, as wallets were found before EIP-6963. */
  readonly announced?: boolean;
};

export type BrowserWallet = {
  readonly asked: string[];
  /** The networks added to it. */
  readonly added: readonly unknown[];
  answerHeld(): void;
};

const UNKNOWN_CHAIN = Symbol('unknown chain');

/** Puts a wallet into a page before any of its scripts; it signs as wallets do, but without asking. */
export async function injectWallet(page: Page, habits: WalletHabits): Promise<BrowserWallet> {
  const { key, name = 'Test Wallet', refuses = {}, holds = [], announced = true } = habits;
  const { usdc = 1_000_000_000n, knows } = habits;
  const known = knows && new Set(knows);
  const added: unknown[] = [];
  const account = privateKeyToAccount(key);
  const asked: string[] = [];
  let answerHeld = () => {};
  const held = new Promise<void>((resolve) => {
    answerHeld = resolve;
  });
  let chainId = habits.chainId ?? '0x2105';
  const answer = async (method: string, params: readonly unknown[] = []): Promise<unknown> => {
    switch (method) {
      case 'eth_requestAccounts':
        return [account.address];
      case 'eth_chainId':
        return chainId;
      case 'wallet_switchEthereumChain':
        if (known?.has((params[0] as { chainId: string }).chainId) === false) return UNKNOWN_CHAIN;
        chainId = (params[0] as { chainId: string }).chainId;
        return null;
      case 'wallet_addEthereumChain':
        added.push(params[0]);
        known?.add((params[0] as { chainId: string }).chainId);
        return null;
      case 'eth_call':
        return usdc === null ? '0x' : `0x${usdc.toString(16).padStart(64, '0')}`;
      case 'eth_signTypedData_v4':
        return account.signTypedData(JSON.parse(String(params[1])));
      default:
        throw new Error(`A page asked the wallet for ${method}`);
    }
  };
  const tag = `wallet${name.replaceAll(/\W/g, '')}`;
  await page.exposeFunction(tag, async (method: string, params?: readonly unknown[]) => {
    asked.push(method);
    if (holds.includes(method)) await held;
    const code = refuses[method];
    if (code !== undefined) return { error: { code, message: 'refused' } };
    const result = await answer(method, params);
    return result === UNKNOWN_CHAIN ? { error: { code: 4902, message: 'unknown' } } : { result };
  });
  await page.addInitScript(`{
    const provider = {
      async request({ method, params }) {
        const { result, error } = await window.${tag}(method, params);
        if (error) throw Object.assign(new Error(error.message), error);
        return result;
      },
    };
    const detail = Object.freeze({ info: { uuid: '${tag}', name: ${JSON.stringify(name)}, icon: '', rdns: 'x' }, provider });
    const announce = () => window.dispatchEvent(new CustomEvent('eip6963:announceProvider', { detail }));
    if (${announced}) {
      window.addEventListener('eip6963:requestProvider', announce);
      announce();
    } else window.ethereum = provider;
  }`);
  return { asked, added, answerHeld };
}
