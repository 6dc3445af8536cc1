import type { PaymentRequirements } from '@x402/core/types';
import { afterEach, beforeEach } from 'vitest';
import type { DevAccount } from '../../src/devnet/chain-accounts.ts';
import { sharedChain } from '../support/chain.ts';
import { challengeOf, earned, noticePath } from '../support/chain-app.ts';
import { paymentHeader, type SignedPayment, signAuthorization } from '../support/payments.ts';
import { type RedisServer, startRedis } from '../support/redis.ts';
import { type Instance, instanceOn } from './instances.ts';

/** For this long after a process has started, the date of a block may not show that the block is later. */
export const DISTRUSTED_MS = 3_100;

/** A chain, a Redis for each test, and the instances that a test needs; call it at the top of a describe block. */
export function redisBench() {
  const chain = sharedChain();
  let server: RedisServer;
  let instances: Instance[] = [];
  let accepted: PaymentRequirements;
  let before: bigint;
  beforeEach(async () => {
    before = await earned(chain());
  });
  afterEach(async () => {
    for (const one of instances) one.close();
    instances = [];
    await server.stop();
  });
  return {
    chain,
    server: () => server,
    async begin(options: Parameters<typeof startRedis>[0] = {}) {
      server = await startRedis(options);
    },
    async instance(options: Parameters<typeof instanceOn>[2] = {}) {
      const made = await instanceOn(chain(), server, options);
      instances.push(made);
      accepted = await challengeOf(made);
      return made;
    },
    sign: () => signAuthorization({ buyer: chain().buyers[0] as DevAccount, accepted }),
    present: (at: Instance, payment: SignedPayment, name?: string) =>
      at.get(noticePath(name), { 'payment-signature': paymentHeader(payment) }),
    /** The payee's income in this test. */
    gain: async () => (await earned(chain())) - before,
  };
}
