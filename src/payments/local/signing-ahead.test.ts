import { expect, it } from 'vitest';
import { signingAhead } from './signing-ahead.ts';

const call = { to: '0xaa', data: '0x01', gas: 5n, ceilingWei: 9n } as const;
const fees = { maxFeePerGas: 3n, maxPriorityFeePerGas: 1n };

/** Signs, and counts how often. */
function counted() {
  let times = 0;
  const ahead = signingAhead(async () => {
    times += 1;
    return { raw: '0x02', hash: `0x${times}` } as const;
  });
  return { ahead, times: () => times };
}

it('what was signed ahead is not signed again', async () => {
  const { ahead, times } = counted();
  ahead.sign(call, 7, fees);
  // What is told of a transaction's end is no part of its bytes.
  expect(await ahead.take({ ...call, onEnd: () => undefined }, 7, { ...fees })).toEqual({
    raw: '0x02',
    hash: '0x1',
  });
  expect(times()).toBe(1);
});

it.each([
  ['another call', { ...call, data: '0x03' } as const, 7, fees],
  ['another payee', { ...call, to: '0xbb' } as const, 7, fees],
  ['more gas', { ...call, gas: 6n }, 7, fees],
  ['another nonce', call, 8, fees],
  ['another price', call, 7, { ...fees, maxFeePerGas: 4n }],
  ['another tip', call, 7, { ...fees, maxPriorityFeePerGas: 2n }],
])('%s is signed by itself, and nothing is kept after it', async (_what, other, nonce, price) => {
  const { ahead, times } = counted();
  ahead.sign(call, 7, fees);
  expect((await ahead.take(other, nonce, price)).hash).toBe('0x2');
  await ahead.take(call, 7, fees);
  expect(times()).toBe(3);
});

it('one is kept at a time, and what failed ahead fails where it is asked for', async () => {
  const { ahead, times } = counted();
  ahead.sign(call, 7, fees);
  ahead.sign(call, 8, fees);
  expect(times()).toBe(1);
  const broken = signingAhead(() => Promise.reject(new Error('no curve')));
  broken.sign(call, 7, fees);
  await expect(broken.take(call, 7, fees)).rejects.toThrow('no curve');
});
