import type { PaymentRequired, PaymentRequirements } from '@x402/core/types';
import { expect } from 'vitest';
import type { AppParts } from '../../src/app.ts';
import type { EmbeddedChain } from '../../src/devnet/chain.ts';
import type { DevAccount } from '../../src/devnet/chain-accounts.ts';
import { usdcBalance } from '../../src/devnet/usdc.ts';
import { memoryClaims } from '../../src/exchange/claims/claims.ts';
import { rpcOver } from '../../src/payments/chain/rpc.ts';
import { createLocalSettler } from '../../src/payments/local/local-settler.ts';
import { createRelayer } from '../../src/payments/local/relayer.ts';
import { type TestApp, terms, testApp } from './app.ts';
import { paymentHeader, signAuthorization } from './payments.ts';

/** The default of MAX_GAS_GWEI_PER_CENT. */
const GAS_WEI_PER_CENT = 10n ** 13n;

/** The whole app settling on the embedded chain, directly or through another RPC URL such as a faulty proxy's. */
export function chainApp(chain: EmbeddedChain, options: ChainAppOptions = {}): TestApp {
  const {
    rpcUrl = chain.rpcUrl,
    patienceMs = 400,
    pollMs = 20,
    checkMs,
    bumpAfterMs,
    mostInFlight,
    confirmations,
    roomMs,
    proofAgeMs,
    now = Date.now,
    ...parts
  } = options;
  const rpc = rpcOver([rpcUrl]);
  const { chainId, relayerKey: key } = chain;
  const care = { checkMs, bumpAfterMs, mostInFlight };
  const relayer = createRelayer({ key, chainId, rpc, now, maxFeePerGasWei: 10n ** 12n, ...care });
  const settlement = createLocalSettler({
    rpc,
    relayer,
    gasWeiPerCent: GAS_WEI_PER_CENT,
    // A test that passes its own claims may also give them to another app.
    isShared: parts.claims !== undefined,
    now,
    patienceMs,
    pollMs,
    confirmations,
    roomMs,
    proofAgeMs,
  });
  // The service seems to have run for a while, so its memory knows everything that was used in the last
  // seconds.
  const claims = memoryClaims({ maxClaims: 1_000, now: () => now() - 10_000 });
  return testApp({ now, settlement, claims, terms: { ...terms, payTo: chain.payee }, ...parts });
}

export type ChainAppOptions = Partial<AppParts> & {
  rpcUrl?: string;
  patienceMs?: number;
  pollMs?: number;
  checkMs?: number;
  bumpAfterMs?: number;
  mostInFlight?: number;
  confirmations?: number;
  roomMs?: number;
  proofAgeMs?: number;
};

/** A valid notice request; a different name makes it a different request. */
export const noticePath = (name = 'Acme'): string =>
  `/v1/late-fee-notice?amount=1250&due_date=2026-09-01&paid_date=2026-11-21&client_name=${encodeURIComponent(name)}`;

/** The requirements in the reply to an unpaid call. */
export async function challengeOf(app: TestApp, path = noticePath()): Promise<PaymentRequirements> {
  const response = await app.get(path);
  expect(response.status).toBe(402);
  const required = headerJson<PaymentRequired>(response, 'payment-required');
  return required?.accepts[0] as PaymentRequirements;
}

/** The JSON in an x402 header; null if it is absent. */
export function headerJson<Value>(response: Response, name: string): Value | null {
  const text = response.headers.get(name);
  return text === null ? null : (JSON.parse(Buffer.from(text, 'base64').toString('utf8')) as Value);
}

/** The header of a payment for a notice at the address of a service. */
export async function paymentAt(
  url: string,
  buyer: DevAccount | undefined,
  options: Partial<Parameters<typeof signAuthorization>[0]> = {},
): Promise<{ 'payment-signature': string }> {
  const unpaid = await fetch(`${url}${noticePath()}`);
  const [accepted] = headerJson<PaymentRequired>(unpaid, 'payment-required')?.accepts ?? [];
  if (buyer === undefined || accepted === undefined) throw new Error(`no offer of ${url}`);
  return { 'payment-signature': paymentHeader(await signAuthorization({ buyer, accepted, ...options })) };
}

/** The balance of a payee, in millionths of a dollar. */
export const earned = (chain: EmbeddedChain, payee = chain.payee): Promise<bigint> =>
  usdcBalance(chain.rpcUrl, payee);
