import { randomBytes } from 'node:crypto';
import type { Hex } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';

type Json = Record<string, unknown>;
type Field = { readonly name: string; readonly type: string };

/** A wallet as an agent has it: it signs typed data but does not know x402. */
export const wallet = (privateKey: Hex) => {
  const account = privateKeyToAccount(privateKey);
  return {
    address: account.address,
    sign: (typed: {
      domain: Json;
      types: Record<string, readonly Field[]>;
      primaryType: string;
      message: Json;
    }) => account.signTypedData(typed as never),
  };
};

export type Wallet = ReturnType<typeof wallet>;

/** The values of an EIP-3009 message for an offer, by the rules that the 402 response gives next to the types. */
export const messageFor = (
  accepted: { payTo: string; amount: string; maxTimeoutSeconds: number },
  from: string,
): Record<string, string> => ({
  from,
  to: accepted.payTo,
  value: accepted.amount,
  validAfter: '0',
  validBefore: String(Math.floor(Date.now() / 1_000) + accepted.maxTimeoutSeconds),
  nonce: `0x${randomBytes(32).toString('hex')}`,
});

export const toBase64 = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64');
