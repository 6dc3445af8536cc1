import type { Hex } from 'viem';
import { type EmbeddedChain, startChain } from '../../src/devnet/chain.ts';
import { devAccounts } from '../../src/devnet/chain-accounts.ts';
import { setBalance } from '../support/chain-actions.ts';
import { SELLER } from '../support/payments.ts';
import { type RedisServer, startRedis } from '../support/redis.ts';
import { type RpcProxy, startRpcProxy } from '../support/rpc-proxy.ts';
import { deploySmartWallet } from '../support/smart-wallet.ts';
import { type Instance, instanceOf } from './instance.ts';

/** Everything a soak runs on: one chain, one Redis, and two instances that each see the chain through a proxy. */
export type World = {
  readonly chain: EmbeddedChain;
  readonly redis: RedisServer;
  readonly proxies: readonly RpcProxy[];
  readonly instances: readonly Instance[];
  /** A contract wallet of the first buyer. */
  readonly wallet: Hex;
  stop(): Promise<void>;
};

const THOUSAND_DOLLARS = 1_000_000_000n;
const TEN_ETHER = 10n ** 19n;

export async function startWorld(seed: number): Promise<World> {
  // The soak's seller is one for real money, and a payee of its own is asked of that.
  const chain = { ...(await startChain()), payee: SELLER };
  const redis = await startRedis({ appendOnly: true });
  const wallet = await deploySmartWallet(chain, chain.buyers[0]?.address as Hex, THOUSAND_DOLLARS);
  const second = devAccounts(13)[12];
  if (second === undefined) throw new Error('The development mnemonic gave too few accounts');
  await setBalance(chain, second.address, TEN_ETHER);
  const proxies = await Promise.all([1, 2].map((index) => startRpcProxy(chain.rpcUrl, seed + index)));
  const keys = [chain.relayerKey, second.privateKey];
  const instances = await Promise.all(
    proxies.map((proxy, index) =>
      instanceOf(`instance ${index + 1}`, {
        SETTLERS: 'local',
        RPC_URLS: proxy.url,
        RELAYER_KEY: keys[index] as Hex,
        PAY_TO: chain.payee,
        REDIS_URL: redis.url,
        FREE_REQUESTS_PER_MINUTE: '1000000',
      }),
    ),
  );
  await Promise.all(instances.map((instance) => instance.start()));
  const stop = async () => {
    await Promise.all(instances.map((instance) => instance.end('SIGKILL')));
    await Promise.all(proxies.map((proxy) => proxy.stop()));
    await redis.stop();
    await chain.stop();
  };
  return { chain, redis, proxies, instances, wallet, stop };
}
