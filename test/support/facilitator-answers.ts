import type { Hex } from 'viem';
import { rpc } from '../../src/devnet/chain-rpc.ts';
import { type Chain, execute } from './chain-actions.ts';
import { type Authorization, frontRun, frontRunTransaction } from './payments.ts';

/**
 * Text that appears only in a facilitator's answer. It must never reach a log, an error or a response of the service.
 */
export const facilitatorSecret = 'https://facilitator.example/v1/SECRET-facilitator-key-4712';

/**
 * The possible faults of a facilitator. `lie-*` reports success: without settling, with the hash of an unrelated or
 * nonexistent transaction, or for another payer or network. `settle-*` really settles and then loses the connection,
 * reports the payment as pending, rejects it, or answers with an error, a page, a megabyte or nonsense. `pending`:
 * reports the payment as pending without having sent it. The others never settle: `drop`, `too-many` 429,
 * `unauthorized` 401, `page-503`, `redirect`, `secret`: rejects with its own address and key in every text. `slow`
 * settles after `delayMs`.
 */
export const facilitatorFaults = [
  'lie-unsettled',
  'lie-other-transaction',
  'lie-no-transaction',
  'lie-wrong-payer',
  'lie-wrong-network',
  'settle-and-drop',
  'settle-and-pending',
  'settle-and-refuse',
  'settle-and-500',
  'settle-and-503',
  'settle-and-turn-away',
  'settle-and-redirect',
  'settle-and-flood',
  'settle-and-garble',
  'settle-wrong-hash',
  'pending',
  'drop',
  'too-many',
  'unauthorized',
  'page-503',
  'redirect',
  'secret',
  'slow',
] as const;
/** A fault for any settlement; `refuse` settles nothing and blames the payer. */
export type FacilitatorFault = AnyFault | 'refuse';
export type AnyFault = (typeof facilitatorFaults)[number];

export type SettleRequest = {
  x402Version: number;
  paymentPayload: {
    x402Version: number;
    resource?: unknown;
    accepted: unknown;
    payload: { signature: Hex; authorization: Authorization };
    extensions?: Record<string, unknown>;
  };
  paymentRequirements: { network: string; amount: string };
};

export type Answer = { status: number; body: string; headers?: Record<string, string> } | 'broken';
/** One fault applied to one settlement. */
export type Strike = { fault: FacilitatorFault; delayMs: number };

/** Whether USDC would accept the payment now; the facilitator lies only about settlements. */
export async function answerVerify({ paymentPayload }: SettleRequest, chain: Chain): Promise<Answer> {
  const { authorization, signature } = paymentPayload.payload;
  const payer = authorization.from;
  try {
    await rpc(chain.rpcUrl, 'eth_call', frontRunTransaction(chain, authorization, signature), 'latest');
    return json(200, { isValid: true, payer });
  } catch (error) {
    const isUnsigned = /invalid signature|ECRecover/.test(String(error));
    const invalidReason = isUnsigned
      ? 'invalid_exact_evm_signature'
      : 'invalid_exact_evm_transaction_simulation_failed';
    return json(200, { isValid: false, invalidReason, payer });
  }
}

export const json = (status: number, value: unknown): Answer => ({ status, body: JSON.stringify(value) });
/** An error page of a gateway. */
export const page = (status: number): Answer => ({
  status,
  body: `<html>upstream ${facilitatorSecret} is down</html>`,
  headers: { 'content-type': 'text/html' },
});
const NOWHERE: Hex = `0x${'77'.repeat(32)}`;

/** Settles for real, once for each authorization, and remembers the transaction as hosted facilitators do. */
export const settlerOn = (chain: Chain) => {
  const done = new Map<string, Promise<Hex | null>>();
  return (payload: SettleRequest['paymentPayload']['payload']): Promise<Hex | null> => {
    const key = `${payload.authorization.from}:${payload.authorization.nonce}`;
    const known = done.get(key);
    if (known !== undefined) return known;
    const settling = frontRun(chain, payload).then(
      ({ transactionHash }) => transactionHash,
      () => {
        done.delete(key);
        return null;
      },
    );
    done.set(key, settling);
    return settling;
  };
};

