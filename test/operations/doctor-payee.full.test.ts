import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type DevAccount, devAccounts } from '../../src/devnet/chain-accounts.ts';
import { sharedChain } from '../support/chain.ts';
import { mine, mint, returnTo, snapshot } from '../support/chain-actions.ts';
import { frontRun, requirementsFor, SELLER, signAuthorization } from '../support/payments.ts';
import { type RpcProxy, startRpcProxy } from '../support/rpc-proxy.ts';
import { examined } from './doctor.ts';

const CENT = 10_000n;
const PAYMENTS = `PAY_TO ${SELLER}, payments`;

/** The account that sends the payments of these tests, and one that does not. */
const [stranger, ...others] = devAccounts(11).map(({ privateKey }) => privateKey as string);
const sender = others.at(-1) as string;

describe('the doctor, of what was paid to PAY_TO', () => {
  const chain = sharedChain();
  let proxy: RpcProxy;
  let untouched: `0x${string}`;

  beforeEach(async () => {
    proxy = await startRpcProxy(chain().rpcUrl);
    untouched = await snapshot(chain());
    await mine(chain());
  });
  afterEach(async () => {
    await returnTo(chain(), untouched);
    await proxy.stop();
  });

  const look = (changes: Record<string, string> = {}) =>
    examined({
      NODE_ENV: 'development',
      SETTLERS: 'local',
      RPC_URLS: proxy.url,
      RELAYER_KEY: sender,
      PAY_TO: SELLER,
      ...changes,
    });
  const pay = async (amount = CENT) => {
    const buyer = chain().buyers[0] as DevAccount;
    const { payload } = await signAuthorization({ buyer, accepted: requirementsFor(SELLER, amount) });
    return (await frontRun(chain(), payload)).transactionHash;
  };

  it('finds nothing where nothing was paid, and does not look where it cannot', async () => {
    expect((await look()).line(PAYMENTS)).toBe(
      `ok    ${PAYMENTS}: 0 payments in 3 blocks, none that looks like a sale of somebody else.`,
    );
    proxy.fail('eth_getLogs', 'error');
    const { warned, line } = await look();
    expect(warned).toContain(PAYMENTS);
    expect(line(PAYMENTS)).toContain('not looked at: a node refuses the call (code -32000)');
  });

  it('takes for ours what our own account settled for one of our prices', async () => {
    for (const amount of [CENT, 5n * CENT, 100n * CENT]) await pay(amount);
    const { line, warned } = await look();
    expect(line(PAYMENTS)).toMatch(/^ok .*: 3 payments in 6 blocks, none that looks like/);
    expect(warned.filter((what) => what.startsWith('PAY_TO'))).toEqual([]);
  });

  it('warns of payments of no price of ours, with one of them', async () => {
    await pay();
    const transaction = await pay(2n * CENT);
    const { line, wrong } = await look();
    expect(line(`${PAYMENTS} of other amounts`)).toBe(
      `warn  ${PAYMENTS} of other amounts: 1 payment of 2 is of no price of ours, such as 0.02 USDC in ${transaction}. ` +
        'Unless a price has changed, somebody else sells with it. Give this deployment an address of its own: a payment made to another seller could buy an answer here.',
    );
    expect(wrong).toEqual([]);
  });

  it('warns of payments that another account than the only settler sent', async () => {
    const transaction = await pay();
    const { line, wrong } = await look({ RELAYER_KEY: stranger as string });
    expect(line(`${PAYMENTS} sent by others`)).toContain(
      `1 of the latest 1 payment is sent by another account than RELAYER_KEY, such as ${transaction}`,
    );
    expect(wrong).toEqual([]);
    const { line: among } = await look({
      RELAYER_KEY: stranger as string,
      NODE_ENV: 'development',
      SETTLERS: 'local,http://127.0.0.1:9/facilitator',
    });
    expect(among(PAYMENTS)).toMatch(/^ok /);
  });

  it('notes transfers that are no payments', async () => {
    await mint(chain(), SELLER, CENT);
    const { line } = await look();
    expect(line(`PAY_TO ${SELLER}, other transfers`)).toMatch(/^warn .*: 1 transfer that is no x402 payment/);
    expect(line(PAYMENTS)).toMatch(/^ok .*: 0 payments/);
  });

  it('looks further back than one range of 9,000 blocks', async () => {
    await pay(2n * CENT);
    await mine(chain(), 10_000);
    const { line } = await look();
    expect(line(`${PAYMENTS} of other amounts`)).toContain('1 payment of 1');
    // The check of the node itself, two ranges, and the payer's authorizations.
    expect(proxy.calls('eth_getLogs')).toBe(4);
  });
});
