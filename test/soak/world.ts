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
import { until } from '../support/until.ts';
import { type Instance, instanceOf } from './instance.ts';
import { type Random, randomOf } from './random.ts';

/** The signer, and the owner of the money: the signer, or a contract wallet of the signer. */
export type Payer = { readonly buyer: DevAccount; readonly from: Hex };

/**
 * The parts of a soak: one chain, one Redis, and instances that reach the chain only through proxies; every second one
 * has two proxies, as two nodes. Each instance has its own relayer key.
 */
export type World = {
  readonly chain: EmbeddedChain;
  readonly redis: RedisServer;
  /** The nodes of each instance, in the order in which it calls them. */
  readonly nodes: readonly (readonly RpcProxy[])[];
  readonly instances: readonly Instance[];
  /** Plain accounts, then those whose code decides who signs for them. */
  readonly payers: readonly Payer[];
  /** A contract wallet and an account that is delegated to one. */
  readonly walletPayers: readonly Payer[];
  stop(): Promise<void>;
};

const THOUSAND_DOLLARS = 1_000_000_000n;
const TEN_ETHER = 10n ** 19n;
const READY_MS = 120_000;

const isReady = (url: string): Promise<boolean> =>
  fetch(`${url}/readyz`).then(
    ({ ok }) => ok,
    () => false,
  );

/** An account without money that no other buyer pays from. */
export function strangerOf(random: Random): DevAccount {
  const privateKey = random.hex(32);
  return { privateKey, address: privateKeyToAddress(privateKey) };
}

export async function startWorld(seed: number, count: number): Promise<World> {
  // The soak's seller takes real money, which requires a payee of its own.
  const chain = { ...(await startChain()), payee: SELLER };
  const redis = await startRedis({ appendOnly: true });
  await placeBatcher(chain);
  const walletPayers = await walletPayersOn(chain, strangerOf(randomOf(seed, 'delegated')));
  const others = devAccounts(11 + count).slice(12);
  for (const { address } of others) await setBalance(chain, address, TEN_ETHER);
  const keys = [chain.relayerKey, ...others.map(({ privateKey }) => privateKey)];
  const proxies = (index: number, each: number) =>
    Promise.all([1, 2].slice(0, each).map((at) => startRpcProxy(chain.rpcUrl, seed + 2 * index + at)));
  const nodes: RpcProxy[][] = [];
  for (let index = 0; index < count; index += 1) nodes.push(await proxies(index, 1 + (index % 2)));
  const instances = await Promise.all(
    nodes.map((own, index) =>
      instanceOf(`instance ${index + 1}`, {
        NODE_ENV: 'development',
        SETTLERS: 'local',
        RPC_URLS: own.map(({ url }) => url).join(),
        RELAYER_KEY: keys[index] as Hex,
        PAY_TO: chain.payee,
        REDIS_URL: redis.url,
        // All buyers call from one address.
        FREE_REQUESTS_PER_MINUTE: '1000000',
        GAS_BUDGET_ETH_PER_HOUR: '1',
      }),
    ),
  );
  await Promise.all(instances.map((instance) => instance.start()));
  // A new Redis may have lost which process uses a key, so no process gets a key at once.
  await Promise.all(instances.map(({ url }) => until(() => isReady(url), url, READY_MS)));
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
