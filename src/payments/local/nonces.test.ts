import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createNonces } from './account.ts';

describe("the account's nonces", () => {
  it("begin with the node's transaction count and go up", () => {
    const nonces = createNonces();
    expect(nonces.isStale()).toBe(true);
    nonces.learn(7);
    expect([nonces.isStale(), nonces.take(), nonces.take()]).toEqual([false, 7, 8]);
  });

  it('are used again if they were returned, the last one first', () => {
    const nonces = createNonces();
    nonces.learn(0);
    nonces.take();
    nonces.take();
    nonces.giveBack(0);
    expect(nonces.gaps()).toEqual([0]);
    nonces.giveBack(1);
    expect([nonces.gaps(), nonces.take()]).toEqual([[], 0]);
  });

  it('fill a gap before a new nonce is used', () => {
    const nonces = createNonces();
    nonces.learn(3);
    expect([nonces.take(), nonces.take(), nonces.take()]).toEqual([3, 4, 5]);
    nonces.giveBack(4);
    expect([nonces.gaps(), nonces.take(), nonces.take()]).toEqual([[4], 4, 6]);
  });

  it('skip a nonce that somebody else has used, once the node has been asked again', () => {
    const nonces = createNonces();
    nonces.learn(0);
    nonces.spend(nonces.take());
    nonces.doubt();
    nonces.learn(5);
    expect(nonces.take()).toBe(5);
  });

  it('stay reserved while pending, even when a lagging node is asked', () => {
    const nonces = createNonces();
    nonces.learn(0);
    expect([nonces.take(), nonces.take()]).toEqual([0, 1]);
    nonces.doubt();
    nonces.learn(0);
    expect(nonces.take()).toBe(2);
  });

  it('are never given out twice, and none is skipped', () => {
    fc.assert(
      fc.property(
        fc.array(fc.constantFrom('take', 'take', 'giveBack', 'mine'), { maxLength: 200 }),
        (steps) => {
          const nonces = createNonces();
          nonces.learn(0);
          const out: number[] = [];
          let mined = 0;
          for (const step of steps) {
            if (step === 'take') {
              const nonce = nonces.take();
              expect(out).not.toContain(nonce);
              expect(nonce).toBeGreaterThanOrEqual(mined);
              out.push(nonce);
            } else if (step === 'giveBack' && out.length > 0) {
              nonces.giveBack(out.splice(out.length >> 1, 1)[0] as number);
            } else if (step === 'mine' && out.includes(mined)) {
              out.splice(out.indexOf(mined), 1);
              nonces.spend(mined);
              mined += 1;
            }
          }
          // From the first nonce that is not mined on, each one is in use, free, or not given out yet: there is no
          // gap.
          const known = [...out, ...nonces.gaps()].sort((a, b) => a - b);
          expect(known).toEqual(known.map((_, index) => mined + index));
        },
      ),
    );
  });
});
