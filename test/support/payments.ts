import { randomBytes } from 'node:crypto';
import type { PaymentPayload, PaymentRequirements } from '@x402/core/types';
import type { Address, Hex } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import { encodeFunctionData, toHex } from 'viem/utils';
import type { DevAccount } from '../../src/devnet/chain-accounts.ts';
import { usdcAbi, usdcAddress, usdcDomain, usdcTypes } from '../../src/devnet/usdc.ts';
import { type Chain, execute, type Receipt, type Send } from './chain-actions.ts';

/** In wire format: numbers are decimal strings, times are Unix seconds, and `value` is in millionths of a dollar. */
export type Authorization = {
  from: Address;
  to: Address;
  value: string;
  validAfter: string;
  validBefore: string;
  nonce: Hex;
};

export type SignedPayment = PaymentPayload & { payload: { signature: Hex; authorization: Authorization } };

/** A seller who takes real money, which the payee of the embedded chain cannot do. */
export const SELLER: Address = '0x00000000000000000000000000000000000000AA';

/** The requirements of a seller for `amount` millionths of a dollar in USDC on Base. */
export const requirementsFor = (payTo: Address, amount: bigint): PaymentRequirements => ({
  scheme: 'exact',
  network: 'eip155:8453',
  amount: String(amount),
  asset: usdcAddress,
  payTo,
  maxTimeoutSeconds: 120,
  extra: { name: usdcDomain.name, version: usdcDomain.version },
});

const inSeconds = (seconds: number): string => String(Math.floor(Date.now() / 1000) + seconds);

type Signing = {
  /** The signer, which also pays unless `authorization.from` names a contract wallet. */
  buyer: DevAccount;
  /** The requirements the buyer agrees to, copied from the challenge. */
  accepted: PaymentRequirements;
  /** Differences that the buyer signs: a wrong value, a past `validBefore`, a nonce used before. */
  authorization?: Partial<Authorization>;
  /** Changes after the signature, which make it invalid. */
  afterSigning?: Partial<Authorization>;
  signature?: Hex;
  resource?: PaymentPayload['resource'];
  extensions?: Record<string, unknown>;
};

/** An x402 v2 payment as a buyer's client makes it, or a faulty one with the given differences. */
export const signAuthorization = async ({ buyer, accepted, ...rest }: Signing): Promise<SignedPayment> => {
  const signed: Authorization = {
    from: buyer.address,
    to: accepted.payTo as Address,
    value: accepted.amount,
    validAfter: '0',
    validBefore: inSeconds(accepted.maxTimeoutSeconds),
    nonce: toHex(randomBytes(32)),
    ...rest.authorization,
  };
  const signature = await privateKeyToAccount(buyer.privateKey).signTypedData({
    domain: usdcDomain,
    types: usdcTypes,
    primaryType: 'TransferWithAuthorization',
    message: {
      ...signed,
      value: BigInt(signed.value),
      validAfter: BigInt(signed.validAfter),
      validBefore: BigInt(signed.validBefore),
    },
  });
  return {
    x402Version: 2,
    accepted,
    payload: {
      signature: rest.signature ?? signature,
      authorization: { ...signed, ...rest.afterSigning },
    },
    ...(rest.resource && { resource: rest.resource }),
    ...(rest.extensions && { extensions: rest.extensions }),
  };
};

/** The value of `PAYMENT-SIGNATURE`: standard base64 of the payment's JSON. */
export const paymentHeader = (payment: PaymentPayload): string =>
  Buffer.from(JSON.stringify(payment)).toString('base64');

/** Ways a payment can be wrong, as options of `signAuthorization`. */
export const faultyPayments = (stranger: Address) => ({
  expired: { authorization: { validBefore: inSeconds(-60) } },
  future: { authorization: { validAfter: inSeconds(3_600), validBefore: inSeconds(7_200) } },
  wrongValue: { authorization: { value: '1' } },
  wrongRecipient: { authorization: { to: stranger } },
  raisedAfterSigning: { afterSigning: { value: '999999' } },
  badSignature: { signature: `0x${'11'.repeat(64)}1b` as Hex },
});

/** A buyer's cancellation, which uses up the nonce without paying; sent from a third-party account. */
export const cancelAuthorization = async (chain: Chain, buyer: DevAccount, nonce: Hex): Promise<Receipt> => {
  const signature = await privateKeyToAccount(buyer.privateKey).signTypedData({
    domain: usdcDomain,
    types: usdcTypes,
    primaryType: 'CancelAuthorization',
    message: { authorizer: buyer.address, nonce },
  });
  const data = encodeFunctionData({
    abi: usdcAbi,
    functionName: 'cancelAuthorization',
    args: [buyer.address, nonce, signature],
  });
  return execute(chain, { from: chain.usdcOwner, to: chain.usdc, data });
};

/** The transaction of a stranger who saw a buyer's signed payment, sent from a third-party account. */
export const frontRunTransaction = (chain: Chain, authorization: Authorization, signature: Hex): Send => {
  const { from, to, value, validAfter, validBefore, nonce } = authorization;
  const args = [from, to, BigInt(value), BigInt(validAfter), BigInt(validBefore), nonce, signature] as const;
  const data = encodeFunctionData({ abi: usdcAbi, functionName: 'transferWithAuthorization', args });
  return { from: chain.usdcOwner, to: chain.usdc, data };
};

/** Settles a buyer's signed payment from a third-party account; throws if USDC rejects it. */
export const frontRun = (
  chain: Chain,
  { authorization, signature }: { authorization: Authorization; signature: Hex },
): Promise<Receipt> => execute(chain, frontRunTransaction(chain, authorization, signature));
