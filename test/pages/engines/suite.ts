import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { devAccounts } from '../../../src/devnet/chain-accounts.ts';
import { usdcBalance } from '../../../src/devnet/usdc.ts';
import { type BuiltService, startBuilt } from '../../support/built-service.ts';
import { printedLater } from './bought-before.ts';
import { type Engine, type Tab, until } from './engine.ts';
import { interruptionsIn, LETTER, WAYS, type Ware, type Way } from './interruptions.ts';
import { type LosingProxy, losingProxy } from './losing-proxy.ts';
import { bundled, vectorsOf } from './vectors.ts';

// The account of the built-in play-money wallet.
const [, newcomer] = devAccounts(2);

/** `whyNoPaper`: why the engine cannot print; empty if it can. */
export type Here = { readonly isHere: boolean; readonly whyNoPaper?: string };

/** Tests the guarantees of the pages in one engine, in the shortest form. */
export function engineSuite(
  name: string,
  { isHere, whyNoPaper = '' }: Here,
  openEngine: () => Promise<Engine>,
): void {
  describe.skipIf(!isHere)(`the pages in ${name}`, () => {
    let service: BuiltService;
    let proxy: LosingProxy;
    let engine: Engine;
    let rpcUrl = '';
    let tabs: Tab[] = [];
    let row = 0;

    beforeAll(async () => {
      service = await startBuilt({ SETTLERS: 'embedded', FREE_REQUESTS_PER_MINUTE: '1000' });
      rpcUrl = service.chainUrl;
      proxy = await losingProxy(service.url);
      engine = await openEngine();
    });
    afterAll(async () => {
      await engine?.stop();
      proxy?.stop();
      service?.stop();
    });
    afterEach(async () => {
      proxy.meet(null);
      proxy.startOver();
      // Each tab is checked, because a write of one tab may reach the others after its own call has returned.
      for (const tab of tabs) await tab.run('localStorage.clear()');
      for (const tab of tabs) await tab.close();
      tabs = [];
    });

    async function openTab(path: string): Promise<Tab> {
      const tab = await engine.open();
      tabs.push(tab);
      await tab.goTo(proxy.url + path);
      return tab;
    }
    /** Opens the page again, in the way that a user returns to it. */
    async function again(first: Tab, way: Way, path: string): Promise<Tab> {
      if (way === 'loaded again') await first.reload();
      const next = way === 'loaded again' ? first : await openTab(path);
      if (way === 'closed and opened again') {
        tabs = tabs.filter((one) => one !== first);
        await first.close();
      }
      return next;
    }
    const shows = (tab: Tab, text: string, place = 'main'): Promise<void> =>
      until(`${name} to show ${text} in ${place}`, () =>
        tab.run(`return document.querySelector('${place}')?.innerText.includes(${JSON.stringify(text)})`),
      );
    const press = async (tab: Tab, label: string): Promise<void> => {
      const found = `[...document.querySelectorAll('main button')]
        .find((one) => one.innerText.includes(${JSON.stringify(label)}) && one.checkVisibility())`;
      await until(`${name} to have the button ${label}`, () =>
        tab.run(`const one = ${found}; one?.click(); return Boolean(one)`),
      );
    };
    const write = (tab: Tab, values: Readonly<Record<string, string>>): Promise<unknown> =>
      tab.run(`for (const [id, value] of Object.entries(${JSON.stringify(values)})) {
        const input = document.querySelector('#f-' + id);
        input.value = value;
        input.dispatchEvent(new Event('input', { bubbles: true }));
      }`);
    const ask = async (tab: Tab, mark: string, ware: Ware = LETTER): Promise<void> => {
      await write(tab, ware.written(mark));
      await press(tab, ware === LETTER ? 'Get the letter' : (ware.asks ?? 'see the price'));
      await shows(tab, 'Your document is ready to buy');
    };
    const spentIn = async (work: () => Promise<void>): Promise<bigint> => {
      const before = await usdcBalance(rpcUrl, newcomer?.address ?? '0x');
      await work();
      return before - (await usdcBalance(rpcUrl, newcomer?.address ?? '0x'));
    };

    it.each(interruptionsIn(name))(
      'give the same answer for one charge if $step and $ware.path is $way',
      async ({ ware, mishap, shows: shown, way }) => {
        row += 1;
        const mark = `Row ${row} Ltd`;
        const spent = await spentIn(async () => {
          const first = await openTab(ware.opens ?? ware.path);
          await ask(first, mark, ware);
          proxy.meet(mishap);
          await press(first, `Pay ${ware.price} USDC`);
          if (mishap === null) await shows(first, ware.answer(mark), ware.place ?? '#result');
          else {
            await shows(first, shown, '#pay');
            await until('the payment to be sent', async () => proxy.payments.length > 0);
          }
          const askedBefore = proxy.asked.length;
          const next = await again(first, way, ware.path);
          if (way === 'opened in a second tab' && mishap !== null)
            await shows(next, 'Paying in another tab', '#pay');
          proxy.meet(null);
          for (const tab of tabs) await shows(tab, ware.answer(mark), ware.place ?? '#result');
          if (mishap === null) expect(proxy.asked).toHaveLength(askedBefore);
        });
        expect(new Set(proxy.payments).size).toBe(1);
        expect(spent).toBe(ware.charge);
      },
    );

    it('charge once if two tabs pay for the same purchase at once, and say so before the second tab signs', async () => {
      const spent = await spentIn(async () => {
        const [one, two] = [await openTab('/late-invoice'), await openTab('/late-invoice')];
        for (const tab of [one, two]) await ask(tab, 'Twice Ltd');
        proxy.meet('reply held');
        await press(one, 'Pay 0.01 USDC');
        await until('the payment to be sent', async () => proxy.payments.length > 0);
        await press(two, 'Pay 0.01 USDC');
        await shows(two, 'Another tab is paying', '#pay');
        proxy.meet(null);
        await shows(one, 'Hello Twice Ltd,', '#result');
        await press(two, 'Try again here');
        await shows(two, 'bought exactly this', '#pay');
        await press(two, 'Show what was bought');
        await shows(two, 'Hello Twice Ltd,', '#result');
      });
      expect(new Set(proxy.payments).size).toBe(1);
      expect(spent).toBe(10_000n);
    });

    it.each(name === 'Chromium' ? WAYS : WAYS.slice(0, 1))(
      'start again if a page is left before anything was signed and is %s',
      async (way) => {
        const spent = await spentIn(async () => {
          const first = await openTab('/late-invoice');
          await ask(first, 'Unsigned Ltd');
          const next = await again(first, way, LETTER.path);
          // The typed text is kept, but no data of a purchase.
          await expect
            .poll(() => next.run('return Object.keys(localStorage)'))
            .toEqual(['draft.late-invoice']);
          await ask(next, 'Unsigned Ltd');
          await press(next, 'Pay 0.01 USDC');
          await shows(next, 'Hello Unsigned Ltd,', '#result');
        });
        expect(spent).toBe(10_000n);
      },
    );

    it('keep nothing if the buyer has turned that off with one tap', async () => {
      const tab = await openTab('/late-invoice');
      await ask(tab, 'Shared Ltd');
      await tab.run(`document.querySelector('#keep').click()`);
      await shows(tab, 'Nothing about this purchase', '#pay');
      await press(tab, 'Pay 0.01 USDC');
      await shows(tab, 'Hello Shared Ltd,', '#result');
      await expect.poll(() => tab.run('return Object.keys(localStorage)')).toEqual([]);
      await tab.reload();
      await shows(tab, 'The statement of what is owed appears here', '#result');
      await expect.poll(() => tab.run('return document.body.innerText')).not.toContain('Shared Ltd');
      // The choice applies to all later pages of the tab.
      await ask(tab, 'Shared Ltd');
      await expect.poll(() => tab.run(`return document.querySelector('#keep').checked`)).toBe(false);
    });

    it('calculate the result of a shared link', async () => {
      const tab = await openTab(
        '/late-fee#amount=1250&due_date=2026-11-04&paid_date=2026-11-21&rate=1.5&currency=USD',
      );
      await shows(tab, '10.63', '#result');
      await tab.goTo(`${proxy.url}/quote#items.description=Design&items.quantity=2&items.unit_price=450`);
      await shows(tab, '900.00', '#total');
      expect(proxy.asked).toEqual([]);
    });

    it('keep a quote over a reload, and show its client the document', async () => {
      const tab = await openTab('/quote#items.description=Design&items.unit_price=450');
      await shows(tab, '450.00', '#total');
      await tab.goTo(`${proxy.url}/legal`);
      await tab.goTo(`${proxy.url}/quote`);
      await shows(tab, '450.00', '#total');
      await tab.goTo(`${proxy.url}/legal`);
      await tab.goTo(`${proxy.url}/quote#items.unit_price=99&paper.issued_on=2026-11-21`);
      await shows(tab, '99.00', '.sheet');
    });

    it.skipIf(whyNoPaper !== '')(
      `print what was bought${whyNoPaper && ` (skipped: ${whyNoPaper})`}`,
      async () => {
        const tab = await openTab('/late-invoice');
        await ask(tab, 'Paper Ltd');
        await press(tab, 'Pay 0.01 USDC');
        await shows(tab, 'Hello Paper Ltd,', '#result');
        const pdf = await tab.pdf();
        expect(pdf.subarray(0, 5).toString()).toBe('%PDF-');
        expect((await printedLater(tab)).length).toBeGreaterThan(pdf.length * 0.8);
      },
    );

    it('leave no typed text in an address or a log', async () => {
      const tab = await openTab('/late-invoice');
      await ask(tab, 'Whispered Ltd');
      await press(tab, 'Pay 0.01 USDC');
      await shows(tab, 'Hello Whispered Ltd,', '#result');
      await tab.goTo(
        `${proxy.url}/late-fee#amount=987654.32&due_date=2026-11-04&paid_date=2026-11-21&rate=0`,
      );
      await shows(tab, '987,654.32', '#figure');
      const said = [...service.lines, ...proxy.addresses].join('\n');
      expect(said).toContain('/v1/late-fee-notice');
      expect(said).not.toMatch(/Whispered|Row \d|Twice|987654\.32/);
      expect(await tab.run('return document.cookie')).toBe('');
    });

    it('calculate the figures that others publish', async () => {
      const bundle = await bundled();
      const tab = await openTab('/late-fee');
      for (const kind of ['late_fee', 'quote'] as const) {
        const vectors = vectorsOf(kind);
        const inputs = JSON.stringify(vectors.map(({ input }) => input));
        const answers = await tab.run(`${bundle}; return answersOf('${kind}', ${inputs})`);
        const figures = (answers as { body?: Record<string, unknown> }[]).map(({ body }, index) => {
          const names = Object.keys(vectors[index]?.expect ?? {});
          return Object.fromEntries(names.map((figure) => [figure, body?.[figure]]));
        });
        expect(figures).toEqual(vectors.map(({ expect: published }) => published));
      }
    });
  });
}
