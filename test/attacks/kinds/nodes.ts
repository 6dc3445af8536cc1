import { frontRun } from '../contracts.ts';
import type { Kind } from '../kind.ts';
import { type Lie, raw, refusal, result } from '../node.ts';
import type { Scene } from '../scene.ts';
import { notice, type Shop, wait, within } from '../shop.ts';

const quietly = { isHonest: false } as const;
const SENDS = ['eth_sendRawTransactionSync', 'eth_sendRawTransaction'];

/** A shop with two nodes, the first of which lies. */
async function shopOnTwo(scene: Scene): Promise<Shop> {
  const second = await scene.node(scene.chain);
  return scene.shop({ secondNode: second.url });
}

const honest = async (scene: Scene, shop: Shop, forMs = 12_000) =>
  shop.buy(await scene.buyer(shop.chain), notice(), forMs);

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

/** Results of another shape than the method has. */
const shapes: readonly unknown[] = [
  null,
  {},
  [],
  '0x',
  'abc',
  '',
  -1,
  '-1',
  true,
  '0xzz',
  `0x${'f'.repeat(80)}`,
  [{}],
  { logs: [{}], status: '0x1' },
  { status: '0x1', logs: null, transactionHash: 7 },
  { number: null, timestamp: 'soon', baseFeePerGas: {} },
];
const methods = [
  'eth_call',
  'eth_getBlockByNumber',
  'eth_getBalance',
  'eth_getTransactionCount',
  'eth_sendRawTransactionSync',
  'eth_getTransactionReceipt',
  'eth_getLogs',
  'eth_blockNumber',
  'eth_chainId',
  'eth_getCode',
];

