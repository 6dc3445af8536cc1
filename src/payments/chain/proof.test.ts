import { describe, expect, it } from 'vitest';
import { orderOf } from '../../../test/support/order.ts';
import { ANY_SENDER, codeAt, prove, walletVerdict } from './proof.ts';
import { type Rpc, RpcFailure } from './rpc.ts';
import { transferCall } from './usdc.ts';

const word = (value: number) => `0x${String(value).padStart(64, '0')}`;
const reverted = (said: string) =>
  new RpcFailure('answered', { code: 3, said: `execution reverted: ${said}` });
const EXPIRED = 'FiatTokenV2: authorization is expired';

/** A node that rejects the transfer with `no` and returns `state` for the nonce. */
function node(no: () => never, state: () => unknown = () => word(0)) {
  const gas: unknown[] = [];
  const rpc: Rpc = {
    async call(_, params, options) {
      if (options?.bytes === 32) {
        expect(params[1]).toBe('latest');
        return state() as never;
      }
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

describe('a transfer whose simulation fails at the node', () => {
  it('may have been used before if it has expired', async () => {
    const out = reverted(EXPIRED);
    expect(await end(out)).toMatchObject([{ state: 'refused' }, 1]);
    expect(await end(out, () => word(1))).toEqual([{ state: 'used' }, 1]);
    await expect(end(out, thrown(new TypeError('a bug')))).rejects.toThrow(TypeError);
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
    ['an error outside the EVM', new RpcFailure('answered', { code: -32000, said: 'busy' }), 'not_provable'],
    ['a pause', reverted('Pausable: paused'), 'asset_paused'],
  ])('is not blamed on its payer: %s', async (_, error, reason) => {
    expect((await end(error))[0]).toEqual({ state: 'not_sent', reason });
  });

  it('is tried with more gas only for a wallet whose signature check may have run out of gas', async () => {
    const odd = reverted('FiatTokenV2: invalid signature');
    expect((await end(odd))[1]).toBe(1);
    expect((await end(odd, undefined, 'wallet'))[1]).toBe(2);
    expect((await end(reverted('ERC20: transfer amount exceeds balance'), undefined, 'wallet'))[1]).toBe(1);
  });
});

describe('the gas of a transfer', () => {
  /** The gas limit of each call, for a signature of this many bytes. */
  const gasOf = async (signedBytes: number, signedBy: 'key' | 'wallet') => {
    const order = orderOf();
    const { rpc, gas } = node(thrown(reverted('FiatTokenV2: invalid signature')));
    const payment = { ...order.payment, signature: `0x${'22'.repeat(signedBytes)}` as const };
    await prove(rpc, ANY_SENDER, { ...order, payment, signedBy });
    const data = Buffer.from(transferCall(payment.authorization, payment.signature).slice(2), 'hex');
    const zeros = data.filter((byte) => byte === 0).length;
    return { asked: gas.map(Number), zeros, others: data.length - zeros };
  };

  it('covers the transaction, its calldata and the work, which is more for a contract wallet', async () => {
    const { asked, zeros, others } = await gasOf(65, 'wallet');
    const [key, wallet] = asked.map((gas) => gas - 21_000 - 4 * zeros - 16 * others);
    expect([key, wallet]).toEqual([136_000, 376_000]);
  });

  it('is at least the EIP-7623 minimum for long calldata', async () => {
    const { asked, zeros, others } = await gasOf(10_000, 'key');
    expect(asked).toEqual([21_000 + 10 * zeros + 40 * others]);
  });
});

describe("a wallet contract's verdict on a signature", () => {
  const verdict = (answer: () => unknown) => {
    const rpc: Rpc = {
      call: async () => answer() as never,
      batch: async () => [],
      onOneNode: (work) => work(rpc),
    };
    return walletVerdict(rpc, orderOf(), new Uint8Array(32));
  };
  const ACCEPTED = `0x1626ba7e${'0'.repeat(56)}`;

  it.each([
    ['the value that ERC-1271 requires', true, () => ACCEPTED],
    ['another value', false, () => `0xffffffff${'0'.repeat(56)}`],
    ['empty, as for an account without code', false, () => '0x'],
    ['a revert', false, thrown(reverted('no'))],
    ['longer than the service reads', false, thrown(new RpcFailure('answered', { isTooLong: true }))],
    ['an error outside the EVM', null, thrown(new RpcFailure('answered', { code: -32000, said: 'busy' }))],
    ['no answer', null, thrown(new RpcFailure('unclear'))],
  ])('(%s) means %s', async (_what, expected, answer) => {
    expect(await verdict(answer)).toBe(expected);
  });

  it('is not assumed if the call fails because of a bug in the service', async () => {
    const bug = new TypeError('a bug');
    await expect(verdict(thrown(bug))).rejects.toBe(bug);
  });
});

describe('the code of an account', () => {
  const codeOf = (code: string) =>
    codeAt(
      { call: async () => code as never, batch: async () => [], onOneNode: async () => undefined as never },
      '0x00000000000000000000000000000000000000bb',
      'latest',
    );

  it('is identified by its digest in lower case, and by null if there is none', async () => {
    expect(await codeOf('0x')).toBeNull();
    expect(await codeOf('0xEF01')).toBe(await codeOf('0xef01'));
    expect(await codeOf('0xef01')).not.toBe(await codeOf('0xef02'));
    expect(await codeOf('0xef01')).not.toBeNull();
  });
});
