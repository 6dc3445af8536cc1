import { frontRun } from '../contracts.ts';
import type { Kind } from '../kind.ts';
import { type Lie, raw, refusal, result, SENDS } from '../node.ts';
import type { Scene } from '../scene.ts';
import { FREE, notice, type Shop, wait, within } from '../shop.ts';

/** A shop with two nodes, of which the first one lies. */
async function shopOnTwo(scene: Scene): Promise<Shop> {
  const second = await scene.node(scene.chain);
  return scene.shop({ secondNode: second.url });
}

/** Errors that a node gives instead of an answer. */
const errors: Readonly<Record<string, Lie>> = {
  '429 with a JSON body': (call) => raw(429, refusal(call, -32005, 'Too Many Requests')),
  '429 as text': () => raw(429, 'slow down'),
  '-32005': (call) => refusal(call, -32005, 'limit exceeded'),
  '-32603': (call) => refusal(call, -32603, 'internal error'),
  '503 with a JSON body': (call) => raw(503, refusal(call, -32000, 'no backend is healthy')),
  '401': (call) => raw(401, refusal(call, -32000, 'must be authenticated')),
  '403 as a page': () => raw(403, '<html>forbidden</html>'),
  '-32601': (call) => refusal(call, -32601, 'the method does not exist/is not available'),
  '-32000 header not found': (call) => refusal(call, -32000, 'header not found'),
  '-32001': (call) => refusal(call, -32001, 'resource not found'),
  '-32016 over rate limit': (call) => refusal(call, -32016, 'over rate limit'),
  '200 with a page': () => raw(200, '<html>welcome to the hotel</html>'),
  '200 with nothing': () => raw(200, ''),
  '302': () => raw(302, ''),
  'broken connections': () => 'broken',
};

