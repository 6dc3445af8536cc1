import type { PaymentRequired } from '@x402/core/types';
import type { Hex } from 'viem';
import { expect, it, vi } from 'vitest';
import { readConfig } from '../../src/config/config.ts';
import { headerJson } from '../../src/demo/buyer.ts';
import type { EmbeddedChain } from '../../src/devnet/chain.ts';
import type { DevAccount } from '../../src/devnet/chain-accounts.ts';
import { rpc } from '../../src/devnet/chain-rpc.ts';
import { createLog } from '../../src/platform/log.ts';
import { startService } from '../../src/service/service.ts';
import { noticePath } from '../support/chain-app.ts';
import { freePort } from '../support/listening.ts';
import { paymentHeader, signAuthorization } from '../support/payments.ts';

it('the demo sells to a wallet that uses its own clock, even after a time without requests', async () => {
  const reading = readConfig({ PORT: String(await freePort()) });
  if (!reading.ok) throw new Error(JSON.stringify(reading.faults));
  const service = await startService(reading.config, createLog({ level: 'silent', write: () => {} }));
  try {
    const { rpcUrl, buyers } = service.chain as EmbeddedChain;
    const block = await rpc<{ timestamp: Hex }>(rpcUrl, 'eth_getBlockByNumber', 'latest', false);
    // The payment is valid from a moment after the last block, like that of a wallet that signs "from a minute ago"
    // an hour later.
    const validAfter = Number(block.timestamp) + 1;
    await vi.waitUntil(() => Date.now() / 1_000 > validAfter + 3, { timeout: 30_000 });
    const address = `${service.url}${noticePath()}`;
    const unpaid = await fetch(address);
    const required = headerJson<PaymentRequired>(unpaid.headers, 'payment-required') as PaymentRequired;
    const [accepted] = required.accepts as [PaymentRequired['accepts'][number]];
    const authorization = { validAfter: String(validAfter) };
    const payment = await signAuthorization({ buyer: buyers[0] as DevAccount, accepted, authorization });
    const response = await fetch(address, { headers: { 'payment-signature': paymentHeader(payment) } });
    expect([response.status, await response.text()]).toEqual([200, expect.stringContaining('reminder')]);
  } finally {
    await service.stop();
  }
});
