import type { Address } from './address.ts';

/** A chain and the USDC on it; name and version are those of the contract's EIP-712 domain. */
export interface Network {
  readonly caip2: 'eip155:8453' | 'eip155:84532';
  readonly chainId: number;
  readonly usdc: Address;
  readonly usdcName: 'USD Coin' | 'USDC';
  readonly usdcVersion: '2';
}

export const networks: Readonly<Record<Network['caip2'], Network>> = {
  'eip155:8453': {
    caip2: 'eip155:8453',
    chainId: 8453,
    usdc: '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913',
    usdcName: 'USD Coin',
    usdcVersion: '2',
  },
  // The test network's contract signs under another name; a domain copied from the main network never verifies.
  'eip155:84532': {
    caip2: 'eip155:84532',
    chainId: 84532,
    usdc: '0x036CbD53842c5426634e7929541eC2318f3dCF7e',
    usdcName: 'USDC',
    usdcVersion: '2',
  },
};
