import type { PaymentRequirements } from '@x402/core/types';
import type { Hex } from 'viem';
import { afterAll, beforeAll, expect } from 'vitest';
import type { EmbeddedChain } from '../../src/devnet/chain.ts';
import type { DevAccount } from '../../src/devnet/chain-accounts.ts';
import { rpc } from '../../src/devnet/chain-rpc.ts';
import { rpcOver } from '../../src/payments/chain/rpc.ts';
import { createFacilitatorSettler } from '../../src/payments/facilitator/facilitator-settler.ts';
import type { CallHeaders } from '../../src/payments/facilitator/http.ts';
import { createFailover } from '../../src/payments/failover.ts';
import { createLog } from '../../src/platform/log.ts';
import { sharedChain } from './chain.ts';
import type { Receipt } from './chain-actions.ts';
import { chainApp, challengeOf, headerJson, noticePath } from './chain-app.ts';
import { type Listening, listening } from './listening.ts';
import { type LyingFacilitator, startLyingFacilitator } from './lying-facilitator.ts';
import { paymentHeader, type SignedPayment, signAuthorization } from './payments.ts';
import { type RpcProxy, startRpcProxy } from './rpc-proxy.ts';

export type SellerOptions = { hasRpc?: boolean; isEdge503?: boolean; headers?: CallHeaders };

export type Bench = {
  chain: EmbeddedChain;
  facilitator: LyingFacilitator;
  proxy: RpcProxy;
  accepted: PaymentRequirements;
  buyer: DevAccount;
  /** Log lines of all sellers. */
  lines: string[];
  /** A fresh instance of the whole service, listening, whose only settler is the facilitator. */
  seller(options?: SellerOptions): Promise<Listening>;
  sign(options?: Partial<Parameters<typeof signAuthorization>[0]>): Promise<SignedPayment>;
};

/** Presents a payment for a notice. */
export const present = (at: Listening, payment: SignedPayment): Promise<Response> =>
  fetch(`${at.url}${noticePath()}`, { headers: { 'payment-signature': paymentHeader(payment) } });

/** Everything that a buyer can read in a response, with its x402 headers decoded. */
export async function heard(response: Response): Promise<string> {
  const receipt = JSON.stringify(headerJson(response, 'payment-response'));
  const required = JSON.stringify(headerJson(response, 'payment-required'));
  return [await response.text(), receipt, required, ...[...response.headers].flat()].join('\n');
}

/** Expects no text that only the facilitator, its address or the node contains. */
export function expectNoSecret(text: string, { facilitator, proxy }: Bench): void {
  for (const secret of ['SECRET', 'facilitator.example', 'elsewhere', 'upstream', 'crashed', 'boom'])
    expect(text).not.toContain(secret);
  for (const { url } of [facilitator, proxy]) expect(text).not.toContain(new URL(url).host);
}

/** Expects that the receipt names the transaction in which exactly this authorization was used. */
export async function expectMoved(response: Response, nonce: Hex, { chain }: Bench): Promise<void> {
  const { transaction } = headerJson<{ transaction: Hex }>(response, 'payment-response') ?? {};
  const { logs } = await rpc<Receipt>(chain.rpcUrl, 'eth_getTransactionReceipt', transaction);
  expect(logs.flatMap(({ topics }) => topics)).toContain(nonce);
}

/** A chain, a lying facilitator, a node in between, and sellers that use them, for the test file that calls this. */
export function facilitatorBench(): () => Bench {
  const chain = sharedChain();
  const servers: Listening[] = [];
  let bench: Bench | undefined;
  beforeAll(async () => {
    bench = await benchOn(chain(), servers);
  });
  afterAll(async () => {
    await Promise.all(servers.map((server) => server.stop()));
    await Promise.all([bench?.facilitator.stop(), bench?.proxy.stop()]);
  });
  return () => {
    if (!bench) throw new Error('The bench stands only inside tests and hooks');
    return bench;
  };
}

async function benchOn(chain: EmbeddedChain, servers: Listening[]): Promise<Bench> {
  const facilitator = await startLyingFacilitator(chain);
  const proxy = await startRpcProxy(chain.rpcUrl);
  const accepted = await challengeOf(chainApp(chain));
  const buyer = chain.buyers[0] as DevAccount;
  const lines: string[] = [];
  const log = createLog({ level: 'debug', write: (line) => lines.push(line) });

  const seller = async ({ hasRpc = true, isEdge503 = false, headers }: SellerOptions = {}) => {
    const settlement = createFacilitatorSettler({
      url: facilitator.url,
      rpc: hasRpc ? rpcOver([`${proxy.url}/v2/SECRET-rpc-path`]) : null,
      now: Date.now,
      isEdge503,
      ...(headers && { headers }),
      repeatMs: [20, 40],
      patienceMs: 250,
      pollMs: 50,
      deadlineMs: 2_000,
    });
    const failover = createFailover({
      settlers: [{ name: 'facilitator_1', settlement }],
      now: Date.now,
      onSettler: ({ durationMs, ...report }) =>
        log.info('settlement', { ...report, duration_ms: durationMs }),
    });
    const onBug = (operation: string) => log.error('fault', { where: 'operation', operation });
    const server = await listening(chainApp(chain, { settlement: failover, onBug }));
    servers.push(server);
    return server;
  };

  const sign: Bench['sign'] = (options) => signAuthorization({ buyer, accepted, ...options });
  return { chain, facilitator, proxy, accepted, buyer, lines, seller, sign };
}