export const nodeKinds: readonly Kind[] = [
  {
    name: 'a first node that errs',
    promise: 'whatever error the first node gives, the second one is asked and the buyer served',
    async run(scene) {
      const shop = await shopOnTwo(scene);
      for (const [what, lie] of Object.entries(errors)) {
        shop.node.lie((call, pass) => (SENDS.includes(call.method) ? undefined : lie(call, pass)));
        const { status, json } = await honest(scene, shop, 1_500);
        scene.held(status === 200, `${what}: ${status} ${json?.code}`);
        const ready = await shop.readyz();
        scene.held(ready.status === 200, `${what}: /readyz ${ready.status} ${ready.text}`);
      }
    },
  },
  {
    name: 'a first node that errs when sending',
    promise: 'a node that errs at a broadcast has nobody charged without an answer',
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
    promise: 'a first node that refuses ranges of logs does not hide what the second one shows',
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
    name: 'odd answers of a node',
    promise:
      'a node whose answers have odd shapes ends no process, makes no fault and charges nobody in vain',
    async run(scene) {
      const shop = await scene.shop();
      for (const method of methods) {
        const tried = shapes.filter(() => scene.rounds > 1 || scene.random.chance(0.34));
        for (const shape of tried) {
          shop.node.lie((call, pass) => (call.method === method ? oddly(call, pass, shape) : undefined));
          const payment = await shop.sign(await scene.buyer(shop.chain));
          const { status } = await shop.present(payment, notice(), { ...quietly, timeoutMs: 700 });
          scene.held(status !== 500, `${method} ${JSON.stringify(shape)}: 500`);
          if (!shop.seller.isAlive())
            return scene.held(false, `${method} ${JSON.stringify(shape)}: the process ended`);
        }
      }
      shop.node.lie(null);
      const { status } = await honest(scene, shop, 40_000);
      scene.held(status === 200, `afterwards: ${status}`);
    },
  },
  {
    name: 'an odd balance',
    promise: 'no answer about the balance of the relayer ends the process',
    async run(scene) {
      for (const shape of scene.rounds > 1 ? ['0x', {}, 'abc', null] : ['0x', {}]) {
        const shop = await scene.shop({ isStarted: false });
        shop.node.lie((call) => (call.method === 'eth_getBalance' ? result(call, shape) : undefined));
        await shop.seller.start();
        await shop.present(await shop.sign(await scene.buyer(shop.chain)), notice(), quietly);
        await wait(300);
        scene.held(shop.seller.isAlive(), `${JSON.stringify(shape)}: the process ended`);
        await shop.seller.end();
      }
    },
  },
  {
    name: 'an odd receipt of a broadcast',
    promise: 'a broadcast whose receipt cannot be read is no fault, and its buyer is answered',
    async run(scene) {
      const shop = await scene.shop();
      const odd = [
        { logs: [{}] },
        { status: '0x1', logs: [{}] },
        { status: '0x1', logs: [null] },
        { status: 1, logs: 'x' },
        [],
      ];
      for (const shape of odd) {
        shop.node.lie(async (call, pass) => {
          if (call.method !== 'eth_sendRawTransactionSync') return undefined;
          const { result: receipt } = await pass();
          return result(call, Array.isArray(shape) ? shape : { ...receipt, ...shape });
        });
        const payment = await shop.sign(await scene.buyer(shop.chain));
        const asked = notice();
        const first = await shop.present(payment, asked);
        scene.held(first.status === 200 || first.status === 409, `${JSON.stringify(shape)}: ${first.status}`);
        shop.node.lie(null);
        const { status } = await shop.insist(payment, asked, 15_000);
        scene.held(status === 200, `then ${status}`);
      }
    },
  },
  {
    name: 'wrong nonce counts',
    promise: 'one wrong count of the relayer is recovered from without a restart',
    async run(scene) {
      const recover = async (count: string) => {
        const shop = await scene.shop({ isStarted: false });
        let lies = 1;
        shop.node.lie((call) => {
          if (call.method !== 'eth_getTransactionCount' || lies <= 0) return undefined;
          lies -= 1;
          return result(call, count);
        });
        await shop.seller.start();
        const { status, json } = await shop.buy(await scene.buyer(shop.chain), notice(), 45_000);
        scene.held(status === 200, `a count of ${count}: ${status} ${json?.code}`);
      };
      await Promise.all((scene.rounds > 1 ? ['0x64', '-1', '0x'] : ['0x64', '-1']).map(recover));
    },
  },
  {
    name: 'a receipt that lies of failure',
    promise: 'a node that calls a good transaction reverted has nobody told that nothing was charged',
    async run(scene) {
      const shop = await scene.shop();
      shop.node.lie(async (call, pass) => {
        if (!['eth_sendRawTransactionSync', 'eth_getTransactionReceipt'].includes(call.method))
          return undefined;
        const reply = await pass();
        return reply.result ? { ...reply, result: { ...reply.result, status: '0x0', logs: [] } } : reply;
      });
      const buyer = await scene.buyer(shop.chain);
      for (let round = 0; round < 2 * scene.rounds; round += 1) {
        const payment = await shop.sign(buyer);
        const asked = notice();
        await shop.present(payment, asked);
        await shop.present(payment, asked);
        scene.tried(2);
        shop.node.lie(null);
        const { status, json } = await shop.insist(payment, asked, 15_000);
        scene.held(status === 200, `then ${status} ${json?.error ?? json?.code}`);
      }
      const after = await honest(scene, shop);
      scene.held(after.status === 200, `the next buyer: ${after.status}`);
    },
  },
  {
    name: 'a node that lags',
    promise: 'a stranger submits first and the node has not seen it: nobody is told that nothing was charged',
    async run(scene) {
      const shop = await scene.shop({ chain: await scene.ownChain() });
      for (let round = 0; round < 2 * scene.rounds; round += 1) {
        const payment = await shop.sign(await scene.buyer(shop.chain));
        const seen = await blockNumber(shop);
        await shop.remembers();
        await frontRun(shop.chain, payment);
        shop.node.lie(async (call, pass) => {
          // State as it was before; what is sent reaches the chain of today.
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
    promise: 'nodes of another chain make payments 503 and /readyz 503, and nothing is handed over',
    async run(scene) {
      const shop = await scene.shop({ isStarted: false });
      shop.node.lie((call) => {
        if (call.method === 'eth_chainId') return result(call, '0x1');
        // Where no code is, every call succeeds and gives nothing.
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
      scene.held((await shop.sent()).length === 0, 'something was handed over');
    },
  },
  {
    name: 'empty answers to state calls',
    promise:
      'a node that answers every call with no bytes sells nothing, and costs one revert for each payer at most',
    async run(scene) {
      const shop = await scene.shop();
      shop.node.lie((call) => (call.method === 'eth_call' ? result(call, '0x') : undefined));
      for (let count = 0; count < 3; count += 1) {
        const poor = await shop.sign(await scene.buyer(shop.chain, 0n));
        const { status } = await shop.present(poor, notice(), { ...quietly, timeoutMs: 3_000 });
        scene.held(status !== 200 && status !== 500, `${status}`);
      }
      const reverted = (await shop.sent()).filter(({ isReverted }) => isReverted).length;
      scene.held(reverted <= 3, `${reverted} reverts of 3 payers`);
    },
  },
  {
    name: 'no node at all',
    promise: 'without a node free routes and challenges go on, payments are 503, and /readyz says so',
    async run(scene) {
      const shop = await scene.shop();
      shop.node.lie(() => 'broken');
      const payment = await shop.sign(await scene.buyer(shop.chain));
      const asked = notice();
      const paid = await shop.present(payment, asked);
      scene.held(paid.status === 503, `paid: ${paid.status}`);
      const unpaid = await shop.get(asked.path);
      scene.held(unpaid.status === 402, `unpaid: ${unpaid.status}`);
      const free = await shop.get('/v1/late-fee?amount=100&due_date=2026-01-15');
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
    name: 'huge answers of a node',
    promise: 'a node that answers with megabytes does not fill the memory',
    isLong: true,
    async run(scene) {
      const shop = await scene.shop();
      const before = shop.seller.residentMb();
      const huge = 'f'.repeat(16 * 1024 * 1024);
      shop.node.lie((call) => (SENDS.includes(call.method) ? undefined : result(call, `0x${huge}`)));
      const payments = await Promise.all(
        Array.from({ length: 8 }, async () => shop.sign(await scene.buyer(shop.chain))),
      );
      await Promise.all(
        payments.map((one) => shop.present(one, notice(), { ...quietly, timeoutMs: 15_000 })),
      );
      const grown = shop.seller.residentMb() - before;
      scene.held(grown < 400, `${grown} MB more`);
      scene.held(shop.seller.isAlive(), 'the process ended');
    },
  },
  {
    name: 'answers to another question',
    promise:
      'answers with a foreign id, several at once, or a result beside an error are not believed in vain',
    isLong: true,
    async run(scene) {
      const shop = await scene.shop();
      const lies: readonly Lie[] = [
        async (_call, pass) => [await pass()],
        async (call, pass) => ({ ...(await pass()), error: { code: -32000, message: 'no' }, id: call.id }),
        async (_call, pass) => ({ ...(await pass()), id: 'other' }),
        async (_call, pass) => ({ result: (await pass()).result }),
      ];
      for (const lie of lies) {
        shop.node.lie(lie);
        const payment = await shop.sign(await scene.buyer(shop.chain));
        const asked = notice();
        const { status } = await shop.present(payment, asked, { ...quietly, timeoutMs: 3_000 });
        scene.held(status !== 500, 'a 500');
        shop.node.lie(null);
        const then = await shop.insist(payment, asked, 15_000);
        scene.held(then.status === 200, `then ${then.status}`);
      }
    },
  },
  {
    name: 'a slow node',
    promise: 'while a node takes seconds for each answer, free routes and challenges take milliseconds',
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
        const { status, durationMs } = await shop.get('/v1/late-fee?amount=100&due_date=2026-01-15');
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
    promise: 'one of two nodes knows no receipts and no logs: each buyer is answered once',
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

/** A shape instead of the result; a transaction that was sent stays sent. */
async function oddly(call: Parameters<Lie>[0], pass: Parameters<Lie>[1], shape: unknown) {
  if (SENDS.includes(call.method)) await pass();
  return result(call, shape);
}

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
