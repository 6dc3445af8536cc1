import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { readLogs } from './log-lines.ts';

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
