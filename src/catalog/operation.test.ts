import { describe, expect, it } from 'vitest';
import { usd } from './operation.ts';

describe('a price', () => {
  it('is stored in dollars and cents, and in millionths for the chain', () => {
    expect(usd('0.01')).toEqual({ usd: '0.01', atomic: '10000' });
    expect(usd('0.05')).toEqual({ usd: '0.05', atomic: '50000' });
    expect(usd('1.00')).toEqual({ usd: '1.00', atomic: '1000000' });
  });

  it.each(['0.00', '1', '.5', '1.5', '1.005', '-1.00', '1e2', '10000.00', ''])(
    'cannot be made from %j',
    (text) => {
      expect(() => usd(text)).toThrow('A price is dollars and cents');
    },
  );
});
