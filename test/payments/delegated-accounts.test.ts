import type { Address, Hex } from 'viem';
import { concat } from 'viem/utils';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type DevAccount, devAccounts } from '../../src/devnet/chain-accounts.ts';
import { rpc } from '../../src/devnet/chain-rpc.ts';
import { healthOf } from '../../src/health/health.ts';
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
const BASE_FEE_WEI = 10_000_000n;
// A quarter of the budget is the worst case of one payment plus the cost of one revert, so the second revert uses it
// up.
const BUDGET_WEI = 30_000_000_000_000n;
const IMPLEMENTATION: Address = '0x00000000000000000000000000000000000e7702';
// This ERC-1271 wallet accepts any signature in odd blocks, and none in even ones.
const ODD_BLOCKS: Hex = '0x43600116631626ba7e0260e01b60005260206000f3';
const REJECTS: Hex = '0x60006000fd';

describe('the gas budget with accounts that delegate to a contract (EIP-7702)', () => {
  const chain = sharedChain();
  let proxy: RpcProxy;
  let settlers: Settlers;
  let app: TestApp;

  beforeEach(async () => {
    proxy = await startRpcProxy(chain().rpcUrl);
    settlers = ownSettlers(chain(), [proxy.url], { gasBudgetWeiPerHour: BUDGET_WEI });
    app = chainApp(chain(), { settlement: settlers.settlement });
  });
  const stop = async () => {
    settlers.stop();
    await proxy.stop();
  };
  afterEach(stop);

  const attackers = devAccounts(90).slice(80);
  const setCode = (address: Address, code: Hex) => rpc(chain().rpcUrl, 'anvil_setCode', address, code);
  const delegate = (address: Address) => setCode(address, concat(['0xef0100', IMPLEMENTATION]));
  const sends = () => proxy.calls('eth_sendRawTransactionSync');
  const buy = async (buyer: DevAccount) => {
    const payment = await signAuthorization({ buyer, accepted: await challengeOf(app) });
    return (await app.get(noticePath(), { 'payment-signature': paymentHeader(payment) })).status;
  };
  const honest = () => chain().buyers[0] as DevAccount;
  const health = () => {
    const well = { isDraining: false, hasChainEnded: false, isPayeeShared: false };
    const facts = { ...well, redis: null, lowBalanceSettlers: new Set<string>() };
    const { payments, reasons } = healthOf({ ...facts, settlers: settlers.health() });
    return { payments, reasons };
  };
  /** Buys, and changes a condition of the payment at the same time, so that the transaction reverts. */
  const revert = async (buyer: DevAccount, change: () => Promise<unknown>) => {
    let changed = () => {};
    const until = new Promise<void>((resolve) => {
      changed = resolve;
    });
    proxy.fail('eth_sendRawTransactionSync', 'slow', { until, times: 1 });
    // This would send the bytes again after four seconds.
    proxy.fail('eth_sendRawTransaction', 'dead');
    const before = sends();
    const status = buy(buyer);
    await expect.poll(sends, { interval: 5 }).toBe(before + 1);
    await change();
    await setBaseFee(chain(), BASE_FEE_WEI);
    changed();
    return status.finally(() => proxy.heal('eth_sendRawTransaction'));
  };
  const onCheapCopy = (work: () => Promise<void>) =>
    onCopyOf(
      chain(),
      async () => {
        await setBaseFee(chain(), BASE_FEE_WEI);
        await mine(chain());
        await work();
      },
      stop,
    );

  it('loses only the share of contract wallets to the reverts of these accounts, so an ordinary buyer is still served', async () => {
    await onCheapCopy(async () => {
      await setCode(IMPLEMENTATION, ODD_BLOCKS);
      let reverts = 0;
      for (const attacker of attackers) {
        await deal(chain(), attacker.address, CENT);
        await delegate(attacker.address);
        // A simulation runs in one block and the transaction in the next, so only one of the two orders passes the
        // simulation.
        for (let parity = 0; parity < 2; parity += 1) {
          await setBaseFee(chain(), BASE_FEE_WEI);
          await mine(chain());
          await setBaseFee(chain(), BASE_FEE_WEI);
          if ((await buy(attacker)) === 409) reverts += 1;
        }
      }
      expect(reverts).toBeGreaterThan(0);
      expect(reverts).toBeLessThan(attackers.length);
      expect(sends()).toBe(reverts);
      expect(await buy(honest())).toBe(200);
      expect(health()).toEqual({ payments: 'ok', reasons: ['local_wallet_gas_budget_spent'] });
    });
  });

  it("charges a loss to the contract wallets' share if the account delegates only after the simulation", async () => {
    await onCheapCopy(async () => {
      await setCode(IMPLEMENTATION, REJECTS);
      for (const attacker of attackers.slice(0, 2)) {
        await deal(chain(), attacker.address, CENT);
        expect(await revert(attacker, () => delegate(attacker.address))).toBe(409);
        // The delegation is gone in the next block, and still visible in the block of the revert.
        await mine(chain());
        await setCode(attacker.address, '0x');
      }
      await expect.poll(health).toEqual({ payments: 'ok', reasons: ['local_wallet_gas_budget_spent'] });
      expect(await buy(honest())).toBe(200);
    });
  });

  it('is reported as unavailable if ordinary buyers have used up their share of it', async () => {
    await onCheapCopy(async () => {
      for (const attacker of attackers.slice(0, 2)) {
        await deal(chain(), attacker.address, CENT);
        expect(await revert(attacker, () => deal(chain(), attacker.address, 0n))).toBe(409);
      }
      expect(health()).toEqual({ payments: 'unavailable', reasons: ['local_gas_budget_spent'] });
      expect(await buy(honest())).toBe(503);
    });
  });
});