export const nodeKinds: readonly Kind[] = [
  {
    name: 'a first node that returns errors',
    promise: 'whatever error the first node returns, the service asks the second one and serves the buyer',
    async run(scene) {
      const shop = await shopOnTwo(scene);
      for (const [what, lie] of Object.entries(errors)) {
        shop.node.lie((call, pass) => (SENDS.includes(call.method) ? undefined : lie(call, pass)));
        const { status, json } = await shop.buy(await scene.buyer(shop.chain), notice(), 1_500);
        scene.held(status === 200, `${what}: ${status} ${json?.code}`);
        const ready = await shop.readyz();
        scene.held(ready.status === 200, `${what}: /readyz ${ready.status} ${ready.text}`);
      }
    },
  },
  {
    name: 'a first node that returns errors for broadcasts',
    promise: 'if a node returns an error for a broadcast, nobody is charged without an answer',
    async run(scene) {
      const shop = await shopOnTwo(scene);
      const lies = Object.values(errors);
      let sends = 0;
      shop.node.lie((call, pass) => {
        if (!SENDS.includes(call.method)) return undefined;
        sends += 1;
        return lies[sends % lies.length]?.(call, pass);
      });
      const bought = await Promise.all(
        lies.map(async (_, index) => ({
          payment: await shop.sign(await scene.buyer(shop.chain)),
          asked: notice(`Sent ${index}`),
        })),
      );
      await Promise.all(
        bought.map(({ payment, asked }) => shop.present(payment, asked, { timeoutMs: 3_000 })),
      );
      shop.node.lie(null);
      await Promise.all(
        bought.map(async ({ payment, asked }) => {
          const { status, json } = await shop.insist(payment, asked, 45_000);
          scene.held(status === 200, `${status} ${json?.code}`);
        }),
      );
    },
  },
  {
    name: 'a first node without logs',
    promise: 'if the first node refuses ranges of logs, the service uses the second one',
    async run(scene) {
      const shop = await shopOnTwo(scene);
      const refusals: readonly Lie[] = [
        (call) => refusal(call, -32600, 'eth_getLogs is limited to a 500 range'),
        (call) => refusal(call, -32602, 'block range is too wide'),
        (call) => refusal(call, -32005, 'query returned more than 10000 results'),
        (call) => raw(400, refusal(call, -32000, 'exceed maximum block range')),
      ];
      for (const lie of refusals) {
        shop.node.lie((call, pass) => (call.method === 'eth_getLogs' ? lie(call, pass) : undefined));
        const payment = await shop.sign(await scene.buyer(shop.chain));
        await shop.remembers();
        await frontRun(shop.chain, payment);
        const { status, json } = await shop.insist(payment, notice('Logs'), 2_000);
        scene.held(status === 200, `${status} ${json?.code}`);
      }
    },
  },
  {
    name: 'a node that lags',
    promise:
      'if a stranger submits a payment first and the node lags, no buyer is told that nothing was charged',
    async run(scene) {
      const shop = await scene.shop({ chain: await scene.ownChain() });
      for (let round = 0; round < 2 * scene.rounds; round += 1) {
        const payment = await shop.sign(await scene.buyer(shop.chain));
        const seen = await blockNumber(shop);
        await shop.remembers();
        await frontRun(shop.chain, payment);
        shop.node.lie(async (call, pass) => {
          // Shows an earlier state, but sends to the present chain.
          if (call.method === 'eth_call' && call.params[1] === 'latest')
            return relay(shop, call.method, [call.params[0], seen]);
          if (call.method === 'eth_getLogs') return result(call, []);
          return pass();
        });
        const asked = notice();
        for (let again = 0; again < 2; again += 1) await shop.present(payment, asked);
        shop.node.lie(null);
        const { status, json } = await shop.insist(payment, asked, 20_000);
        scene.held(status === 200, `then ${status} ${json?.code}`);
      }
      const reverted = (await shop.sent()).filter(({ isReverted }) => isReverted).length;
      scene.held(reverted <= 2 * scene.rounds, `${reverted} reverts`);
    },
  },
  {
    name: 'nodes of another chain',
    promise: 'with nodes on another chain, payments and /readyz get 503, and nothing is sent',
    async run(scene) {
      const shop = await scene.shop({ isStarted: false });
      shop.node.lie((call) => {
        if (call.method === 'eth_chainId') return result(call, '0x1');
        // A call to an address without code succeeds and returns nothing.
        return call.method === 'eth_call' ? result(call, '0x') : undefined;
      });
      await shop.seller.start();
      const isKnown = await within(5_000, async () => (await shop.readyz()).status === 503);
      scene.held(isKnown, '/readyz says that payments can be taken');
      for (let count = 0; count < 3; count += 1) {
        const payment = await shop.sign(await scene.buyer(shop.chain));
        const { status, json } = await shop.present(payment, notice());
        scene.held(status === 503, `${status} ${json?.code}`);
      }
      scene.held((await shop.sent()).length === 0, 'something was sent');
    },
  },
  {
    name: 'no node at all',
    promise:
      'without a node, free routes and challenges still work, payments get 503, and /readyz reports it',
    async run(scene) {
      const shop = await scene.shop();
      shop.node.lie(() => 'broken');
      const payment = await shop.sign(await scene.buyer(shop.chain));
      const asked = notice();
      const paid = await shop.present(payment, asked);
      scene.held(paid.status === 503, `paid: ${paid.status}`);
      const unpaid = await shop.get(asked.path);
      scene.held(unpaid.status === 402, `unpaid: ${unpaid.status}`);
      const free = await shop.get(FREE);
      scene.held(free.status === 200, `free: ${free.status}`);
      scene.held(
        await within(8_000, async () => (await shop.readyz()).status === 503),
        '/readyz says that payments can be taken',
      );
      scene.held((await shop.get('/healthz')).status === 200, '/healthz');
      shop.node.lie(null);
      const { status } = await shop.insist(payment, asked, 15_000);
      scene.held(status === 200, `once it is back: ${status}`);
      scene.held(
        await within(20_000, async () => (await shop.readyz()).status === 200),
        '/readyz after it is back',
      );
    },
  },
  {
    name: 'a slow node',
    promise: 'while a node takes seconds for each answer, free routes and challenges still take milliseconds',
    isLong: true,
    async run(scene) {
      const shop = await scene.shop();
      shop.node.lie(async (_call, pass) => {
        await wait(700);
        return pass();
      });
      const payments = await Promise.all(
        Array.from({ length: 10 }, async () => shop.sign(await scene.buyer(shop.chain))),
      );
      const bought = Promise.all(payments.map((one, index) => shop.present(one, notice(`Slow ${index}`))));
      const times: number[] = [];
      for (let count = 0; count < 11; count += 1) {
        const { status, durationMs } = await shop.get(FREE);
        scene.held(status === 200, `${status}`);
        times.push(durationMs);
      }
      const middle = times.sort((one, other) => one - other)[5] ?? 0;
      scene.held(middle < 500, `a free request takes ${Math.round(middle)} ms`);
      await bought;
      shop.node.lie(null);
      const ends = await Promise.all(
        payments.map((one, index) => shop.insist(one, notice(`Slow ${index}`), 20_000)),
      );
      for (const { status } of ends) scene.held(status === 200, `${status}`);
    },
  },
  {
    name: 'a node that forgets receipts',
    promise: 'if one of two nodes has no receipts and no logs, each buyer still gets one answer',
    isLong: true,
    async run(scene) {
      const shop = await shopOnTwo(scene);
      shop.node.lie((call) => {
        if (call.method === 'eth_getTransactionReceipt') return result(call, null);
        if (call.method === 'eth_getLogs') return result(call, []);
        if (call.method === 'eth_sendRawTransactionSync')
          return refusal(call, 4, 'was not processed in time');
        return undefined;
      });
      const payment = await shop.sign(await scene.buyer(shop.chain));
      const asked = notice();
      await shop.present(payment, asked, { timeoutMs: 2_000 });
      shop.node.lie(null);
      const { status } = await shop.insist(payment, asked, 25_000);
      scene.held(status === 200, `${status}`);
    },
  },
];

async function blockNumber({ chain }: Shop): Promise<string> {
  return (await relayTo(chain.rpcUrl, 'eth_blockNumber', [])).result;
}

const relay = (shop: Shop, method: string, params: unknown[]) => relayTo(shop.chain.rpcUrl, method, params);

async function relayTo(url: string, method: string, params: unknown[]): Promise<{ result: string }> {
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
  });
  return (await response.json()) as { result: string };
}
