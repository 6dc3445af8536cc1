import { type Hex, isHex } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import { PLAY_MONEY_UUID } from './pay/wallet.ts';

/*
 * A wallet for a service on its embedded chain. It signs with a play-money account that every Ethereum tool knows, so
 * that a new operator can buy in the browser. It announces itself as wallets do (EIP-6963), and is the only wallet that
 * such a page uses. A service that takes real money never loads it.
 */

const { playMoneyKey, playMoneyChain } = document.querySelector<HTMLElement>('#pay')?.dataset ?? {};
if (isHex(playMoneyKey) && playMoneyChain !== undefined) announce(playMoneyKey, playMoneyChain);

function announce(key: Hex, chainId: string): void {
  const account = privateKeyToAccount(key);
  const answers: Readonly<Record<string, (params: readonly unknown[]) => unknown>> = {
    eth_requestAccounts: () => [account.address],
    eth_chainId: () => `0x${Number(chainId).toString(16)}`,
    eth_signTypedData_v4: ([, typedData]) => account.signTypedData(JSON.parse(String(typedData))),
  };
  const provider = {
    async request({ method, params = [] }: { method: string; params?: readonly unknown[] }) {
      const answer = answers[method];
      // Error 4200 of EIP-1193: the wallet does not support the method.
      if (answer === undefined) throw Object.assign(new Error(`No ${method} here`), { code: 4200 });
      return answer(params);
    },
  };
  const info = {
    uuid: PLAY_MONEY_UUID,
    name: 'Play money',
    icon: '',
    rdns: 'example.play-money',
  };
  const detail = Object.freeze({ info, provider });
  const announceProvider = () =>
    window.dispatchEvent(new CustomEvent('eip6963:announceProvider', { detail }));
  window.addEventListener('eip6963:requestProvider', announceProvider);
  announceProvider();
}
