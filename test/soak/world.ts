import type { Hex } from 'viem';
import { privateKeyToAddress } from 'viem/accounts';
import { type EmbeddedChain, startChain } from '../../src/devnet/chain.ts';
import { type DevAccount, devAccounts } from '../../src/devnet/chain-accounts.ts';
import { deal, placeBatcher } from '../support/batch.ts';
import { setBalance } from '../support/chain-actions.ts';
import { SELLER } from '../support/payments.ts';
import { type RedisServer, startRedis } from '../support/redis.ts';
import { type RpcProxy, startRpcProxy } from '../support/rpc-proxy.ts';
import { delegate, deploySmartWallet } from '../support/smart-wallet.ts';
import { type Instance, instanceOf } from './instance.ts';
import { type Random, randomOf } from './random.ts';

/** Who signs, and whose money moves: the signer's, or that of a contract wallet of theirs. */
export type Payer = { readonly buyer: DevAccount; readonly from: Hex };

/**
 * Everything a soak runs on: one chain, one Redis, and two instances that see the chain through proxies only; the
 * second instance has two of them, as two nodes.
 */
export type World = {
  readonly chain: EmbeddedChain;
  readonly redis: RedisServer;
  /** The nodes of each instance, in the order in which it asks them. */
  readonly nodes: readonly (readonly RpcProxy[])[];
  readonly instances: readonly Instance[];
  /** Plain accounts, then those whose code says who signs for them. */
  readonly payers: readonly Payer[];
  /** A contract wallet and an account that is delegated to one. */
  readonly walletPayers: readonly Payer[];
  stop(): Promise<void>;
};

const THOUSAND_DOLLARS = 1_000_000_000n;
// With few places many wait, and one transaction settles them.
const together =
  process.env.SOAK_TOGETHER === undefined
    ? {}
    : { MAX_PAYMENTS_PER_TRANSACTION: '32', MAX_OUTSTANDING_TRANSACTIONS: '1' };
const TEN_ETHER = 10n ** 19n;

/** An account that nobody else pays from, without money. */
export function strangerOf(random: Random): DevAccount {
  const privateKey = random.hex(32);
  return { privateKey, address: privateKeyToAddress(privateKey) };
}

export async function startWorld(seed: number): Promise<World> {
  // The soak's seller is one for real money, and a payee of its own is asked of that.
  const chain = { ...(await startChain()), payee: SELLER };
  const redis = await startRedis({ appendOnly: true });
  await placeBatcher(chain);
  const walletPayers = await walletPayersOn(chain, strangerOf(randomOf(seed, 'delegated')));
  const second = devAccounts(13)[12];
  if (second === undefined) throw new Error('The development mnemonic gave too few accounts');
  await setBalance(chain, second.address, TEN_ETHER);
  const [only, first, spare] = await Promise.all(
    [1, 2, 3].map((at) => startRpcProxy(chain.rpcUrl, seed + at)),
  );
  const nodes = [[only], [first, spare]] as RpcProxy[][];
  const keys = [chain.relayerKey, second.privateKey];
  const instances = await Promise.all(
    nodes.map((own, index) =>
      instanceOf(`instance ${index + 1}`, {
        SETTLERS: 'local',
        RPC_URLS: own.map(({ url }) => url).join(),
        RELAYER_KEY: keys[index] as Hex,
        PAY_TO: chain.payee,
        REDIS_URL: redis.url,
        // Everybody calls from one address.
        FREE_REQUESTS_PER_MINUTE: '1000000',
        REFUSED_PAYMENTS_PER_MINUTE: '1000000',
        GAS_BUDGET_ETH_PER_HOUR: '1',
        ...together,
      }),
    ),
  );
  await Promise.all(instances.map((instance) => instance.start()));
  const stop = async () => {
    await Promise.all(instances.map((instance) => instance.end('SIGKILL')));
    await Promise.all(nodes.flat().map((proxy) => proxy.stop()));
    await redis.stop();
    await chain.stop();
  };
  const payers = [...chain.buyers.map((buyer) => ({ buyer, from: buyer.address })), ...walletPayers];
  return { chain, redis, nodes, instances, payers, walletPayers, stop };
}

async function walletPayersOn(chain: EmbeddedChain, delegated: DevAccount): Promise<Payer[]> {
  const owner = chain.buyers[0] as DevAccount;
  const wallet = await deploySmartWallet(chain, owner.address, THOUSAND_DOLLARS);
  await deal(chain, delegated.address, THOUSAND_DOLLARS);
  await delegate(chain, delegated.address, wallet);
  return [
    { buyer: owner, from: wallet },
    { buyer: delegated, from: delegated.address },
  ];
}
