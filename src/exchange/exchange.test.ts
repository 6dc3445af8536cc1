import { expect, it } from 'vitest';
import type { Operation } from '../catalog/operation.ts';
import { type Day, parseDay } from '../domain/calendar.ts';
import lateFee from '../operations/late-fee.ts';
import lateFeeNotice from '../operations/late-fee-notice.ts';
import { shownAnswer, shownFaults, withSignedReceipt } from './exchange.ts';
import type { Outcome } from './purchase.ts';

const URL = 'https://x.example/v1/late-fee-notice';

it('a claim of an older release, which does not say when it was paid, gets an unsigned receipt', async () => {
  const receipt = { success: true, network: 'eip155:8453', payer: '0xaa', transaction: '0xbb' };
  const settled = { state: 'settled', body: {}, receipt } as unknown as Outcome;
  const dated = { ...settled, claimedAt: 5 } as Outcome;
  const signedAt: number[] = [];
  const bugs: unknown[] = [];
  const signer = {
    sign: async ({ issuedAt }: { issuedAt: number }) => {
      signedAt.push(issuedAt);
      return { signed: true };
    },
  };
  const signed = (outcome: Outcome) => withSignedReceipt(outcome, URL, signer, (error) => bugs.push(error));
  expect(await signed(settled)).toEqual(settled);
  expect(await signed(dated)).toMatchObject({ receipt: { ...receipt, extensions: { signed: true } } });
  expect([signedAt, bugs]).toEqual([[5], []]);
});

it('gives an unsigned receipt if signing fails, and reports that as a bug', async () => {
  const receipt = { success: true, network: 'eip155:8453', payer: '0xaa', transaction: '0xbb' };
  const settled = { state: 'settled', body: {}, receipt, claimedAt: 5 } as unknown as Outcome;
  const broken = new Error('a broken signer');
  const bugs: unknown[] = [];
  const signer = { sign: () => Promise.reject(broken) };
  expect(await withSignedReceipt(settled, URL, signer, (error) => bugs.push(error))).toEqual(settled);
  expect(bugs).toEqual([broken]);
});

it('shows a page the answer or the faults of a free calculation, and never runs a paid operation', () => {
  const today = parseDay('2026-11-21') as Day;
  const free = lateFee as unknown as Operation;
  const input = { amount: '1250', due_date: '2026-11-04' };
  expect(shownAnswer(free, input, today)).toMatchObject({ days_late: 17 });
  expect(shownFaults(free, input, today)).toEqual([]);
  expect(shownAnswer(free, { amount: '1250' }, today)).toBeNull();
  expect(shownFaults(free, { amount: '1250' }, today)).toMatchObject([{ pointer: '/due_date' }]);
  const silent: Operation = { ...free, run: () => ({ kind: 'no_answer', detail: 'nothing to say' }) };
  expect(shownAnswer(silent, input, today)).toBeNull();
  expect(() => shownAnswer(lateFeeNotice as unknown as Operation, input, today)).toThrow('paid for');
});
