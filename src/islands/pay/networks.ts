import { type Network, networks } from '../../domain/networks.ts';

export const networkNamed = (name: string): Network | null =>
  Object.values(networks).find((network) => network.name === name) ?? null;

/** The block explorer of a shop's network. The play-money chain has the name of a public one, whose explorer has none of its transactions. */
export const explorerOf = (shop: {
  readonly network: string;
  readonly isPlayMoney: boolean;
}): string | null => (shop.isPlayMoney ? null : (networkNamed(shop.network)?.explorer ?? null));

/** A network in the notation for wallets that do not know it (EIP-3085). */
export const addedChain = ({ chainId, name, publicRpcUrl, explorer }: Network) => ({
  chainId: hexOf(chainId),
  chainName: name,
  nativeCurrency: { name: 'Ether', symbol: 'ETH', decimals: 18 },
  rpcUrls: [publicRpcUrl],
  blockExplorerUrls: [explorer],
});

export const hexOf = (chainId: number): string => `0x${chainId.toString(16)}`;
