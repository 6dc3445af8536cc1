import type { Kind } from '../kind.ts';
import { endOf } from '../seller.ts';
import { FREE, notice, quietly, toolCall } from '../shop.ts';

/** Returns notations of an address in X-Forwarded-For. */
const spellings = (address: string, index: number): string[] => [
  address,
  ` ${address} `,
  `${address}:${4_000 + index}`,
  `::ffff:${address}`,
  `"${address}"`,
  `[::ffff:${address}]`,
  `[::ffff:${address}]:${80 + index}`,
  `10.9.${index}.1, ${address}`,
  `unknown, ${address}`,
  `for=${address}`,
  `,,${address}`,
  `${address},`,
  `${'1.1.1.1,'.repeat(50)}${address}`,
  `::FFFF:${address}`,
  `0:0:0:0:0:ffff:${address}`,
  `evil${index}, ${address}`,
];

export const limitKinds: readonly Kind[] = [
  {
    name: 'forwarding headers without a proxy',
    promise: 'without trusted proxies, X-Forwarded-For does not give an address more free requests',
    async run(scene) {
      const shop = await scene.shop({ settings: { FREE_REQUESTS_PER_MINUTE: '30' } });
      let served = 0;
      for (let count = 0; count < 80; count += 1) {
        const headers = {
          'x-forwarded-for': `10.1.${count}.7`,
          forwarded: `for=10.2.${count}.7`,
          'x-real-ip': `10.3.${count}.7`,
          'cf-connecting-ip': `10.4.${count}.7`,
          'true-client-ip': `10.5.${count}.7`,
        };
        if ((await shop.get(FREE, { headers, from: '127.0.5.5' })).status === 200) served += 1;
      }
      scene.tried(80);
      scene.held(served <= 31, `${served} of 80 were served at a limit of 30`);
    },
  },
  {
    name: 'spellings of one address',
    promise: 'behind a trusted proxy, one address has one limit in every notation',
    async run(scene) {
      const shop = await scene.shop({
        settings: { FREE_REQUESTS_PER_MINUTE: '30', TRUSTED_PROXIES: '127.0.0.1/32' },
      });
      let served = 0;
      let asked = 0;
      for (let count = 0; count < 6; count += 1)
        for (const spelling of spellings('203.0.113.9', count)) {
          asked += 1;
          if ((await shop.get(FREE, { headers: { 'x-forwarded-for': spelling } })).status === 200)
            served += 1;
        }
      scene.tried(asked);
      // A text that is not an address is counted as the proxy itself, which has its own limit.
      scene.held(served <= 62, `${served} of ${asked} were served at a limit of 30`);
      const other = await shop.get(FREE, { headers: { 'x-forwarded-for': '203.0.113.10' } });
      scene.held(other.status === 200, `another address: ${other.status}`);
    },
  },
  {
    name: 'one network of addresses',
    promise: 'all IPv6 addresses of one network have one limit together',
    isLong: true,
    async run(scene) {
      const shop = await scene.shop({
        settings: { FREE_REQUESTS_PER_MINUTE: '30', TRUSTED_PROXIES: '127.0.0.1/32' },
      });
      let served = 0;
      for (let count = 0; count < 90; count += 1) {
        const address = `2001:db8:7:7:${scene.random.hex(2).slice(2)}:${count.toString(16)}::1`;
        if ((await shop.get(FREE, { headers: { 'x-forwarded-for': address } })).status === 200) served += 1;
      }
      scene.tried(90);
      scene.held(served <= 31, `${served} of 90 were served at a limit of 30`);
    },
  },
  {
    name: 'a flood of price requests',
    promise: 'an address gets 300 prices a minute and then 429, but can still buy and collect answers',
    async run(scene) {
      const shop = await scene.shop({ settings: { FREE_REQUESTS_PER_MINUTE: '30' } });
      const from = '127.0.6.5';
      let priced = 0;
      for (let count = 0; count < 360; count += 1)
        if ((await shop.get(notice().path, { from })).status === 402) priced += 1;
      scene.tried(360);
      scene.held(priced <= 301, `${priced} of 360 were priced at a limit of 300`);
      const asked = notice();
      const payment = await shop.sign(await scene.buyer(shop.chain), asked);
      for (const what of ['bought', 'collected']) {
        const { status } = await shop.insist(payment, asked, 5_000, { from });
        scene.held(status === 200, `${what}: ${status}`);
      }
    },
  },
  {
    name: 'a flood of refused payments',
    promise:
      'an address may have 120 refused payments a minute and then gets 429 with Retry-After, while others are served',
    async run(scene) {
      const shop = await scene.shop({ settings: { FREE_REQUESTS_PER_MINUTE: '30' } });
      const buyer = await scene.buyer(shop.chain);
      const good = await shop.sign(buyer);
      let limited = 0;
      let retryAfter = true;
      const before = shop.node.calls();
      for (let count = 0; count < 180; count += 1) {
        const forged = {
          ...good,
          payload: { ...good.payload, signature: `0x${scene.random.hex(64).slice(2)}1b` as `0x${string}` },
        };
        const { status, headers } = await shop.present(forged, notice(), { ...quietly, from: '127.0.6.6' });
        if (status !== 429) continue;
        limited += 1;
        retryAfter &&= Number(headers['retry-after']) > 0;
      }
      scene.tried(180);
      scene.held(limited >= 55, `${limited} of 180 got 429`);
      scene.held(retryAfter, 'without Retry-After');
      scene.held(shop.node.calls() - before <= 135, `${shop.node.calls() - before} calls to the node`);
      const { status } = await shop.insist(good, notice(), 5_000, { from: '127.0.6.7' });
      scene.held(status === 200, `another address: ${status}`);
    },
  },
  {
    name: 'refused payments over MCP',
    promise: 'refused payments over MCP and HTTP count together',
    async run(scene) {
      const shop = await scene.shop({ settings: { FREE_REQUESTS_PER_MINUTE: '10' } });
      const good = await shop.sign(await scene.buyer(shop.chain));
      const before = shop.node.calls();
      const forge = () => ({
        ...good,
        payload: { ...good.payload, signature: `0x${scene.random.hex(64).slice(2)}1b` as `0x${string}` },
      });
      for (let count = 0; count < 60; count += 1)
        await shop.mcp(
          toolCall('late_fee_notice', { amount: 1, due_date: '2026-01-15' }, forge()),
          {},
          '127.0.6.8',
        );
      let limited = 0;
      for (let count = 0; count < 10; count += 1)
        if ((await shop.present(forge(), notice(), { ...quietly, from: '127.0.6.8' })).status === 429)
          limited += 1;
      scene.tried(70);
      scene.held(limited === 10, `${limited} of 10 over HTTP got 429 after 60 over MCP`);
      scene.held(shop.node.calls() - before <= 55, `${shop.node.calls() - before} calls to the node`);
    },
  },
  {
    name: 'one limit for all free requests',
    promise: 'free requests over HTTP, MCP and pages count together',
    async run(scene) {
      const shop = await scene.shop({ settings: { FREE_REQUESTS_PER_MINUTE: '30' } });
      const from = '127.0.6.9';
      let served = 0;
      for (let count = 0; count < 25; count += 1) {
        if ((await shop.get(FREE, { from })).status === 200) served += 1;
        if ((await shop.get('/late-invoice?amount=100&due_date=2026-01-15', { from })).status === 200)
          served += 1;
        const { json } = await shop.mcp(
          toolCall('late_fee', { amount: 100, due_date: '2026-01-15' }),
          {},
          from,
        );
        if (json?.result !== undefined && json.result.isError !== true) served += 1;
      }
      scene.tried(75);
      scene.held(served <= 31, `${served} of 75 were served at a limit of 30`);
    },
  },
  {
    name: 'a million addresses',
    promise: 'counting a million addresses takes limited memory',
    isLong: true,
    async run(scene) {
      const shop = await scene.shop({
        settings: {
          FREE_REQUESTS_PER_MINUTE: '30',
          TRUSTED_PROXIES: '127.0.0.1/32',
        },
      });
      const before = shop.seller.residentMb();
      for (let count = 0; count < 30 * scene.rounds; count += 1)
        await Promise.all(
          Array.from({ length: 50 }, (_, index) =>
            shop.get('/v1/late-fee', {
              headers: { 'x-forwarded-for': `20.${count % 250}.${index}.${scene.random.whole(0, 255)}` },
            }),
          ),
        );
      scene.tried(1_500 * scene.rounds);
      const grown = shop.seller.residentMb() - before;
      scene.held(grown < 200, `${grown} MB more`);
    },
  },
  {
    name: 'proxy ranges that include everybody',
    promise: 'a setting that trusts half the internet as a proxy prevents the start',
    async run(scene) {
      const ranges = ['0.0.0.0/1', '::/1', '0.0.0.0/0', '::/0', '128.0.0.0/1', '0.0.0.0/2', '2000::/3'];
      for (const range of scene.rounds > 1 ? ranges : ranges.slice(0, 2)) {
        const { status, text } = await endOf({
          PORT: '1',
          TRUSTED_PROXIES: range,
          NODE_ENV: 'development',
          SETTLERS: 'local',
          RPC_URLS: 'http://127.0.0.1:9',
          RELAYER_KEY: `0x${'11'.repeat(32)}`,
          PAY_TO: '0x00000000000000000000000000000000000000aa',
        });
        scene.held(status === 78 && text.includes('TRUSTED_PROXIES'), `${range}: it ended with ${status}`);
      }
    },
  },
  {
    name: 'a flood of forged payments',
    promise: 'a flood of forged payments does not keep honest buyers out',
    alone: true,
    async run(scene) {
      const shop = await scene.shop();
      const victim = await scene.buyer(shop.chain);
      const signed = await shop.sign(victim);
      const forged = Array.from({ length: 1_000 }, (_, index) => ({
        ...signed,
        payload: {
          signature: `0x${'55'.repeat(64)}1b` as const,
          authorization: {
            ...signed.payload.authorization,
            nonce: scene.random.hex(32),
            from: index % 2 === 0 ? victim.address : scene.random.hex(20),
          },
        },
      }));
      const flood = Promise.all(
        forged.map((one) =>
          shop.present(one, notice('Flood'), { ...quietly, timeoutMs: 20_000, from: '127.0.0.66' }),
        ),
      );
      const honest = await Promise.all(
        Array.from({ length: 10 }, async (_, index) => {
          const buyer = index % 2 === 0 ? victim : await scene.buyer(shop.chain);
          return shop.present(await shop.sign(buyer), notice(`Honest ${index}`));
        }),
      );
      for (const { status } of honest) scene.held(status === 200, `an honest buyer: ${status}`);
      // At the flood's own address, callers beyond some hundreds get a reply to retry, and are then served.
      const neighbour = notice('Neighbour');
      const signedThere = await shop.sign(await scene.buyer(shop.chain), neighbour);
      const { status } = await shop.insist(signedThere, neighbour, 20_000, { from: '127.0.0.66' });
      scene.held(status === 200, `an honest buyer at the address of the flood: ${status}`);
      await flood;
      scene.tried(1_000);
    },
  },
];
