import { startChain } from '../dist/devnet/chain.js';
import { expectStatus, httpClient } from './client.js';
import { countingProxy } from './counting-proxy.js';
import { inTurns, row } from './measure.js';
import { signPayments } from './payments.js';
import { notice } from './samples.js';
import { startOfficial, startOurs } from './servers.js';
import { runAlone } from './table.js';

const PURCHASES = 50;
// The warm-up until the buyer's code is compiled.
const WARM_UP = 50;
// The official chain client waits a second whenever a receipt is late, so its calls are counted over fewer purchases.
const PEER_COUNTED = 15;

const targetOf = ({ origin }) => `${origin}${notice.path}${notice.query}`;

async function pay(client, url, payment) {
  const paid = await client.call(url, { headers: { 'payment-signature': payment } });
  expectStatus(paid, 200, url);
  if (paid.headers['payment-response'] === undefined) throw new Error(`${url} gave no receipt`);
}

async function buyer(server, { buyerKey, count }) {
  const client = httpClient();
  const url = targetOf(server);
  const payments = await signPayments({ client, url, buyerKey, count });
  return {
    client,
    url,
    payNext: () => pay(client, url, payments.pop()),
    async seePrice() {
      expectStatus(await client.call(url), 402, url);
    },
  };
}

const timed = async (work) => {
  const startedMs = performance.now();
  await work();
  return performance.now() - startedMs;
};

/** Milliseconds of paid requests, and of unpaid and paid ones in succession, for both sellers in turn. */
async function sideBySide(chain, servers, { purchases, warmUp }) {
  const names = Object.keys(servers);
  const whole = Object.fromEntries(names.map((name) => [name, []]));
  const subjects = {};
  for (const name of names) {
    const count = purchases + warmUp;
    const { seePrice, payNext } = await buyer(servers[name], { buyerKey: chain.buyers[0].privateKey, count });
    subjects[name] = async () => {
      const priceMs = await timed(seePrice);
      const paidMs = await timed(payNext);
      whole[name].push(priceMs + paidMs);
      return paidMs;
    };
  }
  const paid = await inTurns(subjects, { rounds: purchases, warmUp });
  return { paid, whole: Object.fromEntries(names.map((name) => [name, whole[name].slice(warmUp)])) };
}

/** JSON-RPC calls per purchase, without the first one. */
async function rpcCallsEach(chain, start, { relayerKey, purchases }) {
  const proxy = await countingProxy(chain.rpcUrl);
  const server = await start({ rpcUrl: proxy.url, relayerKey });
  try {
    const options = { buyerKey: chain.buyers[1].privateKey, count: purchases + 1 };
    const { payNext } = await buyer(server, options);
    await payNext();
    const before = proxy.calls();
    for (let index = 0; index < purchases; index += 1) await payNext();
    return (proxy.calls() - before) / purchases;
  } finally {
    await server.stop();
    proxy.stop();
  }
}

/**
 * Purchases of the late-fee notice, over sockets on one chain: our service, and the official middleware with an
 * official facilitator in its process. Each seller has its own process and relayer.
 */
export async function benchPurchase({ purchases = PURCHASES, warmUp = WARM_UP, counts = true } = {}) {
  const chain = await startChain();
  const { rpcUrl } = chain;
  const servers = {};
  try {
    const theirKey = chain.buyers[8].privateKey;
    servers.ours = await startOurs({ rpcUrl, relayerKey: chain.relayerKey });
    servers.peer = await startOfficial({ rpcUrl, relayerKey: theirKey });
    const { paid, whole } = await sideBySide(chain, servers, { purchases, warmUp });
    const rows = [
      row({ name: 'purchase: paid request', unit: 'ms', ...paid, target: 0.2 }),
      row({ name: 'purchase: 402 and paid request', unit: 'ms', ...whole, target: 0.2 }),
    ];
    if (!counts) return rows;
    await Promise.all(Object.values(servers).map((server) => server.stop()));
    const ours = await rpcCallsEach(chain, startOurs, { relayerKey: chain.relayerKey, purchases });
    const peer = await rpcCallsEach(chain, startOfficial, { relayerKey: theirKey, purchases: PEER_COUNTED });
    return [
      ...rows,
      row({ name: 'purchase: RPC calls after the first', unit: 'calls', ours: [ours], target: 2 }),
      row({ name: 'purchase: RPC calls, both sellers', unit: 'calls', ours: [ours], peer: [peer] }),
    ];
  } finally {
    await Promise.all(Object.values(servers).map((server) => server.stop()));
    await chain.stop();
  }
}

await runAlone(import.meta.url, benchPurchase);
