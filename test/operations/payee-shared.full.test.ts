import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { DevAccount } from '../../src/devnet/chain-accounts.ts';
import type { Service } from '../../src/service/service.ts';
import { sharedChain } from '../support/chain.ts';
import { serviceWith } from '../support/own-service.ts';
import { frontRun, requirementsFor, SELLER, signAuthorization } from '../support/payments.ts';
import { type RpcProxy, startRpcProxy } from '../support/rpc-proxy.ts';
import { until } from '../support/until.ts';

const TOKEN = 'a-token-of-thirty-two-characters-';

describe('a payee that another seller also uses', () => {
  const chain = sharedChain();
  let proxy: RpcProxy;
  let service: Service;
  let lines: string[];

  beforeEach(async () => {
    // Five minutes, and the ten seconds before the first check, pass in a moment.
    const wait = globalThis.setTimeout;
    vi.spyOn(globalThis, 'setTimeout').mockImplementation(((act: () => void, ms: number) =>
      wait(act, ms === 300_000 || ms === 10_000 ? 5 : ms)) as typeof setTimeout);
    proxy = await startRpcProxy(chain().rpcUrl);
    // A service cannot know what it sold in the seconds around its start, so its clock says that it started a minute
    // ago.
    const real = Date.now.bind(Date);
    const earlier = vi.spyOn(Date, 'now').mockImplementation(() => real() - 60_000);
    ({ service, lines } = await serviceWith({
      NODE_ENV: 'development',
      SETTLERS: 'local',
      RPC_URLS: proxy.url,
      RELAYER_KEY: chain().buyers[7]?.privateKey as string,
      PAY_TO: SELLER,
      OPERATOR_TOKEN: TOKEN,
    }));
    earlier.mockRestore();
  });
  afterEach(async () => {
    await service.stop();
    await proxy.stop();
    vi.restoreAllMocks();
  });

  const told = () => lines.map((line) => JSON.parse(line)).filter(({ event }) => event === 'payee_shared');

  it('is logged once with the transaction, and payments continue', async () => {
    const looks = proxy.calls('eth_blockNumber');
    await until(() => proxy.calls('eth_blockNumber') >= looks + 3, 'looks that know it');
    const accepted = requirementsFor(SELLER, 10_000n);
    const payment = await signAuthorization({ buyer: chain().buyers[0] as DevAccount, accepted });
    const { transactionHash } = await frontRun(chain(), payment.payload);
    await until(() => told().length > 0, 'the warning');
    expect(told()).toMatchObject([{ level: 'warn', transaction: transactionHash, count: 1 }]);
    const ready = await fetch(`${service.url}/readyz`, { headers: { authorization: `Bearer ${TOKEN}` } });
    expect(ready.status).toBe(200);
    expect(await ready.json()).toMatchObject({
      status: 'degraded',
      payments: 'ok',
      reasons: ['payee_shared'],
    });
    expect(lines.filter((line) => line.includes('"reasons":["payee_shared"]'))).toHaveLength(1);
  });
});
