import { randomBytes } from 'node:crypto';
import type { Address, Hex } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import { concat, encodeFunctionData, keccak256, numberToHex, pad, parseAbi, size, toHex } from 'viem/utils';
import type { EmbeddedChain } from '../../src/devnet/chain.ts';
import type { DevAccount } from '../../src/devnet/chain-accounts.ts';
import { rpc } from '../../src/devnet/chain-rpc.ts';
import { usdcAbi, usdcDomain, usdcTypes } from '../../src/devnet/usdc.ts';
import type { Receipt } from '../support/chain-actions.ts';
import type { SignedPayment } from '../support/payments.ts';

export const randomAddress = (): Address => toHex(randomBytes(20));

/** Puts code at a new address, or at the given one. */
export async function place(
  chain: EmbeddedChain,
  code: Hex,
  at: Address = randomAddress(),
): Promise<Address> {
  await rpc(chain.rpcUrl, 'anvil_setCode', at, code);
  return at;
}

const VALID = '631626ba7e60e01b5f5260205ff3';
const INVALID = '5f5f5260205ff3';

/**
 * Code of an ERC-1271 wallet that accepts while `condition` (code that leaves a word) holds, and otherwise does
 * `otherwise`.
 */
export const walletCode = (condition: string, otherwise = INVALID): Hex => {
  const target = condition.length / 2 + 4 + otherwise.length / 2;
  return `0x${condition}61${target.toString(16).padStart(4, '0')}57${otherwise}5b${VALID}`;
};

/** The code of `burningWallet` before its jump target, and a JUMPDEST that it jumps to while GAS > 0x12000. */
const BURNER_HEAD_BYTES = 9;
const BURN = '5b620120005a11600957';

/**
 * Code of an ERC-1271 wallet that rejects with less than 0x30000 gas, so that the simulation with little gas fails;
 * with more, it burns down to 0x12000 and accepts any signature.
 */
export function burningWallet(): Hex {
  const target = BURNER_HEAD_BYTES + (BURN.length + VALID.length) / 2;
  return `0x5a620300001160${target.toString(16).padStart(2, '0')}57${BURN}${VALID}5b60006000fd`;
}

/** Conditions that distinguish a simulation from a transaction, or one block from the next. */
export const conditions = {
  'no gas price': '3a15',
  'no base fee': '4815',
  'an even block': '4360011615',
  'an odd block': '43600116',
  'much gas left': '6203d0905a11',
  'little gas left': '6203d0905a10',
  'no coinbase': '4115',
  'an odd second': '42600116',
  'even randomness': '4460011615',
} as const;

export const ALWAYS = '6001';
export const NEVER = '5f';

/** Code that an ERC-1271 wallet may run instead of returning an answer. */
export const oddAnswers = {
  nothing: '00',
  'reverts without a word': '5f5ffd',
  'reverts with 10 KB': '6127105ffd',
  'returns 31 bytes': `631626ba7e60e01b5f52601f5ff3`,
  'returns the word at the wrong end': '631626ba7e5f5260205ff3',
  'returns 100 KB': '620186a05ff3',
  'returns all ones': '195f5260205ff3',
  'runs out of gas': '5b5f56',
  'invalid opcode': 'fe',
  'calls itself for ever': '5f5f5f5f305af1005f5f5260205ff3',
} as const;

type Call = { readonly to: Address; readonly data: Hex };
type Step = Call | { readonly topics: readonly Hex[]; readonly data: Hex };

const word2 = (value: number) => value.toString(16).padStart(4, '0');

/** Code that makes calls or writes log entries, one after another. It fails if a call does. */
export function sequenceCode(steps: readonly Step[]): Hex {
  const build = (starts: readonly number[], fail: number) =>
    steps
      .map((step, index) => {
        const length = word2(size(step.data));
        const copy = `61${length}61${word2(starts[index] ?? 0)}5f39`;
        if ('topics' in step) {
          const topics = [...step.topics].reverse().map((topic) => `7f${topic.slice(2)}`);
          return `${copy}${topics.join('')}61${length}5f${(0xa0 + step.topics.length).toString(16)}`;
        }
        return `${copy}5f5f61${length}5f5f73${step.to.slice(2)}5af11561${word2(fail)}57`;
      })
      .join('');
  const codeLength = build([], 0).length / 2;
  let at = codeLength + 5;
  const starts = steps.map(({ data }) => {
    const start = at;
    at += size(data);
    return start;
  });
  return concat([`0x${build(starts, codeLength + 1)}005b5f5ffd`, ...steps.map(({ data }) => data)]);
}