const success = ({ paymentPayload, paymentRequirements }: SettleRequest, transaction: Hex) => ({
  success: true,
  transaction,
  network: paymentRequirements.network,
  payer: paymentPayload.payload.authorization.from,
});

const failure = (request: SettleRequest, errorReason: string, transaction: Hex | '' = '') => ({
  success: false,
  errorReason,
  errorMessage: `see ${facilitatorSecret}`,
  transaction,
  network: request.paymentRequirements.network,
});

/** A mined transaction that has nothing to do with the payment. */
const unrelated = async (chain: Chain): Promise<Hex> => {
  const { transactionHash } = await execute(chain, {
    from: chain.usdcOwner,
    to: chain.usdcOwner,
    data: '0x',
  });
  return transactionHash;
};

export type Parts = { chain: Chain; settle: ReturnType<typeof settlerOn> };

const lie = async (fault: FacilitatorFault, request: SettleRequest, { chain }: Parts): Promise<Answer> => {
  const said = success(request, NOWHERE);
  switch (fault) {
    case 'lie-other-transaction':
      return json(200, { ...said, transaction: await unrelated(chain) });
    case 'lie-no-transaction':
      return json(200, { ...said, transaction: '' });
    case 'lie-wrong-payer':
      return json(200, { ...said, payer: chain.usdcOwner });
    case 'lie-wrong-network':
      return json(200, { ...said, network: 'eip155:84532' });
    default:
      return json(200, said);
  }
};

const settleBadly = async (
  fault: FacilitatorFault,
  request: SettleRequest,
  parts: Parts,
): Promise<Answer> => {
  const transaction = await parts.settle(request.paymentPayload.payload);
  if (transaction === null) return json(200, failure(request, 'invalid_exact_evm_transaction_failed'));
  switch (fault) {
    case 'settle-and-drop':
      return 'broken';
    case 'settle-and-pending':
      return json(500, failure(request, 'settlement_pending', transaction));
    case 'settle-and-refuse':
      return json(200, failure(request, 'insufficient_funds'));
    case 'settle-and-500':
      return json(500, { error: `crashed at ${facilitatorSecret}` });
    case 'settle-and-503':
      return page(503);
    case 'settle-and-turn-away':
      return json(401, { errorMessage: facilitatorSecret });
    case 'settle-and-redirect':
      return { status: 307, body: '', headers: { location: '/elsewhere' } };
    case 'settle-and-flood':
      return json(200, { ...success(request, transaction), extra: 'x'.repeat(1_000_000) });
    case 'settle-and-garble':
      return { status: 200, body: `{"success":tru ${facilitatorSecret}` };
    case 'settle-wrong-hash':
      return json(200, success(request, await unrelated(parts.chain)));
    default:
      return json(200, success(request, transaction));
  }
};

/** Answers one `/settle`, with a fault or honestly. */
export const answerSettle = async (
  request: SettleRequest,
  strike: Strike | undefined,
  parts: Parts,
): Promise<Answer> => {
  const fault = strike?.fault;
  if (fault?.startsWith('lie-')) return lie(fault, request, parts);
  if (fault?.startsWith('settle-')) return settleBadly(fault, request, parts);
  switch (fault) {
    case 'pending':
      return json(200, failure(request, 'settlement_pending', NOWHERE));
    case 'refuse':
      return json(200, failure(request, 'insufficient_funds'));
    case 'drop':
      return 'broken';
    case 'too-many':
      return { status: 429, body: `over the limit of ${facilitatorSecret}`, headers: { 'retry-after': '1' } };
    case 'unauthorized':
      return json(401, { errorType: 'unauthorized', errorMessage: facilitatorSecret });
    case 'page-503':
      return page(503);
    case 'redirect':
      return { status: 307, body: '', headers: { location: `/elsewhere?${facilitatorSecret}` } };
    case 'secret':
      return json(200, failure(request, `boom at ${facilitatorSecret}`));
    case 'slow':
      await new Promise((resolve) => setTimeout(resolve, strike?.delayMs));
      return settleBadly(fault, request, parts);
    default:
      return settleBadly('slow', request, parts);
  }
};
