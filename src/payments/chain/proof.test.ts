import { describe, expect, it } from 'vitest';
import { orderOf } from '../../../test/support/order.ts';
import { ANY_SENDER, prove } from './proof.ts';
import { type Rpc, RpcFailure } from './rpc.ts';

const word = (value: number) => `0x${String(value).padStart(64, '0')}`;
const reverted = (said: string) =>
  new RpcFailure('answered', { code: 3, said: `execution reverted: ${said}` });
const EXPIRED = 'FiatTokenV2: authorization is expired';

/** A node that refuses the transfer with `no`, and says of the nonce what `state` gives. */
function node(no: () => never, state: () => unknown = () => word(0)) {
  const gas: unknown[] = [];
  const rpc: Rpc = {
    async call(_, params, options) {
      if (options?.bytes === 32) return state() as never;
      gas.push((params[0] as { gas: unknown }).gas);
      return no();
    },
    batch: async () => [],
    onOneNode: (work) => work(rpc),
  };
  return { rpc, gas };
}
const thrown = (error: unknown) => (): never => {
  throw error;
};
const end = async (no: unknown, state?: () => unknown, signedBy: 'key' | 'wallet' = 'key') => {
  const { rpc, gas } = node(thrown(no), state);
  return [await prove(rpc, ANY_SENDER, { ...orderOf(), signedBy }), gas.length];
};

describe('a transfer that a node would not run', () => {
  it('that has run out was perhaps used before', async () => {
    const out = reverted(EXPIRED);
    expect(await end(out)).toMatchObject([{ state: 'refused' }, 1]);
    expect(await end(out, () => word(1))).toEqual([{ state: 'used' }, 1]);
    expect(await end(out, thrown(new RpcFailure('unclear')))).toEqual([
      { state: 'not_sent', reason: 'unreached' },
      1,
    ]);
  });

  it.each([
    ['no answer', new RpcFailure('unclear'), 'unreached'],
    [
      'a node without our gas money',
      new RpcFailure('answered', { said: 'insufficient funds for gas' }),
      'no_gas_money',
    ],
    ['what is no end in the EVM', new RpcFailure('answered', { code: -32000, said: 'busy' }), 'not_provable'],
    ['a pause', reverted('Pausable: paused'), 'asset_paused'],
  ])('is no fault of its payer: %s', async (_, error, reason) => {
    expect((await end(error))[0]).toEqual({ state: 'not_sent', reason });
  });

  it('is asked with more gas only for a wallet, and only where its check may have run out of it', async () => {
    const odd = reverted('FiatTokenV2: invalid signature');
    expect((await end(odd))[1]).toBe(1);
    expect((await end(odd, undefined, 'wallet'))[1]).toBe(2);
    expect((await end(reverted('ERC20: transfer amount exceeds balance'), undefined, 'wallet'))[1]).toBe(1);
  });
});
