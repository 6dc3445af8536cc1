import type { Hex } from 'viem';
import { expect, it, vi } from 'vitest';
import type { EmbeddedChain } from '../../src/devnet/chain.ts';
import { rpc } from '../../src/devnet/chain-rpc.ts';
import { noticePath, paymentAt } from '../support/chain-app.ts';
import { serviceWith } from '../support/own-service.ts';

it('the demo sells to a wallet that uses its own clock, even after a time without requests', async () => {
  const { service } = await serviceWith({});
  try {
    const { rpcUrl, buyers } = service.chain as EmbeddedChain;
    const block = await rpc<{ timestamp: Hex }>(rpcUrl, 'eth_getBlockByNumber', 'latest', false);
    // The payment is valid from a moment after the last block, like one of a wallet that signs "from a minute ago"
    // an hour later.
    const validAfter = Number(block.timestamp) + 1;
    await vi.waitUntil(() => Date.now() / 1_000 > validAfter + 3, { timeout: 30_000 });
    const address = `${service.url}${noticePath()}`;
    const authorization = { validAfter: String(validAfter) };
    const headers = await paymentAt(service.url, buyers[0], { authorization });
    const response = await fetch(address, { headers });
    expect([response.status, await response.text()]).toEqual([200, expect.stringContaining('reminder')]);
  } finally {
    await service.stop();
  }
});
