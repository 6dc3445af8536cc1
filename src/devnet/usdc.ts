import type { Address } from 'viem';
import { decodeFunctionResult, encodeFunctionData, parseAbi } from 'viem/utils';
import { rpc } from './chain-rpc.ts';

/** USDC on Base (eip155:8453). */
export const usdcAddress: Address = '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913';

/** Name and version of the EIP-712 domain of USDC on Base. On Base Sepolia the name is "USDC". */
export const usdcDomain = {
  name: 'USD Coin',
  version: '2',
  chainId: 8453,
  verifyingContract: usdcAddress,
} as const;

/** EIP-712 types of the two EIP-3009 messages that a holder signs. */
export const usdcTypes = {
  TransferWithAuthorization: [
    { name: 'from', type: 'address' },
    { name: 'to', type: 'address' },
    { name: 'value', type: 'uint256' },
    { name: 'validAfter', type: 'uint256' },
    { name: 'validBefore', type: 'uint256' },
    { name: 'nonce', type: 'bytes32' },
  ],
  CancelAuthorization: [
    { name: 'authorizer', type: 'address' },
    { name: 'nonce', type: 'bytes32' },
  ],
} as const;

/** The part of FiatTokenV2_2 that the embedded chain, the demo and the tests call. */
export const usdcAbi = parseAbi([
  'function transferWithAuthorization(address from, address to, uint256 value, uint256 validAfter, uint256 validBefore, bytes32 nonce, bytes signature)',
  'function transferWithAuthorization(address from, address to, uint256 value, uint256 validAfter, uint256 validBefore, bytes32 nonce, uint8 v, bytes32 r, bytes32 s)',
  'function cancelAuthorization(address authorizer, bytes32 nonce, bytes signature)',
  'function authorizationState(address authorizer, bytes32 nonce) view returns (bool)',
  'function balanceOf(address account) view returns (uint256)',
  'function transfer(address to, uint256 value) returns (bool)',
  'function DOMAIN_SEPARATOR() view returns (bytes32)',
  'function blacklist(address account)',
  'function unBlacklist(address account)',
  'function pause()',
  'function unpause()',
  'function mint(address to, uint256 amount) returns (bool)',
  'function configureMinter(address minter, uint256 minterAllowedAmount) returns (bool)',
  'function initialize(string tokenName, string tokenSymbol, string tokenCurrency, uint8 tokenDecimals, address newMasterMinter, address newPauser, address newBlacklister, address newOwner)',
  'function initializeV2(string newName)',
  'function initializeV2_1(address lostAndFound)',
  'function initializeV2_2(address[] accountsToBlacklist, string newSymbol)',
  'event Transfer(address indexed from, address indexed to, uint256 value)',
  'event AuthorizationUsed(address indexed authorizer, bytes32 indexed nonce)',
  'event AuthorizationCanceled(address indexed authorizer, bytes32 indexed nonce)',
]);

/** USDC held by `account`, in millionths of a dollar. */
export const usdcBalance = async (rpcUrl: string, account: Address): Promise<bigint> => {
  const data = encodeFunctionData({ abi: usdcAbi, functionName: 'balanceOf', args: [account] });
  const result = await rpc<`0x${string}`>(rpcUrl, 'eth_call', { to: usdcAddress, data }, 'latest');
  return decodeFunctionResult({ abi: usdcAbi, functionName: 'balanceOf', data: result });
};
