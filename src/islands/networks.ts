/** A network that answers are sold on, by what everybody may know of it. */
export type Network = {
  /** CAIP-2. */
  readonly id: string;
  readonly chainId: number;
  readonly name: string;
  /** The network's own public address for wallets, never that of whoever runs this service. */
  readonly rpcUrl: string;
  readonly explorer: string;
};

const NETWORKS: readonly Network[] = [
  {
    id: 'eip155:8453',
    chainId: 8453,
    name: 'Base',
    rpcUrl: 'https://mainnet.base.org',
    explorer: 'https://basescan.org',
  },
  {
    id: 'eip155:84532',
    chainId: 84532,
    name: 'Base Sepolia',
    rpcUrl: 'https://sepolia.base.org',
    explorer: 'https://sepolia.basescan.org',
  },
];

export const networkNamed = (name: string): Network | null =>
  NETWORKS.find((network) => network.name === name) ?? null;

/** What people call a network, by its CAIP-2 id. */
export const nameOf = (id: string): string => NETWORKS.find((network) => network.id === id)?.name ?? id;

/** As wallets are told of a network that they do not know (EIP-3085). */
export const addedChain = ({ chainId, name, rpcUrl, explorer }: Network) => ({
  chainId: hexOf(chainId),
  chainName: name,
  nativeCurrency: { name: 'Ether', symbol: 'ETH', decimals: 18 },
  rpcUrls: [rpcUrl],
  blockExplorerUrls: [explorer],
});

export const hexOf = (chainId: number): string => `0x${chainId.toString(16)}`;
