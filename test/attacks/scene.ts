import { generatePrivateKey, privateKeyToAddress } from 'viem/accounts';
import { numberToHex } from 'viem/utils';
import { type EmbeddedChain, startChain } from '../../src/devnet/chain.ts';
import { rpc } from '../../src/devnet/chain-rpc.ts';
import { type Random, randomOf } from '../soak/random.ts';
import { setBalance, setBaseFee } from '../support/chain-actions.ts';
import { fund, randomAddress } from './contracts.ts';
import { startLyingNode } from './node.ts';
import { createSeller, type SellerOptions } from './seller.ts';
import { type Shop, shopOf, wait, within } from './shop.ts';

/** The resources of an attack, and its report of results. Everything that it opens is closed afterward. */
export type Scene = {
  /** The number of repetitions. */
  readonly rounds: number;
  readonly random: Random;
  /** Records one attempt; `observed` is reported if the promise did not hold. */
  held(isHeld: boolean, observed: string): void;
  /** Counts attempts that one judgment covers. */
  tried(count: number): void;
  /** A shared chain, so nothing may affect its other users. */
  readonly chain: EmbeddedChain;
  ownChain(): Promise<EmbeddedChain>;
  /** A service with its own payee and relayer, and a node in between. */
  shop(options?: ShopOptions): Promise<Shop>;
  /** A shared shop, so nothing may affect its other users. */
  house(): Promise<Shop>;
  /** Creates an account with `usdc` millionths of a dollar. */
  buyer(chain: EmbeddedChain, usdc?: bigint): Promise<{ address: `0x${string}`; privateKey: `0x${string}` }>;
};

export type ShopOptions = SellerOptions & {
  readonly chain?: EmbeddedChain;
  /** Used instead of a new shop, for a second process of the same shop. */
  readonly like?: Shop;
  readonly isStarted?: boolean;
};

type Told = { tries: number; readonly violations: string[] };
export type OpenScene = Scene & { readonly told: Told; close(): Promise<void> };

const READY_MS = 30_000;
// A service with a wrong clock does not accept payments at all.
const OFF_READY_MS = 3_000;
const QUIET_MS = 300;
const TEN_DOLLARS = 10_000_000n;
/** Base's usual order of magnitude. With anvil's own first base fee, an answer would cost more gas than it earns. */
const LOW_FEE_WEI = 5_000_000n;

/** Waits until the shop accepts payments and its first calls to the chain are over. */
async function calm(shop: Shop, readyMs: number): Promise<void> {
  await within(readyMs, async () => (await shop.readyz()).status === 200);
  let calls = -1;
  await within(readyMs, async () => {
    const before = calls;
    calls = shop.node.calls();
    if (calls !== before || calls === 0) await wait(QUIET_MS);
    return calls === before && calls > 0;
  });
}

export async function startAttackedChain(): Promise<EmbeddedChain> {
  const chain = await startChain();
  await setBaseFee(chain, LOW_FEE_WEI);
  await rpc(chain.rpcUrl, 'anvil_mine', numberToHex(1));
  return chain;
}

export type Ground = { readonly chain: EmbeddedChain; readonly house: Shop | null };

export function openScene({ chain, house }: Ground, name: string, seed: number, rounds: number): OpenScene {
  const closing: (() => unknown)[] = [];
  const told: Told = { tries: 0, violations: [] };
  const shops: Shop[] = [];
  const after = (close: () => unknown) => void closing.unshift(close);
  const keep = <Thing>(thing: Thing, close: (thing: Thing) => unknown): Thing => {
    after(() => close(thing));
    return thing;
  };
  const scene: Scene = {
    rounds,
    random: randomOf(seed, name),
    held(isHeld, observed) {
      told.tries += 1;
      if (!isHeld) told.violations.push(observed);
    },
    tried: (count) => {
      told.tries += count;
    },
    chain,
    ownChain: async () => keep(await startAttackedChain(), (own) => own.stop()),
    async shop({ chain: where = chain, like, isStarted = true, ...options } = {}) {
      const key = like?.relayer.privateKey ?? generatePrivateKey();
      const relayer = { privateKey: key, address: privateKeyToAddress(key) };
      if (like === undefined) await setBalance(where, relayer.address, 10n ** 18n);
      const payee = like?.payee ?? randomAddress();
      const node = keep(await startLyingNode(where.rpcUrl), (one) => one.stop());
      const seller = await createSeller(
        {
          NODE_ENV: 'development',
          SETTLERS: 'local',
          RPC_URLS: node.url,
          RELAYER_KEY: key,
          PAY_TO: payee,
          FREE_REQUESTS_PER_MINUTE: '1000000',
        },
        options,
      );
      after(() => seller.end());
      if (isStarted) await seller.start();
      const shop = shopOf({ chain: where, payee, relayer, node, seller, presented: like?.presented ?? [] });
      shops.push(shop);
      if (isStarted) await calm(shop, options.aheadSeconds === undefined ? READY_MS : OFF_READY_MS);
      return shop;
    },
    async house() {
      if (house === null) throw new Error('There is no shop yet');
      const shop = shopOf({ ...house, presented: [] }, true);
      shops.push(shop);
      return shop;
    },
    async buyer(on, usdc = TEN_DOLLARS) {
      const privateKey = generatePrivateKey();
      const address = privateKeyToAddress(privateKey);
      if (usdc > 0n) await fund(on, address, usdc);
      return { address, privateKey };
    },
  };
  const close = async () => {
    try {
      for (const shop of shops) for (const what of await shop.audit()) told.violations.push(what);
      told.violations.splice(0, told.violations.length, ...new Set(told.violations));
    } finally {
      for (const end of closing) await Promise.resolve(end()).catch(() => undefined);
    }
  };
  return { ...scene, told, close };
}
