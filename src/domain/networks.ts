/** A chain on which answers are sold, and the USDC on it; only public facts. */
export type Network = {
  readonly caip2: 'eip155:8453' | 'eip155:84532';
  readonly chainId: number;
  /** The common name. */
  readonly name: string;
  readonly isForStaging: boolean;
  readonly usdc: `0x${string}`;
  /** Name and version of the contract's EIP-712 domain. */
  readonly usdcName: 'USD Coin' | 'USDC';
  readonly usdcVersion: '2';
  /** The network's own public RPC address for wallets, not the one of this service's operator. */
  readonly publicRpcUrl: string;
  readonly explorer: string;
};

export const networks: Readonly<Record<Network['caip2'], Network>> = {
  'eip155:8453': {
    caip2: 'eip155:8453',
    chainId: 8453,
    name: 'Base',
    isForStaging: false,
    usdc: '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913',
    usdcName: 'USD Coin',
    usdcVersion: '2',
    publicRpcUrl: 'https://mainnet.base.org',
    explorer: 'https://basescan.org',
  },
  // The test network's contract has a different name, so a signature with the main network's domain does not verify.
  'eip155:84532': {
    caip2: 'eip155:84532',
    chainId: 84532,
    name: 'Base Sepolia',
    isForStaging: true,
    usdc: '0x036CbD53842c5426634e7929541eC2318f3dCF7e',
    usdcName: 'USDC',
    usdcVersion: '2',
    publicRpcUrl: 'https://sepolia.base.org',
    explorer: 'https://sepolia.basescan.org',
  },
};

/** The main network first. */
export const networkIds = Object.keys(networks) as [Network['caip2'], ...Network['caip2'][]];

const known: Readonly<Record<string, Network | undefined>> = networks;

/** The common name of a network by its CAIP-2 id; the id itself for an unknown network. */
export const networkNameOf = (caip2: string): string => known[caip2]?.name ?? caip2;
