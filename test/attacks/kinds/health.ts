import { blacklist, setBalance } from '../../support/chain-actions.ts';
import { requirementsFor, signAuthorization } from '../../support/payments.ts';
import { ALWAYS, canMove, fund, place, walletCode } from '../contracts.ts';
import type { Kind } from '../kind.ts';
import { CENT, notice, quietly, within } from '../shop.ts';

const TOKEN = 'health-token-of-the-attack-run-0123456789';

export const healthKinds: readonly Kind[] = [
  {
    name: 'health details for strangers',
    promise: 'strangers see whether payments are accepted, but only callers with the token see the reasons',
    async run(scene) {
      const shop = await scene.shop({ settings: { OPERATOR_TOKEN: TOKEN }, isStarted: false });
      await setBalance(shop.chain, shop.relayer.address, 0n);
      await shop.seller.start();
      // The settler has not been checked yet, which is not a fault.
      const told = { headers: { authorization: `Bearer ${TOKEN}` } };
      await within(6_000, async () => /gas/.test((await shop.get('/readyz', told)).text));
      for (const path of ['/healthz', '/readyz'])
        for (const authorization of [
          undefined,
          'Bearer',
          'Bearer x',
          `Basic ${TOKEN}`,
          `Bearer ${TOKEN}x`,
          `Bearer ${TOKEN.slice(0, -1)}`,
          TOKEN,
        ]) {
          const { text } = await shop.get(path, {
            headers: authorization === undefined ? {} : { authorization },
          });
          scene.held(
            !/gas|balance|local|relayer|reasons"?:\s*\[\s*"/.test(text),
            `${path} with ${authorization ?? 'nothing'}: ${text.slice(0, 120)}`,
          );
        }
      for (const path of ['/healthz', '/readyz']) {
        const { text } = await shop.get(path, { headers: { authorization: `Bearer ${TOKEN}` } });
        scene.held(/no_gas_money|gas/.test(text), `${path} with the token: ${text.slice(0, 120)}`);
      }
      const asked = await shop.get(`/readyz?token=${TOKEN}`);
      scene.held(!/gas/.test(asked.text), 'a token in the address is taken');
    },
  },
  {
    name: 'callers that make the service look broken',
    promise: 'no payment by a stranger changes /readyz, whatever its signature',
    async run(scene) {
      const shop = await scene.shop();
      const from = await place(shop.chain, walletCode(ALWAYS));
      await fund(shop.chain, from, 100n * CENT);
      const poor = await place(shop.chain, walletCode(ALWAYS));
      for (const payer of [undefined, from, poor])
        for (const bytes of [65, 1_000, 3_500, 4_000]) {
          const buyer = await scene.buyer(shop.chain);
          const payment = await shop.sign(buyer, notice(), {
            signature: scene.random.hex(bytes),
            ...(payer !== undefined && { authorization: { from: payer } }),
          });
          const turns = async () => {
            for (let count = 0; count < 2; count += 1)
              await shop.present(payment, notice('Look'), { ...quietly, timeoutMs: 5_000 });
            return (await shop.readyz()).status !== 200;
          };
          // On a busy machine, the node may have been late. A payment that turns /readyz does so again.
          const turnsAgain = async () =>
            !(await within(20_000, async () => (await shop.readyz()).status === 200)) || turns();
          scene.held(!((await turns()) && (await turnsAgain())), `${bytes} bytes: /readyz is not 200`);
        }
      const { status } = await shop.buy(await scene.buyer(shop.chain));
      scene.held(status === 200, `an honest buyer: ${status}`);
    },
  },
  {
    name: 'ready but unable to sell',
    promise: 'while /readyz is 200, payments are accepted, and if payments get 503, it soon reports that',
    async run(scene) {
      const shop = await scene.shop();
      const states: readonly [string, () => Promise<void> | void, () => Promise<void> | void][] = [
        ['no node', () => shop.node.lie(() => 'broken'), () => shop.node.lie(null)],
        [
          'another chain',
          () =>
            shop.node.lie((call) =>
              call.method === 'eth_chainId' ? { jsonrpc: '2.0', id: call.id, result: '0x1' } : undefined,
            ),
          () => shop.node.lie(null),
        ],
        [
          'no gas money',
          () => setBalance(shop.chain, shop.relayer.address, 0n),
          () => setBalance(shop.chain, shop.relayer.address, 10n ** 18n),
        ],
      ];
      for (const [what, breakIt, mendIt] of states) {
        await breakIt();
        const payment = await shop.sign(await scene.buyer(shop.chain));
        const asked = notice(what);
        const { status } = await shop.present(payment, asked, { timeoutMs: 15_000 });
        if (status === 503)
          scene.held(
            await within(8_000, async () => (await shop.readyz()).status === 503),
            `${what}: payments are 503 and /readyz is 200`,
          );
        else scene.held([200, 409].includes(status), `${what}: ${status}`);
        await mendIt();
        const then = await shop.insist(payment, asked, 30_000);
        scene.held(then.status === 200, `${what}, repaired: ${then.status}`);
        scene.held(
          await within(20_000, async () => (await shop.readyz()).status === 200),
          `${what}, repaired: /readyz stays 503`,
        );
      }
    },
  },
  {
    name: 'ready too early',
    promise: 'from the moment the port is open, /readyz is 200 only if payments are accepted',
    async run(scene) {
      for (let round = 0; round < 2 * scene.rounds; round += 1) {
        const shop = await scene.shop({ isStarted: false });
        const wallet = await place(shop.chain, walletCode(ALWAYS));
        await fund(shop.chain, wallet, 100n * CENT);
        const payments = await Promise.all(
          Array.from({ length: 8 }, async (_, index) =>
            shop.sign(await scene.buyer(shop.chain), notice(), {
              // Every second payer is a contract wallet that accepts any signature.
              ...(index % 2 === 0 && {
                authorization: { from: wallet },
                signature: `0x${'77'.repeat(65)}` as const,
              }),
            }),
          ),
        );
        await shop.seller.start();
        for (const [index, payment] of payments.entries()) {
          const ready = await shop.readyz();
          const { status } = await shop.present(payment, notice(`Early ${round} ${index}`));
          scene.held(ready.status !== 200 || status === 200, `/readyz 200, then a payment is told ${status}`);
          scene.held([200, 503].includes(status), `${status}`);
        }
        await shop.seller.end();
      }
    },
  },
  {
    name: 'the embedded chain',
    promise: 'a payment that a real wallet signs for the demo cannot move real USDC',
    async run(scene) {
      const seller = await scene.seller({ SETTLERS: 'embedded', FREE_REQUESTS_PER_MINUTE: '1000' });
      const response = await fetch(`${seller.url}${notice().path}`);
      const required = JSON.parse(
        Buffer.from(response.headers.get('payment-required') ?? '', 'base64').toString(),
      );
      const payee = required?.accepts?.[0]?.payTo as `0x${string}`;
      scene.held(response.status === 402, `${response.status}`);
      // USDC blacklists its own address when it is set up. The chains of this run remove the entry that the demo needs
      // from the list.
      const chain = await scene.ownChain();
      await blacklist(chain, chain.usdc);
      const payment = await signAuthorization({
        buyer: await scene.buyer(chain),
        accepted: requirementsFor(payee, 10_000n),
      });
      scene.held(!(await canMove(chain, payment)), `real USDC moves to ${payee}`);
      const origin = seller.lines
        .map((line) => /"origin":"(http:\/\/[^"]+)"/.exec(line)?.[1])
        .find((one) => one !== undefined && one !== seller.url);
      scene.held(origin?.startsWith('http://127.0.0.1:') ?? false, `its chain listens at ${origin}`);
      scene.held(seller.isAlive(), 'it ended');
    },
  },
];