/** Sends everything in one transaction from a third-party account. */
export async function inOneTransaction(chain: EmbeddedChain, steps: readonly Step[]): Promise<Receipt> {
  const at = await place(chain, sequenceCode(steps));
  return sendTo(chain, at);
}

/** Sends from `from`, or from an unused account, because nodes confuse the nonces of simultaneous senders. */
export async function sendTo(
  chain: EmbeddedChain,
  to: Address,
  data: Hex = '0x',
  from: Address = randomAddress(),
): Promise<Receipt> {
  await rpc(chain.rpcUrl, 'anvil_setBalance', from, numberToHex(10n ** 18n));
  await rpc(chain.rpcUrl, 'anvil_impersonateAccount', from);
  const receipt = await rpc<Receipt>(chain.rpcUrl, 'eth_sendTransactionSync', {
    from,
    to,
    data,
    gas: numberToHex(8_000_000),
  });
  if (receipt.status !== '0x1') throw new Error(`an attacker's own transaction was reverted`);
  return receipt;
}

/** The call that uses an authorization. Anybody may make it. */
export const useCall = (chain: EmbeddedChain, { payload }: SignedPayment): Call => {
  const { from, to, value, validAfter, validBefore, nonce } = payload.authorization;
  const args = [from, to, BigInt(value), BigInt(validAfter), BigInt(validBefore), nonce] as const;
  const data = encodeFunctionData({
    abi: usdcAbi,
    functionName: 'transferWithAuthorization',
    args: [...args, payload.signature],
  });
  return { to: chain.usdc, data };
};

/** Settles a payment in the way of a stranger who has seen it; throws if USDC rejects it. */
export async function frontRun(chain: EmbeddedChain, payment: SignedPayment): Promise<Receipt> {
  const { to, data } = useCall(chain, payment);
  return sendTo(chain, to, data);
}

/** Cancels an authorization in its payer's name. */
export async function cancel(chain: EmbeddedChain, buyer: DevAccount, nonce: Hex): Promise<void> {
  const signature = await privateKeyToAccount(buyer.privateKey).signTypedData({
    domain: usdcDomain,
    types: usdcTypes,
    primaryType: 'CancelAuthorization',
    message: { authorizer: buyer.address, nonce },
  });
  const args = [buyer.address, nonce, signature] as const;
  await sendTo(
    chain,
    chain.usdc,
    encodeFunctionData({ abi: usdcAbi, functionName: 'cancelAuthorization', args }),
  );
}

/** The slot where FiatTokenV2_2 keeps its balances. */
const BALANCES_SLOT = 9n;

/** Gives an account `usdc` millionths of a dollar. */
export async function fund(chain: EmbeddedChain, account: Address, usdc: bigint): Promise<void> {
  const slot = keccak256(concat([pad(account), pad(numberToHex(BALANCES_SLOT))]));
  await rpc(chain.rpcUrl, 'anvil_setStorageAt', chain.usdc, slot, pad(numberToHex(usdc)));
}

const moreAbi = parseAbi([
  'function approve(address spender, uint256 value) returns (bool)',
  'function transferFrom(address from, address to, uint256 value) returns (bool)',
]);

/** Moves money by a plain transfer from an account that has allowed it. */
export const plainCall = (chain: EmbeddedChain, from: Address, to: Address, value: bigint): Call => ({
  to: chain.usdc,
  data: encodeFunctionData({ abi: moreAbi, functionName: 'transferFrom', args: [from, to, value] }),
});

/** Lets `spender` move an account's whole balance. */
export async function approve(chain: EmbeddedChain, from: Address, spender: Address): Promise<void> {
  const data = encodeFunctionData({
    abi: moreAbi,
    functionName: 'approve',
    args: [spender, 2n ** 255n],
  });
  await sendTo(chain, chain.usdc, data, from);
}

/** Whether USDC, by its own rules, would move what an authorization says. */
export async function canMove(chain: EmbeddedChain, payment: SignedPayment): Promise<boolean> {
  try {
    await rpc(chain.rpcUrl, 'eth_call', { from: randomAddress(), ...useCall(chain, payment) }, 'latest');
    return true;
  } catch {
    return false;
  }
}
