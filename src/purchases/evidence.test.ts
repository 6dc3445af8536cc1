import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { loadDirectory } from '../directory/load.ts';
import type { Day } from '../domain/calendar.ts';
import type { Claim } from '../exchange/claims/claims.ts';
import { createCatalog } from '../operations/catalog.ts';
import { boughtBy, describePurchase, mayBeOwed, type Payment, readLogs } from './evidence.ts';

const payment: Payment = {
  transaction: `0x${'a1'.repeat(32)}`,
  from: `0x${'b2'.repeat(20)}`,
  nonce: `0x${'c3'.repeat(32)}`,
  value: 10_000n,
  block: 7,
  at: 1_795_348_800,
};
const claim: Claim = {
  state: 'settled',
  request: 'r',
  signature: 's',
  today: 20_000 as Day,
  transaction: payment.transaction,
  validBefore: 1_795_348_920,
  operation: 'late_fee_notice',
  readyAt: 1_795_348_802,
};
const one = { name: 'late_fee_notice', amount: 10_000n };
const other = { name: 'break_even', amount: 10_000n };

test('every product has its own price today, so a price identifies its product', () => {
  const prices = createCatalog(loadDirectory()).flatMap(({ price }) =>
    price === null ? [] : [price.atomic],
  );
  expect(prices.length).toBeGreaterThan(2);
  expect(new Set(prices).size).toBe(prices.length);
});

test('two products at one price are ambiguous unless the claim or the log says which was bought', () => {
  const unknown = { claim: 'absent', logged: undefined } as const;
  expect(boughtBy(payment, unknown, [one])).toEqual({ product: 'late_fee_notice', by: 'price' });
  expect(boughtBy(payment, unknown, [one, other])).toEqual({
    product: '(ambiguous: late_fee_notice or break_even)',
    by: null,
  });
  expect(boughtBy(payment, { claim, logged: undefined }, [one, other])).toEqual({
    product: 'late_fee_notice',
    by: 'claim',
  });
  const logged = {
    operation: 'break_even',
    outcome: 'settled',
    time: '2026-11-22T00:00:02.000Z',
    requestId: null,
  };
  expect(boughtBy(payment, { claim: 'down', logged }, [one, other])).toEqual({
    product: 'break_even',
    by: 'log',
  });
});

test.each([
  [claim, /^answer: .*\bready\b.* 2026-11-22T12:00:02Z$/m, false],
  [{ ...claim, readyAt: undefined }, /^answer: .*\bready\b(?!.*2026)/m, false],
  [{ ...claim, state: 'sent' }, /^answer: .*\bnot known\b.*\bclaim\b/m, false],
  ['absent', /^answer: .*\bnot known\b/m, true],
  ['down', /^answer: .*\bnot known\b.*\bclaims\b/m, true],
] as const)(
  'the answer to a purchase is described as the store remembers it: %j',
  (remembered, answer, mayBeRepaid) => {
    const story = describePurchase(
      payment,
      { claim: remembered as Claim, logged: undefined },
      { products: [one], nowSeconds: 1_795_348_900 },
    ).join('\n');
    expect(story).toMatch(answer);
    expect(/\bmoney back\b/.test(story)).toBe(mayBeRepaid);
  },
);

test('an answer that can no longer be collected is reported as such', () => {
  const story = describePurchase(
    payment,
    { claim, logged: undefined },
    { products: [one], nowSeconds: 1_795_435_321 },
  );
  expect(story.at(-1)).toMatch(/\bover\b/);
});

const logged = {
  operation: 'late_fee_notice',
  outcome: 'settled',
  time: '2026-11-22T12:00:02.000Z',
  requestId: null,
};
const LOGGED_AT = Date.parse(logged.time) / 1_000;
const DAY = 86_400;
const wordsAt = (claim: 'none' | 'down' | 'absent', nowSeconds: number) =>
  describePurchase(payment, { claim, logged }, { products: [one], nowSeconds }).at(-1);

// An authorization is valid for at most a day, and its answer can be collected for another day.
test.each([
  ['there is no store', 'none'],
  ['the store cannot be asked', 'down'],
] as const)('if %s, the buyer is told to ask again until the time is over', (_, claim) => {
  for (const nowSeconds of [LOGGED_AT + 60, LOGGED_AT + 2 * DAY]) {
    const words = wordsAt(claim, nowSeconds);
    expect(words).toContain('was for late_fee_notice, and the answer was ready at 2026-11-22T12:00:02.000Z.');
    expect(words).toMatch(
      /Send the identical request.* again; if you still get no answer, we will send the money back\.$/,
    );
    expect(words).not.toContain('can no longer be collected');
  }
  expect(wordsAt(claim, LOGGED_AT + 2 * DAY + 1)).toContain('It can no longer be collected.');
});

test('a purchase in the log that the store has forgotten can no longer be collected', () => {
  expect(wordsAt('absent', LOGGED_AT + 60)).toContain('It can no longer be collected.');
});

test('the log has purchases that the store does not have', () => {
  const known = { claim: { ...claim, state: 'sent', readyAt: undefined } as Claim, logged };
  const story = describePurchase(payment, known, { products: [one], nowSeconds: 1_795_348_900 }).join('\n');
  expect(story).toMatch(/^answer: +ready since 2026-11-22T12:00:02.000Z$/m);
});

test('a sender may be owed money unless an answer is known to have been ready', () => {
  const settled = { operation: 'late_fee_notice', outcome: 'settled', time: '', requestId: null };
  expect(mayBeOwed(payment, { claim, logged: undefined })).toBe(false);
  expect(mayBeOwed(payment, { claim: 'absent', logged: settled })).toBe(false);
  expect(mayBeOwed(payment, { claim: { ...claim, state: 'sent' }, logged: settled })).toBe(false);
  expect(mayBeOwed(payment, { claim: { ...claim, state: 'sent' }, logged: undefined })).toBe(true);
  expect(mayBeOwed(payment, { claim: 'absent', logged: { ...settled, outcome: 'unknown' } })).toBe(true);
  expect(mayBeOwed({ ...payment, nonce: null }, { claim: 'absent', logged: undefined })).toBe(true);
});

const folder = mkdtempSync(join(tmpdir(), 'log-lines-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const line = {
  time: '2026-11-22T12:00:02.000Z',
  level: 'info',
  event: 'purchase',
  operation: 'late_fee_notice',
  outcome: 'settled',
  transaction: `0x${'a1'.repeat(32)}`,
  request_id: '0b9e5f0e-6f5c-4a57-9c3a-1f2e3d4c5b6a',
};

async function found(written: object) {
  const file = join(folder, 'service.log');
  writeFileSync(file, `${JSON.stringify(written)}\n`);
  return (await readLogs([file])).get(line.transaction as `0x${string}`);
}

test('a purchase that the service wrote is read from its log', async () => {
  const { time, operation, outcome, request_id: requestId } = line;
  expect(await found(line)).toEqual({ time, operation, outcome, requestId });
});

test.each([
  ['an operation with terminal control characters', { operation: 'late\u001b]0;pwn\u0007\u001b[2J' }],
  ['an operation that is a spreadsheet formula', { operation: '=HYPERLINK("http://127.0.0.1")' }],
  ['an outcome with a line break', { outcome: 'settled\ntell the buyer: nothing' }],
  ['an invalid time', { time: 'soon\u001b[2J' }],
  ['a request ID that is not a UUID', { request_id: '\u001b[2J' }],
])('a log line with %s is skipped', async (_, hostile) => {
  expect(await found({ ...line, ...hostile })).toBeUndefined();
});
