import { type Network, networks } from '../../domain/networks.ts';

export const networkNamed = (name: string): Network | null =>
  Object.values(networks).find((network) => network.name === name) ?? null;

/** A network in the notation for wallets that do not know it (EIP-3085). */
export const addedChain = ({ chainId, name, publicRpcUrl, explorer }: Network) => ({
  chainId: hexOf(chainId),
  chainName: name,
  nativeCurrency: { name: 'Ether', symbol: 'ETH', decimals: 18 },
  rpcUrls: [publicRpcUrl],
  blockExplorerUrls: [explorer],
});

export const hexOf = (chainId: number): string => `0x${chainId.toString(16)}`;
