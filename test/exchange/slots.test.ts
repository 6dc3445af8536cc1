import { expect, it } from 'vitest';
import type { End } from '../../src/payments/settlement.ts';
import { fakePayment } from '../support/app.ts';
import { exchangeWith } from './exchange-with.ts';

const HASH = `0x${'cd'.repeat(32)}` as const;
const ENDS: Record<string, () => End> = {
  settles: () => ({
    state: 'settled',
    transaction: HASH,
    payer: '0x00000000000000000000000000000000000000bb',
  }),
  'is refused': () => ({ state: 'refused', reason: 'insufficient_funds' }),
  'has an unknown result': () => ({ state: 'unknown', transaction: HASH }),
  'fails because of a bug': () => {
    throw new Error('a bug');
  },
};

it.each(Object.keys(ENDS))(
  'a payer has at most 128 purchases in progress, and another may begin as soon as one %s',
  async (how) => {
    const ending: ((end: () => End) => void)[] = [];
    const { call, purchases } = exchangeWith({
      settlement: {
        async settle(_order, { proven }) {
          if (!(await proven())) return { state: 'not_sent', reason: 'stopped' };
          const end = await new Promise<() => End>((resolve) => ending.push(resolve));
          return end();
        },
        reconcile: async () => ({ state: 'unknown', transaction: HASH }),
        isWalletSigned: async () => true,
      },
      onBug: () => undefined,
    });
    const present = (nonce: number) => call('1', fakePayment({ nonce: nonce.toString(16) }));
    const first = present(1);
    for (let nonce = 2; nonce <= 128; nonce += 1) void present(nonce);
    await expect.poll(() => ending.length).toBe(128);
    expect((await present(129)).state).toBe('unavailable');
    ending[0]?.(ENDS[how] as () => End);
    await first;
    void present(129);
    await expect.poll(() => ending.length).toBe(129);
    for (const end of ending) end(ENDS.settles as () => End);
    await purchases.drain();
  },
);

it('a purchase whose idempotency key belongs to another purchase takes no slot while that purchase is looked up', async () => {
  let begun = 0;
  let looks = 0;
  const never = new Promise<never>(() => undefined);
  const gates: (() => void)[] = [];
  const { call } = exchangeWith({
    settlement: {
      async settle({ payment }, handover) {
        if (payment.authorization.nonce.endsWith('ff'))
          await new Promise<void>((resolve) => gates.push(resolve));
        if (!(await handover.proven())) return { state: 'not_sent', reason: 'stopped' };
        await handover.sending(HASH);
        begun += 1;
        return never;
      },
      async reconcile() {
        looks += 1;
        return never;
      },
      isWalletSigned: async () => true,
    },
    onBug: () => undefined,
  });
  const present = (nonce: string, name: string | null = null) =>
    call('1', fakePayment({ nonce }), null, name);
  void present('ff', 'one-name');
  await expect.poll(() => gates.length).toBe(1);
  void present('1', 'one-name');
  for (let nonce = 2; nonce < 128; nonce += 1) void present(nonce.toString(16));
  await expect.poll(() => begun).toBe(127);
  gates[0]?.();
  await expect.poll(() => looks).toBe(1);
  void present('80');
  await expect.poll(() => begun).toBe(128);
});

it('a service that stops waits for the last purchase in progress', async () => {
  let end = (_end: End): void => undefined;
  const { call, purchases } = exchangeWith({
    settlement: {
      settle: () =>
        new Promise((resolve) => {
          end = resolve;
        }),
      reconcile: async () => ({ state: 'unknown', transaction: HASH }),
      isWalletSigned: async () => true,
    },
    onBug: () => undefined,
  });
  void call('1', fakePayment());
  await expect.poll(() => purchases.underWay()).toBe(1);
  const events: string[] = [];
  const drained = purchases.drain().then(() => events.push('drained'));
  await new Promise((resolve) => setImmediate(resolve));
  events.push('ended');
  end({ state: 'refused', reason: 'insufficient_funds' });
  await drained;
  expect([events, purchases.underWay()]).toEqual([['ended', 'drained'], 0]);
});
