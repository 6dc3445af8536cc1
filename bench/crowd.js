import { startChain } from '../dist/devnet/chain.js';
import { httpClient } from './client.js';
import { row } from './measure.js';
import { signPayments } from './payments.js';
import { notice } from './samples.js';
import { startOfficial, startOurs } from './servers.js';
import { runAlone } from './table.js';

const IN_FLIGHT = [1, 10, 50];
const BLOCK_SECONDS = 2;
/**
 * How the chain makes blocks, the minimum number of purchases, and the allowed share of the peer's time. With blocks
 * every two seconds, the chain sets the pace of our service and of the peer.
 */
const CHAINS = [
  { name: 'a block for each', intervalSeconds: 0, least: 50, target: 0.25 },
  {
    name: `a block every ${BLOCK_SECONDS} s`,
    intervalSeconds: BLOCK_SECONDS,
    least: 5,
    target: 1,
  },
];
// A buyer who has paid for many purchases may have many in progress.
const WARM_UP = 50;
// Maximum wait for a late answer of a peer.
const PATIENCE_MS = 60_000;

/**
 * Makes all purchases with this many in flight; returns the milliseconds of each, and the number of unanswered ones.
 */
async function purchases(server, { buyerKey, count, inFlight }) {
  const url = `${server.origin}${notice.path}${notice.query}`;
  const client = httpClient(inFlight);
  try {
    const payments = await signPayments({ client, url, buyerKey, count });
    let answered = 0;
    const startedMs = performance.now();
    const payOn = async () => {
      for (let payment = payments.pop(); payment !== undefined; payment = payments.pop()) {
        const { status } = await client.call(url, { headers: { 'payment-signature': payment } });
        if (status === 200) answered += 1;
      }
    };
    const all = Promise.all(Array.from({ length: inFlight }, payOn));
    const late = new Promise((resolve) => setTimeout(resolve, PATIENCE_MS).unref());
    await Promise.race([all, late]);
    return { eachMs: (performance.now() - startedMs) / Math.max(1, answered), unanswered: count - answered };
  } finally {
    client.close();
  }
}

/** The time of each seller with 1, 10 and 50 purchases in flight. */
async function figuresOf(server, { buyerKey, least }) {
  const figures = new Map();
  for (const inFlight of IN_FLIGHT) {
    const count = Math.max(least, inFlight);
    figures.set(inFlight, await purchases(server, { buyerKey, count, inFlight }));
  }
  return figures;
}

/** Rows of one chain: our service with the most purchases in flight, against the peer at its best. */
function rowsOf(name, ours, peer, target) {
  const best = Math.min(...[...peer.values()].map(({ eachMs }) => eachMs));
  const most = Math.max(...IN_FLIGHT);
  return [
    ...IN_FLIGHT.map((inFlight) => {
      const [own, other] = [ours.get(inFlight), peer.get(inFlight)];
      const named = `${name}, ${inFlight} in flight: a purchase`;
      return row({ name: named, unit: 'ms', ours: [own.eachMs], peer: [other.eachMs] });
    }),
    row({
      name: `${name}, ${most} in flight: a purchase (the peer at its best)`,
      unit: 'ms',
      ours: [ours.get(most).eachMs],
      peer: [best],
      target,
    }),
    row({
      name: `${name}, ${most} in flight: not answered`,
      unit: 'purchases',
      ours: [ours.get(most).unanswered],
      target: 0,
    }),
    row({
      name: `${name}, ${most} in flight: not answered by the peer`,
      unit: 'purchases',
      ours: [peer.get(most).unanswered],
    }),
  ];
}

/** Concurrent purchases: our service, and the official middleware with its facilitator in the same process. */
export async function benchCrowd() {
  const rows = [];
  for (const options of CHAINS) rows.push(...(await rowsOn(options)));
  return rows;
}

async function rowsOn({ name, intervalSeconds, least, target }) {
  const chain = await startChain();
  const { rpcUrl } = chain;
  const servers = {};
  try {
    servers.ours = await startOurs({ rpcUrl, relayerKey: chain.relayerKey });
    servers.peer = await startOfficial({ rpcUrl, relayerKey: chain.buyers[8].privateKey });
    const keys = { ours: chain.buyers[0].privateKey, peer: chain.buyers[1].privateKey };
    for (const [who, server] of Object.entries(servers))
      await purchases(server, { buyerKey: keys[who], count: WARM_UP, inFlight: 1 });
    if (intervalSeconds > 0) await mineEvery(rpcUrl, intervalSeconds);
    const ours = await figuresOf(servers.ours, { buyerKey: keys.ours, least });
    return rowsOf(name, ours, await figuresOf(servers.peer, { buyerKey: keys.peer, least }), target);
  } finally {
    await Promise.all(Object.values(servers).map((server) => server.stop()));
    await chain.stop();
  }
}

async function mineEvery(rpcUrl, seconds) {
  for (const [method, params] of [
    ['evm_setAutomine', [false]],
    ['evm_setIntervalMining', [seconds]],
  ])
    await fetch(rpcUrl, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
    });
}

await runAlone(import.meta.url, benchCrowd);
