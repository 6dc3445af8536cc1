import type { Address, Hex } from 'viem';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { DevAccount } from '../../src/devnet/chain-accounts.ts';
import { rpc } from '../../src/devnet/chain-rpc.ts';
import type { Settlers } from '../../src/payments/settlers/settlers.ts';
import type { TestApp } from '../support/app.ts';
import { deal } from '../support/batch.ts';
import { onCopyOf, sharedChain } from '../support/chain.ts';
import { mine, setBaseFee } from '../support/chain-actions.ts';
import { chainApp, challengeOf, noticePath } from '../support/chain-app.ts';
import { paymentHeader, signAuthorization } from '../support/payments.ts';
import { type RpcProxy, startRpcProxy } from '../support/rpc-proxy.ts';
import { ownSettlers } from './proxied.ts';

const CENT = 10_000n;
const WALLET: Address = '0x00000000000000000000000000000000000b0221';
const ANY_SIGNATURE: Hex = `0x${'5a'.repeat(65)}`;
const ACCEPTS = '631626ba7e60e01b5f5260205ff3';
const BURN = '5b620120005a11600957';
/** The code of the burning wallet before its jump target, and a JUMPDEST that it jumps to while GAS > 0x12000. */
const HEAD_BYTES = 9;
const TARGET = HEAD_BYTES + (BURN.length + ACCEPTS.length) / 2;
/**
 * An ERC-1271 wallet that rejects with less than 0x30000 gas, so that the simulation with little gas fails; with more,
 * it burns down to 0x12000 and accepts any signature.
 */
const BURNING: Hex = `0x5a620300001160${TARGET.toString(16).padStart(2, '0')}57${BURN}${ACCEPTS}5b60006000fd`;
// This ERC-1271 wallet accepts any signature.
const CHEAP: Hex = '0x631626ba7e60e01b60005260206000f3';

describe('a paying wallet that burns gas in its signature check', () => {
  const chain = sharedChain();
  let proxy: RpcProxy;
  let settlers: Settlers;
  let app: TestApp;

  beforeEach(async () => {
    proxy = await startRpcProxy(chain().rpcUrl);
    settlers = ownSettlers(chain(), [proxy.url]);
    app = chainApp(chain(), { settlement: settlers.settlement });
  });
  const stop = async () => {
    settlers.stop();
    await proxy.stop();
  };
  afterEach(stop);

  const pay = async (more: Partial<Parameters<typeof signAuthorization>[0]>) => {
    const buyer = chain().buyers[0] as DevAccount;
    const payment = await signAuthorization({ buyer, accepted: await challengeOf(app), ...more });
    return app.get(noticePath(), { 'payment-signature': paymentHeader(payment) });
  };
  const ofWallet = () => pay({ authorization: { from: WALLET }, signature: ANY_SIGNATURE });
  const at = (baseFeeWei: bigint, work: () => Promise<void>) =>
    onCopyOf(
      chain(),
      async () => {
        await setBaseFee(chain(), baseFeeWei);
        await mine(chain());
        await setBaseFee(chain(), baseFeeWei);
        await deal(chain(), WALLET, 10n * CENT);
        await work();
      },
      stop,
    );

  it('is refused before anything is sent, and its buyer is told to pay from a plain account', async () => {
    await at(10_000_000n, async () => {
      await rpc(chain().rpcUrl, 'anvil_setCode', WALLET, BURNING);
      const response = await ofWallet();
      const problem = (await response.json()) as { error: string; detail: string };
      expect([response.status, problem.error, proxy.sends()]).toEqual([402, 'wallet_gas_too_dear', 0]);
      expect(problem.detail).toContain('pay from a plain account');
      expect((await pay({})).status).toBe(200);
    });
  });

  it('can buy as long as its gas costs at most what the sale earns', async () => {
    await at(5_000_000n, async () => {
      await rpc(chain().rpcUrl, 'anvil_setCode', WALLET, BURNING);
      expect([(await ofWallet()).status, proxy.sends()]).toEqual([200, 1]);
    });
  });

  it('does not affect a wallet whose check is cheap', async () => {
    await at(10_000_000n, async () => {
      await rpc(chain().rpcUrl, 'anvil_setCode', WALLET, CHEAP);
      expect([(await ofWallet()).status, proxy.sends()]).toEqual([200, 1]);
    });
  });

  it('is the only kind of payer that health reports as refused, if gas is too expensive only for such wallets', async () => {
    await at(25_000_000n, async () => {
      await expect
        .poll(() => settlers.health())
        .toEqual([{ settler: 'local', state: 'degraded', reason: 'wallet_gas_too_dear', isPartial: true }]);
      await rpc(chain().rpcUrl, 'anvil_setCode', WALLET, CHEAP);
      expect((await ofWallet()).status).toBe(402);
      expect((await pay({})).status).toBe(200);
    });
  });
});
